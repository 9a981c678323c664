import type { DataFrame } from "nodejs-polars";
import { studentTwoSided } from "./inference/distributions.ts";
import { deviationOf, meanOf } from "../base/statistics/moments.ts";
import { readNumbers } from "./table/read_columns.ts";
import { tableOfRows } from "./table/frame_of_rows.ts";
import { type HasBuckets, toQuantized } from "./cross_section/buckets/quantize.ts";
import type { TableOf } from "./table/columns.ts";

/** Columns of the table, in order. */
const INFORMATION_COLUMNS = "horizon mean deviation ratio t p skewness kurtosis n";

/**
 * The information table of alphalens, for comparison with its sheets only: its t test treats overlapping windows as independent, which
 * at a horizon of 5 sessions rejects a third of the time under the null. `informationSummary()` is free of this bias.
 *
 * One row per horizon: `horizon`, `mean`, `deviation` (n − 1), `ratio`, `t` and `p` of a plain t test, `skewness` and excess
 * `kurtosis` (both biased), `n`.
 *
 * @param ic The result of {@link informationCoefficient}
 * @returns A frame of one row per horizon
 * @see alphalens-reloaded 0.5.1, `plot_information_table` (Quantopian, 2016)
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { informationTable } from "scoreframe/analysis";
 *
 * const ic = pl.DataFrame({ horizon: [1, 1, 1], ic: [0.1, 0.2, 0.3] });
 * const [ratio] = informationTable(ic).getColumn("ratio").toArray();
 * if (Math.abs(Number(ratio) - 2) > 1e-12) throw new Error("mean over deviation");
 * ```
 */
export function informationTable(ic: DataFrame): TableOf<typeof INFORMATION_COLUMNS> {
  const action = "make the information table";
  const horizons = readNumbers(action, ic, "horizon");
  const values = readNumbers(action, ic, "ic");
  const rows = [...new Set(horizons)].toSorted((a, b) => a - b).map((horizon) =>
    rowOf(horizon, values.filter((value, i) => horizons[i] === horizon && !Number.isNaN(value)))
  );
  return tableOfRows(rows, INFORMATION_COLUMNS);
}

function rowOf(horizon: number, values: Float64Array) {
  const n = values.length;
  const mean = n === 0 ? NaN : meanOf(values);
  const deviation = deviationOf(values) ?? NaN;
  const moment = (power: number) =>
    values.reduce((sum, value) => sum + (value - mean) ** power, 0) / n;
  const t = mean / deviation * Math.sqrt(n);
  const p = Number.isFinite(t) ? studentTwoSided(t, n - 1) : NaN;
  const skewness = moment(3) / moment(2) ** 1.5;
  const shown = [mean, deviation, mean / deviation, t, p, skewness, moment(4) / moment(2) ** 2 - 3];
  return [horizon, ...shown.map((value) => Number.isFinite(value) ? value : null), n];
}

/** Columns of the table, in order. */
const STATISTICS_COLUMNS = "quantile min max mean deviation rows share";

/**
 * Statistics of the scores in each quantile, over all sessions.
 *
 * One row per quantile: `quantile`, `min`, `max`, `mean`, `deviation` (n − 1; null for one row), `rows`, `share` (of all assigned rows).
 *
 * @param data The result of {@link quantize}, or a frame of its rows
 * @returns A frame of one row per quantile
 * @see alphalens-reloaded 0.5.1, `plot_quantile_statistics_table` (Quantopian, 2016)
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { quantileStatistics } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B"],
 *   score: [0.1, 0.9],
 *   quantile: [1, 2],
 * });
 * const shares = quantileStatistics(data).getColumn("share").toArray();
 * if (shares.join() !== "0.5,0.5") throw new Error("one row each");
 * ```
 */
export function quantileStatistics(
  data: HasBuckets | DataFrame,
): TableOf<typeof STATISTICS_COLUMNS> {
  const { dense, buckets, count } = toQuantized("describe quantiles", data);
  const scores = Array.from({ length: count }, (): number[] => []);
  for (const [cell, bucket] of buckets.entries()) {
    if (bucket !== 0) scores[bucket - 1]!.push(dense.scores[cell]!);
  }
  const all = scores.reduce((sum, { length }) => sum + length, 0);
  const rows = scores.map((values, i) => {
    const { length } = values;
    if (length === 0) return [i + 1, null, null, null, null, 0, null];
    const ends = [Math.min, Math.max].map((end) => values.reduce((a, b) => end(a, b)));
    return [i + 1, ...ends, meanOf(values), deviationOf(values), length, length / all];
  });
  return tableOfRows(rows, STATISTICS_COLUMNS);
}
