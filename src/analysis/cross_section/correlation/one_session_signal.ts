import type { DenseScores } from "../../dense/dense_scores.ts";
import { areShared, bufferOf } from "../../dense/thread_memory.ts";
import { overSessions } from "../../threads/over_sessions.ts";
import type { SignalTask } from "../../threads/run_signals.ts";
import { averageRanks } from "./average_ranks.ts";

type Sessions = Pick<DenseScores, "scores" | "tickers" | "from" | "to">;

/**
 * The mean rank of the last sessions, for the one-session form of a horizon (Hodrick 1992; Jegadeesh and Titman 1993), by
 * session of the span and stock: p = (R − (n + 1) / 2) / n among the n scored stocks of a session, and of p the mean over those of the last h
 * sessions in which the stock was scored. Sessions with fewer than `minNames` stocks do not count; the first h − 1
 * sessions have none.
 */
export function oneSessionSignals(
  dense: Sessions,
  horizons: readonly number[],
  minNames: number,
): readonly Float64Array[] {
  const { scores, tickers, from, to } = dense;
  const width = tickers.length;
  const { signals } = overSessions<SignalTask>({
    span: [0, to - from],
    width,
    isShared: areShared(scores),
    make: (isShared) => {
      const bytes = 8 * (to - from) * width;
      const ranks = new Float64Array(bufferOf(bytes, isShared));
      ranks.set(centredRanks(dense, minNames));
      const signals = horizons.map(() => new Float64Array(bufferOf(bytes, isShared)).fill(NaN));
      return { kind: "signals", ranks, width, horizons, signals };
    },
  });
  return signals;
}

function centredRanks(dense: Sessions, minNames: number): Float64Array {
  const width = dense.tickers.length;
  const ranks = averageRanks(dense.scores, dense);
  for (let start = 0; start < ranks.length; start += width) {
    const session = ranks.subarray(start, start + width);
    let n = 0;
    for (const rank of session) if (rank === rank) n++;
    for (let name = 0; name < width; name++) {
      session[name] = n < minNames ? NaN : (session[name]! - (n + 1) / 2) / n;
    }
  }
  return ranks;
}
