import { capital } from "../words.ts";
import { countText, decimalText, numberText, percentText, pPhrase } from "../number_text.ts";

/** The test of a family of variants. */
export interface FamilySaid {
  readonly best: {
    readonly variant: string;
    readonly what: string;
    readonly horizon: number;
    readonly mean: number;
    readonly t: number | null;
    readonly adjusted: number | null;
  };
  readonly test: {
    readonly variants: number;
    readonly sessions: number;
    readonly block: number;
    readonly draws: number;
  };
  readonly method: "stepm" | "spa" | "reality-check";
  readonly isTwoSided: boolean;
  readonly level: number;
  readonly p: number;
  /** Variants whose adjusted p value is at most the level. */
  readonly found: number;
}

const NAMES = {
  stepm: "Romano and Wolf's StepM",
  spa: "Hansen's SPA test",
  "reality-check": "White's reality check",
};

/** Variants of a family that could not be tested, and sessions that not all of them have. */
export interface LeftOut {
  readonly rows: number;
  readonly left: number;
}

/** The best of a family and its test, in sentences; `null` if no variant could be tested. */
export function familyText(said: FamilySaid | null, { rows, left }: LeftOut): string {
  if (said === null) {
    return `There is no test of ${countText(rows, "variant")}: a test requires 20 common ` +
      "sessions, 18 non-overlapping windows and values that vary.";
  }
  const { best, test, method, isTwoSided, level, p, found } = said;
  const mean = `mean ${best.what === "ic" ? "IC" : best.what} ${numberText(best.mean)}`;
  const t = best.t === null ? "" : `, t = ${decimalText(best.t, 2)}`;
  const untested = rows - test.variants;
  const lost = [
    untested !== 0 && `${countText(untested, "variant")} could not be tested`,
    left !== 0 && `${countText(left, "session")} without a value of every variant left out`,
  ].filter((words) => words !== false);
  const apart = lost.length === 0 ? "" : ` ${capital(lost.join(", "))}.`;
  const has = found === 0 ? "No variant has" : countText(found, "variant has", "variants have");
  return `The best of ${countText(test.variants, "variant")} is ${best.variant} at ` +
    `${countText(best.horizon, "session")} (${mean}${t}). The test of the null that no variant ` +
    `has an effect gives ${pPhrase(p)} (${NAMES[method]}, ${isTwoSided ? "two" : "one"}-sided, ` +
    `${countText(test.draws, "draw")} of the stationary bootstrap in blocks of ` +
    `${decimalText(test.block, 1)} sessions; ${countText(test.sessions, "session")}). ` +
    `${has} an adjusted p value of at most ${level}.${apart}`;
}

/** The probability of backtest overfitting in sentences, or why there is none. */
export function overfittingText(
  { pbo, meanRank, variants, sessions, ranks, blocks, purged }: {
    readonly pbo: number | null;
    readonly meanRank: number | null;
    readonly variants: number;
    readonly sessions: number;
    readonly ranks: readonly unknown[];
    readonly blocks: number;
    readonly purged: number;
  },
): string {
  if (pbo === null || meanRank === null) {
    return "There is no probability of backtest overfitting of " +
      `${countText(variants, "variant")}: each of ${blocks} blocks requires two common ` +
      `sessions${purged === 0 ? "" : " whose windows do not reach into the next"}, and values ` +
      "that vary.";
  }
  const lost = `${countText(purged, "session")} whose windows reach into the next block`;
  const apart = purged === 0 ? "" : ` ${lost} ${purged === 1 ? "is" : "are"} left out.`;
  return `The probability of backtest overfitting is ${percentText(pbo, 0)}: in that share of ` +
    `${countText(ranks.length, "split")} of ${countText(sessions, "session")} into halves, the ` +
    `best of ${countText(variants, "variant")} of one half is at or below the median in the ` +
    `other. Its mean relative rank there is ${decimalText(meanRank, 2)} (0.5 is chance).${apart}`;
}

/** The range of the estimates of a specification curve and their joint test, in sentences. */
export function curveText(
  { specifications, smallest, median, largest, above, joint }: {
    readonly specifications: number;
    readonly smallest: number | null;
    readonly median: number | null;
    readonly largest: number | null;
    readonly above: number | null;
    readonly joint: { readonly median: number } | null;
  },
): string {
  const all = countText(specifications, "specification");
  if (smallest === null || median === null || largest === null || above === null) {
    return `None of ${all} has an IC.`;
  }
  const p = joint === null ? "no joint test" : `joint ${pPhrase(joint.median)}`;
  return `Across ${all} the mean IC ranges from ${numberText(smallest)} to ` +
    `${numberText(largest)}; ${p}. The median is ${numberText(median)}, and ` +
    `${aboveZeroText(above)}.`;
}

/** The share of specifications with a positive mean IC. */
export function aboveZeroText(share: number): string {
  const count = share === 1 ? "all are" : share === 0 ? "none is" : `${percentText(share, 0)} are`;
  return `${count} above zero`;
}
