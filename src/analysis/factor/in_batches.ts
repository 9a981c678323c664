import pl, { type DataFrame } from "nodejs-polars";
import type { DenseScores } from "../dense/dense_scores.ts";
import type { HasDense } from "../dense/from_data_frame.ts";
import { takeSteps, type Walk } from "./take_steps.ts";

/** How a calculation by session is cut into batches. */
export interface Batches {
  /** What is calculated, for the bar. */
  readonly note: string;
  /**
   * How many sessions before a batch its values need; their own rows are dropped.
   *
   * @default 0
   */
  readonly before?: number;
  /**
   * How many sessions a batch has at least.
   *
   * @default 1
   */
  readonly atLeast?: number;
  /**
   * How many sessions × tickers a batch has at most, unless `atLeast` says more.
   *
   * @default 250,000, which takes less than a tenth of a second
   */
  readonly cells?: number;
}

/**
 * Calculates a frame by session in batches of sessions, one step each, so that a stop is seen between them.
 *
 * @param compute Gives as many rows for each session, sessions ascending
 */
export async function inBatches(
  walk: Walk,
  dense: DenseScores,
  { note, before = 0, atLeast = 1, cells = 250_000 }: Batches,
  compute: (part: HasDense) => DataFrame,
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
