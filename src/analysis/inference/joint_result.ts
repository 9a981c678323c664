import type { Reason } from "../reason.ts";

/** A test of several restrictions at once. */
export interface JointResult {
  /** The statistic, to be compared with an F; `null` if there is none. */
  readonly f: number | null;
  /** Number of restrictions. */
  readonly df1: number;
  /** Degrees of freedom of the variance. */
  readonly df2: number | null;
  /** Probability of a larger statistic if the restrictions hold. */
  readonly p: number | null;
  /** Why there is no test. */
  readonly reason: Reason | null;
}

/** The result of restrictions that cannot be tested. */
export function withoutJointTest(df1: number, reason: Reason): JointResult {
  return { f: null, df1, df2: null, p: null, reason };
}
