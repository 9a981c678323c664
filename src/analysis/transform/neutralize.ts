import pl, { type DataFrame, type Expr } from "nodejs-polars";
import { refuseAdjustedLevel } from "../table/score_columns.ts";
import { CONDITION } from "../cross_section/read_options.ts";
import { excludedRows, type TimedScores } from "../aligned/score_rows.ts";
import { checkOptions, type OptionRules, TEXT } from "../../base/arguments/check_options.ts";
import { COMPUTED_MARK } from "../../base/contract/frame_marks.ts";
import { setMark } from "../../frames/frame/provenance/lineage.ts";
import { assertColumns } from "../../frames/frame/assert_frame.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import { countText, percentText } from "../../base/wording/number_text.ts";
import { reasonText } from "../../base/wording/sentences/reason_text.ts";
import {
  type AlignedColumns,
  type DenseScores,
  type HasDense,
  toDataFrame,
  toDense,
} from "../dense/dense_frames.ts";
import { displayParts, tableOfRows } from "../table/frame_of_rows.ts";
import type { ColumnsOf } from "../../frames/frame/typed/columns.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import { dayColumn, instantColumn, numberColumn } from "../../frames/frame/typed/make_columns.ts";
import type { RowsOf, TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { readNumbers, readTexts } from "../table/read_columns.ts";
import {
  assertExposures,
  EXPOSURE_RULES,
  type Exposures,
  regressOnExposures,
  type SectionFit,
} from "./fit_within.ts";
import { rowsByTime, type ScoreSections, scoreSections } from "./winsorize.ts";
import type { KindsOf, TableOf } from "../table/columns.ts";
import { cellsOfRows } from "../dense/column_grids.ts";

/** Exposures that are removed from a score. */
export interface NeutralizeOptions {
  /** Columns of numbers, such as beta and size; all are removed at once. @default none */
  readonly on?: readonly string[];
  /** Column of groups, such as sectors. @default none */
  readonly group?: string;
  /** Condition on rows that count, such as `pl.col("raw").gtEq(5)`; the residual of others is null. @default all rows */
  readonly where?: Expr;
  /** The column of scores. @default the only column that is named like a score */
  readonly score?: string;
}

/** Columns of times, in the order in which one is looked for; a date where there is none of the others. */
const TIME_COLUMNS = "session at last_checked_at calculated_at date";
type Time = keyof KindsOf<typeof TIME_COLUMNS>;

/** Columns of the report besides the time and the slopes, which stand before the reason. */
const REMOVED_COLUMNS = "n left_out groups r_squared reason";

/**
 * Columns of the report on exposures removed from rows: their time, counts, and `slope_beta` for an exposure `beta`.
 *
 * @internal
 */
type RemovedColumns<Data> =
  & ColumnsOf<
    & KindsOf<typeof REMOVED_COLUMNS>
    & Pick<
      KindsOf<typeof TIME_COLUMNS>,
      RowsOf<Data> extends TypedFrame<infer Columns> ? string extends keyof Columns ? Time
        : "session" extends keyof Columns ? "session"
        : "at" extends keyof Columns ? "at"
        : "last_checked_at" extends keyof Columns ? "last_checked_at"
        : "calculated_at" extends keyof Columns ? "calculated_at"
        : "date"
        : Time
    >
  >
  & { [Name in `slope_${string}`]: pl.Float64 };

/** Scores without their exposures, and a report of what was removed. */
export interface Neutralized<Data = DataFrame> {
  /** The rows of the scores, in their order, with the score replaced by its residual. */
  readonly data: RowsOf<Data>;
  /**
   * One row a cross-section: its time, `n` (stocks in the regression), `left_out` (stocks with a score and without a group or an
   * exposure, whose residual is null), `groups`, `r_squared` (share of the variance of the score that was removed), `slope_…` of each
   * column, `reason` (`too_few_names`, `rank_deficient`, `constant_scores` where there is no residual).
   */
  readonly removed: TypedFrame<RemovedColumns<Data>>;
  /** The report in a sentence. */
  toString(): string;
}

const RULES: OptionRules<NeutralizeOptions> = { ...EXPOSURE_RULES, where: CONDITION, score: TEXT };
const ACTION = "neutralize scores";

/**
 * Scores neutral to groups, to exposures, or to both at once: in each cross-section the residuals of a regression of the score on
 * dummies of the groups and on the columns.
 *
 * The rows of the scores, in their order, with the score replaced by its residual: null where the score, the group or
 * an exposure is null, in cross-sections with fewer than two more stocks than groups and columns (without groups, three more
 * than columns), and where these are collinear. A stock that is alone in its group has a residual of 0. Rounded to 12 digits of the largest score of the cross-section, so that
 * ties stay ties in any unit. The regression is over the rows for which `where` holds.
 *
 * @param scores A release, a panel, any frame with a date or an instant, `ticker` and a score, or a frame of the rows of {@link align}; with
 *   the groups and exposures joined to it
 * @param options The columns
 * @returns The scores without the exposures (`data`), and what was removed in each cross-section (`removed`)
 * @throws {TypeError} If a column is missing, an option is unknown, or neither groups nor columns are given
 * @see Frisch and Waugh (1933), Partial time regressions as compared with individual trends, Econometrica 1
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { neutralize } from "scoreframe/analysis";
 *
 * const scores = pl.DataFrame({
 *   date: Array(6).fill("2026-10-30"),
 *   ticker: ["A", "B", "C", "D", "E", "F"],
 *   sector: ["x", "x", "x", "y", "y", "y"],
 *   score: [1, 2, 3, 7, 8, 9],
 * });
 * const { data, removed } = neutralize(scores, { group: "sector" });
 * console.assert(data.getColumn("score").toArray().join() === "-1,0,1,-1,0,1");
 * console.assert(Number(removed.getColumn("r_squared").get(0)) > 0.93);
 * ```
 */
export function neutralize<Data extends HasDense | DataFrame>(
  scores: Data,
  options: NeutralizeOptions,
): Neutralized<Data> {
  checkNeutral(options);
  const { on = [], where } = options;
  const read = scoreSections(ACTION, scores, options.score);
  const exposures = readExposures(read.frame, options);
  const excluded = where === undefined ? null : excludedRows(ACTION, read.frame, where);
  const { values, removed } = residualsOf({ ...read, excluded }, exposures);
  const table = framed<RemovedColumns<Data>>(removedFrame(read, removed, on));
  return {
    ...displayParts(() => sentence(removed), () => ({ removed: table })),
    data: setMark(
      read.frame.withColumns(numberColumn(read.score, values)),
      COMPUTED_MARK,
      true,
    ) as RowsOf<Data>,
    removed: table,
    toString: () => sentence(removed),
  };
}

/** The residuals of rows that were read of a frame, as {@link neutralize} computes them. */
export function neutralizeRows(
  frame: DataFrame,
  rows: TimedScores,
  options: NeutralizeOptions,
): Readonly<{ values: Float64Array; exposures: Exposures; text: string }> {
  checkNeutral(options);
  const exposures = readExposures(frame, options);
  const sections = { ...rows, rows: rowsByTime(ACTION, rows) };
  const { values, removed } = residualsOf(sections, exposures);
  return { values, exposures, text: sentence(removed) };
}

function checkNeutral(options: NeutralizeOptions): void {
  checkOptions("call neutralize()", options, RULES);
  assertExposures(ACTION, options);
}

function readExposures(frame: DataFrame, { on = [], group }: NeutralizeOptions): Exposures {
  const advice = "join what is missing to the scores, or give the name of another column";
  assertColumns(ACTION, frame, [...on, group ?? []].flat(), advice);
  refuseAdjustedLevel(ACTION, frame, on);
  return {
    columns: on.map((name) => readNumbers(ACTION, frame, name)),
    groups: group === undefined ? null : readTexts(ACTION, frame, group).codes,
  };
}

function residualsOf(
  { scores, rows, excluded }:
    & Pick<ScoreSections, "scores" | "rows">
    & Pick<TimedScores, "excluded">,
  exposures: Exposures,
) {
  const residuals = new Float64Array(scores.length).fill(NaN);
  const removed = rows.map((section) => {
    const scored = section.filter((row) => excluded?.[row] !== 1 && !Number.isNaN(scores[row]!));
    return regressOnExposures({ values: scores, residuals }, scored, exposures, "constant_scores");
  });
  return { values: residuals, removed };
}

function removedFrame(
  { times, time, kind }: ScoreSections,
  removed: readonly SectionFit[],
  on: readonly string[],
): DataFrame {
  const rows = removed.map(({ n, leftOut, groups, rSquared, reason }) => {
    return [n, leftOut, groups, rSquared, reason];
  });
  const counts = tableOfRows(rows, REMOVED_COLUMNS);
  const slopes = on.map((name, j) =>
    numberColumn(`slope_${name}`, Float64Array.from(removed, ({ slopes }) => slopes[j] ?? NaN))
  );
  return pl.DataFrame([
    kind === "instant" ? instantColumn(time, times) : dayColumn(time, Int32Array.from(times)),
    ...counts.drop("reason").getColumns(),
    ...slopes,
    counts.getColumn("reason"),
  ]);
}

function sentence(removed: readonly SectionFit[]): string {
  const shares = removed.flatMap(({ rSquared }) => rSquared === null ? [] : [rSquared]);
  const leftOut = removed.reduce((sum, row) => sum + row.leftOut, 0);
  const none = Map.groupBy(removed.flatMap(({ reason }) => reason ?? []), (reason) => reason);
  return [
    shares.length === 0
      ? "No cross-section has residuals."
      : `Groups and exposures explain ${percentText(meanOf(shares))} of the variance of the ` +
        `score, on average over ${countText(shares.length, "cross-section")}.`,
    ...leftOut === 0
      ? []
      : [`${countText(leftOut, "scored row")} without a group or an exposure left out.`],
    ...[...none].map(([reason, { length }]) =>
      `${countText(length, "cross-section")} without residuals: ${reasonText(reason)}.`
    ),
  ].join(" ");
}

/** Columns of the table, in order. */
const RETURN_COLUMNS = "session horizon n left_out r_squared reason";

/** Scores with residual returns: input of every statistic, in the place of an alignment. */
export interface NeutralReturns extends HasDense {
  /** The rows of the alignment, with the returns replaced by their residuals; without `known_at`. */
  readonly data: TypedFrame<AlignedColumns>;
  /**
   * One row per session and horizon: `session`, `horizon`, `n` (stocks in the regression), `left_out` (scored stocks with a return and
   * without a group or an exposure, whose residual is null), `r_squared` (share of the variance of the returns that was removed), `reason`
   * (`too_few_names`, `rank_deficient`, `constant_returns` where there is no residual).
   */
  readonly removed: TableOf<typeof RETURN_COLUMNS>;
  /** The report in a returnsSentence. */
  toString(): string;
}

const OF_RETURNS = "neutralize returns";

/**
 * Forward returns neutral to groups, to exposures, or to both at once: in each session and horizon the residuals of a regression of the returns on
 * dummies of the groups and on the columns.
 *
 * The regression is over the stocks with a score. The residual is null where the score, the return, the group or an exposure is null, in sessions with fewer than two stocks more than groups and
 * columns, and where these are collinear. Rounded to 12 digits of the session's largest return, so that ties stay ties. The result takes the place of the
 * alignment: `informationCoefficient(neutralReturns(aligned, known, { on: ["beta"] }))`. Returns of portfolios are then specific returns,
 * which are earned only by hedging every exposure in every session.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @param exposures A frame with `session` or `date`, `ticker` and the columns: what was known at each session
 * @param options The columns
 * @returns The scores with residual returns, and what was removed in each session
 * @throws {TypeError} If a column is missing, an option is unknown, neither groups nor columns are given, or a stock
 *   occurs twice in a session
 * @see Grinold and Kahn (2000), Active portfolio management, chapter 3
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { neutralReturns } from "scoreframe/analysis";
 *
 * const session = Array(6).fill("2026-10-30");
 * const ticker = ["A", "B", "C", "D", "E", "F"];
 * const data = pl.DataFrame({ session, ticker, score: [1, 2, 3, 4, 5, 6], return_1: [0.01, 0.02, 0.03, -0.02, 0, 0.02] });
 * const known = pl.DataFrame({ session, ticker, sector: ["x", "x", "x", "y", "y", "y"] });
 * const neutral = neutralReturns(data, known, { group: "sector" });
 * console.assert(neutral.data.getColumn("return_1").toArray().join() === "-0.01,0,0.01,-0.02,0,0.02");
 * ```
 */
export function neutralReturns(
  data: HasDense | DataFrame,
  exposures: DataFrame,
  options: Pick<NeutralizeOptions, "on" | "group">,
): NeutralReturns {
  checkOptions("call neutralReturns()", options, EXPOSURE_RULES);
  const { on = [], group } = options ?? {};
  assertExposures(OF_RETURNS, options ?? {}, exposures);
  const given = toDense(OF_RETURNS, data);
  const { dense, removed } = specificReturns(given, layOut(exposures, given, { on, group }));
  const cells = removed.map(({ session, horizon, n, leftOut, rSquared, reason }) => {
    return [session, horizon, n, leftOut, rSquared, reason];
  });
  const table = tableOfRows(cells, RETURN_COLUMNS);
  let rows: NeutralReturns["data"] | null = null;
  return {
    ...displayParts(() => returnsSentence(removed), () => ({ removed: table })),
    dense,
    get data() {
      return rows ??= toDataFrame(dense);
    },
    removed: table,
    toString: () => returnsSentence(removed),
  };
}

/** The exposures on the sessions and tickers of the returns; rows of others do not count. */
function layOut(
  exposures: DataFrame,
  { days, tickers }: DenseScores,
  { on, group }: { readonly on: readonly string[]; readonly group: string | undefined },
): Exposures {
  const cells = cellsOfRows(OF_RETURNS, exposures, { days, tickers });
  const rowOf = new Int32Array(days.length * tickers.length).fill(-1);
  for (const [row, cell] of cells.entries()) if (cell !== -1) rowOf[cell] = row;
  const groups = group === undefined ? null : readTexts(OF_RETURNS, exposures, group).codes;
  return {
    columns: on.map((name) => {
      const values = readNumbers(OF_RETURNS, exposures, name);
      return Float64Array.from(rowOf, (row) => values[row] ?? NaN);
    }),
    groups: groups && rowOf.map((row) => groups[row] ?? -1),
  };
}

function returnsSentence(removed: readonly RemovedReturns[]): string {
  const horizons = [...new Set(removed.map(({ horizon }) => horizon))];
  const sentences = horizons.map((horizon) => {
    const own = removed.filter((row) => row.horizon === horizon);
    const shares = own.flatMap(({ rSquared }) => rSquared === null ? [] : [rSquared]);
    const without = own.length - shares.length;
    const none = without === 0 ? "" : `; ${countText(without, "session")} without residuals`;
    const explained = shares.length === 0
      ? "no session has residual returns"
      : `groups and exposures explain ${percentText(meanOf(shares))} of the variance of the ` +
        `returns, on average over ${countText(shares.length, "session")}`;
    return `At ${countText(horizon, "session")}, ${explained}${none}.`;
  });
  return sentences.join(" ");
}

/** Regression of the returns of one session and horizon. */
type RemovedReturns = SectionFit & Readonly<Record<"session" | "horizon", number>>;

/** Residuals of the returns of the scored stocks of each session and horizon on the exposures; NaN where there is none. */
export function specificReturns(
  dense: DenseScores,
  exposures: Exposures,
): { readonly dense: DenseScores; readonly removed: readonly RemovedReturns[] } {
  const { scores, days, tickers: { length: width } } = dense;
  const removed: RemovedReturns[] = [];
  const returns = new Map<number, Float64Array>();
  for (const [horizon, values] of dense.returns) {
    const residuals = new Float64Array(values.length).fill(NaN);
    for (let d = dense.from; d < dense.to; d++) {
      const known: number[] = [];
      for (let cell = d * width; cell < (d + 1) * width; cell++) {
        if (!Number.isNaN(values[cell]!) && !Number.isNaN(scores[cell]!)) known.push(cell);
      }
      const fit = regressOnExposures({ values, residuals }, known, exposures, "constant_returns");
      removed.push({ session: days[d]!, horizon, ...fit });
    }
    returns.set(horizon, residuals);
  }
  // Residuals have no closes that an account could be marked at.
  return { dense: { ...dense, returns, marks: null }, removed };
}
