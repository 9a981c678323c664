import pl, { type DataFrame } from "nodejs-polars";
import type { FactorAnalysis } from "../analysis/factor/factor_analysis.ts";
import { gatherTopics } from "../analysis/judgement/gather_topics.ts";
import { type Judgement, judgement } from "../analysis/judgement/judgement.ts";
import { quantileDistributionChart } from "../chart/bucket/quantile_distribution_chart.ts";
import { quantileWealthChart } from "../chart/bucket/quantile_wealth_chart.ts";
import { spreadChart } from "../chart/bucket/spread_chart.ts";
import { decayChart } from "../chart/factor/decay_chart.ts";
import { distributionChart } from "../chart/factor/distribution_chart.ts";
import { factorCoverageChart } from "../chart/factor/factor_coverage_chart.ts";
import { icAgeChart } from "../chart/factor/ic_age_chart.ts";
import { icChart } from "../chart/factor/ic_chart.ts";
import { icDistributionChart } from "../chart/factor/ic_distribution_chart.ts";
import { icMonthChart } from "../chart/factor/ic_month_chart.ts";
import { lossChart } from "../chart/factor/loss_chart.ts";
import { noiseChart } from "../chart/factor/noise_chart.ts";
import { quantileChart } from "../chart/bucket/quantile_chart.ts";
import { stabilityChart } from "../chart/factor/stability_chart.ts";
import { turnoverChart } from "../chart/factor/turnover_chart.ts";
import { wealthChart } from "../chart/factor/wealth_chart.ts";
import { keyNumbers } from "./key_numbers.ts";
import { decimals, percent } from "../chart/grammar/number_text.ts";
import { groupThousands } from "../notebook/group_thousands.ts";
import { methodsText } from "./methods_text.ts";
import type { Topic } from "./sheet_content.ts";
import { SheetPart } from "./sheet_part.ts";

const MEAN_COLUMNS = [
  ...["horizon", "sessions", "mean", "low", "high", "t", "df", "p", "hit_rate", "windows"],
  ...["detectable", "reason"],
];

/** Which horizon the charts of one horizon show. */
export interface PartsPlan {
  readonly horizon: number;
}

/** The parts of a tear sheet, in the order in which they are read. */
export function analysisParts(analysis: FactorAnalysis, plan: PartsPlan): readonly SheetPart[] {
  const found = judgement(analysis);
  return [
    new SheetPart({
      name: "judgement",
      title: "Judgement",
      numbers: keyNumbers(analysis, plan.horizon),
      topics: topicsOf(found),
    }),
    lossPart(analysis),
    informationPart(analysis, plan),
    returnsPart(analysis),
    costsPart(analysis),
    coveragePart(analysis),
    stabilityPart(analysis, plan),
    noisePart(analysis, plan),
    new SheetPart({
      name: "caveats",
      title: "Caveats",
      paragraphs: caveats(found.facts, analysis),
    }),
    new SheetPart({
      name: "ledger",
      title: "What was tried",
      paragraphs: [analysis.ledger.text],
      tables: { "Variants in the ledger": readable(analysis.ledger.table()) },
    }),
    new SheetPart({ name: "methods", title: "Methods", paragraphs: [methodsText(analysis)] }),
  ];
}

function lossPart(analysis: FactorAnalysis): SheetPart {
  return new SheetPart({
    name: "losses",
    title: "What was lost",
    charts: [lossChart(analysis)],
    tables: { "Every row of the scores, by horizon": analysis.aligned.loss.table },
  });
}

function coveragePart(analysis: FactorAnalysis): SheetPart {
  const hasScores = analysis.detail.distribution.table.height > 0;
  return new SheetPart({
    name: "coverage",
    title: "Coverage",
    charts: [factorCoverageChart(analysis), ...hasScores ? [distributionChart(analysis)] : []],
    paragraphs: hasScores
      ? []
      : ["There is no distribution of the scores: an analysis merged from parts keeps none."],
    tables: {
      "Mean return of unscored names minus that of scored ones": analysis.detail.coverage.unscored,
    },
  });
}

function informationPart(analysis: FactorAnalysis, { horizon }: PartsPlan): SheetPart {
  return new SheetPart({
    name: "information",
    title: "Information",
    charts: [
      icChart(analysis, { horizon }),
      icDistributionChart(analysis, { horizon }),
      icMonthChart(analysis, { horizon }),
      decayChart(analysis),
    ],
    tables: {
      "Mean rank IC by horizon, with 95 % intervals": analysis.summary.table.select(
        ...MEAN_COLUMNS,
      ),
      "Other looks at the same means": analysis.summary.checks.select(
        "horizon",
        "check",
        "n",
        "mean",
        "t",
        "p",
        "low",
        "high",
        "detail",
      ),
    },
  });
}

function returnsPart(analysis: FactorAnalysis): SheetPart {
  return new SheetPart({
    name: "returns",
    title: "Returns",
    paragraphs: [`The spread is ${analysis.spread.exposure}.`, analysis.monotonicity.text],
    charts: [
      quantileChart(analysis),
      quantileDistributionChart(analysis),
      spreadChart(analysis, { horizon: "all" }),
      quantileWealthChart(analysis),
      wealthChart(analysis),
    ],
    tables: {
      "Mean return by bucket": analysis.quantileReturns,
      "Top minus bottom bucket": analysis.spread.summary,
      "The portfolio that is weighted by the scores": turned(analysis.performance),
      "How much of it the equal-weighted universe explains": analysis.alphaBeta,
      "Its five deepest falls": analysis.drawdowns.sort("depth").head(5),
    },
  });
}

function costsPart(analysis: FactorAnalysis): SheetPart {
  return new SheetPart({
    name: "costs",
    title: "Turnover and costs",
    charts: [turnoverChart(analysis)],
    tables: { "What trading costs, by rate": analysis.costs },
  });
}

function stabilityPart(analysis: FactorAnalysis, { horizon }: PartsPlan): SheetPart {
  const { detail, stability } = analysis;
  return new SheetPart({
    name: "stability",
    title: "Stability",
    charts: [
      stabilityChart(analysis, { horizon }),
      ...(detail.icByAge === null ? [] : [icAgeChart(analysis, { horizon })]),
    ],
    tables: {
      "By year": stability.table,
      "By half": detail.halves.table,
      ...(detail.groups === null ? {} : { "By group": detail.groups.table }),
      "Whether all years are equal": stability.joint,
    },
  });
}

function noisePart(analysis: FactorAnalysis, { horizon }: PartsPlan): SheetPart {
  const title = "Noise control";
  const means = analysis.detail.noise?.means.get(horizon) ?? [];
  if (!means.some((mean) => Number.isFinite(mean))) {
    const paragraphs = ["There is no noise control: it was left out, or the sample is too short."];
    return new SheetPart({ name: "noise", title, paragraphs });
  }
  return new SheetPart({ name: "noise", title, charts: [noiseChart(analysis, { horizon })] });
}

/** The sentences of a judgement, put together by topic. */
export function topicsOf({ facts }: Judgement): readonly Topic[] {
  const rows = facts.toRecords().map((row) => ({
    topic: String(row["topic"]),
    statement: String(row["statement"]),
  }));
  return gatherTopics(rows);
}

function caveats(facts: DataFrame, { origin }: FactorAnalysis): readonly string[] {
  const told = facts.toRecords() as readonly Record<string, unknown>[];
  const of = (topic: string) =>
    told.filter((fact) => fact["topic"] === topic).map((fact) => String(fact["statement"]));
  return [
    ...(origin.isSynthetic
      ? ["The scores are synthetic: they show the method, and no market."]
      : []),
    ...of("What it is not"),
    ...of("Assumed"),
  ];
}

const SHARES = ["annual_return", "arithmetic_return", "volatility", "max_drawdown"];
const PROBABILITIES = ["probabilistic_sharpe", "deflated_sharpe"];

function measureText(name: string, value: number): string {
  if (SHARES.includes(name)) return percent(value);
  if (Number.isInteger(value)) return groupThousands(value);
  return decimals(value, PROBABILITIES.includes(name) ? 4 : 2);
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

// One row of many numbers is read from top to bottom.
function turned(row: DataFrame): DataFrame {
  const [values = {}] = row.toRecords() as readonly Record<string, unknown>[];
  const numbers = Object.entries(values).filter(([, value]) => typeof value === "number");
  return pl.DataFrame([
    pl.Series("measure", numbers.map(([name]) => name.replaceAll("_", " ")), pl.Utf8),
    pl.Series("value", numbers.map(([name, value]) => measureText(name, value as number)), pl.Utf8),
  ]);
}
