import type { DenseScores } from "../../dense/dense_scores.ts";
import { areShared, bufferOf } from "../../threads/shared_buffer.ts";
import { averageRanks } from "./average_ranks.ts";

const DECIMALS = 1e12;

type Sessions = Pick<DenseScores, "scores" | "tickers" | "from" | "to">;

/**
 * The mean rank of the last sessions, for the one-session form of a horizon (Hodrick 1992; Jegadeesh and Titman 1993):
 * p = (R − (n + 1) / 2) / n among the n scored names of a session, and of p the mean over those of the last h sessions in which
 * the name was scored. Sessions with fewer than `minNames` names do not count; the first h − 1 sessions have none.
 */
export function oneSessionSignal(
  dense: Sessions,
  horizon: number,
  minNames: number,
): Float64Array {
  const { scores, tickers, from, to } = dense;
  const width = tickers.length;
  const ranks = centredRanks(dense, minNames);
  const signal = new Float64Array(bufferOf(8 * scores.length, areShared(scores))).fill(NaN);
  const [sums, counts] = [new Float64Array(width), new Int32Array(width)];
  for (let d = from + horizon - 1; d < to; d++) {
    sums.fill(0);
    counts.fill(0);
    for (let lag = 0; lag < horizon; lag++) {
      for (let t = 0, cell = (d - lag) * width; t < width; t++, cell++) {
        const rank = ranks[cell]!;
        if (rank !== rank) continue;
        sums[t]! += rank;
        counts[t]!++;
      }
    }
    for (let t = 0; t < width; t++) {
      const n = counts[t]!;
      // Rounded so that ties stay ties whatever the order of the sum.
      if (n > 0) signal[d * width + t] = Math.round(sums[t]! / n * DECIMALS) / DECIMALS + 0;
    }
  }
  return signal;
}

function centredRanks(dense: Sessions, minNames: number): Float64Array {
  const { tickers, from, to } = dense;
  const width = tickers.length;
  const ranks = averageRanks(dense);
  for (let d = from; d < to; d++) {
    const session = ranks.subarray(d * width, (d + 1) * width);
    let n = 0;
    for (const rank of session) if (rank === rank) n++;
    for (let name = 0; name < width; name++) {
      session[name] = n < minNames ? NaN : (session[name]! - (n + 1) / 2) / n;
    }
  }
  return ranks;
}
