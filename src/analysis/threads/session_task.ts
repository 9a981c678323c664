import { assignFirst, assignTogether, type Shares } from "../dense/assign_buckets.ts";
import { type Orders, sessionsOf, sessionSorter } from "../dense/rank/orders.ts";
import type { IcValues } from "../dense/ic_values.ts";
import { RankCorrelation } from "../dense/rank/rank_correlation.ts";
import { keepTies } from "../../base/statistics/moments.ts";

/** Indices of the shared counters. */
export const COUNTER = { next: 0, done: 1, failed: 2 } as const;

/** Task done session by session: input arrays, and result arrays in which each session has its own range. */
export type SessionTask =
  | PairIcTask
  | OrdersTask
  | SignalTask
  | BucketTask
  | CellTask;

/** A task whose sessions are divided among threads. */
export interface SessionJob {
  /** The task. */
  readonly task: SessionTask;
  /** Its sessions. */
  readonly chunks: Chunks;
}

/** Runs a task for one session. */
type SessionRunner = (session: number) => void;

/** Sessions that threads process in chunks. */
export interface Chunks {
  /** First session. */
  readonly from: number;
  /** Session after the last. */
  readonly to: number;
  /** Maximum number of sessions in a chunk. */
  readonly size: number;
  /** Shared counters, at the indices of {@link COUNTER}. */
  readonly counters: Int32Array;
}

/** Prepares a task. */
export function runnerOf(task: SessionTask): SessionRunner {
  switch (task.kind) {
    case "pair IC":
      return runPairIc(task);
    case "signals":
      return runSignals(task);
    case "orders":
      return sessionSorter(task.values, task.orders);
    case "buckets":
      return runBuckets(task);
    case "cells":
      return (session) => averageSession(task, session);
  }
}

/** Processes chunks that no thread has taken until none is left, and notifies the waiting thread of each. */
export function takeChunks(chunks: Chunks, run: SessionRunner): void {
  const { from, to, size, counters } = chunks;
  const count = countChunks(chunks);
  for (;;) {
    const chunk = Atomics.add(counters, COUNTER.next, 1);
    if (chunk >= count) return;
    const start = from + chunk * size;
    const end = Math.min(to, start + size);
    for (let session = start; session < end; session++) run(session);
    Atomics.add(counters, COUNTER.done, 1);
    Atomics.notify(counters, COUNTER.done);
  }
}

/** Number of chunks. */
export function countChunks({ from, to, size }: Omit<Chunks, "counters">): number {
  return Math.ceil((to - from) / size);
}

/** Assignment of whole sessions to buckets by rank. */
export interface BucketTask {
  readonly kind: "buckets";
  /** Scores. */
  readonly scores: Float64Array;
  /** Sorted orders of the scores. */
  readonly orders: Orders;
  /** Quantile boundaries. */
  readonly shares: Shares;
  /** Treatment of ties: in one bucket, or divided by ticker. */
  readonly ties: "together" | "first";
  /** Minimum number of stocks in a session with buckets. */
  readonly minNames: number;
  /** Bucket of each session and stock. */
  readonly buckets: Uint16Array;
}

/** Prepares a {@link BucketTask}. */
function runBuckets(
  { scores, orders, shares, ties, minNames, buckets }: BucketTask,
): SessionRunner {
  const { names } = orders;
  const assign = ties === "together" ? assignTogether : assignFirst;
  return (d) => {
    const [base, count] = [d * names, orders.counts[d]!];
    if (count < minNames || count === 0) return;
    const order = orders.order.subarray(base, base + names);
    assign({ order, count, scores, base }, shares, buckets);
  };
}

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

/** Sorting of the stocks of each session by their values. */
export interface OrdersTask {
  readonly kind: "orders";
  /** Values of all sessions. */
  readonly values: Float64Array;
  /** Resulting orders. */
  readonly orders: Orders;
}

/** Spearman correlations between the scores of one session and the returns of another, from sorted orders. */
export interface PairIcTask {
  readonly kind: "pair IC";
  /** Sorted scores. */
  readonly scores: Orders;
  /** Sorted returns of each result. */
  readonly returns: readonly Orders[];
  /** Session of the scores of each pair; -1 for none. */
  readonly scored: Int32Array;
  /** Session of the returns of each pair; -1 for none. */
  readonly priced: Int32Array;
  /** Minimum number of stocks with both for a correlation. */
  readonly minNames: number;
  /** Correlations of each pair. */
  readonly results: readonly IcValues[];
}

/** Prepares a {@link PairIcTask}, whose sessions are its pairs. */
export function runPairIc(task: PairIcTask): SessionRunner {
  const { scored, priced, minNames, results } = task;
  const correlation = new RankCorrelation(task.scores.names);
  const scores = sessionsOf(task.scores);
  const returns = task.returns.map(sessionsOf);
  return (pair) => {
    const [x, y] = [scored[pair]!, priced[pair]!];
    for (const [h, { values, counts, reasons }] of results.entries()) {
      if (x === -1 || y === -1) {
        reasons[pair] = 1;
        continue;
      }
      values[pair] = correlation.measure(scores(x), returns[h]!(y), minNames);
      counts[pair] = correlation.n;
      reasons[pair] = correlation.reason;
    }
  };
}

/** Mean ranks of each stock over the latest sessions, for several numbers of sessions. */
export interface SignalTask {
  readonly kind: "signals";
  /** Rank of each session and stock; NaN for none. */
  readonly ranks: Float64Array;
  /** Number of stocks. */
  readonly width: number;
  /** Number of sessions in each mean, ascending. */
  readonly horizons: readonly number[];
  /** Means for each number of sessions; NaN for earlier sessions and for stocks without ranks. */
  readonly signals: readonly Float64Array[];
}

/** Prepares a {@link SignalTask}. */
function runSignals(task: SignalTask): SessionRunner {
  const { ranks, width, horizons, signals } = task;
  const [sums, counts] = [new Float64Array(width), new Float64Array(width)];
  return (d) => {
    sums.fill(0);
    counts.fill(0);
    let lag = 0;
    // Ranks are added from the latest session backwards, so that a longer mean continues a shorter one.
    for (const [h, horizon] of horizons.entries()) {
      if (d - horizon + 1 < 0) break;
      const own = ranks.subarray((d - horizon + 1) * width, (d - lag + 1) * width);
      addRanks(own, sums, counts);
      writeMeans(signals[h]!.subarray(d * width, (d + 1) * width), sums, counts);
      lag = horizon;
    }
  };
}

/** Adds the ranks of some sessions, the latest first. */
function addRanks(ranks: Float64Array, sums: Float64Array, counts: Float64Array): void {
  const width = sums.length;
  for (let name = 0; name < width; name++) {
    let sum = sums[name]!, n = counts[name]!;
    for (let cell = ranks.length - width + name; cell >= 0; cell -= width) {
      const rank = ranks[cell]!;
      if (rank !== rank) continue;
      sum += rank;
      n++;
    }
    sums[name] = sum;
    counts[name] = n;
  }
}

// Ranks are shares, of at most one half.
const roundRank = keepTies(1);

function writeMeans(signal: Float64Array, sums: Float64Array, counts: Float64Array): void {
  for (let name = 0; name < signal.length; name++) {
    const n = counts[name]!;
    // Rounding preserves ties in any order of summation.
    if (n > 0) signal[name] = roundRank(sums[name]! / n);
  }
}
