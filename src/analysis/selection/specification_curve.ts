import type { DataFrame } from "nodejs-polars";
import { GROUPS } from "../aligned/read_groups.ts";
import { MARKET_RULES, type PriceMarketOptions } from "../aligned/prices/price_market.ts";
import { MIN_NAMES } from "../cross_section/read_options.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { describe } from "../../base/contract/violation.ts";
import {
  hasSynthetic,
  inheritSynthetic,
  markSynthetic,
} from "../../frames/frame/provenance/synthetic_lineage.ts";
import { curveText } from "../../base/wording/sentences/selection_text.ts";
import { type AnalyzeFactorOptions, assertInputs } from "../factor/analysis_options.ts";
import { testMean } from "../inference/test_mean.ts";
import { StatedResult, tableOfRows } from "../table/frame_of_rows.ts";
import { type Choices, measureSpecifications } from "./specifications.ts";
import { demean, LEVEL, meanOf, medianOf, UPPER_END } from "../../base/statistics/moments.ts";
import { normalQuantile } from "../inference/distributions.ts";
import { stationaryDraws } from "../inference/bootstrap.ts";
import { familyDegrees, LEAST_COSINES, makeFamily, shareBeyond } from "./make_family.ts";
import type { SessionSeries, TestedMean } from "../inference/tested_mean.ts";
import type { TableOf } from "../table/columns.ts";

const CRITICAL = normalQuantile(UPPER_END);

// Shorter blocks lose the dependence between horizons, and the test rejects too often.
const OVERLAPS_OF_BLOCK = 6;

/** Columns of the summary, in order. */
export const SUMMARY =
  "specifications smallest median largest above significant p_median p_significant p_mean reason";

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
  accepts: rules.isListOf(accepts),
  isKind: Array.isArray,
});
const isIn = (...values: readonly unknown[]) => (value: unknown) => values.includes(value);

const { periodsPerYear: _, ...MARKET } = MARKET_RULES;
const RULES: rules.OptionRules<SpecificationCurveOptions> = {
  score: rules.TEXT,
  groups: GROUPS,
  ...MARKET,
  minNames: MIN_NAMES,
  horizons: listOf("whole numbers of sessions, at least 1", rules.whole(1).accepts),
  entry: listOf('"next" or "same"', isIn("next", "same")),
  correlation: listOf('"spearman" or "pearson"', isIn("spearman", "pearson")),
  neutral: listOf('"none" or "group"', isIn("none", "group")),
  winsor: listOf(
    "shares from 0 to below 0.5",
    (value) => typeof value === "number" && value >= 0 && value < 0.5,
  ),
  buckets: listOf(
    "whole numbers of at least 2, or 0 for the scores themselves",
    (value) => value === 0 || rules.whole(2).accepts(value),
  ),
  periods: {
    required: 'an object of periods by name, such as { all: {}, late: { from: "2020-01-01" } }',
    accepts: (value) =>
      typeof value === "object" && value !== null && !Array.isArray(value) &&
      Object.keys(value).length > 0,
  },
  draws: rules.whole(99),
  seed: rules.whole(0),
  signal: rules.SIGNAL,
};

const COLUMNS = `horizon entry correlation:method neutral winsor buckets period:label sessions mean
  low high t p reason`;

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
  StatedResult<TableOf<typeof COLUMNS>, { readonly summary: TableOf<typeof SUMMARY> }>
> {
  rules.checkOptions(ACTION, options, RULES);
  assertInputs(scores, prices);
  const { draws = 999, seed = 1, signal, ...rest } = options;
  if (rest.neutral?.includes("group") === true && rest.groups === undefined) {
    throw new TypeError(
      `Cannot ${ACTION}: expected groups where neutral is "group", got ${describe(rest.groups)}; ` +
        "give the option groups",
    );
  }
  const found = await measureSpecifications(ACTION, scores, prices, { ...rest, signal });
  const estimates = found.map((one) => ({ ...one, tested: testMean(one.series) }));
  const said = summariseCurve(estimates, { draws, seed });
  const rows = estimates
    .toSorted((a, b) => (a.tested.mean ?? Infinity) - (b.tested.mean ?? Infinity))
    .map(({ tested: { n, mean, low, high, t, p, reason }, ...of }) => {
      const { horizon, entry, correlation, neutral, winsor, buckets, period } = of;
      const choice = [horizon, entry, correlation, neutral, winsor, buckets, period];
      return [...choice, n, mean, low, high, t, p, reason];
    });
  const marked = <Frame extends DataFrame>(frame: Frame) =>
    inheritSynthetic(markSynthetic(frame, hasSynthetic(scores) ? ["synthetic"] : []), [scores]);
  const table = marked(tableOfRows(rows, COLUMNS));
  const { joint, specifications, smallest, median, largest, above, significant } = said;
  const tests = joint && [joint.median, joint.significant, joint.mean, null];
  const range = [specifications, smallest, median, largest, above, significant];
  const shown = [...range, ...tests ?? [null, null, null, "too_few_windows"]];
  const summary = marked(tableOfRows([shown], SUMMARY));
  return new StatedResult(curveText(said), table, { summary });
}

/** The range of the means of all specifications, and the joint test of those that have one. */
function summariseCurve(
  estimates: readonly Readonly<{ series: SessionSeries; tested: TestedMean }>[],
  of: { readonly draws: number; readonly seed: number },
) {
  const testable = estimates.flatMap(({ series, tested: { n, overlap, reason } }) =>
    reason === null && familyDegrees(n, overlap) >= LEAST_COSINES ? [{ series, overlap }] : []
  );
  const joint = testable.length === 0 ? null : testJointly(testable, of);
  const means = estimates.flatMap(({ tested: { mean } }) => mean === null ? [] : [mean])
    .toSorted((a, b) => a - b);
  const tested = estimates.flatMap(({ tested: { p } }) => p === null ? [] : [p]);
  const shareOf = (values: readonly number[], accepts: (value: number) => boolean) =>
    values.length === 0 ? null : values.filter(accepts).length / values.length;
  return {
    specifications: estimates.length,
    smallest: means[0] ?? null,
    median: means.length === 0 ? null : medianOf(means),
    largest: means.at(-1) ?? null,
    above: shareOf(means, (mean) => mean > 0),
    significant: shareOf(tested, (p) => p < LEVEL),
    joint,
  };
}

/** Specification whose mean is tested. */
type TestedSpecification = Readonly<{
  series: Pick<SessionSeries, "days" | "values">;
  overlap: number;
}>;

/**
 * Tests all specifications together (Simonsohn, Simmons and Nelson, 2020): the median of their statistics, their mean, and the number
 * that is significant in the direction most of them have, each beside what draws without a relation give. A specification has no
 * value in the sessions that it leaves out, where its deviation is zero.
 *
 * A value stands in the middle of its window, so that returns of several horizons that cover the same sessions are drawn together.
 */
export function testJointly(
  specifications: readonly TestedSpecification[],
  { draws, seed }: { readonly draws: number; readonly seed: number },
) {
  const columns = placeInMiddle(specifications);
  const overlaps = specifications.map(({ overlap }) => overlap);
  const block = OVERLAPS_OF_BLOCK * Math.max(...overlaps);
  const places = stationaryDraws({ n: columns[0]!.length, block, draws, seed });
  const own = specifications.map(({ series }) => series.values);
  const plan = { studentize: "ewc", isTwoSided: true, block, count: draws, overlaps, own } as const;
  const { statistics, drawn } = makeFamily(columns, places, plan);
  const found = measure(statistics);
  const row = new Float64Array(statistics.length);
  const nothing = Array.from({ length: draws }, (_, i) => {
    for (let k = 0; k < row.length; k++) row[k] = drawn.deviations[k * draws + i]!;
    return measure(row);
  });
  // A draw that equals the sample is as extreme.
  const p = (name: "median" | "significant" | "mean") =>
    shareBeyond(Float64Array.from(nothing, (one) => one[name]), found[name] - 1e-9);
  return { median: p("median"), significant: p("significant"), mean: p("mean"), block };
}

function measure(statistics: Float64Array) {
  const [above, below] = [1, -1].map((sign) =>
    statistics.reduce((count, value) => count + (sign * value > CRITICAL ? 1 : 0), 0)
  );
  const significant = Math.max(above!, below!);
  return {
    median: Math.abs(medianOf(statistics)),
    significant,
    mean: Math.abs(meanOf(statistics)),
  };
}

/** Deviations of each specification from its mean, over the sessions of all of them and the middles of their windows. */
export function placeInMiddle(
  specifications: readonly TestedSpecification[],
): readonly Float64Array[] {
  const days = Int32Array.from(new Set(specifications.flatMap(({ series }) => [...series.days])))
    .sort();
  const placeOf = new Map(Array.from(days, (day, place) => [day, place]));
  const middle = (overlap: number) => Math.floor((overlap - 1) / 2);
  const length = days.length + middle(Math.max(...specifications.map(({ overlap }) => overlap)));
  return specifications.map(({ series, overlap }) => {
    const column = new Float64Array(length);
    const rest = demean(series.values);
    for (const [i, day] of series.days.entries()) {
      column[placeOf.get(day)! + middle(overlap)] = rest[i]!;
    }
    return column;
  });
}
