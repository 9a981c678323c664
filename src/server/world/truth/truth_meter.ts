import type { LaggedCoefficient } from "./truth.ts";

const LAGS = [1, 5, 10, 21, 42, 63];
const RING = 64;

/** Components of the returns of a session, by company. */
export interface SessionReturns {
  /** Part of the return that the factors explain. */
  readonly expected: Float64Array;
  /** Standard deviation of the rest. */
  readonly volatility: Float64Array;
  /** True if the company has a return in this session. */
  readonly isPriced: Uint8Array;
}

/**
 * Computes the mean information coefficients that a world's returns have by construction. They are
 * like measured ones, but use the expected return in the covariance and so have no sampling noise.
 */
export class TruthMeter {
  readonly #scores: Int32Array[];
  readonly #sums = new Float64Array(LAGS.length);
  readonly #sessions = new Int32Array(LAGS.length);
  #count = 0;

  /** @param members Number of companies */
  constructor(members: number) {
    this.#scores = Array.from({ length: RING }, () => new Int32Array(members));
  }

  /** Adds the scores at a session's close, in millionths. */
  addScores(micro: Int32Array): void {
    this.#scores[this.#count % RING]!.set(micro);
    this.#count++;
  }

  /** Adds the returns of the session after the last scores. */
  addReturns(returns: SessionReturns): void {
    for (const [k, lag] of LAGS.entries()) {
      if (lag > this.#count) continue;
      const coefficient = expectedIc(this.#scores[(this.#count - lag) % RING]!, returns);
      if (coefficient === null) continue;
      this.#sums[k]! += coefficient;
      this.#sessions[k]!++;
    }
  }

  /** The means so far. */
  coefficients(): readonly LaggedCoefficient[] {
    return LAGS.flatMap((lagSessions, k) => {
      const sessions = this.#sessions[k]!;
      const meanIc = Math.round(1e6 * this.#sums[k]! / sessions) / 1e6;
      return sessions === 0 ? [] : [{ lagSessions, meanIc }];
    });
  }
}

function expectedIc(micro: Int32Array, returns: SessionReturns): number | null {
  let n = 0, s = 0, ss = 0, e = 0, ee = 0, se = 0, vv = 0;
  for (let i = 0; i < micro.length; i++) {
    const score = micro[i]!;
    if (score < 0 || returns.isPriced[i] === 0) continue;
    const expected = returns.expected[i]!;
    n++;
    s += score;
    ss += score * score;
    e += expected;
    ee += expected * expected;
    se += score * expected;
    vv += returns.volatility[i]! ** 2;
  }
  if (n < 3) return null;
  const covariance = se / n - (s / n) * (e / n);
  const scoreVariance = ss / n - (s / n) ** 2;
  const returnVariance = ee / n - (e / n) ** 2 + vv / n;
  const product = scoreVariance * returnVariance;
  return product > 0 ? covariance / Math.sqrt(product) : null;
}
