import { checkOptions } from "../../base/arguments/check_options.ts";
import { normalQuantile } from "../inference/distribution/distributions.ts";
import { deviationOf, meanOf } from "../../base/statistics/moments.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { readSeries, SERIES_RULES, type SeriesInput, type SeriesOptions } from "./read_series.ts";
import type { SessionSeries } from "../inference/session_series.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const NORMAL_COLUMNS = {
  horizon: "count",
  group: "text",
  value: "number",
  normal: "number",
} as const;

/**
 * Sample and theoretical quantiles of a Q–Q plot: the values of a series in ascending order beside those of a normal
 * distribution with the same mean and standard deviation.
 *
 * One row a value: `horizon`, `group` (null if there are none), `value`, `normal` (at probability (i − 0.5) / n; Hazen,
 * 1914). Null values are left out. A series of fewer than two values, or whose values are all equal, has no rows.
 *
 * @param ic Series by session, as for `informationSummary`
 * @param options Column of the values
 * @returns A frame of one row a value, beside its normal quantile
 * @throws {TypeError} If a column is missing or an option is unknown
 */
export function theoreticalQuantiles(
  ic: SeriesInput,
  options: SeriesOptions = {},
): TableFrame<typeof NORMAL_COLUMNS> {
  const action = "compare with a normal distribution";
  checkOptions(action, options, SERIES_RULES);
  const rows = readSeries(action, ic, options).flatMap(pairs);
  return tableOfRows(rows, NORMAL_COLUMNS, {});
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
