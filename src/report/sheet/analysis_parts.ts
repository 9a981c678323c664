import pl, { type DataFrame } from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { type JudgementOptions, TOPICS } from "../../analysis/judgement/fact.ts";
import { ANSWERS, type Judgement, judgement } from "../../analysis/judgement/judgement.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";
import { BASIS_POINTS, decimalText, percentText } from "../../base/wording/number_text.ts";
import { periodText } from "../../base/wording/period_text.ts";
import { portfolioText } from "../../base/wording/sentences/weighting_text.ts";
import { capital } from "../../base/wording/words.ts";
import { cumulativeQuantileReturnChart } from "../chart/bucket/cumulative_quantile_return_chart.ts";
import { quantileChart } from "../chart/bucket/quantile_chart.ts";
import { cumulativeReturnChart } from "../chart/factor/cumulative_return_chart.ts";
import { distributionChart } from "../chart/factor/distribution_chart.ts";
import { factorCoverageChart } from "../chart/factor/factor_coverage_chart.ts";
import { icChart } from "../chart/factor/ic_chart.ts";
import { icDistributionChart } from "../chart/factor/ic_distribution_chart.ts";
import { icMonthChart } from "../chart/factor/ic_month_chart.ts";
import { leadLagChart } from "../chart/factor/lead_lag_chart.ts";
import { lossChart } from "../chart/factor/loss_chart.ts";
import { stabilityChart } from "../chart/factor/stability_chart.ts";
import { turnoverChart } from "../chart/factor/turnover_chart.ts";
import { specificationChart } from "../chart/result/specification_chart.ts";
import { heading } from "./html/heading.ts";
import { keyNumbers } from "./key_numbers.ts";
import { methodsText } from "./sentences/methods_text.ts";
import type { SheetContent } from "./sheet_content.ts";
import { SheetPart } from "./sheet_part.ts";

const MEAN_COLUMNS = ["horizon", "sessions", "mean", "low", "high", "p"];
const PERFORMANCE = [
  ...["sessions", "wealth", "annual_return", "volatility", "sharpe", "sharpe_low", "sharpe_high"],
  ...["max_drawdown", "deflated_sharpe"],
];
const COST_COLUMNS = ["one_way_bps", "net", "net_low", "net_high", "net_annual", "net_drawdown"];
const CHECK_COLUMNS = ["horizon", "check", "n", "mean", "t", "p", "low", "high", "reason"];
// Two side by side fill an A4 page or a screen, with letters of 7 points; one fills a telephone.
const SIZE = { widthPx: 300 };
// Wide enough for twelve months with three decimals each and the interval of the year.
const MONTHS_PX = 530;
const RETURNS = each("bps", [
  ...["mean", "standard_error", "low", "high", "mean_excess", "excess_low", "excess_high"],
]);
const COSTS = {
  ...each("%", ["traded", "turnover", "net_annual", "net_annual_low", "net_annual_high"]),
  ...each("%", ["net_drawdown", "within_limit"]),
  ...each("bps", ["gross", "net", "net_low", "net_high", "spread_cost", "impact_cost"]),
};

function each(unit: Unit, names: readonly string[]): Readonly<Record<string, Unit>> {
  return Object.fromEntries(names.map((name) => [name, unit]));
}
const CAPITAL_COLUMNS = [
  ...["capital", "sessions", "within_limit", "gross", "spread_cost", "impact_cost", "net"],
  ...["net_low", "net_high", "net_annual", "profit_annual"],
];
const FACTORS: Readonly<Record<Unit, number>> = { bps: BASIS_POINTS, "%": 100 };

/** Horizon of the charts of one horizon, and further results on the same scores. */
export interface PartsPlan {
  readonly horizon: number;
  readonly beside: JudgementOptions;
}

/** Names of the parts that a sheet shows; the others are asked for by name. */
export function shownParts({ beside: { curve } }: PartsPlan): readonly string[] {
  const names = ["summary", "judgement", "information", "returns", "costs", "stability"];
  return [...names, ...curve === undefined ? [] : ["trialLog"], "methods"];
}

/** The parts of a tear sheet by name, each made when it is asked for. */
export function analysisParts(
  analysis: FactorAnalysis,
  plan: PartsPlan,
): Readonly<Record<string, () => SheetPart>> {
  const { horizon, beside } = plan;
  let found: Judgement | undefined;
  const judged = () => found ??= judgement(analysis, beside);
  const topics = (isAnswer: boolean) =>
    judged().topics.filter(({ topic }) => ANSWERS.some((name) => name === topic) === isAnswer);
  const made: Readonly<Record<string, () => Omit<SheetContent, "name">>> = {
    summary: () => summaryPart(analysis, horizon, topics(true)),
    judgement: () => ({ title: "Judgement", topics: topics(false) }),
    information: () => informationPart(analysis, plan),
    returns: () => returnsPart(analysis),
    costs: () => costsPart(analysis, beside),
    stability: () => (
      { title: "Stability", charts: [stabilityChart(analysis, { horizon, ...SIZE })] }
    ),
    methods: () => methodsPart(analysis),
    losses: () => lossPart(analysis),
    coverage: () => coveragePart(analysis),
    tests: () => testsPart(analysis, plan),
    tables: () => tablesPart(analysis),
    sentences: () => {
      const tables = { "Sentences and the numbers that they rest on": judged().facts };
      return { title: "All sentences of the judgement", tables };
    },
    trialLog: () => trialPart(analysis, plan),
  };
  return Object.fromEntries(
    Object.entries(made).map(([name, make]) => [name, () => new SheetPart({ name, ...make() })]),
  );
}

/** The answer, its numbers, and pictures of what is earned after costs, how returns rise with the score, and when. */
function summaryPart(
  analysis: FactorAnalysis,
  horizon: number,
  topics: NonNullable<SheetContent["topics"]>,
) {
  return {
    title: "At a glance",
    topics,
    numbers: keyNumbers(analysis, horizon),
    small: [
      cumulativeReturnChart(analysis, SIZE),
      quantileChart(analysis, { perSession: true, ...SIZE }),
      leadLagChart(analysis, SIZE),
    ],
  };
}

function lossPart(analysis: FactorAnalysis) {
  const { table } = analysis.aligned.loss;
  return {
    title: TOPICS.sample,
    charts: [lossChart(analysis, SIZE)],
    tables: { "Score rows by reason and horizon": inUnits(table, { share: "%" }) },
  };
}

function coveragePart(analysis: FactorAnalysis) {
  const { unscored } = analysis.detail.coverage;
  return {
    title: "Coverage",
    charts: [factorCoverageChart(analysis, SIZE), distributionChart(analysis, SIZE)],
    tables: { "Mean return of unscored minus scored stocks": inUnits(unscored, RETURNS) },
  };
}

function informationPart(analysis: FactorAnalysis, { horizon }: PartsPlan) {
  const means = analysis.summary.table.select(...MEAN_COLUMNS);
  return {
    title: TOPICS.ic,
    charts: [
      icChart(analysis, { horizon, ...SIZE }),
      icMonthChart(analysis, { horizon, widthPx: MONTHS_PX }),
    ],
    tables: { "Mean rank IC by horizon, with 95% CI": means },
  };
}

function returnsPart(analysis: FactorAnalysis) {
  const caption = capital(portfolioText(analysis.plan.weighting));
  return {
    title: "Quantile and portfolio returns",
    charts: [cumulativeQuantileReturnChart(analysis, SIZE)],
    tables: { [caption]: turned(analysis.performance.select(...PERFORMANCE)) },
  };
}

/** Costs, with holding periods and capacity where they are given. */
function costsPart(analysis: FactorAnalysis, { holdingPeriods, capacity }: JudgementOptions) {
  return {
    title: TOPICS.costs,
    charts: [turnoverChart(analysis, SIZE)],
    tables: {
      "Net return of the portfolio by cost": inUnits(analysis.costs.select(...COST_COLUMNS), COSTS),
      ...holdingPeriods !== undefined &&
        { "Net return by holding period": inUnits(holdingPeriods, COSTS) },
      ...capacity !== undefined && {
        "Net return by capital, with market impact": inUnits(
          capacity.select(...CAPITAL_COLUMNS),
          COSTS,
        ),
      },
    },
  };
}

function methodsPart(analysis: FactorAnalysis) {
  const made =
    "The scores are synthetic: they illustrate the method and say nothing about any market.";
  const paragraphs = [...analysis.origin.isSynthetic ? [made] : [], methodsText(analysis)];
  return { title: "Methods", paragraphs };
}

/** Further tests of the mean IC, and its distribution. */
function testsPart(analysis: FactorAnalysis, { horizon }: PartsPlan) {
  const { permutation, summary, stability } = analysis;
  return {
    title: "Further tests",
    charts: [icDistributionChart(analysis, { horizon, ...SIZE })],
    paragraphs: [periodText(analysis.monotonicity.text, analysis.aligned.market.unit)],
    tables: {
      "Other tests of the mean rank IC": summary.tables.checks.select(...CHECK_COLUMNS),
      "Test of equal means across years": stability.tables.joint,
      ...permutation !== null &&
        { "Permutation test of the mean rank IC of residual returns": permutation },
    },
  };
}

/** The tables behind the pictures. */
function tablesPart(analysis: FactorAnalysis) {
  const { detail, stability, alphaBeta, drawdowns, quantileReturns, spread } = analysis;
  const annual = { annual_arithmetic: "%", annual_compounded: "%" } as const;
  return {
    title: "Tables",
    tables: {
      "Mean return by quantile": inUnits(quantileReturns, RETURNS),
      "Quantile spread": inUnits(spread.summary, RETURNS),
      "Regression of the portfolio on the equal-weighted universe": inUnits(alphaBeta, annual),
      "Five deepest drawdowns of the portfolio": inUnits(drawdowns.sort("depth").head(5), {
        depth: "%",
      }),
      "All measures of the portfolio": turned(analysis.performance),
      "Costs and net returns": inUnits(analysis.costs, COSTS),
      "Mean rank IC by year": stability.table,
      "Mean rank IC by half": detail.halves.table,
      ...detail.groups !== null && { "Mean rank IC by group": detail.groups.table },
    },
  };
}

function trialPart(analysis: FactorAnalysis, { beside: { curve } }: PartsPlan) {
  const { trialLog, origin: { what: footnote } } = analysis;
  const look = { widthPx: MONTHS_PX, footnote };
  return {
    title: TOPICS.trials,
    charts: curve === undefined ? [] : [specificationChart(curve, look)],
    tables: { "Trial log": readable(trialLog.table().drop("first_at")) },
  };
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
