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
import type { PermutationTestOptions } from "./permutation_test.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { type DenseScores, type HasDense, toDense } from "../dense/dense_frames.ts";
import { pairedIcs } from "./residual_ic.ts";
import type { RecordOf, TableOf } from "../table/columns.ts";
import { testedCells } from "../inference/tested_mean.ts";

/** Columns of the table, in order. */
const BIAS_COLUMNS = "horizon latest known ...tested";

const HINDSIGHT_BIAS_ACTION = "compare latest scores with known ones";

const HINDSIGHT_BIAS_RULES: OptionRules<Pick<PermutationTestOptions, "minNames">> = {
  minNames: MIN_NAMES,
};

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

interface Row {
  readonly session: number;
  readonly ticker: string;
  readonly release: number | null;
  readonly panel: number | null;
  readonly change: typeof CHANGES[number];
}

const ROW_COLUMNS = "session ticker release panel change";

function toResult(
  rows: readonly Row[],
  ics: TableOf<typeof BIAS_COLUMNS> | null,
): ReturnType<typeof reconcile> {
  const counts = Object.fromEntries(
    CHANGES.map((change) => [change, rows.filter((row) => row.change === change).length]),
  );
  const text = reconcileText({
    sessions: new Set(rows.map(({ session }) => session)).size,
    rows: rows.length,
    counts,
    moves: movesOf(rows),
    ics: ics?.toRecords() ?? [],
  });
  const changes = CHANGES.map((change) => [change, counts[change]!, counts[change]! / rows.length]);
  const cells = rows.map((row) => [row.session, row.ticker, row.release, row.panel, row.change]);
  return new StatedResult(text, tableOfRows(changes, CHANGE_COLUMNS), {
    rows: tableOfRows(cells, ROW_COLUMNS),
    ics,
  });
}

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
  if (prices === undefined) return toResult(rows, null);
  const returns = forwardReturns(prices, periods === undefined ? {} : { periods });
  const named = score === undefined ? {} : { score };
  const [latest, known] = [release, panel].map((frame) => align(frame, returns, named));
  const ics = hindsightBias(latest!, known!, minNames === undefined ? {} : { minNames });
  return toResult(rows, ics);
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

function compareDay(day: number, release: Scores, panel: Scores): readonly Row[] {
  const tickers = [...new Set([...release.keys(), ...panel.keys()])].sort();
  return tickers.map((ticker) => {
    const [a, b] = [release.get(ticker), panel.get(ticker)];
    const [first, second] = [a, b].map((value) =>
      value === undefined || Number.isNaN(value) ? null : value
    );
    return { session: day, ticker, release: first!, panel: second!, change: changeOf(a, b) };
  });
}

function changeOf(a: number | undefined, b: number | undefined): Row["change"] {
  if (a === undefined) return "only_panel";
  if (b === undefined) return "only_release";
  if (a === b || (Number.isNaN(a) && Number.isNaN(b))) return "equal";
  if (Number.isNaN(a)) return "null_in_release";
  return Number.isNaN(b) ? "null_in_panel" : "moved";
}

/** Mean and largest absolute move; `null` if none moved. */
function movesOf(
  rows: readonly Row[],
): { readonly mean: number; readonly largest: number } | null {
  const sizes = rows.filter(({ change }) => change === "moved")
    .map(({ release, panel }) => Math.abs(release! - panel!));
  if (sizes.length === 0) return null;
  return {
    mean: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
    largest: sizes.reduce((most, size) => Math.max(most, size), 0),
  };
}

type BiasRow = RecordOf<typeof BIAS_COLUMNS>;

/** The comparison in sentences. */
function reconcileText({ sessions, rows, counts, moves, ics }: {
  readonly sessions: number;
  readonly rows: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly moves: ReturnType<typeof movesOf>;
  readonly ics: readonly BiasRow[];
}): string {
  const share = (name: string) => percentText((counts[name] ?? 0) / rows);
  const moved = moves === null
    ? ""
    : ` (by ${numberText(moves.mean)} on average, ${numberText(moves.largest)} at most)`;
  return [
    `Of ${countText(rows, "row")} in ${countText(sessions, "common session")}, ` +
    `${share("equal")} are equal, ${share("moved")} moved${moved}, ` +
    `${share("null_in_release")} are null in the release alone, ${share("null_in_panel")} ` +
    `in the panel alone, ${share("only_release")} are missing in the panel, and ` +
    `${share("only_panel")} in the release.`,
    ...ics.map(icText),
  ].join("\n");
}

function icText(
  { horizon, latest, known, mean, low, high, sessions }: BiasRow,
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
 * One row per horizon: `horizon`, `latest` and `known` (means over the common sessions), and for the difference `mean`,
 * `standard_error`, `t`, `df`, `p`, `low`, `high`, `sessions`, `reason`.
 *
 * @param latest The alignment of a release, or of the scores as they are today
 * @param known The alignment of a panel: the scores that were known in each session
 * @returns A frame of one row per horizon: both ICs, and the test of their difference
 * @throws {TypeError} If an option is unknown
 * @throws {RangeError} If minNames is below 2, or the two have no horizon in common
 * @see Croushore and Stark (2001), A real-time data set for macroeconomists, Journal of Econometrics 105
 */
export function hindsightBias(
  latest: HasDense | DataFrame,
  known: HasDense | DataFrame,
  options: Pick<PermutationTestOptions, "minNames"> = {},
): TableOf<typeof BIAS_COLUMNS> {
  checkOptions("call hindsightBias()", options, HINDSIGHT_BIAS_RULES);
  const { minNames = DEFAULT_MIN_NAMES } = options;
  const [a, b] = [toDense(HINDSIGHT_BIAS_ACTION, latest), toDense(HINDSIGHT_BIAS_ACTION, known)];
  assertCommonSessions(a, b);
  const horizons = commonHorizons(a, b);
  const rows = pairedIcs(a, b, { horizons, minNames, action: HINDSIGHT_BIAS_ACTION })
    .map(({ horizon, means, test }) => [horizon, ...means, ...testedCells(test)]);
  return tableOfRows(rows, BIAS_COLUMNS);
}

function commonHorizons(latest: DenseScores, known: DenseScores): readonly number[] {
  const common = latest.periods.filter((horizon) => known.periods.includes(horizon));
  if (common.length > 0) return common;
  throw new RangeError(
    `Cannot ${HINDSIGHT_BIAS_ACTION}: expected returns of a common horizon, got ${
      horizonsText(latest)
    } for the ` +
      `latest scores and ${horizonsText(known)} for the known ones; align both with the same ` +
      "returns",
  );
}

function horizonsText({ periods }: DenseScores): string {
  return periods.join(", ") || "none";
}

function assertCommonSessions(latest: DenseScores, known: DenseScores): void {
  const of = ({ days, from, to }: DenseScores) => days.subarray(from, to);
  const days = new Set(of(known));
  if (of(latest).some((day) => days.has(day))) return;
  const span = (all: Int32Array) =>
    all.length === 0 ? "none" : `${fromEpochDay(all[0]!)} to ${fromEpochDay(all.at(-1)!)}`;
  throw new RangeError(
    `Cannot ${HINDSIGHT_BIAS_ACTION}: expected sessions that both have, got none; the latest scores have ` +
      `${span(of(latest))}, the known ones ${span(of(known))}`,
  );
}
