import type { DataFrame } from "nodejs-polars";
import {
  AMOUNT,
  checkOptions,
  oneOf,
  type OptionRules,
} from "../../base/arguments/check_options.ts";
import { describe } from "../../base/contract/violation.ts";
import { assertReturns, type ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { columnsOf } from "../aligned/sessions/lay_out_scores.ts";
import { type HasBuckets, toQuantized } from "../cross_section/buckets/to_quantized.ts";
import { deviationOf, meanOf } from "../../base/statistics/moments.ts";
import { frameOf } from "../../frames/frame/typed/frame_of.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const WINDOW_COLUMNS = {
  quantile: "count",
  offset: "count",
  mean: "number",
  deviation: "number",
} as const;

/** Around each session. */
export interface AverageCumulativeReturnOptions {
  /** Sessions before. @default 5 */
  readonly before?: number;
  /** Sessions after. @default 10 */
  readonly after?: number;
  /** `universe`: minus the mean wealth of all stocks of the session; alphalens calls it demeaned. @default "universe" */
  readonly abnormal?: "universe" | "none";
  /**
   * Input of alphalens: `wealth` since the first price, or `daily` returns, `prices.pct_change()`, which it averages as
   * they are, without compounding, although it calls them cumulative.
   *
   * @default "wealth"
   */
  readonly returns?: "wealth" | "daily";
}

const ACTION = "average returns around scores";
const MAX_OFFSET = 10_000;
const RULES: OptionRules<AverageCumulativeReturnOptions> = {
  before: AMOUNT,
  after: AMOUNT,
  abnormal: oneOf("universe", "none"),
  returns: oneOf("wealth", "daily"),
};

/**
 * The average cumulative return by quantile of alphalens, for comparison only: it averages cumulative returns since the first price, padded
 * over gaps, minus that of all stocks, so that past winners weigh more. `eventReturns()` is free of this bias.
 *
 * One row per quantile and offset: `quantile`, `offset` (sessions from the session of the score), `mean` and `deviation` over sessions.
 *
 * @param data The result of {@link quantize}
 * @param returns The result of {@link forwardReturns} that it was made from
 * @returns A frame of one row per quantile and offset
 * @see alphalens-reloaded 0.5.1, `average_cumulative_return_by_quantile` (Quantopian, 2016)
 */
export function averageCumulativeReturn(
  data: HasBuckets | DataFrame,
  returns: ForwardReturns,
  options: AverageCumulativeReturnOptions = {},
): TableFrame<typeof WINDOW_COLUMNS> {
  checkOptions("call averageCumulativeReturn()", options, RULES);
  const { before = 5, after = 10, abnormal = "universe" } = options;
  assertReturns(ACTION, returns, "averageCumulativeReturn(quantized, forwardReturns(prices))");
  for (const count of [before, after]) {
    if (Number.isInteger(count) && count >= 0 && count <= MAX_OFFSET) continue;
    throw new RangeError(
      `Cannot ${ACTION}: expected before and after to be whole numbers of sessions from 0 to ${MAX_OFFSET}, ` +
        `got ${describe(count)}`,
    );
  }
  const quantized = toQuantized(ACTION, data);
  const offsets = Array.from({ length: before + after + 1 }, (_, i) => i - before);
  const wealth = wealthGrid(returns, options.returns === "daily");
  const rows = Array.from({ length: quantized.count }, (_, i) => i + 1).flatMap((quantile) =>
    offsets.map((offset) => ({
      quantile,
      offset,
      values: excessByDate({ quantized, returns, wealth, abnormal }, quantile, offset),
    }))
  );
  return frameOf(WINDOW_COLUMNS, {
    quantile: rows.map(({ quantile }) => quantile),
    offset: rows.map(({ offset }) => offset),
    mean: rows.map(({ values }) => values.length === 0 ? null : meanOf(values)),
    deviation: rows.map(({ values }) => deviationOf(values)),
  });
}

interface Context {
  readonly quantized: HasBuckets;
  readonly returns: ForwardReturns;
  readonly wealth: Float64Array;
  readonly abnormal: "universe" | "none";
}

function excessByDate(
  { quantized: { dense, buckets }, returns: { grid }, wealth, abnormal }: Context,
  quantile: number,
  offset: number,
): readonly number[] {
  const width = dense.tickers.length;
  const columns = columnsOf(grid.tickers, dense.tickers);
  const values: number[] = [];
  for (let d = dense.from; d < dense.to; d++) {
    const session = d + offset;
    if (session < 0 || session >= grid.days.length) continue;
    const own: number[] = [];
    const all: number[] = [];
    for (let name = 0; name < width; name++) {
      const bucket = buckets[d * width + name]!;
      const level = wealth[session * grid.tickers.length + columns[name]!]!;
      if (bucket === 0 || !(level === level)) continue;
      all.push(level);
      if (bucket === quantile) own.push(level);
    }
    if (own.length > 0) values.push(meanOf(own) - (abnormal === "none" ? 0 : meanOf(all)));
  }
  return values;
}

/** Wealth since each stock's first price, padded over gaps, or its returns by session; none at the first price itself. */
function wealthGrid({ grid: { prices, tickers } }: ForwardReturns, isDaily: boolean): Float64Array {
  const width = tickers.length;
  const first = new Float64Array(width).fill(NaN);
  const last = new Float64Array(width).fill(NaN);
  return prices.map((price, cell) => {
    const name = cell % width;
    const isFirst = Number.isNaN(first[name]!);
    const before = last[name]!;
    if (price === price) last[name] = price;
    if (isFirst) first[name] = price;
    if (isDaily) return last[name]! / before - 1;
    return isFirst ? NaN : last[name]! / first[name]!;
  });
}
