import { meanOf, medianOf, UPPER_END } from "../../base/statistics/moments.ts";
import { normalQuantile } from "../inference/distribution/distributions.ts";
import { stationaryDraws } from "../inference/method/stationary_bootstrap.ts";
import { shareBeyond } from "./family_p.ts";
import { makeFamily } from "./make_family.ts";
import { placeInMiddle, type TestedSpecification } from "./place_in_middle.ts";

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

const CRITICAL = normalQuantile(UPPER_END);
// Shorter blocks lose the dependence between horizons, and the test rejects too often.
const OVERLAPS_OF_BLOCK = 6;

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
