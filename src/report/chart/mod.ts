/**
 * Charts: functions that turn a result into a {@link Chart}, a Vega-Lite specification with a title, observations and
 * period, the origin of the numbers, and a text alternative.
 *
 * Those named after a statistic take the result of `analyzeFactor()`. {@link plot} draws any frame.
 *
 * @module
 */
import "../../frames/frame/polars/refuse_operators.ts";
export { Chart, type PictureOptions } from "./chart.ts";
export type { ChartChanges } from "./chart_changes.ts";
export type { VegaLayer, VegaSpec } from "./chart_spec.ts";
export { quantileChart } from "./bucket/quantile_chart.ts";
export { cumulativeQuantileReturnChart } from "./bucket/cumulative_quantile_return_chart.ts";
export { groupChart } from "./bucket/group_chart.ts";
export { calendarReturnChart } from "./factor/calendar_return_chart.ts";
export { distributionChart } from "./factor/distribution_chart.ts";
export { factorCoverageChart } from "./factor/factor_coverage_chart.ts";
export { icChart } from "./factor/ic_chart.ts";
export { icDistributionChart } from "./factor/ic_distribution_chart.ts";
export { icMonthChart } from "./factor/ic_month_chart.ts";
export { leadLagChart } from "./factor/lead_lag_chart.ts";
export { lossChart } from "./factor/loss_chart.ts";
export { stabilityChart } from "./factor/stability_chart.ts";
export { turnoverChart } from "./factor/turnover_chart.ts";
export { cumulativeReturnChart } from "./factor/cumulative_return_chart.ts";
export type { ChartOptions } from "./grammar/subject/analysis_subject.ts";
export type { ResultChartOptions } from "./grammar/subject/frame_subject.ts";
export { plot } from "./plot/plot.ts";
export type { PlotOptions } from "./plot/plot_rows.ts";
export { correlationChart } from "./result/correlation_chart.ts";
export { doubleSortChart } from "./result/double_sort_chart.ts";
export { eventChart } from "./result/event_chart.ts";
export { specificationChart } from "./result/specification_chart.ts";
export { coverageMapChart } from "./scores/coverage_map_chart.ts";
export { factorScatterChart } from "./scores/factor_scatter_chart.ts";
export { moversChart } from "./scores/movers_chart.ts";
