/**
 * Factor analysis: from scores and prices to what they say of each other, with every loss itemised.
 *
 * {@link forwardReturns} and {@link align} bring both to sessions; every other function takes what `align` gave.
 *
 * @module
 */
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
} from "./aligned/forward_returns.ts";
export type { LossReport } from "./aligned/loss_report.ts";
export type { Ended, WindowReturns } from "./aligned/window_returns.ts";
export type { PriceGrid } from "./aligned/price_grid.ts";
export type { DenseGroups, DenseScores } from "./dense/dense_scores.ts";
export type { HasDense } from "./dense/from_data_frame.ts";
export type { InformationCoefficientOptions } from "./cross_section/ic_options.ts";
export { informationCoefficient } from "./cross_section/information_coefficient.ts";
export { quantize, type Quantized } from "./cross_section/quantize.ts";
export {
  meanReturnByQuantile,
  type MeanReturnByQuantileOptions,
} from "./cross_section/quantile_returns.ts";
export {
  type QuantileSpread,
  quantileSpread,
  type QuantileSpreadOptions,
} from "./cross_section/quantile_spread.ts";
export {
  quantileTurnover,
  type QuantileTurnoverOptions,
} from "./cross_section/quantile_turnover.ts";
export {
  rankAutocorrelation,
  type RankAutocorrelationOptions,
} from "./cross_section/rank_autocorrelation.ts";
export type { HasBuckets } from "./cross_section/to_quantized.ts";
export type { QuantizeOptions } from "./cross_section/quantize_options.ts";
export {
  factorReturns,
  type FactorReturnsOptions,
  portfolioReturns,
} from "./portfolio/factor_returns.ts";
export { factorWeights, type FactorWeightsOptions } from "./portfolio/factor_weights.ts";
export { positions, type PositionsOptions } from "./portfolio/positions.ts";
export type { Weights } from "./portfolio/weights.ts";
export type { Reason } from "./reason.ts";
