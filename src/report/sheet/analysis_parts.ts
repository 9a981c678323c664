import pl, { type DataFrame } from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { JudgementOptions } from "../../analysis/judgement/judgement_options.ts";
import { TOPICS } from "../../analysis/judgement/fact.ts";
import { judgement } from "../../analysis/judgement/judgement.ts";
import { quantileDistributionChart } from "../chart/bucket/quantile_distribution_chart.ts";
import { cumulativeQuantileReturnChart } from "../chart/bucket/cumulative_quantile_return_chart.ts";
import { spreadChart } from "../chart/bucket/spread_chart.ts";
import { decayChart } from "../chart/factor/decay_chart.ts";
import { distributionChart } from "../chart/factor/distribution_chart.ts";
import { factorCoverageChart } from "../chart/factor/factor_coverage_chart.ts";
import { icAgeChart } from "../chart/factor/ic_age_chart.ts";
import { icChart } from "../chart/factor/ic_chart.ts";
import { icDistributionChart } from "../chart/factor/ic_distribution_chart.ts";
import { icMonthChart } from "../chart/factor/ic_month_chart.ts";
import { lossChart } from "../chart/factor/loss_chart.ts";
import { specificationChart } from "../chart/result/specification_chart.ts";
import { quantileChart } from "../chart/bucket/quantile_chart.ts";
import { stabilityChart } from "../chart/factor/stability_chart.ts";
import { cumulativeReturnChart } from "../chart/factor/cumulative_return_chart.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { ANSWERS } from "../../analysis/judgement/answer.ts";
import { keyNumbers } from "./key_numbers.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { heading } from "./html/heading.ts";
import { methodsText } from "./sentences/methods_text.ts";
import { statements, topicsOf } from "./sentences/judgement_sentences.ts";
import { smallCharts } from "./small_charts.ts";
import { SheetPart } from "./sheet_part.ts";
import { capital } from "../../base/wording/words.ts";
import { BASIS_POINTS, decimalText, percentText } from "../../base/wording/number_text.ts";
import { portfolioText } from "../../base/wording/sentences/weighting_text.ts";
import { leadLagChart } from "../chart/factor/lead_lag_chart.ts";
import { turnoverChart } from "../chart/factor/turnover_chart.ts";

const MEAN_COLUMNS = [
  ...["horizon", "sessions", "mean", "low", "high", "t", "df", "p", "hit_rate", "windows"],
  ...["detectable", "reason"],
];
// Two side by side fill an A4 page or a screen; one fills a telephone.
const SIZE = { widthPx: 340 };
// Wide enough for twelve months with three decimals each and the interval of the year.
const MONTHS_PX = 530;
const RETURNS: Readonly<Record<string, Unit>> = Object.fromEntries(
  ["mean", "standard_error", "low", "high", "mean_excess", "excess_low", "excess_high"]
    .map((name) => [name, "bps"]),
);
const COSTS: Readonly<Record<string, Unit>> = {
  ...{ traded: "%", turnover: "%", gross: "bps", net: "bps", net_low: "bps", net_high: "bps" },
  ...{ net_annual: "%", net_annual_low: "%", net_annual_high: "%", net_drawdown: "%" },
  ...{ spread_cost: "bps", impact_cost: "bps", within_limit: "%" },
};
const CAPITAL_COLUMNS = [
  ...["capital", "sessions", "within_limit", "gross", "spread_cost", "impact_cost", "net"],
  ...["net_low", "net_high", "net_annual", "profit_annual"],
];
const FACTORS: Readonly<Record<Unit, number>> = { bps: BASIS_POINTS, "%": 100 };

/** Horizon of the charts of one horizon. */
export interface PartsPlan {
  readonly horizon: number;
  /** Further results on the same scores. */
  readonly beside: JudgementOptions;
}

/** The topics of the answer, which stand on top, and the others. */
function partTopics<Of extends { readonly topic: string }>(topics: readonly Of[]) {
  const isAnswer = ({ topic }: Of) => ANSWERS.some((name) => name === topic);
  return [topics.filter(isAnswer), topics.filter((one) => !isAnswer(one))] as const;
}

/** The parts of a tear sheet, in reading order. */
export function analysisParts(analysis: FactorAnalysis, plan: PartsPlan): readonly SheetPart[] {
  const found = judgement(analysis, plan.beside);
  const [answer, others] = partTopics(topicsOf(found));
  const { curve } = plan.beside;
  return [
    new SheetPart({
      name: "summary",
      title: "At a glance",
      topics: answer,
      numbers: keyNumbers(analysis, plan.horizon),
      small: smallCharts(analysis, plan.horizon),
    }),
    new SheetPart({ name: "judgement", title: "Judgement", topics: others }),
    lossPart(analysis),
    informationPart(analysis, plan),
    returnsPart(analysis),
    coveragePart(analysis),
    costsPart(analysis, found.facts, plan.beside),
    stabilityPart(analysis, plan),
    permutationPart(analysis),
    new SheetPart({
      name: "caveats",
      title: "Limitations and assumptions",
      paragraphs: caveats(found.facts, analysis),
    }),
    new SheetPart({
      name: "trialLog",
      title: TOPICS.trials,
      paragraphs: [analysis.trialLog.text, ...curve === undefined ? [] : [curve.text]],
      charts: curve === undefined ? [] : [
        specificationChart(curve, { widthPx: MONTHS_PX, footnote: analysis.origin.what }),
      ],
      tables: { "Trial log": readable(analysis.trialLog.table().drop("first_at")) },
    }),
    new SheetPart({ name: "methods", title: "Methods", paragraphs: [methodsText(analysis)] }),
  ];
}

function lossPart(analysis: FactorAnalysis): SheetPart {
  return new SheetPart({
    name: "losses",
    title: TOPICS.sample,
    charts: [lossChart(analysis, SIZE)],
    tables: {
      "Score rows by reason and horizon": inUnits(analysis.aligned.loss.table, { share: "%" }),
    },
  });
}

function coveragePart(analysis: FactorAnalysis): SheetPart {
  return new SheetPart({
    name: "coverage",
    title: "Coverage",
    charts: [factorCoverageChart(analysis, SIZE), distributionChart(analysis, SIZE)],
    tables: {
      "Mean return of unscored minus scored stocks": inUnits(
        analysis.detail.coverage.unscored,
        RETURNS,
      ),
    },
  });
}

function informationPart(analysis: FactorAnalysis, { horizon }: PartsPlan): SheetPart {
  return new SheetPart({
    name: "information",
    title: TOPICS.ic,
    charts: [
      icChart(analysis, { horizon, ...SIZE }),
      icDistributionChart(analysis, { horizon, ...SIZE }),
      icMonthChart(analysis, { horizon, widthPx: MONTHS_PX }),
      decayChart(analysis, SIZE),
    ],
    tables: {
      "Mean rank IC by horizon, with 95% CI": inUnits(
        analysis.summary.table.select(...MEAN_COLUMNS),
        { hit_rate: "%" },
      ),
      "Other tests of the mean rank IC": analysis.summary.tables.checks.select(
        "horizon",
        "check",
        "n",
        "mean",
        "t",
        "p",
        "low",
        "high",
      ),
    },
  });
}

function returnsPart(analysis: FactorAnalysis): SheetPart {
  return new SheetPart({
    name: "returns",
    title: "Quantile and portfolio returns",
    paragraphs: [
      `The quantile spread is ${analysis.spread.exposure}.`,
      periodText(analysis.monotonicity.text, analysis.aligned.market.unit),
    ],
    charts: [
      quantileChart(analysis, SIZE),
      quantileDistributionChart(analysis, SIZE),
      cumulativeQuantileReturnChart(analysis, SIZE),
      cumulativeReturnChart(analysis, SIZE),
      spreadChart(analysis, { horizon: "all", ...SIZE }),
    ],
    tables: {
      "Mean return by quantile": inUnits(analysis.quantileReturns, RETURNS),
      "Quantile spread": inUnits(analysis.spread.summary, RETURNS),
      [capital(portfolioText(analysis.plan.weighting))]: turned(analysis.performance),
      "Regression of the portfolio on the equal-weighted universe": inUnits(
        analysis.alphaBeta,
        { annual_arithmetic: "%", annual_compounded: "%" },
      ),
      "Five deepest drawdowns of the portfolio": inUnits(
        analysis.drawdowns.sort("depth").head(5),
        { depth: "%" },
      ),
    },
  });
}

/** Turnover and costs, with holding periods and capacity where they are given. */
function costsPart(
  analysis: FactorAnalysis,
  facts: DataFrame,
  { holdingPeriods, capacity }: JudgementOptions,
): SheetPart {
  return new SheetPart({
    name: "costs",
    title: TOPICS.costs,
    paragraphs: statements(facts, "source", ["holdingPeriods", "capacity"]),
    charts: [turnoverChart(analysis, SIZE), leadLagChart(analysis, SIZE)],
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

function stabilityPart(analysis: FactorAnalysis, { horizon }: PartsPlan): SheetPart {
  const { detail, stability } = analysis;
  return new SheetPart({
    name: "stability",
    title: "Stability",
    charts: [
      stabilityChart(analysis, { horizon, ...SIZE }),
      ...(detail.icByAge === null ? [] : [icAgeChart(analysis, { horizon, ...SIZE })]),
    ],
    tables: {
      "Mean rank IC by year": stability.table,
      "Mean rank IC by half": detail.halves.table,
      ...(detail.groups === null ? {} : { "Mean rank IC by group": detail.groups.table }),
      "Test of equal means across years": stability.tables.joint,
    },
  });
}

function permutationPart({ permutation }: FactorAnalysis): SheetPart {
  return new SheetPart({
    name: "permutation",
    title: "Permutation test",
    tables: permutation === null
      ? {}
      : { "Permutation test of the mean rank IC of residual returns": permutation },
  });
}

function caveats(facts: DataFrame, { origin }: FactorAnalysis): readonly string[] {
  return [
    ...(origin.isSynthetic
      ? ["The scores are synthetic: they illustrate the method and say nothing about any market."]
      : []),
    ...statements(facts, "topic", [TOPICS.limits, TOPICS.assumptions]),
  ];
}

const SHARES = ["annual_return", "arithmetic_return", "volatility", "max_drawdown"];
const PROBABILITIES = ["probabilistic_sharpe", "deflated_sharpe"];

function measureText(name: string, value: number): string {
  if (SHARES.includes(name)) return percentText(value);
  if (Number.isInteger(value)) return groupThousands(value);
  return decimalText(value, PROBABILITIES.includes(name) ? 4 : 2);
}

/** Options in words: `horizon 1, method ewc`. */
function readable(variants: DataFrame): DataFrame {
  const texts = (variants.getColumn("options").toArray() as string[]).map((json) =>
    Object.entries(JSON.parse(json) as Record<string, unknown>)
      .map(([name, value]) =>
        `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`
      )
      .join(", ")
  );
  return variants.withColumns(pl.Series("options", texts, pl.Utf8));
}

// A single row of many numbers is shown as a column.
function turned(row: DataFrame): DataFrame {
  const [values = {}] = row.toRecords() as readonly Record<string, unknown>[];
  const numbers = Object.entries(values).filter(([, value]) => typeof value === "number");
  return pl.DataFrame([
    pl.Series("measure", numbers.map(([name]) => heading(name)), pl.Utf8),
    pl.Series("value", numbers.map(([name, value]) => measureText(name, value as number)), pl.Utf8),
  ]);
}

/** Display unit of a share or a return. */
type Unit = "bps" | "%";

/** A table with shares and returns in the units of sentences and charts, which the column names state. */
function inUnits(frame: DataFrame, units: Readonly<Record<string, Unit>>): DataFrame {
  const columns = frame.columns.map((name) => {
    const unit = Object.hasOwn(units, name) ? units[name] : undefined;
    const series = frame.getColumn(name);
    if (unit === undefined) return series;
    const values = (series.toArray() as readonly (number | null)[])
      .map((value) => value === null ? null : value * FACTORS[unit]);
    return pl.Series(`${name}, ${unit}`, values, pl.Float64);
  });
  return pl.DataFrame(columns);
}
