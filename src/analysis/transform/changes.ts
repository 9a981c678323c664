import type { DataFrame } from "nodejs-polars";
import * as rules from "../../base/arguments/check_options.ts";
import { COMPUTED_MARK } from "../../base/contract/frame_marks.ts";
import { setMark } from "../../frames/frame/provenance/lineage.ts";
import { fromEpochDay, toEpochDay } from "../../base/calendar/civil_date.ts";
import { closeMsOfDay, listSessionDays } from "../../base/calendar/list_sessions.ts";
import { newYorkDay } from "../../base/calendar/new_york.ts";
import { instantOf } from "../../base/contract/instant.ts";
import { lastNotAfter } from "../../base/contract/scores/last_not_after.ts";
import type { Aligned } from "../aligned/align.ts";
import type { HasDense } from "../dense/dense_frames.ts";
import type { RowsOf } from "../../frames/frame/typed/typed_frame.ts";
import { numberColumn } from "../../frames/frame/typed/make_columns.ts";
import { type ScoreSections, scoreSections } from "./winsorize.ts";
import { keepTies, largestOf } from "../../base/statistics/moments.ts";

const RULES: rules.OptionRules<NonNullable<Parameters<typeof changes>[1]>> = {
  sessions: rules.needed(rules.whole(1), "5"),
  score: rules.TEXT,
  calendar: rules.oneOf("us", "own"),
};
const ACTION = "compute changes of scores";
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
  rules.checkOptions("call changes()", options, RULES);
  const { sessions: span } = options;
  const read = scoreSections(ACTION, scores, options.score);
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
      `Cannot ${ACTION}: expected dates that are sessions, got ${fromEpochDay(day)}; drop the ` +
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
    `Cannot ${ACTION}: expected one time per session, got ${instantOf(times[twice - 1]!)} and ${
      instantOf(times[twice]!)
    }; give the result of align(), or keep the last rows of each session`,
  );
}
