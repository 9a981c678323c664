import { RECALL_USAGE, runRelayRecall } from "./relay_recall.ts";
import process from "node:process";
import { type Terminal, untilStopped } from "./terminal.ts";
import { runUser, STATE, stateFolder, USER_USAGE } from "./relay_user.ts";
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
  command,
  flag,
  names,
  type Option,
  type RunCommand,
  text,
  UsageError,
  type Values,
} from "./command.ts";
import { Relay, relayAccount } from "../../desk/relay/relay.ts";
import type { RelayOptions } from "../../desk/relay/relay_options.ts";
import { isLoopback } from "../../base/contract/http/loopback.ts";
import { JournalFile } from "./journal_file.ts";

const MAX_SHOWN = 24;

const STORE = text("DIR", "the store: every set, check and release that was received");
const ACCOUNT = text("NAME", "name of the account, if it has several keys on this machine");
const OPTIONS = {
  store: STORE,
  listen: {
    ...text("HOST:PORT", "where to listen (default: 127.0.0.1:8090); port 0 takes a free one"),
    required: "an address like 127.0.0.1:8090",
    read: placeOf,
  },
  host: names(
    "names under which it may be asked on 127.0.0.1 beside localhost, such as that of a proxy",
  ),
  state: STATE,
  "latest-age": duration("1m", "longest age of an answer about the latest check (90s, 1m, 1h)"),
  lease: duration("1h", "how long a factor is served after the service has confirmed its licence"),
  follow: flag("request each check when it is due, so that the store has every publication"),
  "key-file": text(
    "FILE",
    "the account's key, instead of SCOREFRAME_API_KEY; read again after a refusal and at SIGHUP",
  ),
  account: ACCOUNT,
  journal: text("FILE", "append each request as a line of JSON; opened again at SIGHUP"),
};
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;
const GAPS_USAGE = "relay gaps --store DIR [--fill]";

/** Runs `relay`: the relay itself, or one of its commands. */
export const runRelay: RunCommand = async (args, terminal) => {
  const [name, ...rest] = args;
  if (name === "user") return await runUser(rest, terminal);
  if (name === "gaps") return await runGaps(rest, terminal);
  if (name === "recall") return await runRelayRecall(rest, terminal);
  return await runRelayServer(args, terminal);
};

/** The relay until SIGTERM or SIGINT. */
const runRelayServer = command({
  usage: ["relay --store DIR [options]", ...USER_USAGE, GAPS_USAGE, RECALL_USAGE],
  about:
    `Serves the whole API to the colleagues of a desk from one account, and forwards only requests that its store cannot answer.
Set the account's key and the service's address in SCOREFRAME_API_KEY and SCOREFRAME_URL; they stay on this machine.
docs/relay.md says how to run it; relay user --help, relay gaps --help and relay recall --help show the options of these.`,
  options: OPTIONS,
  run: ({ values, terminal }) => serveDesk(values, terminal),
});

async function serveDesk(values: Values<typeof OPTIONS>, terminal: Terminal): Promise<number> {
  const place = { ...(values.listen ?? placeOf("127.0.0.1:8090")!), hosts: values.host ?? [] };
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

function relayOptions(values: Values<typeof OPTIONS>): RelayOptions {
  const { account, state, lease, "latest-age": age, "key-file": keyFile } = values;
  return {
    store: storeOf(values, "start the relay", "a folder for the relay's store"),
    state: stateFolder(state, process.env),
    ...(keyFile !== undefined && { keyFile }),
    ...(account !== undefined && { account }),
    ...(age !== undefined && { latestAgeMs: age }),
    ...(lease !== undefined && { leaseMs: lease }),
  };
}

function storeOf({ store }: { readonly store?: string }, action: string, advice: string): string {
  if (store) return store;
  throw new UsageError(`Cannot ${action}: expected --store DIR, got none; add ${advice}`);
}

function placeOf(given: string): { readonly hostname: string; readonly port: number } | undefined {
  const [, name = "127.0.0.1", digits] = /^(?:(.+):)?(\d{1,5})$/.exec(given) ?? [];
  const port = Number(digits);
  return port <= 65_535 ? { hostname: name.replace(/^\[(.*)\]$/, "$1"), port } : undefined;
}

function duration(takes: string, says: string): Option<number> {
  const read = (given: string) => {
    const [, count, unit = "s"] = /^(\d{1,9})(s|m|h)?$/.exec(given) ?? [];
    return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
  };
  return { takes, says, required: "a duration like 90s, 5m or 1h", read };
}

interface Gap {
  readonly factor: Factor;
  readonly at: Instant;
}

const GAP_OPTIONS = {
  store: STORE,
  account: ACCOUNT,
  fill: flag("request them, one request each"),
};

const runGaps = command({
  usage: [GAPS_USAGE],
  about: "Lists the hours without a check in the store.",
  options: GAP_OPTIONS,
  run: ({ values, terminal }) => showGaps(values, terminal),
});

async function showGaps(values: Values<typeof GAP_OPTIONS>, terminal: Terminal): Promise<number> {
  const { account, fill } = values;
  const store = storeOf(values, "list gaps", "the folder of the relay's store");
  const opened = await openContext(
    { store, environment: process.env, ...(account !== undefined && { account }) },
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
