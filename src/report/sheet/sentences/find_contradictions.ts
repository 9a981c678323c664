import { LEVEL } from "../../../base/statistics/level.ts";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { numberIn, type Row, rowsOf } from "../../chart/grammar/values.ts";
import {
  BASIS_POINTS,
  decimalText,
  intervalText,
  percentText,
} from "../../../base/wording/number_text.ts";
import { pPhrase } from "../../../base/wording/p_text.ts";
import type { Relation } from "./find_relation.ts";

// A larger share of the mean at any date is a permanent tilt, not timing.
const TILT = 0.2;
const MANY_LOST = 0.25;

/** Checks that contradict the result, and checks that agree with it. */
export interface Contradictions {
  readonly against: readonly string[];
  readonly agreeing: readonly string[];
}

interface Check {
  readonly text: string;
  readonly isAgainst: boolean;
}

/** Compares the result at the first horizon with every other number of the analysis. */
export function findContradictions(analysis: FactorAnalysis, relation: Relation): Contradictions {
  const row = relation.found[0] ?? relation.tested[0];
  if (row === undefined) return { against: [], agreeing: [] };
  const isFound = relation.found.length > 0;
  const checks = [
    ...placeboCheck(analysis, row, isFound),
    ...permutationCheck(analysis, row, isFound),
    ...spreadCheck(analysis, row, isFound),
    ...(isFound ? halvesCheck(analysis, row) : []),
    ...(isFound ? yearsCheck(analysis, row) : []),
    ...(isFound ? lossCheck(analysis, row) : []),
  ];
  return {
    against: checks.filter(({ isAgainst }) => isAgainst).map(({ text }) => text),
    agreeing: checks.filter(({ isAgainst }) => !isAgainst).map(({ text }) => text),
  };
}

function placeboCheck(
  { detail, summary }: FactorAnalysis,
  row: Row,
  isFound: boolean,
): readonly Check[] {
  const means = [...detail.placebo?.means.get(numberIn(row, "horizon")) ?? []]
    .filter((mean) => Number.isFinite(mean));
  if (means.length === 0) return isFound ? withheldCheck(summary) : [];
  const mean = numberIn(row, "mean");
  const average = means.reduce((sum, one) => sum + one, 0) / means.length;
  const far = means.filter((one) => Math.abs(one) >= Math.abs(mean)).length;
  const reached =
    `${far} of ${means.length} shifted copies of the scores have a mean IC at least as far from zero`;
  if (!isFound) return [{ text: reached, isAgainst: far / means.length < LEVEL }];
  const share = average / mean;
  // The mean over shifted copies varies by chance; a tilt exceeds that variation.
  const spread = Math.sqrt(
    means.reduce((sum, one) => sum + (one - average) ** 2, 0) / means.length,
  );
  if (share > TILT && Math.abs(average) > 2 * spread / Math.sqrt(means.length)) {
    const text =
      `${
        percentText(share, 0)
      } of the mean IC remains when the scores are shifted in time, which is a permanent tilt towards some stocks rather ` +
      "than timing";
    return [{ text, isAgainst: true }];
  }
  return [{ text: reached, isAgainst: far / means.length >= LEVEL }];
}

/** Scores that persist beyond the shortest shift have no placebo, so a permanent tilt cannot be distinguished from a forecast. */
function withheldCheck({ checks }: FactorAnalysis["summary"]): readonly Check[] {
  const isWithheld = rowsOf(checks).some((row) => row["reason"] === "persistent_scores");
  if (!isWithheld) return [];
  const text =
    "the scores are too persistent for a placebo, so the IC may come from a permanent tilt towards some stocks";
  return [{ text, isAgainst: true }];
}

function permutationCheck(
  { permutation }: FactorAnalysis,
  row: Row,
  isFound: boolean,
): readonly Check[] {
  const p = numberIn(permutation === null ? undefined : rowsOf(permutation)[0], "p");
  if (Number.isNaN(p) || numberIn(row, "horizon") !== 1) return [];
  const text = `the permutation test gives ${pPhrase(p)}`;
  return [{ text, isAgainst: isFound ? p >= LEVEL : p < LEVEL }];
}

function spreadCheck({ spread }: FactorAnalysis, row: Row, isFound: boolean): readonly Check[] {
  const own = rowsOf(spread.summary).find((one) => one["horizon"] === row["horizon"]);
  const [mean, low, high] = ["mean", "low", "high"].map((name) =>
    BASIS_POINTS * numberIn(own, name)
  );
  if (Number.isNaN(low)) return [];
  const isClear = low! > 0 || high! < 0;
  const isSame = Math.sign(mean!) === Math.sign(numberIn(row, "mean"));
  const text = `the quantile spread is ${decimalText(mean!, 1)} bps (${
    intervalText([low!, high!], 1)
  })`;
  return [{ text, isAgainst: isFound ? !isClear || !isSame : isClear }];
}

function halvesCheck({ detail }: FactorAnalysis, row: Row): readonly Check[] {
  const halves = rowsOf(detail.halves.table).filter((one) => one["horizon"] === row["horizon"]);
  const means = halves.map((one) => numberIn(one, "mean")).filter((mean) => !Number.isNaN(mean));
  if (means.length < 2) return [];
  const isSame = means.every((mean) => Math.sign(mean) === Math.sign(numberIn(row, "mean")));
  const numbers = means.map((mean) => decimalText(mean, 3)).join(" and ");
  return [{
    text: isSame
      ? `both halves agree (IC ${numbers})`
      : `the halves have different signs (IC ${numbers})`,
    isAgainst: !isSame,
  }];
}

function yearsCheck({ stability }: FactorAnalysis, row: Row): readonly Check[] {
  const joint = rowsOf(stability.joint).find((one) => one["horizon"] === row["horizon"]);
  const p = numberIn(joint, "p");
  return p < LEVEL
    ? [{ text: `the mean IC differs between years (${pPhrase(p)})`, isAgainst: true }]
    : [];
}

function lossCheck({ aligned: { loss } }: FactorAnalysis, row: Row): readonly Check[] {
  const used = rowsOf(loss.table).filter((one) =>
    one["horizon"] === row["horizon"] && ["used", "ended"].includes(String(one["reason"]))
  ).reduce((sum, one) => sum + numberIn(one, "rows"), 0);
  const lost = loss.rows === 0 ? 0 : 1 - used / loss.rows;
  if (lost <= MANY_LOST) return [];
  return [{
    text: `${percentText(lost)} of the rows of the scores could not be used`,
    isAgainst: true,
  }];
}
