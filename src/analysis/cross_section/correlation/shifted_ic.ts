import type { DenseScores } from "../../dense/dense_scores.ts";
import type { IcValues } from "../../dense/ic_values.ts";
import type { Orders } from "../../dense/rank/orders.ts";
import { rankIcOfPairs } from "./rank_ic.ts";

// Keeps a step below a tenth of a second, so that progress moves in a small sample, too.
const CELLS_OF_STEP = 100_000_000;
const LEAST_STEPS = 20;

/** Mean correlations after shifts, which are whole when all steps were taken, in their order. */
export interface ShiftedIcMeans {
  /** The steps, each some sessions of returns. */
  readonly steps: readonly (() => void)[];
  /** The means of each shift by horizon; NaN where no session has a correlation. */
  means(): ReadonlyMap<number, Float64Array>;
}

/**
 * Prepares the placebo shifts of rank correlations. Each side is sorted once, and a session of returns is correlated with all
 * of its shifted scores while it is at hand.
 */
export function shiftedIcMeans(
  { from, to, periods, tickers }: Pick<DenseScores, "from" | "to" | "periods" | "tickers">,
  { scores, returns }: { scores: Orders; returns: readonly Orders[] },
  shifts: ArrayLike<number>,
  minNames: number,
): ShiftedIcMeans {
  const count = to - from;
  const sums = periods.map(() => new MeanByShift(shifts.length));
  const cells = Math.max(1, shifts.length * tickers.length * periods.length);
  const size = Math.max(
    1,
    Math.min(Math.floor(CELLS_OF_STEP / cells), Math.ceil(count / LEAST_STEPS)),
  );
  const add = (start: number) => {
    const length = Math.min(size, count - start) * shifts.length;
    const [scored, priced] = [new Int32Array(length), new Int32Array(length)];
    for (let pair = 0; pair < length; pair++) {
      const session = start + Math.floor(pair / shifts.length);
      scored[pair] = from + (session + shifts[pair % shifts.length]!) % count;
      priced[pair] = from + session;
    }
    const found = rankIcOfPairs(scores, returns, { scored, priced, minNames });
    for (const [h, values] of found.entries()) sums[h]!.add(values);
  };
  return {
    steps: Array.from({ length: Math.ceil(count / size) }, (_, i) => () => add(i * size)),
    means: () => new Map(periods.map((horizon, h) => [horizon, sums[h]!.means()])),
  };
}

/** Means of the correlations of each shift, session by session. */
class MeanByShift {
  readonly #sums: Float64Array;
  readonly #counts: Int32Array;

  constructor(shifts: number) {
    this.#sums = new Float64Array(shifts);
    this.#counts = new Int32Array(shifts);
  }

  /** Adds sessions, all shifts of one behind those of the one before. */
  add({ values }: IcValues): void {
    const [sums, counts] = [this.#sums, this.#counts];
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (value !== value) continue;
      sums[i % sums.length]! += value;
      counts[i % sums.length]!++;
    }
  }

  means(): Float64Array {
    return this.#sums.map((sum, shift) => sum / this.#counts[shift]!);
  }
}
