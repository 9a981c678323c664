import { keepTies } from "../../base/statistics/moments.ts";
import type { SessionRunner } from "./take_chunks.ts";

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
export function runSignals(task: SignalTask): SessionRunner {
  const { ranks, width, horizons, signals } = task;
  const [sums, counts] = [new Float64Array(width), new Float64Array(width)];
  return (from, to) => {
    for (let d = from; d < to; d++) {
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

function writeMeans(signal: Float64Array, sums: Float64Array, counts: Float64Array): void {
  for (let name = 0; name < signal.length; name++) {
    const n = counts[name]!;
    // Rounding preserves ties in any order of summation.
    if (n > 0) signal[name] = keepTies(sums[name]! / n);
  }
}
