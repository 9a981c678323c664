import type { DataFrame } from "nodejs-polars";
import { readScoreRows, type TimedScores } from "../aligned/scores/score_rows.ts";
import type { Exposures } from "../transform/fit_within.ts";
import { neutralizeRows } from "../transform/neutralize.ts";
import type { AnalyzeFactorOptions } from "./analysis_options.ts";
import { originOf, type ScoresOrigin } from "./scores_origin.ts";

/** Scores of an analysis: all that is read of their frame. */
export interface AnalysedScores {
  /** The rows to analyse: as given, or with the residuals in place of the scores. */
  readonly rows: TimedScores;
  /** The rows as given with their exposures, where residuals are analysed; `null` otherwise. */
  readonly raw: { readonly rows: TimedScores; readonly exposures: Exposures } | null;
  /** Origin of the scores. */
  readonly origin: ScoresOrigin;
}

/**
 * Reads the frame of scores once.
 *
 * @throws {TypeError} If a column is missing or of another type, or exposures are asked for and none is named
 */
export function readAnalysedScores(
  scores: DataFrame,
  options: AnalyzeFactorOptions,
): AnalysedScores {
  const rows = readScoreRows(scores, options);
  const neutral = options.neutral === undefined
    ? null
    : neutralizeRows(scores, rows, options.neutral);
  return {
    rows: neutral === null ? rows : { ...rows, scores: neutral.values },
    raw: neutral && { rows, exposures: neutral.exposures },
    origin: originOf(scores, rows, options, neutral?.text ?? null),
  };
}
