import process from "node:process";
import { describe } from "../../../base/contract/violation.ts";
import { Relay } from "../../../desk/relay/relay.ts";
import type { RelayOptions } from "../../../desk/relay/relay_options.ts";
import { isLoopback } from "../../../client/transport/wire/base_url.ts";
import { JournalFile } from "../journal_file.ts";
import { flags, parseArguments, texts, type ValuesOf } from "../parse_arguments.ts";
import type { Terminal } from "../terminal.ts";
import { untilStopped } from "../until_stopped.ts";
import { UsageError } from "../usage_error.ts";
import { stateFolder } from "./state_folder.ts";

const OPTIONS = {
  ...{ ...texts("store", "listen", "state", "latest-age", "lease"), ...flags("follow") },
  ...texts("key-file", "account", "journal"),
};
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Runs the relay until SIGTERM or SIGINT. */
export async function runRelayServer(args: string[], terminal: Terminal): Promise<number> {
  const { values } = parseArguments(args, { options: OPTIONS });
  const place = placeOf(values.listen ?? "127.0.0.1:8090");
  const options = relayOptions(values);
  const journal = values.journal === undefined
    ? null
    : new JournalFile(values.journal, { goesOn: true, onTrouble: terminal.error });
  const recorded = journal === null ? {} : { journal: { onEntry: journal.write } };
  let onHangUp = () => journal?.reopen();
  const stopped = untilStopped(() => onHangUp());
  const relay = await Relay.open({ ...options, ...recorded, onState: terminal.out }).catch(
    (error: unknown) => {
      // Key and address come from the environment, so a wrong one is an error of the command line.
      throw error instanceof TypeError ? new UsageError(error.message) : error;
    },
  );
  onHangUp = () => {
    journal?.reopen();
    void confirm(relay.renew(), terminal);
  };
  try {
    const listener = await relay.listen({ ...place, onTrouble: terminal.error });
    if (!isOfThisMachine(place.hostname)) {
      terminal.error(
        `listening on ${place.hostname}, beyond this machine, without TLS: keys can be read in transit; ` +
          "put a reverse proxy with TLS in front, and let the relay listen on 127.0.0.1",
      );
    }
    if (values.follow === true) relay.follow();
    terminal.out(`listening on ${listener.url}`);
    terminal.out(`its page: ${listener.url}/relay (any name; password ${relay.pageToken})`);
    void confirm(relay.confirm(), terminal);
    await stopped;
  } finally {
    await relay.close();
    journal?.close();
  }
  return 0;
}

// A wrong key is reported at the start, not with the first request; an outage does not stop the relay from starting.
async function confirm(confirming: Promise<unknown>, terminal: Terminal): Promise<void> {
  try {
    await confirming;
  } catch (error) {
    terminal.error(`the licence is not confirmed yet: ${(error as Error).message}`);
  }
}

function relayOptions(values: ValuesOf<typeof OPTIONS>): RelayOptions {
  const { store, account, state, lease, ...more } = values;
  const { "latest-age": age, "key-file": keyFile } = more;
  if (!store) {
    throw new UsageError(
      "Cannot start the relay: expected --store DIR, got none; add a folder for the relay's store",
    );
  }
  return {
    store,
    state: stateFolder(state, process.env),
    ...(keyFile !== undefined && { keyFile }),
    ...(account !== undefined && { account }),
    ...(age !== undefined && { latestAgeMs: durationOf("latest-age", age) }),
    ...(lease !== undefined && { leaseMs: durationOf("lease", lease) }),
  };
}

function isOfThisMachine(hostname: string): boolean {
  return isLoopback(hostname.includes(":") ? `[${hostname}]` : hostname);
}

function placeOf(text: string): { readonly hostname: string; readonly port: number } {
  const match = /^(?:(.+):)?(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match !== null && port <= 65_535) {
    return { hostname: (match[1] ?? "127.0.0.1").replace(/^\[(.*)\]$/, "$1"), port };
  }
  throw new UsageError(
    `Cannot start the relay: expected --listen to be like 127.0.0.1:8090, got ${describe(text)}`,
  );
}

function durationOf(option: string, text: string): number {
  const match = /^(\d{1,9})(s|m|h)?$/.exec(text);
  if (match !== null) return Number(match[1]) * UNIT_MS[(match[2] ?? "s") as keyof typeof UNIT_MS];
  throw new UsageError(
    `Cannot start the relay: expected --${option} to be like 90s, 5m or 1h, got ${describe(text)}`,
  );
}
