import type { DataFrame } from "nodejs-polars";
import { COMPAT, presetOf } from "../../alphalens_preset.ts";
import { checkOptions } from "../../../base/arguments/check_options.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import {
  readOneSeries,
  SERIES_RULES,
  type SeriesInput,
  type SeriesOptions,
} from "../read_series.ts";
import type { SessionSeries } from "../../inference/tested_mean.ts";
import { sayNotice } from "../../../frames/notebook/kernel/say_notice.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";
import { type HasBuckets, toQuantized } from "../../cross_section/buckets/quantize.ts";
import { heldQuantiles } from "../../portfolio/book/equal_books.ts";
import { sessionsDense } from "../../portfolio/weights.ts";
import { readDayColumn, readNumbers } from "../../table/read_columns.ts";
import type { TableOf } from "../../table/columns.ts";

/** Wealth after each session, from 1 before the first; a missing return leaves it as it is, and a total loss stays 0. */
export function wealthOf(returns: Float64Array): Float64Array {
  let wealth = 1;
  return returns.map((value) => Number.isNaN(value) ? wealth : wealth *= Math.max(0, 1 + value));
}

/** Place of the return that loses everything; −1 if none does. */
export function lossOf(returns: Float64Array): number {
  return returns.findIndex((value) => value <= -1);
}

/** Returns as far as there is capital: after a total loss nothing is earned, whatever prices do. */
export function untilLoss(returns: Float64Array): Float64Array {
  const loss = lossOf(returns);
  return loss === -1 ? returns : returns.map((value, i) => i > loss ? NaN : value);
}

/**
 * The compounded return of a year; −1 if nothing is left, `null` without a return. Wealth stands still in a session without a
 * return, so that such sessions count between the first return and the last.
 *
 * @param year Number of sessions of a year
 */
export function annualOf(returns: Float64Array, year: number): number | null {
  const first = returns.findIndex((value) => !Number.isNaN(value));
  if (first === -1) return null;
  const last = returns.findLastIndex((value) => !Number.isNaN(value));
  return wealthOf(returns)[last]! ** (year / (last - first + 1)) - 1;
}

/** A drawdown, from a peak of wealth to its recovery. */
interface Fall {
  /** Lowest wealth over the peak, less 1. */
  readonly depth: number;
  /** Place of the peak; −1 is the start, before the first return. */
  readonly peak: number;
  /** Place of the lowest wealth; the first one, if it stands there more than once. */
  readonly trough: number;
  /** Place at which the peak is reached again; `null` if it is not. */
  readonly recovery: number | null;
}

/** Every drawdown of wealth from 1 at the start, oldest first. */
function fallsOf(wealth: Float64Array): readonly Fall[] {
  const falls: Fall[] = [];
  let [top, peak] = [1, -1];
  let open: { depth: number; trough: number } | null = null;
  for (let i = 0; i < wealth.length; i++) {
    const value = wealth[i]!;
    if (value >= top) {
      if (open !== null) falls.push({ ...open, peak, recovery: i });
      // A top that is flat begins with its first session.
      if (open !== null || value > top) [top, peak] = [value, i];
      open = null;
      continue;
    }
    const depth = value / top - 1;
    if (open === null || depth < open.depth) open = { depth, trough: i };
  }
  if (open !== null) falls.push({ ...open, peak, recovery: null });
  return falls;
}

/** Depth of the largest drawdown; 0 without any. */
export function largestFall(wealth: Float64Array): number {
  return Math.min(0, ...fallsOf(wealth).map(({ depth }) => depth));
}

/** Columns of the table, in order. */
const RETURN_COLUMNS = "date return wealth missing";

const LEAST = 20;
// A year's volatility of 222%: no portfolio has it, and of percent taken for shares all that have 2.22% or more.
const LARGEST_MEDIAN = 1.5;
const DAYS_A_YEAR = 365.25;
// Of a normal distribution the median of absolute values is so many standard deviations.
const MEDIAN_DEVIATIONS = 0.6745;

/** Columns of the table, in order. */
export const DRAWDOWN_COLUMNS = "depth peak trough recovery sessions to_trough";

/**
 * Cumulative return, as growth of 1: one row per date, ascending.
 *
 * Columns: `date` (Date, of which the return is), `return` (Float64, null where there is none), `wealth` (Float64, the product of 1 + return
 * so far), `missing` (Int32, returns that were null so far). Returns that say from which session they are earned (`from`, as those of
 * {@link portfolioReturns} do) begin with a row of that session, a wealth of 1 and no return; others with 1 plus the first return. A null return changes nothing: its wealth is null, and the next one goes on from the last. After a return of
 * −1 or less, wealth stays at 0.
 *
 * Give it returns of one session each. Compounding returns of overlapping windows counts each session several times,
 * and is refused.
 *
 * @param returns One series of returns, by `date` or `session`
 * @param options Column of the returns
 * @returns A frame of one row per date: the return and the wealth
 * @throws {TypeError} If a column is missing, or has information coefficients, weights or other values that are no returns
 * @throws {RangeError} If there are several series, a session occurs twice, or a window spans several sessions
 * @see Campbell, Lo and MacKinlay (1997), The econometrics of financial markets, section 1.4, on compounding
 *
 * @example Usage
 * ```ts
 * import { cumulativeReturns } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const returns = pl.DataFrame({
 *   date: ["2026-01-05", "2026-01-06", "2026-01-07"],
 *   return: [0.1, null, -0.5],
 * });
 * const wealth = cumulativeReturns(returns).getColumn("wealth").toArray();
 * console.assert(wealth[1] === null && Math.abs(Number(wealth[2]) - 0.55) < 1e-12);
 * ```
 */
export function cumulativeReturns(
  returns: SeriesInput,
  options: SeriesOptions & { readonly compat?: "alphalens" } = {},
): TableOf<typeof RETURN_COLUMNS> {
  const action = "compound returns";
  checkOptions(action, options, { ...SERIES_RULES, compat: COMPAT });
  const { compat, ...columns } = options;
  const { nullWealth = "null", dated = "end" } = presetOf("cumulativeReturns", compat);
  const isBegun = dated === "begin" && (returns as Partial<DataFrame>).columns?.includes("from");
  const read = isBegun === true
    ? (returns as DataFrame).drop("date").rename({ from: "date" })
    : returns;
  const series = readReturns(action, read, columns);
  const wealth = wealthOf(series.values);
  let missing = 0;
  const rows = Array.from(series.values, (value, i) => {
    const isMissing = Number.isNaN(value);
    missing += isMissing ? 1 : 0;
    const shown = isMissing && nullWealth === "null" ? null : wealth[i]!;
    return [series.days[i]!, isMissing ? null : value, shown, missing];
  });
  const start = entryOf(series).map((date) => [date, null, 1, 0]);
  return tableOfRows([...start, ...rows], RETURN_COLUMNS);
}

/** The session of the first entry, where wealth is 1; none if it is not known, or the series has no row. */
export function entryOf({ entered }: Pick<SessionSeries, "entered">): readonly number[] {
  return entered === undefined ? [] : [entered];
}

/** Values of columns that are no returns, so that nothing can be earned from them. */
const NO_RETURNS: Readonly<Record<string, string>> = {
  ic: "information coefficients",
  slope: "slopes of regressions",
  weight: "weights",
  score: "scores",
  traded: "trades",
  turnover: "turnover",
  autocorrelation: "rank autocorrelations",
  missing_weight: "weights",
  unpriced_weight: "weights",
  gross_weight: "weights",
  net_weight: "weights",
  wealth: "growth of 1",
  all_names: "growth of 1",
  drawdown: "drawdowns",
  close: "prices",
  open: "prices",
};

/** One series of returns from one close to the next, as far as there is capital: after a total loss all are missing. */
export function readOneSessionReturns(
  action: string,
  input: SeriesInput,
  options: SeriesOptions,
): SessionSeries {
  const series = readReturns(action, input, options);
  return { ...series, values: untilLoss(series.values) };
}

/** The same with what is given after a total loss; other statistics and overlapping windows are refused, and percent are noticed. */
function readReturns(action: string, input: SeriesInput, options: SeriesOptions): SessionSeries {
  const series = readOneSeries(action, input, options);
  if (Object.hasOwn(NO_RETURNS, series.name)) {
    throw new TypeError(
      `Cannot ${action}: expected returns, got ${NO_RETURNS[series.name]} (column ` +
        `${series.name}), which nobody earns; portfolioReturns() gives returns`,
    );
  }
  if (series.horizon === 1) {
    sayPercent(series);
    return series;
  }
  throw new RangeError(
    `Cannot ${action}: expected returns of one session, got returns over ${series.horizon}; hold positions for that horizon, ` +
      "and use their session returns",
  );
}

/**
 * Gives a notice where returns are so large that they are in percent: where the median of their absolute values, times the root of their number a
 * year, is above 1.5.
 */
export function sayPercent({ days, values }: SessionSeries): void {
  const sizes = values.filter((value) => !Number.isNaN(value)).map(Math.abs).sort();
  if (sizes.length < LEAST) return;
  const median = sizes[Math.floor((sizes.length - 1) / 2)]!;
  const years = (days.at(-1)! - days[0]!) / DAYS_A_YEAR;
  const annual = median * Math.sqrt((days.length - 1) / years);
  if (!(annual > LARGEST_MEDIAN)) return;
  sayNotice(
    `Half of the ${countText(sizes.length, "return")} are beyond ±${percentText(median)}, a ` +
      `volatility of about ${percentText(annual / MEDIAN_DEVIATIONS, 0)} a year; returns are ` +
      "shares, 0.01 is one percent: divide those in percent by 100",
  );
}

/**
 * Drawdowns of a cumulative return: one row per drawdown, the deepest first, then the oldest.
 *
 * Columns: `depth` (Float64 in [−1, 0), lowest wealth over the peak, less 1), `peak` (Date of the peak: the session of the first entry
 * counts as one, null where the returns do not tell it by `from`), `trough` (Date of the lowest wealth), `recovery` (Date on which
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
 * const date = ["2026-01-05", "2026-01-06", "2026-01-07"];
 * const [fall] = drawdowns(pl.DataFrame({ date, return: [-0.5, 0.5, 0.1] })).toRecords();
 * console.assert(fall?.depth === -0.5 && fall.peak === null && fall.recovery === null);
 * ```
 */
export function drawdowns(
  returns: SeriesInput,
  options: SeriesOptions = {},
): TableOf<typeof DRAWDOWN_COLUMNS> {
  checkOptions("find drawdowns", options, SERIES_RULES);
  const series = readOneSessionReturns("find drawdowns", returns, options);
  const { days, places, values, entered = null } = series;
  const falls = fallsOf(wealthOf(values)).toSorted((a, b) => a.depth - b.depth || a.peak - b.peak);
  const dayOf = (place: number | null) =>
    place === null ? null : place < 0 ? entered : days[place]!;
  // The start is the session before the first return.
  const sessionOf = (place: number) => place < 0 ? places[0]! - 1 : places[place]!;
  const last = places.length - 1;
  const rows = falls.map(({ depth, peak, trough, recovery }) => {
    const lengths = [recovery ?? last, trough].map((end) => sessionOf(end) - sessionOf(peak));
    return [depth, dayOf(peak), dayOf(trough), dayOf(recovery), ...lengths];
  });
  return tableOfRows(rows, DRAWDOWN_COLUMNS);
}

/** Columns of the table, in order. */
export const WEALTH_COLUMNS = "quantile date wealth all_names relative";

const ACTION = "compound the returns of quantiles";

/**
 * Cumulative return of each quantile and of all stocks, as growth of 1: accounts that hold their stocks with equal weights in every
 * session, without costs. Stocks stay in their quantile until there are new scores. One without a close is kept at its last one
 * and books the whole move when the close is back, as in {@link portfolioReturns}.
 *
 * One row per quantile and date, by both: `quantile` (Int32), `date` (Date), `wealth` (1 on the session of the first entry), `all_names`
 * (wealth of all scored stocks), `relative` (the product of 1 + return of the quantile over 1 + return of all
 * stocks, over the sessions in which the quantile has a return). A date without a return has null, because the quantile holds
 * nothing or prices end, and the next one goes on from the last value.
 *
 * @param data The result of {@link quantize}, or a frame of its rows
 * @returns A frame of one row per quantile and date: the wealth
 * @throws {TypeError} If a column is missing, or means are given
 * @throws {RangeError} If a frame has no returns of one session, or lacks sessions
 * @see Campbell, Lo and MacKinlay (1997), The econometrics of financial markets, section 1.4, on compounding
 *
 * @example Usage
 * ```ts
 * import { cumulativeQuantileReturns } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0.1, 0.9, 0.1, 0.9],
 *   quantile: [1, 2, 1, 2],
 *   return_1: [0.1, 0.5, -0.5, 0],
 * });
 * const wealth = cumulativeQuantileReturns(data).getColumn("wealth").toArray().map((value) => Number(value).toFixed(2));
 * if (wealth.join() !== "1.00,1.10,0.55,1.00,1.50,1.50") throw new Error(wealth.join());
 * ```
 */
export function cumulativeQuantileReturns(
  data: HasBuckets | DataFrame,
): TableOf<typeof WEALTH_COLUMNS> {
  if ((data as Partial<DataFrame> | null | undefined)?.columns?.includes?.("mean") === true) {
    throw new TypeError(
      `Cannot ${ACTION}: expected stocks in their quantiles, got means, which do not tell what a stock without a ` +
        "close is worth; give the result of quantize()",
    );
  }
  const quantized = toQuantized(ACTION, data);
  sessionsDense(ACTION, data);
  const { from, to } = quantized.dense;
  return compoundQuantiles(heldQuantiles(ACTION, quantized, [from, to]));
}

/** Growth of 1 by quantile and session. */
export function compoundQuantiles(held: DataFrame): TableOf<typeof WEALTH_COLUMNS> {
  const sorted = held.sort(["quantile", "date"]);
  const [quantiles, returns, all] = ["quantile", "return", "all_names"].map((name) =>
    readNumbers(ACTION, sorted, name)
  ) as [Float64Array, Float64Array, Float64Array];
  const [days, entries] = ["date", "from"].map((name) => readDayColumn(ACTION, sorted, name));
  const parts = [...Map.groupBy(quantiles.keys(), (row) => quantiles[row]!).values()];
  const rows = parts.flatMap((part) => {
    const take = (of: Float64Array) => Float64Array.from(part, (row) => of[row]!);
    const [own, market] = [take(returns), take(all)];
    const [wealth, ofAll] = [wealthOf(own), wealthOf(market)];
    const relative = wealthOf(own.map((value, i) => (1 + value) / (1 + market[i]!) - 1));
    const shown = (value: number, line: Float64Array, i: number) =>
      Number.isNaN(value) ? null : line[i]!;
    const quantile = quantiles[part[0]!]!;
    const rest = part.map((row, i) => {
      const [mine, theirs] = [shown(own[i]!, wealth, i), shown(market[i]!, ofAll, i)];
      return [quantile, days![row]!, mine, theirs, shown(own[i]!, relative, i)];
    });
    return [[quantile, entries![part[0]!]!, 1, 1, 1], ...rest];
  });
  return tableOfRows(rows, WEALTH_COLUMNS);
}
