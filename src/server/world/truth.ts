import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Factor } from "../../base/contract/factor.ts";
import { isCode } from "../../base/disk/files.ts";
import { replaceFile } from "../../base/disk/replace_file.ts";

/** True parameters of a world's closes by construction, to check an analysis against. */
export interface WorldTruth {
  /** The formula, in words. */
  readonly formula: string;
  /** Planted relation of each factor. */
  readonly planted: Readonly<
    Record<Factor, {
      /**
       * Correlation between standardised score and next-session standardised return among companies whose value
       * comes from a call of this very session.
       */
      readonly informationCoefficient: number;
      /** Number of sessions since the call after which that correlation has halved. */
      readonly halfLifeSessions: number;
    }>
  >;
  /** Implied ICs of one-session returns at several lags. */
  readonly expected: Readonly<
    Record<
      Factor,
      readonly {
        /** Sessions from the score's close to the close that ends the return. */
        readonly lagSessions: number;
        /** Mean over the release's sessions of the expected correlation across companies. */
        readonly meanIc: number;
      }[]
    >
  >;
  /** Standard deviation of the market's daily log return, common to all companies. */
  readonly marketVolatility: number;
  /** Mean of the market's daily log return. */
  readonly marketDrift: number;
}

/** Planted dependence of a world's returns on a factor's scores. */
type PlantedRelation = WorldTruth["planted"][Factor];

/** The mean information coefficient that the returns of a lag have by construction. */
export type LaggedCoefficient = WorldTruth["expected"][Factor][number];

/** The planted relations. */
export const PLANTED: Readonly<Record<Factor, PlantedRelation>> = {
  ecpnd: { informationCoefficient: 0.05, halfLifeSessions: 60 },
  ecqdi: { informationCoefficient: 0.08, halfLifeSessions: 30 },
};

/** Daily log return of the market. */
export const MARKET = { drift: 0.0002, volatility: 0.008 } as const;

/** The formula of the closes, in words. */
export const FORMULA =
  "log return of session t = market(t) + volatility(i) * (sum over factors of " +
  "informationCoefficient * z(i, t-1) * 0.5 ^ (age(i, t-1) / halfLifeSessions) + noise(i, t)); " +
  "z = (score - 0.5) / 0.2 as reconstructed at the close of session t-1, 0 if missing; " +
  "age = sessions since the call that the value comes from; noise is standard normal; " +
  "closes are rounded to four decimals";

// Written last, so a folder without it holds an interrupted world.
const TRUTH_FILE = "truth.json";

/** Reads the true parameters of a world's closes; `null` if the world is unfinished. */
export async function readTruth(folder: string): Promise<WorldTruth | null> {
  try {
    return JSON.parse(await readFile(join(folder, TRUTH_FILE), "utf8")) as WorldTruth;
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Writes the true parameters of a world's closes, which marks the world as finished. */
export async function writeTruth(folder: string, truth: WorldTruth): Promise<void> {
  const text = `${JSON.stringify(truth, null, 2)}\n`;
  await replaceFile(join(folder, TRUTH_FILE), (path) => writeFile(path, text));
}

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
