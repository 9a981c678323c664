import type { DataFrame } from "nodejs-polars";
import { assertRows } from "../../frames/frame/assert_frame.ts";
import { type TimedScores, timeText } from "../aligned/score_rows.ts";
import type { DenseScores, HasDense } from "../dense/dense_frames.ts";
import {
  distinctTimes,
  everyInstant,
  KNOWN_COLUMNS,
  onlyScore,
  readTickerCodes,
} from "../table/score_columns.ts";
import { readDayColumn, readInstantColumn, readNumbers } from "../table/read_columns.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { keepTies, largestOf, quantileOfSorted } from "../../base/statistics/moments.ts";
import type { RowsOf } from "../../frames/frame/typed/typed_frame.ts";
import { numberColumn } from "../../frames/frame/typed/make_columns.ts";
import { COMPUTED_MARK } from "../../base/contract/frame_marks.ts";
import { setMark } from "../../frames/frame/provenance/lineage.ts";
import { fromEpochDay, toEpochDay } from "../../base/calendar/civil_date.ts";
import { closeMsOfDay, listSessionDays } from "../../base/calendar/list_sessions.ts";
import { newYorkDay } from "../../base/calendar/new_york.ts";
import { instantOf } from "../../base/contract/instant.ts";
import { lastNotAfter } from "../../base/contract/scores/last_not_after.ts";
import type { Aligned } from "../aligned/align.ts";

// Columns that a message names.
const SHOWN = 20;

/** Rows of scores that were read. */
type TimedCells = Pick<
  TimedScores,
  "kind" | "times" | "timeOf" | "tickers" | "tickerOf" | "scores"
>;

/** Rows of scores by cross-section. */
export type ScoreSections = ReturnType<typeof scoreSections>;

/**
 * Reads scores by cross-section: aligned scores, or a frame with a session, a date or an instant, a ticker and a score.
 *
 * @throws {TypeError} If a column is missing, or a time and ticker repeat
 */
export function scoreSections(
  action: string,
  data: HasDense | DataFrame,
  given: string | undefined,
) {
  const frame = ((data as { data?: DataFrame } | null | undefined)?.data ?? data) as DataFrame;
  assertRows(action, frame, "scores");
  const score = given ?? onlyScore(action, frame, SHOWN);
  const { names: tickers, codes: tickerOf } = readTickerCodes(action, frame);
  const has = (name: string) => frame.columns.includes(name);
  const time = ["session", ...KNOWN_COLUMNS].find(has) ?? "date";
  const kind = KNOWN_COLUMNS.some((name) => name === time) ? "instant" : "date";
  const values = kind === "date"
    ? readDayColumn(action, frame, time)
    : everyInstant(action, time, readInstantColumn(action, frame, time));
  const own = { kind, ...distinctTimes(values), tickers, tickerOf } as const;
  const rows = rowsByTime(action, own);
  return { frame, score, time, ...own, rows, scores: readNumbers(action, frame, score) };
}

/**
 * The rows of each time.
 *
 * @throws {TypeError} If a time and ticker repeat
 */
export function rowsByTime(
  action: string,
  { kind, times, timeOf, tickers, tickerOf }: Omit<TimedCells, "scores">,
): readonly (readonly number[])[] {
  const rows: number[][] = Array.from(times, () => []);
  const seen = new Set<number>();
  for (const [row, place] of timeOf.entries()) {
    const cell = place * tickers.length + tickerOf[row]!;
    if (seen.has(cell)) {
      throw new TypeError(
        `Cannot ${action}: expected one row a time and ticker, got several for ${
          timeText({ kind, times }, place)
        } ` +
          `${tickers[tickerOf[row]!]}; drop duplicates`,
      );
    }
    seen.add(cell);
    rows[place]!.push(row);
  }
  return rows;
}

const RULES: rules.OptionRules<NonNullable<Parameters<typeof winsorize>[1]>> = {
  share: rules.numbers(
    "a number from 0 to below 0.5",
    (share) => share >= 0 && share < 0.5,
    "0.01",
  ),
  score: rules.TEXT,
};
const ACTION = "winsorize scores";

/**
 * Winsorises scores session by session: a score below the quantile `share` of its session becomes that quantile, one above
 * 1 − `share` becomes that one. Quantiles are linear, as those of numpy and pandas; equal scores stay equal, and the order of
 * stocks is kept. No later information enters, as it would with limits from the whole sample.
 *
 * The rows of the data, by time and ticker, with the score replaced; null where it was null. Rank statistics change only where stocks become tied; statistics of values, such as weights or Pearson's correlation, change more.
 *
 * @param data A release, a panel, any frame with a date or an instant, `ticker` and a score, or the result of {@link align}
 * @returns A frame of the rows of the data, with the score winsorised
 * @throws {TypeError} If a column is missing, or an option is unknown
 * @throws {RangeError} If the share is negative, or one half or more
 * @see Tukey (1962), The future of data analysis, Annals of Mathematical Statistics 33
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { winsorize } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(5).fill("2026-10-30"),
 *   ticker: ["A", "B", "C", "D", "E"],
 *   score: [0, 1, 2, 3, 100],
 * });
 * const scores = winsorize(data, { share: 0.25 }).getColumn("score").toArray();
 * if (scores.join() !== "1,1,2,3,3") throw new Error("the ends are drawn in");
 * ```
 */
export function winsorize<Data extends HasDense | DataFrame>(
  data: Data,
  options: {
    /** The share of the stocks of a session at each end, below one half. @default 0.01 */
    readonly share?: number;
    /** The column of scores. @default the only column that is named like a score */
    readonly score?: string;
  } = {},
): RowsOf<Data> {
  rules.checkOptions("call winsorize()", options, RULES);
  const { share = 0.01 } = options;
  const { frame, score, time, scores, rows } = scoreSections(ACTION, data, options.score);
  const drawn = scores.slice();
  for (const section of rows) {
    const values = drawInSession(Float64Array.from(section, (row) => scores[row]!), share);
    for (const [i, row] of section.entries()) drawn[row] = values[i]!;
  }
  return frame.withColumns(numberColumn(score, drawn)).sort([time, "ticker"]) as RowsOf<Data>;
}

/** The scores of all sessions, winsorised by session. */
export function drawIn(
  { scores, tickers, from, to }: Pick<DenseScores, "scores" | "tickers" | "from" | "to">,
  share: number,
): Float64Array {
  const width = tickers.length;
  const drawn = scores.slice();
  for (let d = from; d < to; d++) drawInSession(drawn.subarray(d * width, (d + 1) * width), share);
  return drawn;
}

function drawInSession(values: Float64Array, share: number): Float64Array {
  const sorted = values.filter((score) => !Number.isNaN(score)).sort();
  const [low, high] = [share, 1 - share].map((at) => quantileOfSorted(sorted, at));
  for (const [name, score] of values.entries()) {
    values[name] = Math.min(Math.max(score, low!), high!);
  }
  return values;
}

const CHANGE_RULES: rules.OptionRules<NonNullable<Parameters<typeof changes>[1]>> = {
  sessions: rules.needed(rules.whole(1), "5"),
  score: rules.TEXT,
  calendar: rules.oneOf("us", "own"),
};
const CHANGE = "compute changes of scores";
const LONGEST_BREAK = 10;

/**
 * Changes of scores over a number of sessions: the score of a row minus the score of the same ticker exactly that many sessions earlier.
 *
 * Sessions are counted in the calendar, so that a gap in the rows does not make a change longer; where the earlier session or the
 * score of the ticker in it is missing, the change is null. An instant belongs to the first session that closes after it. No later information enters. Rounded to 12 digits of the largest score of the two sessions, so that ties stay ties in any unit.
 *
 * @param scores A release, a panel, any frame with a date or an instant, `ticker` and a score, or the result of {@link align}
 * @param options The number of sessions
 * @returns The rows of the scores, in their order, with the score replaced by its change
 * @throws {TypeError} If a column is missing, an option is unknown, or a time and ticker repeat
 * @throws {RangeError} If a date is not a session, or two times are in one session
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { changes } from "scoreframe/analysis";
 *
 * // Monday, Tuesday and Thursday: Wednesday has no row.
 * const scores = pl.DataFrame({
 *   date: ["2026-10-26", "2026-10-27", "2026-10-29"],
 *   ticker: ["A", "A", "A"],
 *   score: [0.2, 0.5, 0.4],
 * });
 * const twoDays = changes(scores, { sessions: 2 }).getColumn("score").toArray();
 * console.assert(twoDays[1] === null && twoDays[2] === -0.1);
 * ```
 */
export function changes<Data extends HasDense | DataFrame>(
  scores: Data,
  options: {
    /** Number of sessions from the earlier score to the later one; sessions of the market, not rows. */
    readonly sessions: number;
    /** The column of scores. @default the only column that is named like a score */
    readonly score?: string;
    /** Sessions that are counted: `us`: those of the US market; `own`: the dates of the frame, for another market. @default the sessions of aligned scores, else "us" */
    readonly calendar?: "us" | "own";
  },
): RowsOf<Data> {
  rules.checkOptions("call changes()", options, CHANGE_RULES);
  const { sessions: span } = options;
  const read = scoreSections(CHANGE, scores, options.score);
  const places = placesOf(read, scores, options.calendar);
  const sectionAt = new Map(places.map((place, section) => [place, section]));
  const values = new Float64Array(read.scores.length).fill(NaN);
  for (const [section, rows] of read.rows.entries()) {
    const earlier = sectionAt.get(places[section]! - span);
    if (earlier === undefined) continue;
    const before = new Map(
      read.rows[earlier]!.map((row) => [read.tickerOf[row]!, read.scores[row]!]),
    );
    const round = keepTies(
      largestOf([...before.values(), ...rows.map((row) => read.scores[row]!)]),
    );
    for (const row of rows) {
      values[row] = round(read.scores[row]! - (before.get(read.tickerOf[row]!) ?? NaN));
    }
  }
  const frame = read.frame.withColumns(numberColumn(read.score, values));
  return setMark(frame, COMPUTED_MARK, true) as RowsOf<Data>;
}

/** The place of the session of each time among all sessions. */
function placesOf(
  read: ScoreSections,
  scores: HasDense | DataFrame,
  calendar: "us" | "own" | undefined,
): readonly number[] {
  const own = (scores as Partial<Aligned>).sessions;
  if (calendar === "own") return Array.from(read.times.keys());
  if (Array.isArray(own) && read.time === "session") return placesAmong(read, own.map(toEpochDay));
  const [first, last] = [dayOf(read, 0), dayOf(read, read.times.length - 1)];
  const days = listSessionDays(first, last + LONGEST_BREAK);
  return read.kind === "instant" ? placesOfInstants(read, days) : placesAmong(read, days);
}

function dayOf({ times, kind }: ScoreSections, place: number): number {
  return kind === "instant" ? newYorkDay(times[place]!) : times[place]!;
}

function placesAmong({ times }: ScoreSections, days: readonly number[]): readonly number[] {
  const places = new Map(days.map((day, place) => [day, place]));
  return Array.from(times, (day) => {
    const place = places.get(day);
    if (place !== undefined) return place;
    throw new RangeError(
      `Cannot ${CHANGE}: expected dates that are sessions, got ${fromEpochDay(day)}; drop the ` +
        'rows, or count the dates of the frame with calendar: "own"',
    );
  });
}

function placesOfInstants({ times }: ScoreSections, days: readonly number[]): readonly number[] {
  const closes = days.map(closeMsOfDay);
  const places = Array.from(times, (ms) => lastNotAfter(closes, ms, (close) => close) + 1);
  const twice = places.findIndex((place, i) => i > 0 && place === places[i - 1]);
  if (twice === -1) return places;
  throw new RangeError(
    `Cannot ${CHANGE}: expected one time per session, got ${instantOf(times[twice - 1]!)} and ${
      instantOf(times[twice]!)
    }; give the result of align(), or keep the last rows of each session`,
  );
}
