import { demean, LEVEL, meanOf, medianOf, UPPER_END } from "../../base/statistics/moments.ts";
import { normalQuantile } from "../inference/distribution/distributions.ts";
import { stationaryDraws } from "../inference/method/stationary_bootstrap.ts";
import { shareBeyond } from "./family_p.ts";
import { familyDegrees, LEAST_COSINES, makeFamily } from "./make_family.ts";
import type { SessionSeries } from "../inference/session_series.ts";
import type { TestedMean } from "../inference/tested_mean.ts";
import type { RowReaders } from "../table/frame_of_rows.ts";

const CRITICAL = normalQuantile(UPPER_END);

// Shorter blocks lose the dependence between horizons, and the test rejects too often.
const OVERLAPS_OF_BLOCK = 6;

/** Columns of the summary, in order. */
export const SUMMARY = {
  specifications: "count",
  smallest: "number",
  median: "number",
  largest: "number",
  above: "number",
  significant: "number",
  p_median: "number",
  p_significant: "number",
  p_mean: "number",
  reason: "text",
} as const;

/** Readers of its columns. */
export const SUMMARY_READERS: RowReaders<CurveSummary, typeof SUMMARY> = {
  p_median: (row) => row.joint?.median ?? null,
  p_significant: (row) => row.joint?.significant ?? null,
  p_mean: (row) => row.joint?.mean ?? null,
  reason: (row) => row.joint === null ? "too_few_windows" : null,
};

/** Range of the estimates of all specifications, and their joint test. */
export interface CurveSummary {
  readonly specifications: number;
  readonly smallest: number | null;
  readonly median: number | null;
  readonly largest: number | null;
  /** Share of the means above 0. */
  readonly above: number | null;
  /** Share of the specifications with p below 0.05. */
  readonly significant: number | null;
  readonly joint: JointTest | null;
}

/** The range of the means of all specifications, and the joint test of those that have one. */
export function summariseCurve(
  estimates: readonly Readonly<{ series: SessionSeries; tested: TestedMean }>[],
  of: { readonly draws: number; readonly seed: number },
): CurveSummary {
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

/** The joint test of a specification curve. */
export interface JointTest {
  /** p value of the median statistic. */
  readonly median: number;
  /** p value of the number of significant results in the direction that most have. */
  readonly significant: number;
  /** p value of the mean statistic (Stouffer). */
  readonly mean: number;
  readonly block: number;
}

/** Specification whose mean is tested. */
interface TestedSpecification {
  readonly series: Pick<SessionSeries, "days" | "values">;
  readonly overlap: number;
}

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
): JointTest {
  const columns = placeInMiddle(specifications);
  const overlaps = specifications.map(({ overlap }) => overlap);
  const block = OVERLAPS_OF_BLOCK * Math.max(...overlaps);
  const { statistics, drawn } = makeFamily(
    columns,
    stationaryDraws({ n: columns[0]!.length, block, draws, seed }),
    {
      ...{ studentize: "ewc", isTwoSided: true, block, count: draws, overlaps },
      own: specifications.map(({ series }) => series.values),
    },
  );
  const found = measure(statistics);
  const nothing = { median: [] as number[], significant: [] as number[], mean: [] as number[] };
  const row = new Float64Array(statistics.length);
  for (let i = 0; i < draws; i++) {
    for (let k = 0; k < row.length; k++) row[k] = drawn.deviations[k * draws + i]!;
    const one = measure(row);
    for (const name of ["median", "significant", "mean"] as const) nothing[name].push(one[name]);
  }
  // A draw that equals the sample is as extreme.
  const p = (name: "median" | "significant" | "mean") =>
    shareBeyond(Float64Array.from(nothing[name]), found[name] - 1e-9);
  return { median: p("median"), significant: p("significant"), mean: p("mean"), block };
}

function measure(
  statistics: Float64Array,
): Readonly<Record<"median" | "significant" | "mean", number>> {
  const median = medianOf(statistics);
  const [above, below] = [1, -1].map((sign) =>
    statistics.reduce((count, value) => count + (sign * value > CRITICAL ? 1 : 0), 0)
  );
  return {
    median: Math.abs(median),
    significant: Math.max(above!, below!),
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
