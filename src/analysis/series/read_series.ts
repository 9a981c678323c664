import type { DataFrame } from "nodejs-polars";
import type { SessionSeries, TestedMean } from "../inference/tested_mean.ts";
import { testMean } from "../inference/test_mean.ts";
import { listText } from "../../base/arguments/list_text.ts";
import { type OptionRules, TEXT, whole } from "../../base/arguments/check_options.ts";
import { assertColumns, assertFrame, FRAME } from "../../frames/frame/assert_frame.ts";
import { readDayColumn, readNumbers, readTexts } from "../table/read_columns.ts";
import { dayName, emptySeries, periodUnit, splitSeries } from "../inference/table_series.ts";
import { distinctDays } from "../dense/days.ts";
import { rankCorrelation } from "../../base/statistics/mean_ranks.ts";
import { decimalText } from "../../base/wording/number_text.ts";

/** Several series over the sessions in which all of them have a value. */
export function onCommonSessions(series: readonly SessionSeries[]): readonly SessionSeries[] {
  if (
    series.every((one) => areEqual(one.days, series[0]!.days) && !one.values.some(Number.isNaN))
  ) {
    return series;
  }
  const counts = new Map<number, number>();
  for (const { days, values } of series) {
    for (const [i, day] of days.entries()) {
      if (!Number.isNaN(values[i]!)) counts.set(day, (counts.get(day) ?? 0) + 1);
    }
  }
  return series.map((one) => {
    const isKept = (_: number, i: number) =>
      counts.get(one.days[i]!) === series.length && !Number.isNaN(one.values[i]!);
    return {
      ...one,
      days: one.days.filter(isKept),
      places: one.places.filter(isKept),
      values: one.values.filter(isKept),
      counts: one.counts.filter(isKept),
    };
  });
}

/** Tests the mean of the differences of two series, session by session: what both have in common drops out. */
export function testDifference(one: SessionSeries, other: SessionSeries): TestedMean {
  const [own, theirs] = onCommonSessions([one, other]) as [SessionSeries, SessionSeries];
  return testMean({ ...own, values: own.values.map((value, i) => value - theirs.values[i]!) });
}

function areEqual(a: Int32Array, b: Int32Array): boolean {
  return a === b || (a.length === b.length && a.every((day, i) => day === b[i]));
}

/** A series by session, or several: as a frame with a value and the column `date` (of money) or `session`, or as the inner form. */
export type SeriesInput = DataFrame | SessionSeries | readonly SessionSeries[];

/** Columns of a frame that is read as series by session. */
export interface SeriesOptions {
  /**
   * The column of the values.
   *
   * @default the one of `ic`, `spread`, `return`, `slope` and `value` that the frame has
   */
  readonly value?: string;
  /**
   * Number of sessions that the window of a value spans, if the frame has no column `horizon`.
   *
   * @default 1
   */
  readonly horizon?: number;
  /**
   * A frame whose column `session` or `date` holds the sessions of the prices. A series of every 21st session needs it:
   * otherwise neighbouring rows count as neighbouring sessions, which states a larger overlap than there is.
   *
   * @default the sessions of the frame
   */
  readonly sessions?: DataFrame;
}

/** Accepted options of {@link readSeries}. */
export const SERIES_RULES: OptionRules<SeriesOptions> = {
  value: TEXT,
  horizon: whole(1),
  sessions: FRAME,
};

const VALUES = ["ic", "spread", "return", "slope", "value"];

/**
 * Reads series by session: one for each horizon and group (or part, quantile or lag) of the frame, sorted by session. Null and NaN
 * are missing values.
 *
 * @throws {TypeError} If a column is missing or of another type
 * @throws {RangeError} If a session occurs twice in one series
 */
export function readSeries(
  action: string,
  input: SeriesInput,
  options: SeriesOptions = {},
): readonly SessionSeries[] {
  if (Array.isArray(input) && input.every(isSeries)) return input;
  if (isSeries(input)) return [input];
  const frame = input as DataFrame;
  assertFrame(action, frame);
  const { horizon = 1 } = options;
  const name = valueName(action, frame, options.value);
  const dated = dayName(frame);
  const days = readDayColumn(action, frame, dated);
  const sessions = distinctDays(
    options.sessions
      ? readDayColumn(action, options.sessions, sessionName(options.sessions))
      : days,
  );
  const find = (column: string) =>
    frame.columns.includes(column) ? readNumbers(action, frame, column) : null;
  return splitSeries(action, sessions, {
    name,
    unit: periodUnit(sessions, options.sessions !== undefined),
    dated,
    days,
    from: dated === "date" && frame.columns.includes("from")
      ? readDayColumn(action, frame, "from")
      : null,
    values: readNumbers(action, frame, name),
    horizons: find("horizon") ?? horizon,
    groups: readGroups(action, frame),
    counts: find("n"),
    missing: find("missing_weight"),
  });
}

/** The only series of an input; an empty one if the input has no rows. */
export function readOneSeries(
  action: string,
  input: SeriesInput,
  options: SeriesOptions = {},
): SessionSeries {
  const series = readSeries(action, input, options);
  if (series.length === 1) return series[0]!;
  if (series.length === 0) {
    return emptySeries(options.value ?? "value", "session", options.horizon ?? 1, null);
  }
  throw new RangeError(
    `Cannot ${action}: expected one series, got ${series.length} (horizons and groups); filter the frame`,
  );
}

function isSeries(input: unknown): input is SessionSeries {
  if (typeof input !== "object" || input === null || !("days" in input)) return false;
  const { days, places, values } = input as Partial<SessionSeries>;
  return days instanceof Int32Array && places instanceof Int32Array &&
    values instanceof Float64Array;
}

function valueName(action: string, frame: DataFrame, given: string | undefined): string {
  const name = given ?? VALUES.find((candidate) => frame.columns.includes(candidate));
  if (name === undefined) {
    throw new TypeError(
      `Cannot ${action}: expected a column of values, such as ${VALUES.join(", ")}, got ` +
        `${listText(frame.columns)}; name yours in the option value`,
    );
  }
  assertColumns(action, frame, [name]);
  return name;
}

function sessionName({ columns }: DataFrame): "session" | "date" {
  return columns.includes("session") ? "session" : "date";
}

function readGroups(action: string, frame: DataFrame): readonly (string | null)[] | null {
  // An expression splits ICs into parts.
  const text = ["group", "part"].find((name) => frame.columns.includes(name));
  if (text !== undefined) {
    const { names, codes } = readTexts(action, frame, text);
    return Array.from(codes, (code) => names[code] ?? null);
  }
  const number = ["quantile", "lag"].find((name) => frame.columns.includes(name));
  if (number === undefined) return null;
  return Array.from(
    readNumbers(action, frame, number),
    (value) => Number.isNaN(value) ? null : String(value),
  );
}

const LEAST = 20;
// Of two neighbours, one is this far off by chance in 0.3% of samples.
const ERRORS = 3;

/**
 * Refuses series whose days are those of scores where returns meet a market, a benchmark or a calendar: these have the date at whose close a return is
 * earned.
 *
 * @param names What the series are called
 */
export function assertDated(
  action: string,
  series: readonly SessionSeries[],
  names: readonly string[],
): void {
  const place = series.findIndex(({ dated, days }) => dated !== "date" && days.length > 0);
  if (place === -1) return;
  const name = names[place]!;
  throw new TypeError(
    `Cannot ${action}: expected ${name} with a column date, the session at whose close a return is earned, got ` +
      "the column session, which is that of a score, before its return; portfolioReturns() gives date. If the " +
      `days are those at whose close returns are earned, write ${name}.rename({ session: "date" })`,
  );
}

/**
 * Refuses a market that moves with the portfolio a row earlier or later rather than on the same date, beyond the error of the difference of both rank
 * correlations.
 */
export function assertSameDates(
  action: string,
  [portfolio, market]: readonly [SessionSeries, SessionSeries],
  name: string,
): void {
  const [own, theirs] = onCommonSessions([portfolio, market]).map(({ values }) => values);
  const n = own!.length - 1;
  if (n < LEAST) return;
  const [same, earlier, later] = [
    rankCorrelation(own!, theirs!),
    rankCorrelation(own!.subarray(1), theirs!.subarray(0, n)),
    rankCorrelation(own!.subarray(0, n), theirs!.subarray(1)),
  ];
  const size = (value: number) => Math.atanh(Math.min(1 - 1e-12, Math.abs(value) || 0));
  const [other, shift] = size(earlier) > size(later) ? [earlier, 1] : [later, -1];
  if (!(size(other) - size(same) > ERRORS * Math.sqrt(2 / (n - 3)))) return;
  throw new RangeError(
    `Cannot ${action}: expected ${name} dated as the portfolio is, by the session at whose close a return is earned, got ` +
      `a rank correlation of ${decimalText(same, 2)} on the same dates, and of ${
        decimalText(other, 2)
      } with the row of ${name} one ${
        shift === 1 ? "earlier" : "later"
      }; date it by the end of its returns: ` +
      `${name}.sort("date").withColumns(pl.col("${market.name}").shift(${shift}))`,
  );
}
