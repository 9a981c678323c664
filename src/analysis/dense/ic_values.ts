import { bufferOf } from "./thread_memory.ts";

/** Correlations by session, with their counts and reasons. */
export interface IcValues {
  /** The correlation of each session; NaN for null. */
  readonly values: Float64Array;
  /** Number of stocks with a score and a return. */
  readonly counts: Int32Array;
  /** Reason why the correlation is null, as an index into the null reasons. */
  readonly reasons: Uint8Array;
}

/** Correlations before they are computed: all null. */
export function emptyIcValues(sessions: number, isShared = false): IcValues {
  return {
    values: new Float64Array(bufferOf(8 * sessions, isShared)).fill(NaN),
    counts: new Int32Array(bufferOf(4 * sessions, isShared)),
    reasons: new Uint8Array(bufferOf(sessions, isShared)),
  };
}
