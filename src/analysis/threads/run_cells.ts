import type { SessionRunner } from "./take_chunks.ts";

/** Mean returns by session, part and bucket. */
export interface CellTask {
  readonly kind: "cells";
  /** Scores of all sessions. */
  readonly scores: Float64Array;
  /** Bucket of each session and stock; 0 for none. */
  readonly buckets: Uint16Array;
  /** Returns of all sessions. */
  readonly returns: Float64Array;
  /** Part of each session and stock, -1 for none; `null` if there is a single part. */
  readonly codes: Int32Array | null;
  /** Number of stocks. */
  readonly width: number;
  /** Number of quantiles. */
  readonly count: number;
  /** Number of cells per session: parts times quantiles. */
  readonly perSession: number;
  /** First session of the results. */
  readonly first: number;
  /** Mean return of each session, part and bucket; NaN for none. */
  readonly means: Float64Array;
  /** The mean minus the mean of all stocks of the session with a score and a return. */
  readonly excess: Float64Array;
  /** Number of stocks with a return. */
  readonly counts: Int32Array;
}

/** Prepares a {@link CellTask}. */
export function runCells(task: CellTask): SessionRunner {
  return (from, to) => {
    for (let d = from; d < to; d++) averageSession(task, d);
  };
}

function averageSession(task: CellTask, d: number): void {
  const { scores, buckets, returns, codes, width, count, perSession, means, counts } = task;
  const start = (d - task.first) * perSession;
  let [all, n] = [0, 0];
  for (let cell = d * width; cell < (d + 1) * width; cell++) {
    const value = returns[cell]!;
    if (value !== value || scores[cell] !== scores[cell]) continue;
    all += value;
    n++;
    const bucket = buckets[cell]!;
    const part = codes === null ? 0 : codes[cell]!;
    if (bucket === 0 || part === -1) continue;
    const place = start + part * count + bucket - 1;
    means[place]! += value;
    counts[place]!++;
  }
  for (let place = start; place < start + perSession; place++) {
    means[place] = means[place]! / counts[place]!;
    task.excess[place] = means[place]! - all / n;
  }
}
