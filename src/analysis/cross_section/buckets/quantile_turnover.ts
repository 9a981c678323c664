import pl, { type DataFrame } from "nodejs-polars";
import {
  ANY_VALUE,
  checkOptions,
  oneOf,
  type OptionRules,
} from "../../../arguments/check_options.ts";
import { sayCompat } from "../../alphalens/say_compat.ts";
import { countColumn, dayColumn, numberColumn, textColumn } from "../../table/make_columns.ts";
import { readPeriod } from "../read_period.ts";
import { type HasBuckets, toQuantized } from "./to_quantized.ts";

/** Over how many sessions turnover is measured. */
export interface QuantileTurnoverOptions {
  /** How many sessions back the names are compared. @default 1 */
  readonly period?: number;
  /** `"alphalens"`: the same numbers; it counts rows of its calendar, which here are sessions. @default none */
  readonly compat?: "alphalens";
}

const RULES: OptionRules<QuantileTurnoverOptions> = {
  period: ANY_VALUE,
  compat: oneOf("alphalens"),
};
const ACTION = "measure the turnover of buckets";

/**
 * The share of a bucket's names that were not in it some sessions ago.
 *
 * One row a session and bucket: `session`, `quantile`, `turnover` (0 to 1), `n` (names of the bucket), `reason` (`too_few_names`
 * unless both sessions have the bucket). Weights do not enter: what a portfolio trades is told by its own turnover.
 *
 * @param data The result of {@link quantize}, or a frame of its rows
 * @throws {RangeError} If the period is no positive whole number
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { quantileTurnover } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0.1, 0.2, 0.3, 0.1],
 *   quantile: [1, 1, 2, 1],
 * });
 * const turnover = quantileTurnover(data).getColumn("turnover").toArray();
 * if (turnover.join() !== ",,0,") throw new Error("bucket 1 has lost A and gained none");
 * ```
 */
export function quantileTurnover(
  data: HasBuckets | DataFrame,
  options: QuantileTurnoverOptions = {},
): DataFrame {
  checkOptions("quantileTurnover()", options, RULES);
  sayCompat(options.compat, "quantileTurnover(): the same numbers as without it");
  const period = readPeriod(ACTION, options.period);
  const quantized = toQuantized(ACTION, data);
  const { dense: { days, from, to }, count } = quantized;
  const { turnover, sizes } = turnoverOf(quantized, period);
  const rows = Int32Array.from(sizes, (_, row) => row);
  return pl.DataFrame([
    dayColumn("session", rows.map((row) => days[from + Math.floor(row / count)]!)),
    countColumn("quantile", rows.map((row) => row % count + 1)),
    numberColumn("turnover", turnover),
    countColumn("n", sizes.subarray(0, (to - from) * count)),
    textColumn(
      "reason",
      rows.map((row) => Number.isNaN(turnover[row]!) ? 0 : -1),
      ["too_few_names"],
    ),
  ]);
}

/** The turnover and size of each bucket, at (session − from) × buckets + bucket − 1. */
export function turnoverOf(
  { dense, buckets, count }: HasBuckets,
  period: number,
): { readonly turnover: Float64Array; readonly sizes: Int32Array } {
  const { from, to, tickers } = dense;
  const width = tickers.length;
  const sizes = new Int32Array((to - from) * count);
  const stayed = new Int32Array(sizes.length);
  for (let d = from; d < to; d++) {
    const start = (d - from) * count - 1;
    const back = d - period < from ? -1 : period * width;
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const bucket = buckets[cell]!;
      if (bucket === 0) continue;
      sizes[start + bucket]!++;
      if (back !== -1 && buckets[cell - back] === bucket) stayed[start + bucket]!++;
    }
  }
  const turnover = Float64Array.from(sizes, (size, row) => {
    const before = sizes[row - period * count] ?? 0;
    return size === 0 || before === 0 ? NaN : 1 - stayed[row]! / size;
  });
  return { turnover, sizes };
}
