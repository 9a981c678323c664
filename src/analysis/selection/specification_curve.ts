import type { DataFrame } from "nodejs-polars";
import { GROUPS } from "../aligned/read_groups.ts";
import { MARKET_RULES, type PriceMarketOptions } from "../aligned/prices/price_market.ts";
import { MIN_NAMES } from "../cross_section/read_options.ts";
import {
  checkOptions,
  isListOf,
  type OptionRules,
  SIGNAL,
  TEXT,
  whole,
} from "../../base/arguments/check_options.ts";
import { describe } from "../../base/contract/violation.ts";
import {
  hasSynthetic,
  inheritSynthetic,
  markSynthetic,
} from "../../frames/frame/provenance/synthetic_lineage.ts";
import { curveText } from "../../base/wording/sentences/selection_text.ts";
import { assertInputs } from "../factor/assert_inputs.ts";
import type { AnalyzeFactorOptions } from "../factor/analysis_options.ts";
import { testMean } from "../inference/test_mean.ts";
import { StatedResult } from "../table/stated_result.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { summariseCurve, SUMMARY, SUMMARY_READERS } from "./summarise_curve.ts";
import { type Choices, measureSpecifications } from "./specifications.ts";

/** Options of {@link specificationCurve}: the choices, and what all specifications share. */
export interface SpecificationCurveOptions
  extends
    Partial<Choices>,
    Pick<AnalyzeFactorOptions, "score" | "groups" | "minNames">,
    Omit<PriceMarketOptions, "periodsPerYear"> {
  /**
   * Number of draws of the joint test, at least 99.
   *
   * @default 999
   */
  readonly draws?: number;
  /**
   * Seed of the draws.
   *
   * @default 1
   */
  readonly seed?: number;
  /**
   * Stops between two specifications.
   *
   * @default none
   */
  readonly signal?: AbortSignal;
}

const ACTION = "compute a specification curve";

const listOf = (required: string, accepts: (value: unknown) => boolean) => ({
  required: `an array of ${required}, each once`,
  accepts: isListOf(accepts),
  isKind: Array.isArray,
});
const isIn = (...values: readonly unknown[]) => (value: unknown) => values.includes(value);

const { periodsPerYear: _, ...MARKET } = MARKET_RULES;
const RULES: OptionRules<SpecificationCurveOptions> = {
  score: TEXT,
  groups: GROUPS,
  ...MARKET,
  minNames: MIN_NAMES,
  horizons: listOf("whole numbers of sessions, at least 1", whole(1).accepts),
  entry: listOf('"next" or "same"', isIn("next", "same")),
  correlation: listOf('"spearman" or "pearson"', isIn("spearman", "pearson")),
  neutral: listOf('"none" or "group"', isIn("none", "group")),
  winsor: listOf(
    "shares from 0 to below 0.5",
    (value) => typeof value === "number" && value >= 0 && value < 0.5,
  ),
  buckets: listOf(
    "whole numbers of at least 2, or 0 for the scores themselves",
    (value) => value === 0 || whole(2).accepts(value),
  ),
  periods: {
    required: 'an object of periods by name, such as { all: {}, late: { from: "2020-01-01" } }',
    accepts: (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value) &&
      Object.keys(value).length > 0,
  },
  draws: whole(99),
  seed: whole(0),
  signal: SIGNAL,
};

const COLUMNS = {
  horizon: "count",
  entry: "text",
  correlation: "text",
  neutral: "text",
  winsor: "number",
  buckets: "count",
  period: "text",
  sessions: "count",
  mean: "number",
  low: "number",
  high: "number",
  t: "number",
  p: "number",
  reason: "text",
} as const;

/**
 * Computes the mean IC under every combination of defensible choices, and tests all of them together (Simonsohn, Simmons and Nelson,
 * 2020).
 *
 * A specification: a horizon, the entry, ranks or values (`correlation`), raw returns or returns minus the mean of their
 * group (`neutral`), the share of scores winsorised in each tail by session (`winsor`), the number of buckets into which
 * scores are discretised (`buckets`, 0 for the scores themselves; ties stay together), and a period. Choices that make no
 * difference, such as winsorising before ranks, give equal estimates, each of which counts.
 *
 * `table` has one row per specification, smallest mean first: the choices (`horizon`, `entry`, `correlation`, `neutral`, `winsor`,
 * `buckets`, `period`), `sessions`, `mean`, its 95% interval `low` and `high`, `t` and `p` (EWC), `reason`. `summary` has one
 * row: `specifications`, `smallest`, `median` and `largest` mean, `above` (share of means above 0), `significant` (share with p below
 * 0.05), and the p values of the joint test: of the median statistic (`p_median`), of the number of significant
 * specifications in the direction of the majority (`p_significant`), and of the mean statistic (`p_mean`). Each is the
 * share of draws under the null that are at least as extreme, with the draws of {@link bestOf}; blocks are six times the
 * longest overlap, and a value is dated to the middle of its window, so that horizons keep their dependence. A
 * specification needs 20 sessions and 18 windows that do not overlap, else it is left out of the joint test; its own test
 * needs ten.
 *
 * @param scores Scores as {@link analyzeFactor} takes them
 * @param prices Closes as {@link analyzeFactor} takes them
 * @param options The choices, and what all specifications share
 * @returns The estimates (`table`) and the joint test (`summary`)
 * @throws {TypeError} If a column is missing, an option is unknown, or neutral to groups without groups
 * @throws {RangeError} If a choice is out of range, or scores and prices have nothing in common
 * @see Simonsohn, Simmons and Nelson (2020), Specification curve analysis, Nature Human Behaviour 4
 *
 * @example Usage
 * ```ts
 * import { specificationCurve } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const cells = Array.from({ length: 60 * 12 }, (_, i) => ({ day: Math.floor(i / 12), name: i % 12 }));
 * const date = (day: number) =>
 *   new Date(Date.UTC(2026, 5, 1 + day + 2 * Math.floor(day / 5))).toISOString().slice(0, 10);
 * const frame = (name: string, read: (day: number, name: number) => number) =>
 *   pl.DataFrame(cells.map((cell) => ({
 *     date: date(cell.day),
 *     ticker: `T${cell.name}`,
 *     [name]: read(cell.day, cell.name),
 *   })));
 * const scores = frame("score", (day, name) => Math.sin(day * name));
 * const prices = frame("close", (day, name) => 100 + Math.cos(day + 5 * name));
 * const curve = await specificationCurve(scores, prices, { horizons: [1, 2], calendar: "own" });
 * console.assert(curve.table.height === 2 * 2 * 3 * 3);
 * ```
 */
export async function specificationCurve(
  scores: DataFrame,
  prices: DataFrame | string,
  options: SpecificationCurveOptions = {},
): Promise<
  StatedResult<TableFrame<typeof COLUMNS>, { readonly summary: TableFrame<typeof SUMMARY> }>
> {
  checkOptions(ACTION, options, RULES);
  assertInputs(scores, prices);
  const { draws = 999, seed = 1, signal, ...rest } = options;
  if (rest.neutral?.includes("group") === true && rest.groups === undefined) {
    throw new TypeError(
      `Cannot ${ACTION}: expected groups where neutral is "group", got ${describe(rest.groups)}; ` +
        "give the option groups",
    );
  }
  const found = await measureSpecifications(ACTION, { scores, prices }, { ...rest, signal });
  const estimates = found.map((one) => ({ ...one, tested: testMean(one.series) }));
  const said = summariseCurve(estimates, { draws, seed });
  const rows = estimates.map(({ tested, ...choice }) => ({ ...tested, ...choice }))
    .toSorted((a, b) => (a.mean ?? Infinity) - (b.mean ?? Infinity));
  const marked = <Frame extends DataFrame>(frame: Frame) =>
    inheritSynthetic(markSynthetic(frame, hasSynthetic(scores) ? ["synthetic"] : []), [scores]);
  const table = marked(tableOfRows(rows, COLUMNS, { sessions: ({ n }) => n }));
  const summary = marked(tableOfRows([said], SUMMARY, SUMMARY_READERS));
  return new StatedResult(curveText(said), table, { summary });
}
