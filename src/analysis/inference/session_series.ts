/**
 * One statistic by session: input of the tests on a mean.
 *
 * Every session of the span has an index, even if its value is null, so the overlap of windows is counted and not assumed.
 */
export interface SessionSeries {
  /** Name of the values, such as `ic`, `spread` or `return`. */
  readonly name: string;
  /** Number of sessions that the window of a value spans: 1 for a return from one close to the next. */
  readonly horizon: number;
  /** Group of the values; `null` for all stocks. */
  readonly group: string | null;
  /** Name of one period of the series: session, month; `period` if its dates do not show it. */
  readonly unit: string;
  /** The column of its days: `date` of money, the session at whose close it is earned. @default "session", of the score */
  readonly dated?: "date" | "session";
  /** Session of the first entry, in days since 1970-01-01; left out where it is not known. */
  readonly entered?: number;
  /** The sessions, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** Index of each session among the sessions of the prices, ascending. */
  readonly places: Int32Array;
  /** The value of each session; NaN stands for null. */
  readonly values: Float64Array;
  /** Number of stocks behind each value. */
  readonly counts: Int32Array;
  /** Mean share of a portfolio's weight in stocks without a return; left out for other series. */
  readonly missingWeight?: number;
}
