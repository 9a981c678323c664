import { readFile } from "node:fs/promises";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { connect } from "../../../client/connect.ts";
import { type ConnectOptions, readSwitch } from "../../../client/connect_options.ts";
import { parseRelayMark } from "../../../base/contract/http/header.ts";
import { proxyFor, unheededProxy } from "../../../client/transport/wire/proxy.ts";
import { keyEnvironmentOf, keyIssuerOf } from "../../../base/contract/key.ts";
import { AccessError, ApiError } from "../../../base/errors.ts";
import { openTemporaryFolder } from "../../../base/disk/temporary_folder.ts";
import { broken, type DoctorFinding, good, limited, type Machine } from "./machine.ts";

const PATIENCE_MS = 15_000;
const MAX_SKEW_MS = 60_000;
const SET_KEY = "to connect: export SCOREFRAME_API_KEY=…; demo() needs no key";
const SET_URL =
  "to connect: export SCOREFRAME_URL=… (the service's base address); demo() needs none";

/** Options for checking the service. */
export interface ServiceOptions extends Pick<ConnectOptions, "fetch"> {
  /** Sends the service a request, which counts against the day's allowance. */
  readonly ask: boolean;
}

/** Checks key and address, sends the service one request, and compares its clock with this machine's. */
export async function examineService(
  machine: Machine,
  options: ServiceOptions,
): Promise<readonly DoctorFinding[]> {
  const { SCOREFRAME_API_KEY: key = "", SCOREFRAME_URL: url = "" } = machine.environment;
  const findings = [
    keyOf(key.trim()),
    addressOf(url),
    proxyOf(url, machine),
    await authoritiesOf(machine),
  ];
  if (!options.ask || findings.some(({ state }) => state !== "good")) return findings;
  const offline = offlineOf(machine);
  if (offline !== null) return [...findings, offline];
  return [...findings, ...await askService(machine, options)];
}

function keyOf(key: string): DoctorFinding {
  if (key === "") return limited("key", "SCOREFRAME_API_KEY is not set", SET_KEY);
  const environment = keyEnvironmentOf(key);
  if (environment !== null) {
    const issuer = keyIssuerOf(key) === "relay" ? ", issued by a relay" : "";
    return good("key", `set, for the ${environment} environment${issuer} (not shown)`);
  }
  return broken(
    "key",
    `SCOREFRAME_API_KEY has ${countText(key.length, "character")} and is not a key`,
    "expected svc_live_ or svc_test_ (of a relay: relay_live_ or relay_test_), then visible characters without blanks",
  );
}

// A variable that was set on purpose is not a fault of the machine.
function offlineOf({ environment }: Machine): DoctorFinding | null {
  const { SCOREFRAME_OFFLINE: given = "" } = environment;
  try {
    if (!readSwitch("SCOREFRAME_OFFLINE", environment)) return null;
    const found = `not checked: SCOREFRAME_OFFLINE=${given.trim()} keeps every connection offline`;
    return limited("service", found, "to check it, unset SCOREFRAME_OFFLINE");
  } catch (error) {
    return broken("service", (error as Error).message, "unset SCOREFRAME_OFFLINE, or set it to 1");
  }
}

function addressOf(url: string): DoctorFinding {
  if (url === "") return limited("address", "SCOREFRAME_URL is not set", SET_URL);
  return URL.canParse(url)
    ? good("address", new URL(url).origin)
    : broken("address", "SCOREFRAME_URL is not an address", SET_URL);
}

function proxyOf(url: string, { environment }: Machine): DoctorFinding {
  try {
    const proxy = proxyFor(URL.canParse(url) ? url : "https://service.invalid", environment);
    if (proxy !== null) return good("proxy", proxy.shown);
    const names = ["HTTPS_PROXY", "HTTP_PROXY"].filter((name) =>
      environment[name] || environment[name.toLowerCase()]
    );
    const unheeded = unheededProxy(environment);
    if (names.length === 0) return good("proxy", unheeded === null ? "none" : `none; ${unheeded}`);
    return good("proxy", `none for this address (${names.join(", ")} and NO_PROXY)`);
  } catch (error) {
    return broken("proxy", (error as Error).message, "correct or unset the variable");
  }
}

// Deno reads them when it starts.
async function authoritiesOf({ environment }: Machine): Promise<DoctorFinding> {
  const { DENO_TLS_CA_STORE: stores = "", DENO_CERT: path = "" } = environment;
  const found = stores.trim() === ""
    ? "those of Mozilla, which Deno contains"
    : `DENO_TLS_CA_STORE=${stores}`;
  if (path === "") return good("authorities", found);
  const text = await readFile(path, "utf8").catch(() => null);
  if (text?.includes("-----BEGIN CERTIFICATE-----")) {
    return good("authorities", `${found}, and those of DENO_CERT ${path}`);
  }
  const got = text === null ? "cannot be read" : "contains no certificate in PEM form";
  return broken(
    "authorities",
    `DENO_CERT ${path} ${got}`,
    "set DENO_CERT to the .pem file of your organisation",
  );
}

async function askService(
  { environment, now }: Machine,
  { fetch }: ServiceOptions,
): Promise<readonly DoctorFinding[]> {
  using folder = await openTemporaryFolder("doctor");
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
      good("service", `${answererOf(response?.headers)} and licenses ${factors}`),
      clockOf(response?.headers.get("date") ?? null, now()),
    ];
  } catch (error) {
    return [unanswered(error)];
  }
}

function answererOf(headers: Headers | undefined): string {
  const isRelay = headers !== undefined && parseRelayMark(headers) !== null;
  return isRelay
    ? "answers through a relay, whose users share one account (its page: /relay),"
    : "answers";
}

// The messages of the client are redacted, and show nothing of the key.
function unanswered(error: unknown): DoctorFinding {
  const { message } = error as Error;
  if (error instanceof AccessError) {
    return broken("service", message, "ask the owner of the account for the current key");
  }
  if (error instanceof ApiError) return limited("service", message, "try again later");
  return broken("service", message, "check SCOREFRAME_URL, the network, proxy and firewall");
}

function clockOf(date: string | null, nowMs: number): DoctorFinding {
  const serviceMs = Date.parse(date ?? "");
  if (Number.isNaN(serviceMs)) {
    return limited(
      "clock",
      "the service's answer has no time",
      "ask the provider for a Date header",
    );
  }
  const aheadMs = nowMs - serviceMs;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  const found = `${groupThousands(seconds)} s ${aheadMs < 0 ? "behind" : "ahead of"} the service`;
  if (Math.abs(aheadMs) <= MAX_SKEW_MS) return good("clock", found);
  return limited(
    "clock",
    found,
    "set this machine's clock, for example with timedatectl set-ntp true; an embedded server may " +
      "have a clock of its own",
  );
}
