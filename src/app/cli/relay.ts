import process from "node:process";
import { commandLine } from "../../base/runtime/command_line.ts";
import { printed, type Terminal, untilStopped } from "./terminal.ts";
import { runUser, stateFolder } from "./relay_user.ts";
import { Allowance } from "../../client/cost/allowance.ts";
import { cacheFolder } from "../../client/open_storage.ts";
import { type OpenContext, openContext } from "../../client/open_context.ts";
import { findScores } from "../../client/scores/load_scores.ts";
import { beginVerb, serviceNowMs } from "../../client/verb/connection_context.ts";
import { type Factor, FACTORS } from "../../base/contract/factor.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { NotFoundError } from "../../base/errors.ts";
import { countText } from "../../base/wording/number_text.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { findGaps } from "../../desk/relay/follow_checks.ts";
import {
  flags,
  namesOf,
  parseArguments,
  texts,
  UsageError,
  type ValuesOf,
} from "./parse_arguments.ts";
import { describe } from "../../base/contract/violation.ts";
import { Relay, relayAccount } from "../../desk/relay/relay.ts";
import type { RelayOptions } from "../../desk/relay/relay_options.ts";
import { isLoopback } from "../../base/contract/http/loopback.ts";
import { JournalFile } from "./journal_file.ts";

const GAP_OPTIONS = { ...texts("store", "account"), ...flags("fill") };

const MAX_SHOWN = 24;

const HELP = `usage: ${commandLine()} relay --store DIR [options]
       ${commandLine()} relay user add NAME [--requests N] [--downloads N] [--factors ecpnd] [--admin]
       ${commandLine()} relay user list
       ${commandLine()} relay user revoke NAME
       ${commandLine()} relay gaps --store DIR [--fill]

Serves the whole API to the colleagues of a desk from one account, and forwards only requests that its store cannot answer.
Set the account's key and the service's address in SCOREFRAME_API_KEY and SCOREFRAME_URL; they stay on this machine.
docs/relay.md says how to run it.

  --store DIR         the store: every set, check and release that was received
  --listen HOST:PORT  where to listen (default: 127.0.0.1:8090); port 0 takes a free one
  --host NAMES        names under which it may be asked on 127.0.0.1 beside localhost, such as that of a proxy
  --state DIR         users and their spending (default: SCOREFRAME_RELAY_STATE, or scoreframe-relay in the user's state folder)
  --latest-age 1m     longest age of an answer about the latest check (90s, 1m, 1h)
  --lease 1h          how long a factor is served after the service has confirmed its licence
  --follow            request each check when it is due, so that the store has every publication
  --key-file FILE     the account's key, instead of SCOREFRAME_API_KEY; read again after a refusal and at SIGHUP
  --account NAME      name of the account, if it has several keys on this machine
  --journal FILE      append each request as a line of JSON; opened again at SIGHUP

  user add            creates a key, and shows it once
  user revoke         revokes a key at once
  gaps                lists the hours without a check in the store; --fill requests them, one request each`;

const OPTIONS = {
  ...{ ...texts("store", "listen", "host", "state", "latest-age", "lease"), ...flags("follow") },
  ...texts("key-file", "account", "journal"),
};
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Runs `relay`: the relay itself, or one of its commands. */
export async function runRelay(args: string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (args.some((word) => word === "--help" || word === "-h")) return printed(terminal, HELP);
  if (name === "user") return await runUser(rest, terminal);
  if (name === "gaps") return await runGaps(rest, terminal);
  return await runRelayServer(args, terminal);
}

/** Runs the relay until SIGTERM or SIGINT. */
async function runRelayServer(args: string[], terminal: Terminal): Promise<number> {
  const { values } = parseArguments(args, { options: OPTIONS });
  const place = { ...placeOf(values.listen ?? "127.0.0.1:8090"), hosts: namesOf(values.host) };
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
    warnBeyondLoopback(place.hostname, terminal);
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

function warnBeyondLoopback(hostname: string, terminal: Terminal): void {
  if (isLoopback(hostname)) return;
  terminal.error(
    `listening on ${hostname}, beyond this machine, without TLS: keys can be read in transit; ` +
      "put a reverse proxy with TLS in front, and let the relay listen on 127.0.0.1",
  );
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

interface Gap {
  readonly factor: Factor;
  readonly at: Instant;
}

/** Runs `relay gaps`: lists the hours without a check in the store, and requests them with `--fill`. */
async function runGaps(args: string[], terminal: Terminal): Promise<number> {
  const { values: { store, account, fill } } = parseArguments(args, { options: GAP_OPTIONS });
  if (!store) {
    throw new UsageError(
      "Cannot list gaps: expected --store DIR, got none; add the folder of the relay's store",
    );
  }
  const opened = await openContext(
    { ...{ store, environment: process.env }, ...(account !== undefined && { account }) },
    [],
    (origin, keyHash) => relayAccount(cacheFolder(process.env), origin, keyHash),
  );
  try {
    const gaps = await listGaps(opened);
    for (const { factor, at } of gaps.slice(0, MAX_SHOWN)) {
      terminal.out(`${factor}  hour to ${at}`);
    }
    if (gaps.length > MAX_SHOWN) {
      terminal.out(`and ${groupThousands(gaps.length - MAX_SHOWN)} more`);
    }
    terminal.out(costOf(gaps, opened));
    if (fill !== true || gaps.length === 0) return 0;
    return await fillAll(opened, gaps, terminal);
  } finally {
    await opened.close();
  }
}

async function listGaps({ context }: OpenContext): Promise<readonly Gap[]> {
  const lists = await Promise.all(FACTORS.map(async (factor) => {
    const gaps = await findGaps(context.store, factor, serviceNowMs(context));
    return gaps.map((at) => ({ factor, at }));
  }));
  return lists.flat();
}

function costOf(gaps: readonly Gap[], { context: { ledger, clock } }: OpenContext): string {
  if (gaps.length === 0) return "no gaps";
  const { day } = new Allowance(ledger.read(), clock.now());
  return `${countText(gaps.length, "gap")}; filling takes ${groupThousands(gaps.length)} ` +
    `requests; ${groupThousands(day.remaining)} of the account's ${groupThousands(day.limit)} ` +
    "requests are left today";
}

async function fillAll(
  { context }: OpenContext,
  gaps: readonly Gap[],
  terminal: Terminal,
): Promise<number> {
  let filled = 0;
  for (const { factor, at } of gaps) {
    const query = { factor, view: { kind: "at", at }, ticker: null, format: "json" } as const;
    try {
      await findScores(context, query, beginVerb(context, {}));
      filled++;
    } catch (error) {
      if (error instanceof NotFoundError) continue;
      terminal.out(`${groupThousands(filled)} filled; ${(error as Error).message}`);
      return 1;
    }
  }
  terminal.out(`${groupThousands(filled)} filled`);
  return 0;
}
