import { groupThousands } from "../group_thousands.ts";
import { countText, percentText } from "../number_text.ts";

/** Names of the weights of a portfolio. */
export type WeightingName = "factor" | "rank" | "equal" | "quantile";

const PORTFOLIOS: Readonly<Record<WeightingName, string>> = {
  factor: "score-weighted portfolio",
  rank: "rank-weighted portfolio",
  equal: "equal-weighted long–short portfolio",
  quantile: "top-minus-bottom quantile portfolio",
};

const WEIGHTED: Readonly<Record<WeightingName, string>> = {
  factor: "weighted by demeaned scores",
  rank: "weighted by demeaned ranks of the scores",
  equal:
    "long stocks above the median score and short those below it, equally weighted on each side",
  quantile: "long the top quantile and short the bottom one, equally weighted within each",
};

const SHORT: Readonly<Record<WeightingName, string>> = {
  factor: "Weighted by scores",
  rank: "Weighted by ranks",
  equal: "Equally weighted above and below the median",
  quantile: "Top minus bottom quantile",
};

/** A portfolio by its weights: `score-weighted portfolio`. */
export function portfolioText(weighting: WeightingName): string {
  return PORTFOLIOS[weighting];
}

/** Sessions of a portfolio, and its exposure in them. */
export interface Invested {
  /** Number of sessions in which it holds something. */
  readonly held: number;
  readonly sessions: number;
  /** Mean Σ|w| of the sessions in which it holds something. */
  readonly gross: number;
}

/** Gross exposure of a portfolio that holds something in some of the sessions: `100%`. */
export function exposureText({ held, sessions, gross }: Invested): string {
  const exposure = percentText(gross, 0);
  return held === sessions
    ? exposure
    : `${exposure} (nothing is held in ${groupThousands(sessions - held)} of ` +
      `${countText(sessions, "session")})`;
}

/** Weights of a portfolio in a methods paragraph: `weighted by demeaned scores`. */
export function weightedText(weighting: WeightingName): string {
  return WEIGHTED[weighting];
}

/** Weights of a portfolio in a subtitle: `Weighted by scores`. */
export function weightsLabel(weighting: WeightingName): string {
  return SHORT[weighting];
}
