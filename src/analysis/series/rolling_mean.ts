import { checkOptions, whole } from "../../base/arguments/check_options.ts";
import { FREQUENCIES, seenFrequency } from "../../frames/prices/dates/frequency.ts";
import { usualWindow } from "../dense/days.ts";
import { testMean } from "../inference/test_mean.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { readSeries, SERIES_RULES, type SeriesInput, type SeriesOptions } from "./read_series.ts";
import type { SessionSeries } from "../inference/tested_mean.ts";
import type { TableOf } from "../table/columns.ts";

/** Columns of the table, in order. */
export const ROLLING_COLUMNS = "session horizon group n mean low high";

/**
 * The mean of the last sessions, session by session, with its interval.
 *
 * One row per series and session, oldest first: `session` (Date, the last one of the window), `horizon`, `group` (null if
 * there are none), `n` (values in the window), `mean`, `low`, `high` (95%, of this window alone; null where it is too short
 * for a test, as for horizons above a tenth of the window). The mean is null before the first whole window, and where less
 * than half of a window has values. Cost: one test per session.
 *
 * @param ic Series by session, as for `informationSummary`
 * @param options The length of the window
 * @returns A frame of one row per series and session: the mean of its window, with the interval
 * @throws {TypeError} If a column is missing or an option is unknown
 * @throws {RangeError} If the window is not a whole number of at least 2
 *
 * @example Usage
 * ```ts
 * import { rollingMean } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const ic = pl.DataFrame({ session: ["2026-01-05", "2026-01-06", "2026-01-07"], ic: [0.1, 0.3, null] });
 * const means = rollingMean(ic, { window: 2 }).getColumn("mean").toArray();
 * console.assert(means[0] === null && Math.abs(Number(means[1]) - 0.2) < 1e-12);
 * ```
 */
export function rollingMean(
  ic: SeriesInput,
  options: SeriesOptions & {
    /** Number of sessions of a mean. @default 63 */
    readonly window?: number;
  } = {},
): TableOf<typeof ROLLING_COLUMNS> {
  const action = "average the last sessions";
  checkOptions(action, options, { ...SERIES_RULES, window: whole(2) });
  const { window, ...columns } = options;
  const rows = readSeries(action, ic, columns).flatMap((series) =>
    averages(series, window ?? usualWindow(perYearOf(series)))
  );
  return tableOfRows(rows, ROLLING_COLUMNS);
}

/** Values of a year: by the unit of the series, or else by the spacing of its days. */
function perYearOf({ unit, days }: SessionSeries): number {
  const found = Object.values(FREQUENCIES).find((one) => one.unit === unit) ??
    FREQUENCIES[seenFrequency(days) ?? "daily"];
  return found.perYear;
}

function averages(series: SessionSeries, window: number) {
  const { days, places, values, horizon, group } = series;
  let first = 0;
  return Array.from(days, (day, i) => {
    while (places[first]! <= places[i]! - window) first++;
    const [own, at] = [values, places].map((all) => all.subarray(first, i + 1)) as [
      Float64Array,
      Int32Array,
    ];
    const { n, mean, low, high } = testMean({ values: own, places: at, horizon });
    const isWhole = places[i]! - places[0]! + 1 >= window && 2 * n >= window;
    return [day, horizon, group, n, ...isWhole ? [mean, low, high] : [null, null, null]];
  });
}
