import pl, { type DataFrame } from "nodejs-polars";
import { FactorAnalysis } from "../analysis/factor/factor_analysis.ts";
import { judgement } from "../analysis/judgement/judgement.ts";
import { wrongKind } from "../arguments/wrong_kind.ts";
import { assertKnownOptions } from "../arguments/check_options.ts";
import type { Chart } from "../chart/chart.ts";
import { quantileChart } from "../chart/bucket/quantile_chart.ts";
import { quantileWealthChart } from "../chart/bucket/quantile_wealth_chart.ts";
import { spreadChart } from "../chart/bucket/spread_chart.ts";
import { decayChart } from "../chart/factor/decay_chart.ts";
import { factorCoverageChart } from "../chart/factor/factor_coverage_chart.ts";
import { icChart } from "../chart/factor/ic_chart.ts";
import { stabilityChart } from "../chart/factor/stability_chart.ts";
import { turnoverChart } from "../chart/factor/turnover_chart.ts";
import { wealthChart } from "../chart/factor/wealth_chart.ts";
import { topicsOf } from "./analysis_parts.ts";
import { shareScales } from "./share_scales.ts";
import { Sheet } from "./sheet.ts";
import { SheetPart } from "./sheet_part.ts";
import { describeSample } from "./tear_sheet.ts";

/** Options of {@link compareSheets}. */
export interface CompareSheetsOptions {
  /**
   * What the two are called.
   *
   * @default the columns of their scores, or "first" and "second" if these are the same
   */
  readonly names?: readonly [string, string];
}

const SIDE_BY_SIDE =
  "What each of the two found. The difference is not tested. Both pictures of a pair have the same axes of amounts.";

type Draw = (analysis: FactorAnalysis, options: { readonly title: string }) => Chart;

const PICTURES: readonly (readonly [string, string, Draw])[] = [
  ["information", "IC by session", icChart],
  ["decay", "How the IC fades", decayChart],
  ["returns", "Returns by quantile", quantileChart],
  ["spread", "Top minus bottom bucket", spreadChart],
  ["buckets", "What became of each bucket", quantileWealthChart],
  ["wealth", "Long–short wealth", wealthChart],
  ["costs", "Turnover and costs", turnoverChart],
  ["coverage", "Coverage", factorCoverageChart],
  ["stability", "Stability", stabilityChart],
];

/**
 * Puts two analyses on one sheet, of two factors or of two vintages of one: their numbers side by side, then each picture twice, on
 * the same axes of amounts. It says what each of them found. It is no test of the difference; for that the same sessions and names would have to be compared.
 *
 * @param first What `analyzeFactor()` gave
 * @param second Another one
 * @param options What the two are called
 * @throws {TypeError} If one is no analysis, or an option unknown
 */
export function compareSheets(
  first: FactorAnalysis,
  second: FactorAnalysis,
  options: CompareSheetsOptions = {},
): Sheet {
  const action = "compare two analyses";
  for (const given of [first, second]) {
    if (given instanceof FactorAnalysis) continue;
    throw wrongKind(action, given, {
      expected: "two results of analyzeFactor(), such as compareSheets(first, second)",
      advice: "await analyzeFactor(scores, prices) gives one",
    });
  }
  assertKnownOptions(action, options, ["names"]);
  const names = options.names ?? defaultNames(first, second);
  const both = [first, second] as const;
  const subtitle = both.map((analysis, i) => `${names[i]}: ${describeSample(analysis)}`).join(" ");
  return new Sheet({ title: `${names[0]} beside ${names[1]}`, subtitle }, [
    new SheetPart({
      name: "numbers",
      title: "Side by side",
      paragraphs: [SIDE_BY_SIDE],
      tables: { "Numbers of both": sideBySide(both, names) },
    }),
    ...PICTURES.map(([name, title, draw]) => {
      const [one, other] = both.map((analysis, i) =>
        draw(analysis, { title: `${title}: ${names[i]}` })
      );
      return new SheetPart({ name, title, charts: shareScales(one!, other!) });
    }),
    ...both.map((analysis, i) =>
      new SheetPart({
        name: i === 0 ? "first_judgement" : "second_judgement",
        title: `Judgement: ${names[i]}`,
        topics: topicsOf(judgement(analysis)),
      })
    ),
  ]);
}

function defaultNames(first: FactorAnalysis, second: FactorAnalysis): readonly [string, string] {
  const [a, b] = [first.origin.score, second.origin.score];
  return a === b ? ["first", "second"] : [a, b];
}

/** One row a number of the judgements: the statement's topic and source, and the value of each. */
function sideBySide(
  both: readonly FactorAnalysis[],
  names: readonly [string, string],
): DataFrame {
  const rows = new Map<string, (number | null)[]>();
  for (const [i, analysis] of both.entries()) {
    for (const [name, value] of numbersOf(analysis)) {
      const row = rows.get(name) ?? [null, null];
      row[i] = value;
      rows.set(name, row);
    }
  }
  const found = [...rows];
  return pl.DataFrame([
    pl.Series("number", found.map(([name]) => name), pl.Utf8),
    ...names.map((name, i) =>
      pl.Series(
        i === 1 && name === names[0] ? `${name} (2)` : name,
        found.map(([, row]) => row[i] ?? null),
        pl.Float64,
      )
    ),
  ]);
}

function numbersOf(analysis: FactorAnalysis): readonly (readonly [string, number | null])[] {
  const records = (frame: DataFrame) => frame.toRecords() as readonly Record<string, unknown>[];
  const number = (value: unknown) => typeof value === "number" ? value : null;
  const [performance = {}] = records(analysis.performance);
  const [costs = {}] = records(analysis.costs);
  const [half = {}] = records(analysis.halfLife);
  const { dense } = analysis.aligned;
  return [
    ["sessions", Math.max(0, dense.to - dense.from)],
    ["tickers", dense.tickers.length],
    ["rows of scores", analysis.aligned.loss.rows],
    ...records(analysis.summary.table).flatMap((row) =>
      (["mean", "low", "high", "t"] as const).map((name) =>
        [`rank IC at ${row["horizon"]}: ${name}`, number(row[name])] as const
      )
    ),
    ["half-life, sessions", number(half["half_life"])],
    ...records(analysis.spread.summary).map((row) =>
      [`top minus bottom at ${row["horizon"]}, a session or window`, number(row["mean"])] as const
    ),
    ["Sharpe ratio", number(performance["sharpe"])],
    ["deepest fall", number(performance["max_drawdown"])],
    ["traded a session", number(costs["traded"])],
    ["breaks even at one-way bps", number(costs["break_even_one_way_bps"])],
  ];
}
