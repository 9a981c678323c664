/**
 * Factor analysis: from scores and prices to tested relations between them, with every loss itemised.
 *
 * {@link forwardReturns} and {@link align} bring both to sessions; every other function takes what `align` gave.
 *
 * A column `reason` says why a row was left out or a value is null: `refused_status`, `excluded`, `not_a_session`, `superseded`,
 * `expired`, `no_score`, `no_entry_price`, `beyond_prices`, `no_exit_price`, `no_group`, `ended`, `too_few_names`,
 * `constant_scores`, `constant_returns`, `rank_deficient`, `too_few_windows`, `no_variance`, `total_loss`, `no_relation`,
 * `no_decay` or `shorter_than_grid`.
 *
 * @module
 */

import "../base/runtime/require_deno.ts";
import "../base/runtime/require_polars.ts";
import "../frames/frame/polars/refuse_operators.ts";

export { informationTable, quantileStatistics } from "./alphalens_tables.ts";
export { align, type Aligned } from "./aligned/align.ts";
export type { AlignOptions } from "./aligned/sessions/place_rows.ts";
export type { AlignedColumns, HasDense } from "./dense/dense_frames.ts";
export {
  type ForwardReturns,
  forwardReturns,
  type ForwardReturnsOptions,
} from "./aligned/prices/forward_returns.ts";
export type { LossReport } from "./aligned/loss_report.ts";
export type { Frequency } from "../frames/prices/dates/frequency.ts";
export type { PriceMarket, PriceMarketOptions } from "./aligned/prices/price_market.ts";
export type { InformationCoefficientOptions } from "./cross_section/correlation/ic_frame.ts";
export { informationCoefficient } from "./cross_section/correlation/information_coefficient.ts";
export { type HasBuckets, quantize, type Quantized } from "./cross_section/buckets/quantize.ts";
export {
  meanReturnByQuantile,
  type MeanReturnByQuantileOptions,
} from "./cross_section/buckets/quantile_returns.ts";
export { type QuantileSpread, quantileSpread } from "./cross_section/buckets/quantile_spread.ts";
export { quantileTurnover } from "./cross_section/buckets/quantile_turnover.ts";
export type { EarlierOptions } from "./cross_section/partition.ts";
export { rankAutocorrelation } from "./cross_section/buckets/quantile_turnover.ts";
export type { ScoreDistribution } from "./description/score_distribution.ts";
export type { QuantizeOptions } from "./cross_section/buckets/quantize_options.ts";
export { factorReturns } from "./portfolio/portfolio_returns.ts";
export {
  exportPortfolio,
  type PortfolioExport,
  portfolioReturns,
} from "./portfolio/portfolio_returns.ts";
export type { BookRules } from "./portfolio/book/carry_book.ts";
export { factorWeights, type FactorWeightsOptions } from "./portfolio/factor_weights.ts";
export { positions } from "./portfolio/weights.ts";
export { portfolioExposures } from "./portfolio/portfolio_exposures.ts";
export { type NeutralReturns, neutralReturns } from "./transform/neutralize.ts";
export { tradeLiquidity } from "./portfolio/trade_liquidity.ts";
export type { Weights } from "./portfolio/weights.ts";
export { activePerformance, performance } from "./series/performance/performance.ts";
export { alphaBeta } from "./series/performance/alpha_beta.ts";
export {
  cumulativeQuantileReturns,
  cumulativeReturns,
  drawdowns,
} from "./series/wealth/cumulative_returns.ts";
export { capacity, holdingPeriods } from "./series/costs/capacity.ts";
export { calendarReturns, cumulativeNetReturns, tradingCosts } from "./series/costs/costs.ts";
export { halfLife } from "./series/half_life.ts";
export {
  informationSummary,
  type InformationSummaryOptions,
} from "./series/information_summary.ts";
export { monotonicity } from "./series/monotonicity.ts";
export type { AnnualOptions } from "./series/periods_of_year.ts";
export type { SeriesInput, SeriesOptions } from "./series/read_series.ts";
export type { SessionSeries } from "./inference/tested_mean.ts";
export { rollingMean } from "./series/stability.ts";
export { stability } from "./series/stability.ts";
export { type Adjustment, adjustPValues } from "./inference/adjust_p_values.ts";
export type { BootstrapOptions } from "./inference/bootstrap.ts";
export type { Inference } from "./inference/test_mean.ts";
export { type Trial, TrialLog, trialLog, type TrialVariant } from "./trial_log.ts";
export { fromArquero, toArquero } from "./arquero.ts";
export { combine } from "./transform/combine.ts";
export { type FactorCoverage, factorCoverage } from "./description/factor_coverage.ts";
export { type DoubleSort, doubleSort } from "./factor_test/double_sort.ts";
export { eventReturns, type EventReturnsOptions } from "./factor_test/event_returns.ts";
export { factorCorrelation } from "./factor_test/residual_ic.ts";
export { famaMacBeth, type FamaMacBethOptions } from "./factor_test/fama_macbeth.ts";
export { permutationTest, type PermutationTestOptions } from "./factor_test/permutation_test.ts";
export { probeLookAhead } from "./look_ahead/probe_look_ahead.ts";
export type { LookAhead } from "./look_ahead/look_ahead.ts";
export type { LeakKind } from "./look_ahead/name_leak.ts";
export type { Signal, SignalInputs } from "./look_ahead/signal_output.ts";
export { reconcile } from "./factor_test/reconcile.ts";
export { orthogonalize } from "./transform/fit_within.ts";
export { winsorize } from "./transform/winsorize.ts";
export { changes } from "./transform/winsorize.ts";
export { neutralize, type Neutralized, type NeutralizeOptions } from "./transform/neutralize.ts";
export { analyzeFactor } from "./factor/analyze_factor.ts";
export type { AnalysisPlan, AnalyzeFactorOptions } from "./factor/analysis_options.ts";
export type { ScoresOrigin } from "./factor/scores_origin.ts";
export type { AnalysisDetail } from "./factor/analysis_detail.ts";
export { FactorAnalysis } from "./factor/factor_analysis.ts";
export { StatedResult } from "./table/frame_of_rows.ts";
export { Judgement, judgement } from "./judgement/judgement.ts";
export type { JudgementOptions } from "./judgement/fact.ts";
export { marketRegimes } from "./factor_test/market_regimes.ts";
export { backtestOverfitting, type Variants } from "./selection/backtest_overfitting.ts";
export { bestOf, type BestOfOptions } from "./selection/best_of.ts";
export {
  specificationCurve,
  type SpecificationCurveOptions,
} from "./selection/specification_curve.ts";
export type { Choices } from "./selection/specifications.ts";
export type { TableOf } from "./table/columns.ts";
