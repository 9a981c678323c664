import type { DataFrame } from "nodejs-polars";
import { andText } from "../../base/wording/and_text.ts";
import { neutralize } from "../transform/neutralize.ts";
import type { AnalyzeFactorOptions } from "./analysis_options.ts";

/** Scores to analyse, and their neutralisation. */
export interface NeutralScores {
  /** The scores as given, or their residuals. */
  readonly scores: DataFrame;
  /** Names of the groups and columns; `null` if the scores are as given. */
  readonly to: string | null;
  /** Variance that the groups and columns explain, in a sentence; `null` if the scores are as given. */
  readonly removed: string | null;
}

/**
 * The scores without the exposures named by the option `neutral`.
 *
 * @throws {TypeError} If it names no column, or one that the scores lack
 */
export function neutralScores(
  scores: DataFrame,
  { neutral, where, score }: Pick<AnalyzeFactorOptions, "neutral" | "where" | "score">,
): NeutralScores {
  if (neutral === undefined) return { scores, to: null, removed: null };
  const asked = Object.entries({ where, score }).filter(([, value]) => value !== undefined);
  const residual = neutralize(scores, { ...neutral, ...Object.fromEntries(asked) });
  const { group, on = [] } = neutral;
  const names = [...group === undefined ? [] : [group], ...on];
  return { scores: residual.data, to: andText(names), removed: String(residual) };
}
