import { isTooShort, type TestedMean, toTestedMean, withoutTest } from "../tested_mean.ts";
import { demean, isConstant, sumOfSquares } from "../../../base/statistics/moments.ts";
import type { Observations } from "../observations.ts";
import { studentReference } from "../distribution/reference.ts";

/** The t values of every starting session, each over values whose windows do not overlap. */
export interface NonOverlapping {
  /** The t of each start that has at least ten values which are not all the same, in ascending order. */
  readonly t: Float64Array;
  /** The start in the middle of that order. */
  readonly middle: TestedMean;
}

/**
 * Plain t tests of values `horizon` sessions apart, from every starting session: a cross-check of overlapping windows. The
 * starting session is arbitrary, so the median t is reported.
 *
 * A start with fewer than ten values has no t.
 */
export function nonOverlapping(observations: Observations, against = 0): NonOverlapping {
  const { horizon } = observations;
  if (isTooShort(observations)) {
    return {
      t: new Float64Array(0),
      middle: withoutTest(observations, "non-overlapping", "too_few_windows"),
    };
  }
  const tests = Array.from(
    { length: horizon },
    (_, start) => testStart(observations, start, against),
  )
    .filter((test) => test.t !== null)
    .toSorted((a, b) => a.t! - b.t!);
  const t = Float64Array.from(tests, (test) => test.t!);
  const middle = tests[(tests.length - 1) >> 1];
  if (middle === undefined) {
    const reason = isConstant(observations.values) ? "no_variance" : "too_few_windows";
    return { t, middle: withoutTest(observations, "non-overlapping", reason) };
  }
  const note = `t from ${t[0]!.toFixed(2)} to ${t.at(-1)!.toFixed(2)} over ${t.length} starting ` +
    `${t.length === 1 ? "session" : "sessions"}; the middle one is shown`;
  return { t, middle: { ...middle, note } };
}

function testStart(observations: Observations, start: number, against: number): TestedMean {
  const { places, horizon } = observations;
  const first = (places[0] ?? 0) + start;
  const values = observations.values.filter((_, i) => (places[i]! - first) % horizon === 0);
  const own = { values, places, horizon, overlap: 1 };
  if (values.length < 10) return withoutTest(own, "non-overlapping", "too_few_windows");
  const variance = isConstant(values) ? 0 : sumOfSquares(demean(values)) / (values.length - 1);
  return toTestedMean(own, {
    method: "non-overlapping",
    variance,
    reference: studentReference(values.length - 1),
    against,
    note: null,
  });
}
