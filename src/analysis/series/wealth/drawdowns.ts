import { checkOptions } from "../../../base/arguments/check_options.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { readOneSessionReturns } from "./cumulative_returns.ts";
import { SERIES_RULES, type SeriesInput, type SeriesOptions } from "../read_series.ts";
import { fallsOf, wealthOf } from "./wealth.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";

/** Columns of the table, in order. */
export const DRAWDOWN_COLUMNS = {
  depth: "number",
  peak: "date",
  trough: "date",
  recovery: "date",
  sessions: "count",
  to_trough: "count",
} as const;

/**
 * Drawdowns of a cumulative return: one row per drawdown, the deepest first, then the oldest.
 *
 * Columns: `depth` (Float64 in [−1, 0), lowest wealth over the peak, less 1), `peak` (Date of the peak; null is the
 * start, before the first return, which counts as one), `trough` (Date of the lowest wealth), `recovery` (Date on which
 * the peak is reached again; null if it is not), `sessions` (Int32, from the peak to the recovery, or to the last
 * session), `to_trough` (Int32, from the peak to the trough). Missing returns change no wealth, and their sessions count.
 *
 * @param returns One series of returns of one session each
 * @param options Column of the returns
 * @returns A frame of one row per drawdown, the deepest first
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If there are several series, or a window spans several sessions
 * @see Grossman and Zhou (1993), Optimal investment strategies for controlling drawdowns, Mathematical Finance 3
 *
 * @example Usage
 * ```ts
 * import { drawdowns } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const session = ["2026-01-05", "2026-01-06", "2026-01-07"];
 * const [fall] = drawdowns(pl.DataFrame({ session, return: [-0.5, 0.5, 0.1] })).toRecords();
 * console.assert(fall?.depth === -0.5 && fall.peak === null && fall.recovery === null);
 * ```
 */
export function drawdowns(
  returns: SeriesInput,
  options: SeriesOptions = {},
): TableFrame<typeof DRAWDOWN_COLUMNS> {
  checkOptions("find drawdowns", options, SERIES_RULES);
  const { days, places, values } = readOneSessionReturns("find drawdowns", returns, options);
  const falls = fallsOf(wealthOf(values)).toSorted((a, b) => a.depth - b.depth || a.peak - b.peak);
  const dayOf = (place: number | null) => place === null || place < 0 ? null : days[place]!;
  // The start is the session before the first return.
  const sessionOf = (place: number) => place < 0 ? places[0]! - 1 : places[place]!;
  const last = places.length - 1;
  return tableOfRows(falls, DRAWDOWN_COLUMNS, {
    peak: (fall) => dayOf(fall.peak),
    trough: (fall) => dayOf(fall.trough),
    recovery: (fall) => dayOf(fall.recovery),
    sessions: (fall) => sessionOf(fall.recovery ?? last) - sessionOf(fall.peak),
    to_trough: (fall) => sessionOf(fall.trough) - sessionOf(fall.peak),
  });
}
