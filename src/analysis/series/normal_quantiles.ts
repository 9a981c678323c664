import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { normalQuantile } from "../inference/distribution/distributions.ts";
import { deviationOf, meanOf } from "../inference/moments.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { readSeries, SERIES_OPTIONS, type SeriesInput, type SeriesOptions } from "./read_series.ts";
import type { SessionSeries } from "./session_series.ts";

/**
 * The values of a series in ascending order beside those that a normal distribution of the same mean and deviation would
 * have: what a Q–Q picture shows.
 *
 * One row a value: `horizon`, `group` (null if there are none), `value`, `normal` (at probability (i − 0.5) / n; Hazen,
 * 1914). Null values are left out. A series of fewer than two values, or whose values are all equal, has no rows.
 *
 * @param ic Series by session, as for `informationSummary`
 * @param options Which column holds the values
 * @throws {TypeError} If a column is missing or an option unknown
 *
 * @example Usage
 * ```ts
 * import { normalQuantiles } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const ic = pl.DataFrame({ session: ["2026-01-05", "2026-01-06", "2026-01-07"], ic: [0.3, 0.1, 0.2] });
 * const [lowest, middle] = normalQuantiles(ic).toRecords();
 * console.assert(lowest?.value === 0.1 && Math.abs(Number(middle?.normal) - 0.2) < 1e-12);
 * ```
 */
export function normalQuantiles(ic: SeriesInput, options: SeriesOptions = {}): DataFrame {
  const action = "compare with a normal distribution";
  assertKnownOptions(action, options, SERIES_OPTIONS);
  const rows = readSeries(action, ic, options).flatMap(pairs);
  return frameOfRows(rows, [
    { name: "horizon", type: "count", read: (row) => row.horizon },
    { name: "group", type: "text", read: (row) => row.group },
    { name: "value", type: "number", read: (row) => row.value },
    { name: "normal", type: "number", read: (row) => row.normal },
  ]);
}

function pairs({ values, horizon, group }: SessionSeries) {
  const sorted = values.filter((value) => !Number.isNaN(value)).sort();
  const deviation = deviationOf(sorted);
  if (deviation === null || deviation === 0) return [];
  const mean = meanOf(sorted);
  return Array.from(sorted, (value, i) => ({
    horizon,
    group,
    value,
    normal: mean + deviation * normalQuantile((i + 0.5) / sorted.length),
  }));
}
