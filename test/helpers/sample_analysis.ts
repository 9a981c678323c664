import pl, { type DataFrame } from "nodejs-polars";
import type { AnalyzeFactorOptions } from "../../src/analysis/factor/analysis_options.ts";
import { analyzeFactor } from "../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../src/analysis/factor/factor_analysis.ts";
import { makeMarket } from "./market.ts";

/** A synthetic market of 140 sessions and 12 names; of the scores some are missing and some exactly 1. */
export const SAMPLE_MARKET = makeMarket(140, (next, noise) => {
  const place = Math.floor(noise * 1000);
  if (place % 17 === 0) return null;
  if (place % 19 === 0) return 1;
  return 0.5 + 8 * next + 0.3 * (noise - 0.5);
});

/** Scores of a synthetic release of 140 sessions and 12 names. */
export const SAMPLE_SCORES: DataFrame = SAMPLE_MARKET.scores.withColumns(
  pl.lit("ecpnd").alias("factor"),
  pl.lit("58080ada" + "0".repeat(56)).alias("download_sha256"),
  pl.lit("synthetic seed 1").alias("source"),
);

/** Their analysis. */
export function sampleAnalysis(options: AnalyzeFactorOptions = {}): Promise<FactorAnalysis> {
  return analyzeFactor(SAMPLE_SCORES, SAMPLE_MARKET.prices, {
    entry: "same",
    progress: false,
    lags: [1, 2, 3, 5, 8, 13, 21],
    groups: pl.DataFrame({
      ticker: Array.from({ length: 12 }, (_, i) => `T${i}`),
      group: Array.from({ length: 12 }, (_, i) => i < 11 ? "A" : "B"),
    }),
    ...options,
  });
}
