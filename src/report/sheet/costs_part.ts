import type { DataFrame } from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { JudgementOptions } from "../../analysis/judgement/judgement_options.ts";
import { TOPICS } from "../../analysis/judgement/fact.ts";
import { leadLagChart } from "../chart/factor/lead_lag_chart.ts";
import { turnoverChart } from "../chart/factor/turnover_chart.ts";
import { inUnits, type Unit } from "./in_units.ts";
import { statements } from "./sentences/judgement_sentences.ts";
import { SheetPart } from "./sheet_part.ts";

const COSTS: Readonly<Record<string, Unit>> = {
  ...{ traded: "%", turnover: "%", gross: "bps", net: "bps", net_low: "bps", net_high: "bps" },
  ...{ net_annual: "%", net_annual_low: "%", net_annual_high: "%", net_drawdown: "%" },
  ...{ spread_cost: "bps", impact_cost: "bps", within_limit: "%" },
};
const CAPITAL_COLUMNS = [
  ...["capital", "sessions", "within_limit", "gross", "spread_cost", "impact_cost", "net"],
  ...["net_low", "net_high", "net_annual", "profit_annual"],
];

/** Turnover and costs, with holding periods and capacity where they are given. */
export function costsPart(
  analysis: FactorAnalysis,
  { beside: { holdingPeriods, capacity }, facts, widthPx }: {
    readonly beside: JudgementOptions;
    /** Facts of the judgement. */
    readonly facts: DataFrame;
    readonly widthPx: number;
  },
): SheetPart {
  return new SheetPart({
    name: "costs",
    title: TOPICS.costs,
    paragraphs: statements(facts, "source", ["holdingPeriods", "capacity"]),
    charts: [turnoverChart(analysis, { widthPx }), leadLagChart(analysis, { widthPx })],
    tables: {
      "Net return of the portfolio by cost": inUnits(analysis.costs, COSTS),
      ...holdingPeriods === undefined
        ? {}
        : { "Net return by holding period": inUnits(holdingPeriods, COSTS) },
      ...capacity === undefined ? {} : {
        "Net return by capital, with market impact": inUnits(
          capacity.select(...CAPITAL_COLUMNS),
          COSTS,
        ),
      },
    },
  });
}
