import pl, { type DataFrame } from "nodejs-polars";
import { AMOUNT, checkOptions, oneOf, type OptionRules } from "../../arguments/check_options.ts";
import type { ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { columnsOf } from "../aligned/lay_out_scores.ts";
import type { HasBuckets } from "../cross_section/buckets/to_quantized.ts";
import { deviationOf, meanOf } from "../inference/moments.ts";

/** Around each session. */
export interface AverageCumulativeReturnOptions {
  /** Sessions before. @default 5 */
  readonly before?: number;
  /** Sessions after. @default 10 */
  readonly after?: number;
  /** `universe`: less the mean wealth of all names of the session; alphalens calls it demeaned. @default "universe" */
  readonly abnormal?: "universe" | "none";
}

const RULES: OptionRules<AverageCumulativeReturnOptions> = {
  before: AMOUNT,
  after: AMOUNT,
  abnormal: oneOf("universe", "none"),
};

/**
 * The average cumulative return by quantile of alphalens, for comparison only: it averages wealth since the first price, padded
 * over gaps, less that of all names, so that names which rose before count more. The honest one is `eventReturns()`.
 *
 * One row a bucket and offset: `quantile`, `offset` (sessions from the session of the score), `mean` and `deviation` over sessions.
 *
 * @param quantized The result of {@link quantize}
 * @param returns The result of {@link forwardReturns} that it was made from
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { align, averageCumulativeReturn, forwardReturns, quantize } from "scoreframe/analysis";
 *
 * const date = ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"];
 * const ticker = ["A", "B", "A", "B"];
 * const returns = forwardReturns(pl.DataFrame({ date, ticker, close: [1, 1, 1.5, 2] }), {
 *   periods: [1],
 * });
 * const scores = pl.DataFrame({ date, ticker, score: [0, 1, 0, 1] });
 * const aligned = align(scores, returns, { entry: "same" });
 * const rows = averageCumulativeReturn(quantize(aligned, { quantiles: 2 }), returns, {
 *   before: 0,
 *   after: 0,
 * });
 * if (rows.getColumn("mean").toArray().join() !== "-0.25,0.25") throw new Error("1.5 and 2");
 * ```
 */
export function averageCumulativeReturn(
  quantized: HasBuckets,
  returns: ForwardReturns,
  options: AverageCumulativeReturnOptions = {},
): DataFrame {
  checkOptions("averageCumulativeReturn()", options, RULES);
  const { before = 5, after = 10, abnormal = "universe" } = options;
  const offsets = Array.from({ length: before + after + 1 }, (_, i) => i - before);
  const wealth = wealthGrid(returns);
  const rows = Array.from({ length: quantized.count }, (_, i) => i + 1).flatMap((quantile) =>
    offsets.map((offset) => ({
      quantile,
      offset,
      values: excessByDate({ quantized, returns, wealth, abnormal }, quantile, offset),
    }))
  );
  return pl.DataFrame([
    pl.Series("quantile", rows.map(({ quantile }) => quantile), pl.Int32),
    pl.Series("offset", rows.map(({ offset }) => offset), pl.Int32),
    pl.Series(
      "mean",
      rows.map(({ values }) => values.length === 0 ? null : meanOf(values)),
      pl.Float64,
    ),
    pl.Series("deviation", rows.map(({ values }) => deviationOf(values)), pl.Float64),
  ]);
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

/** Wealth since each name's first price, padded over gaps; none at the first price itself. */
function wealthGrid({ grid: { prices, tickers } }: ForwardReturns): Float64Array {
  const width = tickers.length;
  const first = new Float64Array(width).fill(NaN);
  const last = new Float64Array(width).fill(NaN);
  return prices.map((price, cell) => {
    const name = cell % width;
    const isFirst = Number.isNaN(first[name]!);
    if (price === price) last[name] = price;
    if (isFirst) first[name] = price;
    return isFirst ? NaN : last[name]! / first[name]!;
  });
}
