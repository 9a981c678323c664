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
import type { HasDense } from "../dense/dense_frames.ts";
import type { Reason } from "../reason.ts";
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
import type { KindsOf } from "../table/columns.ts";

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
export type RemovedColumns<Data> =
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

const RULES: OptionRules<NeutralizeOptions> = {
  ...EXPOSURE_RULES,
  where: CONDITION,
  score: TEXT,
};
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
  assertColumns(
    ACTION,
    frame,
    [...on, ...group === undefined ? [] : [group]],
    "join what is missing to the scores, or give the name of another column",
  );
  refuseAdjustedLevel(ACTION, frame, on);
  return {
    columns: on.map((name) => readNumbers(ACTION, frame, name)),
    groups: group === undefined ? null : readTexts(ACTION, frame, group).codes,
  };
}

type Sections = Pick<ScoreSections, "scores" | "rows"> & Pick<TimedScores, "excluded">;

function residualsOf(
  { scores, rows, excluded }: Sections,
  exposures: Exposures,
): { readonly values: Float64Array; readonly removed: readonly SectionFit[] } {
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
  const counts = tableOfRows(
    removed.map((
      { n, leftOut, groups, rSquared, reason },
    ) => [n, leftOut, groups, rSquared, reason]),
    REMOVED_COLUMNS,
  );
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
  const none = new Map<Reason, number>();
  for (const { reason } of removed) {
    if (reason !== null) none.set(reason, (none.get(reason) ?? 0) + 1);
  }
  return [
    shares.length === 0
      ? "No cross-section has residuals."
      : `Groups and exposures explain ${percentText(meanOf(shares))} of the variance of the ` +
        `score, on average over ${countText(shares.length, "cross-section")}.`,
    ...leftOut === 0
      ? []
      : [`${countText(leftOut, "scored row")} without a group or an exposure left out.`],
    ...[...none].map(([reason, count]) =>
      `${countText(count, "cross-section")} without residuals: ${reasonText(reason)}.`
    ),
  ].join(" ");
}
