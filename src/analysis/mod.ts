/**
 * Factor analysis: from scores and prices to what they say of each other, with every loss itemised.
 *
 * {@link forwardReturns} and {@link align} bring both to sessions; every other function takes what `align` gave.
 *
 * @module
 */

import "../runtime/require_deno.ts";
import "../runtime/require_permissions.ts";
import "../runtime/require_polars.ts";

export { annualAlphaBeta } from "./alphalens/annual_alpha_beta.ts";
export {
  averageCumulativeReturn,
  type AverageCumulativeReturnOptions,
} from "./alphalens/average_cumulative_return.ts";
export { informationTable } from "./alphalens/information_table.ts";
export { type PyfolioInput, pyfolioInput } from "./alphalens/pyfolio_input.ts";
export { quantileStatistics } from "./alphalens/quantile_statistics.ts";
export { align, type AlignOptions } from "./aligned/align.ts";
export type { Aligned } from "./aligned/aligned.ts";
export {
  type ForwardReturns,
  forwardReturns,
  type ForwardReturnsOptions,
} from "./aligned/prices/forward_returns.ts";
export type { LossReport } from "./aligned/loss_report.ts";
export type { Ended, WindowReturns } from "./aligned/prices/window_returns.ts";
export type { PriceGrid } from "./aligned/prices/price_grid.ts";
export type { DenseGroups, DenseScores } from "./dense/dense_scores.ts";
export type { Orders } from "./dense/order/orders.ts";
export type { RankRows } from "./dense/rank/rank_rows.ts";
export type { HasDense } from "./dense/from_data_frame.ts";
export type { InformationCoefficientOptions } from "./cross_section/correlation/ic_options.ts";
export { informationCoefficient } from "./cross_section/correlation/information_coefficient.ts";
export { quantize, type Quantized } from "./cross_section/buckets/quantize.ts";
export {
  meanReturnByQuantile,
  type MeanReturnByQuantileOptions,
} from "./cross_section/buckets/quantile_returns.ts";
export {
  type QuantileSpread,
  quantileSpread,
  type QuantileSpreadOptions,
} from "./cross_section/buckets/quantile_spread.ts";
export {
  quantileTurnover,
  type QuantileTurnoverOptions,
} from "./cross_section/buckets/quantile_turnover.ts";
export {
  rankAutocorrelation,
  type RankAutocorrelationOptions,
} from "./cross_section/correlation/rank_autocorrelation.ts";
export {
  type ScoreDistribution,
  scoreDistribution,
  type ScoreDistributionOptions,
} from "./cross_section/score_distribution.ts";
export type { HasBuckets } from "./cross_section/buckets/to_quantized.ts";
export type { QuantizeOptions } from "./cross_section/buckets/quantize_options.ts";
export {
  factorReturns,
  type FactorReturnsOptions,
  portfolioReturns,
} from "./portfolio/factor_returns.ts";
export { factorWeights, type FactorWeightsOptions } from "./portfolio/factor_weights.ts";
export { exportPortfolio, type PortfolioExport } from "./portfolio/export_portfolio.ts";
export { positions, type PositionsOptions } from "./portfolio/positions.ts";
export type { Weights } from "./portfolio/weights.ts";
export type { Reason } from "./reason.ts";
export type { Displayed } from "./table/display_parts.ts";
export { Parts } from "./table/parts.ts";

export { alphaBeta } from "./series/money/alpha_beta.ts";
export {
  cumulativeReturns,
  type CumulativeReturnsOptions,
} from "./series/money/cumulative_returns.ts";
export { drawdowns } from "./series/money/drawdowns.ts";
export { halfLife } from "./series/half_life.ts";
export {
  InformationSummary,
  informationSummary,
  type InformationSummaryOptions,
  type SummaryRow,
} from "./series/information_summary.ts";
export { Monotonicity, monotonicity, type MonotonicityOptions } from "./series/monotonicity.ts";
export {
  type NoiseControl,
  noiseControl,
  type NoiseOptions,
  type ShiftedMeans,
} from "./series/noise_control.ts";
export { performance, type PerformanceOptions } from "./series/money/performance.ts";
export type { SeriesInput, SeriesOptions } from "./series/read_series.ts";
export type { SessionSeries } from "./series/session_series.ts";
export { netWealth } from "./series/money/net_wealth.ts";
export { quantileWealth } from "./series/money/quantile_wealth.ts";
export { normalQuantiles } from "./series/normal_quantiles.ts";
export { rollingMean, type RollingMeanOptions } from "./series/rolling_mean.ts";
export {
  type Comparison,
  Stability,
  stability,
  type StabilityOptions,
} from "./series/stability.ts";
export { tradingCosts, type TradingCostsOptions } from "./series/money/trading_costs.ts";

export { type Adjustment, adjustPValues } from "./inference/adjust_p_values.ts";
export type { BootstrapOptions } from "./inference/method/test_by_bootstrap.ts";
export type { NeweyWestOptions } from "./inference/method/test_by_newey_west.ts";
export type { JointResult } from "./inference/joint_result.ts";
export type { Inference } from "./inference/test_mean.ts";
export type { InferenceMethod, TestedMean } from "./inference/tested_mean.ts";

export { Ledger, ledger, type LedgerOptions } from "./ledger/ledger.ts";
export type { LedgerEntry, LedgerVariant } from "./ledger/ledger_entry.ts";

export { fromArquero, type FromArqueroOptions } from "./arquero/from_arquero.ts";
export { toArquero } from "./arquero/to_arquero.ts";
export { combine, type CombineOptions } from "./factor_test/combine.ts";
export { coverage, type FactorCoverage } from "./factor_test/coverage.ts";
export { type DoubleSort, doubleSort, type DoubleSortOptions } from "./factor_test/double_sort.ts";
export { eventReturns, type EventReturnsOptions } from "./factor_test/event_returns.ts";
export {
  factorCorrelation,
  type FactorCorrelationOptions,
} from "./factor_test/factor_correlation.ts";
export { famaMacBeth, type FamaMacBethOptions } from "./factor_test/fama_macbeth.ts";
export { latestBias, type LatestBiasOptions } from "./factor_test/latest_bias.ts";
export { orthogonalize } from "./factor_test/orthogonalize.ts";
export { winsorize, type WinsorizeOptions } from "./factor_test/winsorize.ts";

export { analyzeFactor } from "./factor/analyze_factor.ts";
export type {
  AnalysisPlan,
  AnalyzeFactorOptions,
  ScoresOrigin,
} from "./factor/analysis_options.ts";
export type { AnalysisDetail } from "./factor/analysis_detail.ts";
export { type AnalysisFrames, FactorAnalysis } from "./factor/factor_analysis.ts";
export type { Fact } from "./judgement/fact.ts";
export { Judgement, judgement } from "./judgement/judgement.ts";
export {
  volatilityPeriods,
  type VolatilityPeriodsOptions,
} from "./factor_test/volatility_periods.ts";
