import { bufferOf } from "../threads/shared_buffer.ts";

/** Correlations by session, and what they rest on. */
export interface IcValues {
  /** The correlation of each session; NaN for null. */
  readonly values: Float64Array;
  /** How many names had both. */
  readonly counts: Int32Array;
  /** Why it is null, as an index into the null reasons. */
  readonly reasons: Uint8Array;
}

/** Correlations that are still to be computed: all null. */
export function emptyIcValues(sessions: number, isShared = false): IcValues {
  return {
    values: new Float64Array(bufferOf(8 * sessions, isShared)).fill(NaN),
    counts: new Int32Array(bufferOf(4 * sessions, isShared)),
    reasons: new Uint8Array(bufferOf(sessions, isShared)),
  };
}
