import { connect } from "../../client/connect.ts";
import type { ConnectOptions } from "../../client/connect_options.ts";
import { keyEnvironmentOf } from "../../contract/key.ts";
import { AccessError, ApiError } from "../../errors.ts";
import { openTemporaryFolder } from "../../store/disk/temporary_folder.ts";
import { broken, type Finding, good, limited } from "./finding.ts";
import type { Machine } from "./machine.ts";

const PATIENCE_MS = 15_000;
const MAX_SKEW_MS = 60_000;
const SET_KEY = "export SCOREFRAME_API_KEY=…; demo() needs no key";
const SET_URL = "export SCOREFRAME_URL=… to the base address of the service; demo() needs none";

/** How the service is looked at. */
export interface ServiceOptions extends Pick<ConnectOptions, "fetch"> {
  /** Whether the service is asked; that spends one request of the day. */
  readonly ask: boolean;
}

/** Looks at key and address, asks the service once, and compares its clock with the one of this machine. */
export async function examineService(
  machine: Machine,
  options: ServiceOptions,
): Promise<readonly Finding[]> {
  const { SCOREFRAME_API_KEY: key = "", SCOREFRAME_URL: url = "" } = machine.environment;
  const findings = [keyOf(key.trim()), addressOf(url)];
  if (!options.ask || findings.some(({ state }) => state !== "good")) return findings;
  return [...findings, ...await askService(machine, options)];
}

function keyOf(key: string): Finding {
  if (key === "") return limited("key", "SCOREFRAME_API_KEY is not set", SET_KEY);
  const environment = keyEnvironmentOf(key);
  if (environment !== null) return good("key", `of the ${environment} environment, not shown`);
  return broken(
    "key",
    `SCOREFRAME_API_KEY has ${key.length} characters that are no key`,
    "expected svc_live_ or svc_test_ and visible characters without blanks",
  );
}

function addressOf(url: string): Finding {
  if (url === "") return limited("address", "SCOREFRAME_URL is not set", SET_URL);
  return URL.canParse(url)
    ? good("address", new URL(url).origin)
    : broken("address", "SCOREFRAME_URL is no address", SET_URL);
}

async function askService(
  { environment, now }: Machine,
  { fetch }: ServiceOptions,
): Promise<readonly Finding[]> {
  const folder = await openTemporaryFolder("doctor");
  try {
    await using api = await connect({
      environment,
      store: folder.path,
      timeoutMs: PATIENCE_MS,
      maxWaitMs: 0,
      ...(fetch !== undefined && { fetch, baseUrl: environment.SCOREFRAME_URL! }),
    });
    const { data, response } = await api.factors().withResponse();
    const factors = data.getColumn("factor").toArray().join(" and ");
    return [
      good("service", `answered, and licenses ${factors}`),
      clockOf(response?.headers.get("date") ?? null, now()),
    ];
  } catch (error) {
    return [unanswered(error)];
  } finally {
    folder.remove();
  }
}

// The messages of the client are redacted, and show nothing of the key.
function unanswered(error: unknown): Finding {
  const { message } = error as Error;
  if (error instanceof AccessError) {
    return broken("service", message, "take the key that the owner of the account shows");
  }
  if (error instanceof ApiError) return limited("service", message, "try again later");
  return broken("service", message, "look at SCOREFRAME_URL, the network, its proxy and firewall");
}

function clockOf(date: string | null, nowMs: number): Finding {
  const serviceMs = Date.parse(date ?? "");
  if (Number.isNaN(serviceMs)) {
    return limited(
      "clock",
      "the service does not say its time",
      "ask its provider for a Date header",
    );
  }
  const aheadMs = nowMs - serviceMs;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const found = `${seconds} s ${aheadMs < 0 ? "behind" : "ahead of"} the service`;
  if (Math.abs(aheadMs) <= MAX_SKEW_MS) return good("clock", found);
  return limited(
    "clock",
    found,
    "set the clock of this machine, such as by timedatectl set-ntp true; an embedded server may " +
      "have a clock of its own",
  );
}
