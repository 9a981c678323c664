import pl from "nodejs-polars";
import { doubleSort } from "../../../src/analysis/factor_test/double_sort.ts";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import * as charts from "../../../src/report/chart/mod.ts";
import type { Chart } from "../../../src/report/chart/mod.ts";
import { SAMPLE_SCORES } from "../../helpers/sample_analysis.ts";
import { curveOf } from "./result/_curve_of.ts";

/** Charts of an analysis, by the name of their golden files. */
export const OF_AN_ANALYSIS = {
  loss: charts.lossChart,
  coverage: charts.factorCoverageChart,
  distribution: charts.distributionChart,
  ic: charts.icChart,
  ic_distribution: charts.icDistributionChart,
  ic_month: charts.icMonthChart,
  lead_lag: charts.leadLagChart,
  quantile: charts.quantileChart,
  quantile_wealth: charts.cumulativeQuantileReturnChart,
  wealth: charts.cumulativeReturnChart,
  turnover: charts.turnoverChart,
  stability: charts.stabilityChart,
  group: charts.groupChart,
  calendar_return: charts.calendarReturnChart,
} as const;

/** A set of four tickers. */
export function setOf(scores: readonly (number | null)[]) {
  return pl.DataFrame([
    pl.Series("ticker", ["A", "B", "C", "D"], pl.Utf8),
    pl.Series("ecpnd_score", [...scores], pl.Float64),
    pl.Series("snapshot_id", Array(4).fill("0b1e"), pl.Utf8),
    pl.Series("source", Array(4).fill("synthetic"), pl.Utf8),
  ]);
}

/** Two factors, of which every tenth row lacks the second. */
export function twoFactors(rows: number) {
  const first = Array.from({ length: rows }, (_, i) => (i * 0.618) % 1);
  const second = first.map((value, i) => i % 10 === 9 ? null : (value + ((i * 0.377) % 1)) / 2);
  return pl.DataFrame({ first, second });
}

/** A chart of each function that draws another result, and further looks of the analysis, by the name of its golden files. */
export const OF_OTHERS: Readonly<Record<string, (analysis: FactorAnalysis) => Chart>> = {
  double_sort: (analysis) => {
    const data = analysis.aligned.data.withColumns(pl.col("return_5").fillNull(0).alias("other"));
    return charts.doubleSortChart(doubleSort(data, { first: "other", quantiles: [2, 2] }));
  },
  specification: () =>
    charts.specificationChart(
      curveOf([
        { horizon: 5, period: "late", mean: -0.012, low: -0.03, high: 0.01 },
        { horizon: 1, period: "late", mean: 0.02, low: null, high: null },
        { horizon: 5, period: "all", mean: 0.03, low: 0.01, high: 0.05 },
        { horizon: 1, period: "all", mean: 0.04, low: 0.02, high: 0.06 },
      ], 0.007),
    ),
  event: () =>
    charts.eventChart(pl.DataFrame({
      offset: [-1, 0, 1],
      mean: [0.001, 0.004, null],
      low: [-0.001, 0.001, null],
      high: [0.003, 0.007, null],
      n: [40, 41, 3],
      cumulative: [0.001, 0.005, null],
    })),
  correlation: () =>
    charts.correlationChart(pl.DataFrame({
      session: ["2026-10-28", "2026-10-29", "2026-10-30"],
      correlation: [0.2, null, 0.4],
    })),
  movers: () => charts.moversChart(setOf([0, 0.2, 0.5, null]), setOf([0, 0.8, null, 1])),
  coverage_map: () => charts.coverageMapChart(SAMPLE_SCORES),
  factor_scatter: () => charts.factorScatterChart(twoFactors(40), { x: "first", y: "second" }),
  factor_scatter_cells: () =>
    charts.factorScatterChart(twoFactors(1500), { x: "first", y: "second" }),
  quantile_per_session: (analysis) => charts.quantileChart(analysis, { perSession: true }),
  plot: (analysis) =>
    charts.plot(analysis.ic, { x: "session", y: "ic", color: "horizon", mark: "point" }),
};
