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
import { findGaps } from "../../../desk/relay/follow/find_gaps.ts";
import { parseArguments } from "../parse_arguments.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage_error.ts";

const OPTIONS = {
  store: { type: "string" },
  account: { type: "string" },
  fill: { type: "boolean" },
} as const;
const MAX_SHOWN = 24;

interface Gap {
  readonly factor: Factor;
  readonly at: Instant;
}

/** Runs `relay gaps`: lists the hours without a check in the store, and requests them with `--fill`. */
export async function runGaps(args: string[], terminal: Terminal): Promise<number> {
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
  return `${countText(gaps.length, "gap")}; filling takes ${
    groupThousands(gaps.length)
  } requests; ` +
    `${groupThousands(day.remaining)} of the account's ${
      groupThousands(day.limit)
    } requests are left today`;
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
