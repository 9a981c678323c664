import type { DenseScores } from "../../dense/dense_scores.ts";
import { overSessions } from "../../threads/over_sessions.ts";
import type { SignalTask } from "../../threads/run_signals.ts";
import { areShared, bufferOf } from "../../threads/shared_buffer.ts";
import { averageRanks } from "./average_ranks.ts";
import type { SpanOrders } from "./sort_orders.ts";

type Sessions = Pick<DenseScores, "scores" | "tickers" | "from" | "to">;

/** Which means are computed. */
export interface SignalPlan {
  /** Over how many sessions each mean goes, ascending. */
  readonly horizons: readonly number[];
  /** Below how many names a session does not count. */
  readonly minNames: number;
  /**
   * The orders of the sessions.
   *
   * @default null, which sorts them
   */
  readonly sorted?: SpanOrders | null;
}

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
  return oneSessionSignals(dense, { horizons: [horizon], minNames })[0]!;
}

/** The same for several horizons. */
export function oneSessionSignals(
  dense: Sessions,
  { horizons, minNames, sorted = null }: SignalPlan,
): readonly Float64Array[] {
  const { scores, tickers, from, to } = dense;
  const { signals } = overSessions<SignalTask>({
    span: [from, to],
    width: tickers.length,
    isShared: areShared(scores),
    make: (isShared) => {
      const bytes = 8 * scores.length;
      const ranks = new Float64Array(bufferOf(bytes, isShared));
      ranks.set(centredRanks(dense, minNames, sorted));
      const signals = horizons.map(() => new Float64Array(bufferOf(bytes, isShared)).fill(NaN));
      return { kind: "signals", ranks, width: tickers.length, first: from, horizons, signals };
    },
  });
  return signals;
}

function centredRanks(dense: Sessions, minNames: number, sorted: SpanOrders | null): Float64Array {
  const { tickers, from, to } = dense;
  const width = tickers.length;
  const ranks = averageRanks(dense, sorted);
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
