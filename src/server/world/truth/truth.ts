import type { Factor } from "../../../base/contract/factor.ts";

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
