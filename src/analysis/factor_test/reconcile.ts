import type { DataFrame } from "nodejs-polars";
import { DEFAULT_MIN_NAMES, MIN_NAMES } from "../cross_section/read_options.ts";
import { FRAME } from "../../frames/frame/assert_frame.ts";
import { checkOptions, type OptionRules, TEXT } from "../../base/arguments/check_options.ts";
import { closeMsOfDay, listSessionDays } from "../../base/calendar/list_sessions.ts";
import { newYorkDay } from "../../base/calendar/new_york.ts";
import { lastNotAfter } from "../../base/contract/scores/last_not_after.ts";
import { align } from "../aligned/align.ts";
import { forwardReturns, PERIODS } from "../aligned/prices/forward_returns.ts";
import { StatedResult, tableOfRows } from "../table/frame_of_rows.ts";
import { type ScoreSections, scoreSections } from "../transform/winsorize.ts";
import {
  countText,
  intervalText,
  numberText,
  percentText,
} from "../../base/wording/number_text.ts";
import { largestOf, meanOf } from "../../base/statistics/moments.ts";
import { type HasDense, toDense } from "../dense/dense_frames.ts";
import { pairedIcs } from "./residual_ic.ts";
import type { RecordOf, TableOf } from "../table/columns.ts";
import { testedCells } from "../inference/tested_mean.ts";

/** Columns of the table, in order. */
const BIAS_COLUMNS = "horizon latest known ...tested";

/** Columns of the table, in order. */
const CHANGE_COLUMNS = "change count share";

const ACTION = "reconcile a release with a panel";
const RULES: OptionRules<NonNullable<Parameters<typeof reconcile>[2]>> = {
  prices: { ...FRAME, example: "prices" },
  periods: PERIODS,
  minNames: MIN_NAMES,
  score: TEXT,
};
const LONGEST_BREAK = 10;
const CHANGES = [
  "equal",
  "moved",
  "null_in_release",
  "null_in_panel",
  "only_release",
  "only_panel",
] as const;
type Change = typeof CHANGES[number];

const ROW_COLUMNS = "session ticker release panel change";

/**
 * Compares a reconstructed release with a panel of the scores that were known at the time, over their common sessions: row by
 * row and, given prices, by IC, which shows the hindsight bias of the reconstruction.
 *
 * A row of a release belongs to its date. A view of a panel belongs to the first session that closes at or after it; of several views
 * in one session the last counts. `change` is `equal` (the same number, or null in both), `moved`, `null_in_release`, `null_in_panel`,
 * `only_release` or `only_panel` (no row in the other one). `rows` has `session`, `ticker`, `release`, `panel` (Float64), `change`;
 * `table` has `change`, `count` (Int32), `share`.
 *
 * Given prices, both are aligned with the same returns, each with its own stocks, and `ics` has `horizon`,
 * `latest` (the release), `known` (the panel), and a test of the mean difference over the sessions that have both.
 *
 * @param release A release, or any frame with a date, a ticker and a score
 * @param panel A panel, or stacked score sets
 * @param options Prices, for the ICs
 * @returns The comparison: `text`, `table`, `rows`, `ics`
 * @throws {TypeError} If a column is missing, an option is unknown, or a time and ticker repeat
 * @throws {RangeError} If the two have no session in common
 * @see Croushore and Stark (2001), A real-time data set for macroeconomists, Journal of Econometrics 105
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { reconcile } from "scoreframe/analysis";
 *
 * const date = ["2026-10-30", "2026-10-30"];
 * const release = pl.DataFrame({ date, ticker: ["A", "B"], score: [0.5, 0.7] });
 * const panel = pl.DataFrame({ date, ticker: ["A", "C"], score: [0.4, 0.1] });
 * const changes = reconcile(release, panel).tables.rows.getColumn("change").toArray();
 * console.assert(changes.join() === "moved,only_release,only_panel");
 * ```
 */
export function reconcile(
  release: DataFrame,
  panel: DataFrame,
  options: {
    /** Closes, for the ICs of both. @default none, without ICs */
    readonly prices?: DataFrame;
    /** Horizons of the ICs, in sessions. @default [1, 5, 21] */
    readonly periods?: number | readonly number[];
    /** Minimum number of stocks for the IC of a session. @default 10 */
    readonly minNames?: number;
    /** The column of scores. @default the only column that is named like a score */
    readonly score?: string;
  } = {},
): StatedResult<
  TableOf<typeof CHANGE_COLUMNS>,
  {
    readonly rows: TableOf<typeof ROW_COLUMNS>;
    readonly ics: TableOf<typeof BIAS_COLUMNS> | null;
  }
> {
  checkOptions("call reconcile()", options, RULES);
  const { prices, periods, minNames, score } = options;
  const [a, b] = [release, panel].map((frame) => bySession(frame, score));
  const days = [...a!.keys()].filter((day) => b!.has(day)).sort((one, other) => one - other);
  if (days.length === 0) {
    throw new RangeError(
      `Cannot ${ACTION}: expected sessions that both have, got none; load the panel for sessions of the release`,
    );
  }
  const rows = days.flatMap((day) => compareDay(day, a!.get(day)!, b!.get(day)!));
  const returns = prices && forwardReturns(prices, periods === undefined ? {} : { periods });
  const named = score === undefined ? {} : { score };
  const [latest, known] = [release, panel].map((frame) => returns && align(frame, returns, named));
  return toResult(rows, latest && known ? hindsightBias(latest, known, minNames) : null);
}

function toResult(
  rows: ReturnType<typeof compareDay>,
  ics: TableOf<typeof BIAS_COLUMNS> | null,
): ReturnType<typeof reconcile> {
  const changes = CHANGES.map((change) => {
    const count = rows.filter((row) => row[4] === change).length;
    return [change, count, count / rows.length] as const;
  });
  return new StatedResult(
    [countsText(rows, changes), ...(ics?.toRecords() ?? []).map(icText)],
    tableOfRows(changes, CHANGE_COLUMNS),
    { rows: tableOfRows(rows, ROW_COLUMNS), ics },
  );
}

type Scores = ReadonlyMap<string, number>;

/** Scores by session and ticker, NaN for null. */
function bySession(frame: DataFrame, score: string | undefined): ReadonlyMap<number, Scores> {
  const read = scoreSections(ACTION, frame, score);
  const days = read.kind === "instant" ? sessionsOf(read) : Array.from(read.times);
  return new Map(
    read.rows.map((rows, time) => [
      days[time]!,
      new Map(rows.map((row) => [read.tickers[read.tickerOf[row]!]!, read.scores[row]!])),
    ]),
  );
}

function sessionsOf({ times }: ScoreSections): readonly number[] {
  const last = newYorkDay(times.at(-1)!) + LONGEST_BREAK;
  const days = listSessionDays(newYorkDay(times[0]!) - LONGEST_BREAK, last);
  const closes = days.map(closeMsOfDay);
  return Array.from(times, (ms) => {
    const place = lastNotAfter(closes, ms, (close) => close);
    return days[closes[place] === ms ? place : place + 1]!;
  });
}

/** The row of each ticker. */
function compareDay(day: number, release: Scores, panel: Scores) {
  const tickers = [...new Set([...release.keys(), ...panel.keys()])].sort();
  return tickers.map((ticker) => {
    const [a, b] = [release.get(ticker), panel.get(ticker)];
    const [first, second] = [a, b].map((value) => Number.isNaN(value ?? NaN) ? null : value!);
    return [day, ticker, first!, second!, changeOf(a, b)] as const;
  });
}

function changeOf(a: number | undefined, b: number | undefined): Change {
  if (a === undefined) return "only_panel";
  if (b === undefined) return "only_release";
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return "equal";
  if (Number.isNaN(a)) return "null_in_release";
  return Number.isNaN(b) ? "null_in_panel" : "moved";
}

/** The comparison of the rows in a sentence. */
function countsText(
  rows: ReturnType<typeof compareDay>,
  changes: readonly (readonly [Change, number, number])[],
): string {
  const share = (name: Change) => percentText(changes.find(([change]) => change === name)![2]);
  const sizes = rows.filter((row) => row[4] === "moved").map(([, , a, b]) => Math.abs(a! - b!));
  const moved = sizes.length === 0
    ? ""
    : ` (by ${numberText(meanOf(sizes))} on average, ${numberText(largestOf(sizes))} at most)`;
  const sessions = countText(new Set(rows.map(([session]) => session)).size, "common session");
  return `Of ${countText(rows.length, "row")} in ${sessions}, ` +
    `${share("equal")} are equal, ${share("moved")} moved${moved}, ` +
    `${share("null_in_release")} are null in the release alone, ${share("null_in_panel")} ` +
    `in the panel alone, ${share("only_release")} are missing in the panel, and ` +
    `${share("only_panel")} in the release.`;
}

function icText(
  { horizon, latest, known, mean, low, high, sessions }: RecordOf<typeof BIAS_COLUMNS>,
): string {
  const at = `At ${countText(horizon!, "session")}`;
  if (latest === null || known === null || mean === null) return `${at} no session has both ICs.`;
  return `${at} the mean IC is ${numberText(latest)} for the release and ${numberText(known)} ` +
    `for the panel, over ${countText(sessions ?? 0, "common session")}; the difference, release ` +
    `minus panel, is ${numberText(mean)} (${intervalText([low, high], numberText)}).`;
}

/**
 * Hindsight bias: mean information coefficient of the latest scores and of those known at the time, and a test of their
 * difference, over their common sessions.
 *
 * @see Croushore and Stark (2001), A real-time data set for macroeconomists, Journal of Econometrics 105
 */
export function hindsightBias(
  latest: HasDense | DataFrame,
  known: HasDense | DataFrame,
  minNames: number = DEFAULT_MIN_NAMES,
): TableOf<typeof BIAS_COLUMNS> {
  const rows = pairedIcs(toDense(ACTION, latest), toDense(ACTION, known), minNames)
    .map(({ horizon, means, test }) => [horizon, ...means, ...testedCells(test)]);
  return tableOfRows(rows, BIAS_COLUMNS);
}
