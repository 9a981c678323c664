import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { testMean } from "../inference/test_mean.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { readSeries, SERIES_OPTIONS, type SeriesInput, type SeriesOptions } from "./read_series.ts";
import type { SessionSeries } from "./session_series.ts";

/** Options of {@link rollingMean}. */
export interface RollingMeanOptions extends SeriesOptions {
  /**
   * Number of sessions of a mean.
   *
   * @default 63
   */
  readonly window?: number;
}

/**
 * The mean of the last sessions, session by session, with its interval.
 *
 * One row a series and session, oldest first: `session` (Date, the last one of the window), `horizon`, `group` (null if
 * there are none), `n` (values in the window), `mean`, `low`, `high` (95 %, of this window alone; null where it is too short
 * for a test, as for horizons above a tenth of the window). The mean is null before the first whole window, and where less
 * than half of a window has values. Cost: one test a session.
 *
 * @param ic Series by session, as for `informationSummary`
 * @param options The length of the window
 * @throws {TypeError} If a column is missing or an option unknown
 * @throws {RangeError} If the window is no whole number from 2 on
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
export function rollingMean(ic: SeriesInput, options: RollingMeanOptions = {}): DataFrame {
  const action = "average the last sessions";
  assertKnownOptions(action, options, [...SERIES_OPTIONS, "window"]);
  const { window = 63, ...columns } = options;
  if (!Number.isSafeInteger(window) || window < 2) {
    throw new RangeError(`Cannot ${action}: window is a whole number from 2 on, got ${window}`);
  }
  const rows = readSeries(action, ic, columns).flatMap((series) => averages(series, window));
  return frameOfRows(rows, [
    { name: "session", type: "day", read: (row) => row.day },
    { name: "horizon", type: "count", read: (row) => row.horizon },
    { name: "group", type: "text", read: (row) => row.group },
    { name: "n", type: "count", read: (row) => row.n },
    { name: "mean", type: "number", read: (row) => row.mean },
    { name: "low", type: "number", read: (row) => row.low },
    { name: "high", type: "number", read: (row) => row.high },
  ]);
}

function averages(series: SessionSeries, window: number) {
  const { days, places, values, horizon, group } = series;
  let first = 0;
  return Array.from(days, (day, i) => {
    while (places[first]! <= places[i]! - window) first++;
    const tested = testMean({
      values: values.subarray(first, i + 1),
      places: places.subarray(first, i + 1),
      horizon,
    });
    const isWhole = places[i]! - places[0]! + 1 >= window && 2 * tested.n >= window;
    const { n, mean, low, high } = tested;
    const nothing = { mean: null, low: null, high: null };
    return { day, horizon, group, n, ...(isWhole ? { mean, low, high } : nothing) };
  });
}
