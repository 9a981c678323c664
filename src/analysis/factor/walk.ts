import pl, { type DataFrame } from "nodejs-polars";
import type { Progress } from "../../frames/notebook/kernel/progress.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import type { HasDense } from "../dense/from_data_frame.ts";

/** Progress and cancellation of a long calculation. */
export interface Walk {
  /** Stops it. */
  readonly signal: AbortSignal;
  /** Called after each step. */
  update(done: number, total: number, note: string): void;
}

/**
 * Runs steps in sequence and yields to the event loop between them, for the stop button and the progress bar.
 *
 * @param walk Progress and cancellation
 * @param note Name of the steps
 * @param steps The steps
 * @throws The reason of the signal, if it is aborted
 */
export async function takeSteps<const Steps extends readonly (() => unknown)[]>(
  walk: Walk,
  note: string,
  steps: Steps,
): Promise<{ -readonly [K in keyof Steps]: ReturnType<Steps[K]> }> {
  const results: unknown[] = [];
  for (const [done, step] of steps.entries()) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    walk.signal.throwIfAborted();
    results.push(step());
    walk.update(done + 1, steps.length, note);
  }
  return results as { -readonly [K in keyof Steps]: ReturnType<Steps[K]> };
}

/** Runs one step, as {@link takeSteps} does. */
export async function takeStep<Result>(
  walk: Walk,
  note: string,
  step: () => Result,
): Promise<Awaited<Result>> {
  const [result] = await takeSteps(walk, note, [step]);
  return await result;
}

/** Sessions of the batches of a calculation. */
export interface BatchSpan {
  /**
   * Number of sessions before a batch that its values depend on; their rows are dropped.
   *
   * @default 0
   */
  readonly before?: number;
  /**
   * Minimum number of sessions in a batch.
   *
   * @default 1
   */
  readonly atLeast?: number;
  /**
   * Maximum number of sessions × tickers in a batch, unless `atLeast` requires more.
   *
   * @default 250,000, which takes less than a tenth of a second
   */
  readonly cells?: number;
}

/**
 * Computes a frame by session in batches, one step each, so that it can be stopped in between.
 *
 * @param compute Returns the same number of rows for each session, sessions ascending
 */
export async function inBatches(
  walk: Walk,
  dense: DenseScores,
  note: string,
  compute: (part: HasDense) => DataFrame,
  { before = 0, atLeast = 1, cells = 250_000 }: BatchSpan = {},
): Promise<DataFrame> {
  const { from, to, tickers } = dense;
  const size = Math.max(atLeast, Math.floor(cells / Math.max(1, tickers.length)), 1);
  const starts = Array.from({ length: Math.max(1, Math.ceil((to - from) / size)) }, (_, i) => i);
  const frames = await takeSteps(
    walk,
    note,
    starts.map((i) => () => {
      const start = from + i * size;
      const [first, end] = [Math.max(from, start - before), Math.min(to, start + size)];
      const frame = compute({ dense: { ...dense, from: first, to: end } });
      const perSession = end === first ? 0 : frame.height / (end - first);
      return start === first ? frame : frame.slice((start - first) * perSession, frame.height);
    }),
  );
  return frames.length === 1 ? frames[0]! : pl.concat(frames);
}

// Estimated shares of the time of a large analysis, for the progress bar only.
const SHARES: Readonly<Record<string, number>> = {
  returns: 0.06,
  alignment: 0.05,
  losses: 0.02,
  sorting: 0.07,
  "permutation test": 0.4,
  correlations: 0.04,
  "one-session form": 0.02,
  lags: 0.14,
  parts: 0.02,
  buckets: 0.08,
  portfolio: 0.05,
  detail: 0.03,
  tests: 0.02,
};

/**
 * Progress of a whole analysis as one bar that never moves back.
 */
export function wholeWalk(bar: Progress, signal: AbortSignal): Walk {
  const shares = new Map<string, number>();
  let reached = 0;
  bar.update({ done: 0, total: 1, note: "returns" });
  return {
    signal,
    update: (done, total, note) => {
      // A part that runs again does not add to its share.
      shares.set(note, Math.max(shares.get(note) ?? 0, done / total));
      const sum = [...shares].reduce((all, [name, share]) => all + (SHARES[name] ?? 0) * share, 0);
      reached = Math.max(reached, Math.min(1, sum));
      bar.update({ done: reached, total: 1, note });
    },
  };
}
