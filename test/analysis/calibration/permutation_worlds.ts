import type { DenseScores } from "../../../src/analysis/dense/dense_frames.ts";
import { permutationTest } from "../../../src/analysis/factor_test/permutation_test.ts";
import { normal, seedOf, uniform } from "../../../src/server/world/random.ts";
import { makeNoiseWorld, NOISE_WORLD, returnsOver } from "./noise_world.ts";

const SECTORS = 8;
const HALF_LIFE = 60;

/** Rejections at 5% in one kind of world, and worlds in which the test could be made. */
export interface PermutationRejections {
  readonly world: string;
  readonly rejected: number;
  readonly worlds: number;
}

/**
 * Worlds whose scores say nothing of the next return, by what the scores are made of: calls a quarter; minus the log price, so
 * that they are made of returns; a half-life of 60 sessions with a fifth of the variance by sector, in a market with
 * betas, sectors, fat tails and volatility that clusters; the same that never changes; the betas themselves.
 */
export const PERMUTATION_WORLDS: Readonly<Record<string, (seed: number) => DenseScores>> = {
  "calls": callWorld,
  "minus log price": priceWorld,
  "persistent, sectors known": (seed) => sectorWorld(seed, { score: "persistent", isKnown: true }),
  "persistent, sectors unknown": (seed) => sectorWorld(seed, { score: "persistent" }),
  "constant, sectors known": (seed) => sectorWorld(seed, { score: "constant", isKnown: true }),
  "constant, sectors unknown": (seed) => sectorWorld(seed, { score: "constant" }),
  "betas": (seed) => sectorWorld(seed, { score: "beta" }),
};

/** Counts how often the permutation test rejects at 5% from the first seed to one before the last. */
export function countPermutations(
  [from, to]: readonly [number, number],
  worlds: readonly string[] = Object.keys(PERMUTATION_WORLDS),
): readonly PermutationRejections[] {
  const counts = worlds.map((world) => ({ world, rejected: 0, worlds: to - from }));
  for (let seed = from; seed < to; seed++) {
    for (const count of counts) {
      const test = permutationTest({ dense: PERMUTATION_WORLDS[count.world]!(seed) });
      if ((test.getColumn("p").get(0) as number) < 0.05) count.rejected++;
    }
  }
  return counts;
}

function callWorld(seed: number): DenseScores {
  const world = makeNoiseWorld(seed);
  return toDense(world.scores, returnsOver(world, 1), null);
}

function priceWorld(seed: number): DenseScores {
  const world = makeNoiseWorld(seed);
  return toDense(world.logCloses.map((close) => -close), returnsOver(world, 1), null);
}

interface SectorWorld {
  readonly score: "persistent" | "constant" | "beta";
  readonly isKnown?: boolean;
}

function sectorWorld(seed: number, { score, isKnown = false }: SectorWorld): DenseScores {
  const { betas, returns } = sectorReturns(seed);
  const { names, sessions } = NOISE_WORLD;
  const fade = score === "persistent" ? 2 ** (-1 / HALF_LIFE) : 1;
  const parts = Array.from({ length: SECTORS + names }, (_, k) => normal(seedOf(seed, "score"), k));
  const scores = new Float64Array(names * sessions);
  for (let d = 0; d < sessions; d++) {
    for (let k = 0; fade < 1 && k < parts.length; k++) {
      const step = normal(seedOf(seed, "steps"), d * parts.length + k);
      parts[k] = fade * parts[k]! + Math.sqrt(1 - fade ** 2) * step;
    }
    for (let i = 0; i < names; i++) {
      const shared = Math.sqrt(0.2) * parts[i % SECTORS]! + Math.sqrt(0.8) * parts[SECTORS + i]!;
      scores[d * names + i] = score === "beta" ? betas[i]! : shared;
    }
  }
  return toDense(scores, returns, isKnown ? SECTORS : null);
}

interface SectorReturns {
  readonly seed: number;
  readonly betas: readonly number[];
  readonly returns: Float64Array;
}

let last: SectorReturns | null = null;

function sectorReturns(seed: number): SectorReturns {
  if (last?.seed === seed) return last;
  const { names, sessions } = NOISE_WORLD;
  const [ofMarket, ofSector, ofName] = ["market", "sector", "returns"].map((of) =>
    seedOf(seed, of)
  );
  const betas = Array.from({ length: names }, (_, i) => 0.5 + uniform(seedOf(seed, "beta"), i));
  const own = betas.map((_, i) => 0.01 + 0.018 * uniform(seedOf(seed, "own"), i));
  const returns = new Float64Array(names * sessions);
  let volatility = 0;
  for (let d = 0; d < sessions; d++) {
    volatility = 0.97 * volatility + 0.15 * normal(seedOf(seed, "volatility"), d);
    const scale = Math.exp(volatility / 2 - 0.2) / student4(seedOf(seed, "tails"), d);
    const market = 0.008 * normal(ofMarket!, d);
    for (let i = 0; i < names; i++) {
      const sector = 0.006 * normal(ofSector!, d * SECTORS + i % SECTORS);
      const noise = own[i]! * normal(ofName!, d * names + i);
      returns[d * names + i] = scale * (betas[i]! * market + sector + noise);
    }
  }
  last = { seed, betas, returns };
  return last;
}

// By which normal numbers are divided to have Student's t with 4 degrees of freedom, of variance 1.
function student4(seed: number, at: number): number {
  const squares = [1, 2, 3, 4].reduce((sum, k) => sum + normal(seed, at, k) ** 2, 0);
  return Math.sqrt(squares / 2);
}

function toDense(scores: Float64Array, returns: Float64Array, sectors: number | null): DenseScores {
  const { names, sessions } = NOISE_WORLD;
  return {
    days: Int32Array.from({ length: sessions }, (_, d) => d),
    tickers: Array.from({ length: names }, (_, i) => `T${i}`),
    from: 0,
    to: sessions,
    present: new Uint8Array(scores.length).fill(1),
    scores,
    periods: [1],
    returns: new Map([[1, returns]]),
    groups: sectors === null ? null : {
      names: Array.from({ length: sectors }, (_, k) => `S${k}`),
      codes: Int32Array.from(scores, (_, cell) => cell % names % sectors),
      areUndated: true,
    },
    ages: null,
  };
}
