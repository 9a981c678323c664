import { normal, seedOf, uniform } from "../../../src/server/world/random.ts";

/** A world in memory whose scores say nothing of its returns. */
export interface NoiseWorld {
  readonly names: number;
  readonly sessions: number;
  /** The score of name `i` in session `d` at `d * names + i`; NaN where there is none. */
  readonly scores: Float64Array;
  /** Logarithms of the closes, in the same places. */
  readonly logCloses: Float64Array;
}

/** Size of the worlds on which the tests are calibrated. */
export const NOISE_WORLD = { names: 60, sessions: 500 } as const;

const MARKET = { drift: 0.0002, volatility: 0.008 };
const QUARTER = 63;

/**
 * A world whose closes follow the synthetic world's formula with information coefficients of 0: market and own noise, both
 * normal. A score comes with a call a quarter and stays until the next one; some lie on 0, one half and 1, and some
 * calls give none.
 */
export function makeNoiseWorld(
  seed: number,
  { names, sessions }: { readonly names: number; readonly sessions: number } = NOISE_WORLD,
): NoiseWorld {
  const scores = new Float64Array(names * sessions);
  const logCloses = new Float64Array(names * sessions);
  const market = marketReturns(seedOf(seed, "market"), sessions);
  for (let i = 0; i < names; i++) {
    const own = {
      noise: seedOf(seed ^ Math.imul(i + 1, 0x9e3779b9), "returns"),
      call: seedOf(seed + i * 7919, "calls"),
    };
    const volatility = 0.01 + 0.018 * uniform(own.call, -1);
    const phase = Math.floor(QUARTER * uniform(own.call, -2));
    let close = 0;
    for (let d = 0; d < sessions; d++) {
      close += market[d]! + volatility * normal(own.noise, d);
      logCloses[d * names + i] = close;
      scores[d * names + i] = scoreOfCall(own.call, Math.floor((d + phase) / QUARTER));
    }
  }
  return { names, sessions, scores, logCloses };
}

/** Returns over a number of sessions that begin at each session's close; NaN where the closes end first. */
export function returnsOver({ names, sessions, logCloses }: NoiseWorld, horizon: number) {
  const returns = new Float64Array(names * sessions).fill(NaN);
  for (let cell = 0; cell < (sessions - horizon) * names; cell++) {
    returns[cell] = Math.exp(logCloses[cell + horizon * names]! - logCloses[cell]!) - 1;
  }
  return returns;
}

function marketReturns(seed: number, sessions: number): Float64Array {
  return Float64Array.from(
    { length: sessions },
    (_, d) => MARKET.drift + MARKET.volatility * normal(seed, d),
  );
}

function scoreOfCall(seed: number, call: number): number {
  const u = uniform(seed, call, 1);
  if (u < 0.04) return NaN;
  if (u < 0.12) return 0;
  if (u < 0.18) return 0.5;
  if (u < 0.24) return 1;
  return Math.min(1, Math.max(0, 0.5 + 0.2 * normal(seed, call, 2)));
}
