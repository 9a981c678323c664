/**
 * One statistic by session: input of the tests on a mean.
 *
 * Every session of the span has a place, also one whose value is null, so that the overlap of windows is counted
 * from places and never assumed.
 */
export interface SessionSeries {
  /** Name of the values, such as `ic`, `spread` or `return`. */
  readonly name: string;
  /** Number of sessions that the window of a value spans: 1 for a return from one close to the next. */
  readonly horizon: number;
  /** The group that the values are of; `null` if they are of all stocks. */
  readonly group: string | null;
  /** Name of one period of the series: session, month; `period` where its dates do not tell. */
  readonly unit: string;
  /** The sessions, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** The place of each session among the sessions of the prices, ascending. */
  readonly places: Int32Array;
  /** The value of each session; NaN stands for null. */
  readonly values: Float64Array;
  /** Number of stocks that each value rests on. */
  readonly counts: Int32Array;
  /** Mean share of a portfolio's weight whose stocks have no return, if the values are of a portfolio. */
  readonly missingWeight?: number;
}
