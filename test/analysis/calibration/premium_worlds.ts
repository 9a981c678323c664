import { normal, seedOf, uniform } from "../../../src/server/world/random.ts";
import { NOISE_WORLD, type NoiseWorld } from "./noise_world.ts";
import { countRejections, type Rejections } from "./rejections.ts";

const SECTORS = 8;
const SCORE_HALF_LIFE = 60;
const DAILY = { market: 0.008, sector: 0.006 };
/** Deviation of the premia of market and sectors, as a share of that of a session's return. */
const PREMIUM_SHARE = 0.1;
/** Deviation of the constant drifts of stocks: 10% a year. */
const STOCK_DRIFT = 0.0004;

/** Sizes and half-lives of worlds with premia. */
export interface PremiumWorld {
  readonly sessions: number;
  /** Half-life of the premia and the scores, in sessions; 0 for no premia. */
  readonly halfLife: number;
}

/**
 * A world whose scores say nothing of its returns, but whose premia last: those of the market and of eight sectors are
 * autoregressive, and each stock has a drift of its own. Scores last as long, 60 sessions at least, and have a fifth of their
 * variance by sector.
 */
export function makePremiumWorld(seed: number, { sessions, halfLife }: PremiumWorld): NoiseWorld {
  const { names } = NOISE_WORLD;
  const [scores, logCloses] = [0, 1].map(() => new Float64Array(names * sessions)) as [
    Float64Array,
    Float64Array,
  ];
  const of = (what: string) => seedOf(seed, what);
  const kinds = [SECTORS + 1, SECTORS + names] as const;
  const premia = walk(of("premia"), kinds[0], halfLife);
  const parts = walk(of("scores"), kinds[1], Math.max(SCORE_HALF_LIFE, halfLife));
  const [shocks, noise, drifts] = [of("shocks"), of("noise"), of("drifts")];
  const has = halfLife === 0 ? 0 : 1;
  for (let d = 0; d < sessions; d++) {
    const [premium, part] = [premia(d), parts(d)];
    const factors = Float64Array.from(
      premium,
      (level, k) =>
        (k === SECTORS ? DAILY.market : DAILY.sector) *
        (normal(shocks, d * kinds[0] + k) + has * PREMIUM_SHARE * level),
    );
    for (let i = 0; i < names; i++) {
      const own = (0.01 + 0.018 * uniform(drifts, i)) * normal(noise, d * names + i);
      const drift = has * STOCK_DRIFT * normal(drifts, names + i);
      const before = d === 0 ? 0 : logCloses[(d - 1) * names + i]!;
      logCloses[d * names + i] = before + factors[SECTORS]! + factors[i % SECTORS]! + drift + own;
      scores[d * names + i] = Math.sqrt(0.2) * part[i % SECTORS]! +
        Math.sqrt(0.8) * part[SECTORS + i]!;
    }
  }
  return { names, sessions, scores, logCloses };
}

/** Stationary autoregressions of variance 1, session by session. */
function walk(seed: number, count: number, halfLife: number): (d: number) => Float64Array {
  const fade = halfLife === 0 ? 0 : 2 ** (-1 / halfLife);
  const levels = Float64Array.from({ length: count }, (_, k) => normal(seed, -1, k));
  return (d) => {
    for (let k = 0; d > 0 && k < count; k++) {
      levels[k] = fade * levels[k]! + Math.sqrt(1 - fade ** 2) * normal(seed, d, k);
    }
    return levels;
  };
}

/** Half-lives of premia and lengths of samples at which the size of the default is measured. */
export const PREMIUM_WORLDS: readonly PremiumWorld[] = [0, 60, 1_250].flatMap((halfLife) =>
  [250, 500, 2_500].map((sessions) => ({ sessions, halfLife }))
);

/** Counts rejections of the default from the first seed to one before the last, by world. */
export function countPremia(
  seeds: readonly [number, number],
  worlds = PREMIUM_WORLDS,
): readonly Rejections[] {
  return worlds.flatMap((world) =>
    countRejections(seeds, ["ewc (the default)"], (seed) => makePremiumWorld(seed, world))
      .map((row) => ({ ...row, test: `${world.halfLife} of ${world.sessions} sessions` }))
  );
}
