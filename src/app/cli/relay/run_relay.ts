import { commandLine } from "../../../base/runtime/command_line.ts";
import { printed, type Terminal } from "../terminal.ts";
import { runRelayServer } from "./relay_server.ts";
import { runUser } from "./user.ts";
import process from "node:process";
import { Allowance } from "../../../client/cost/allowance.ts";
import { type OpenContext, openContext } from "../../../client/open_context.ts";
import { findScores } from "../../../client/scores/load_scores.ts";
import { beginVerb, serviceNowMs } from "../../../client/verb/connection_context.ts";
import { type Factor, FACTORS } from "../../../base/contract/factor.ts";
import type { Instant } from "../../../base/contract/instant.ts";
import { NotFoundError } from "../../../base/errors.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { findGaps } from "../../../desk/relay/follow_checks.ts";
import { flags, parseArguments, texts } from "../parse_arguments.ts";
import { UsageError } from "../usage_error.ts";

const OPTIONS = { ...texts("store", "account"), ...flags("fill") };

const MAX_SHOWN = 24;

const HELP = `usage: ${commandLine()} relay --store DIR [options]
       ${commandLine()} relay user add NAME [--requests N] [--downloads N] [--admin]
       ${commandLine()} relay user list
       ${commandLine()} relay user revoke NAME
       ${commandLine()} relay gaps --store DIR [--fill]

Serves the whole API to the colleagues of a desk from one account, and forwards only requests that its store cannot answer.
Set the account's key and the service's address in SCOREFRAME_API_KEY and SCOREFRAME_URL; they stay on this machine.
docs/relay.md says how to run it.

  --store DIR         the store: every set, check and release that was received
  --listen HOST:PORT  where to listen (default: 127.0.0.1:8090); port 0 takes a free one
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

/** Runs `relay`: the relay itself, or one of its commands. */
export async function runRelay(args: string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = args;
  if (args.some((word) => word === "--help" || word === "-h")) return printed(terminal, HELP);
  if (name === "user") return await runUser(rest, terminal);
  if (name === "gaps") return await runGaps(rest, terminal);
  return await runRelayServer(args, terminal);
}

interface Gap {
  readonly factor: Factor;
  readonly at: Instant;
}

/** Runs `relay gaps`: lists the hours without a check in the store, and requests them with `--fill`. */
async function runGaps(args: string[], terminal: Terminal): Promise<number> {
  const { values: { store, account, fill } } = parseArguments(args, { options: OPTIONS });
  if (!store) {
    throw new UsageError(
      "Cannot list gaps: expected --store DIR, got none; add the folder of the relay's store",
    );
  }
  const opened = await openContext({
    ...{ store, environment: process.env },
    ...(account !== undefined && { account }),
  });
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
