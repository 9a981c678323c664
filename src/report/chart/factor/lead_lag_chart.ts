import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { quantity, ruleAt, tip } from "../grammar/encodings.ts";
import { pointsOver } from "../grammar/interval_view.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { QUIET_COLOR } from "../palette.ts";
import { numberIn, type Row, rowsOf, withNumber } from "../grammar/values.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";

/**
 * Draws the mean IC with the return of the session after entry, and the Sharpe ratio of the portfolio after costs, for entry five
 * sessions before the usual one to ten after it, with 95% intervals. What is earned before the usual entry was known to nobody:
 * a peak there says by how much a wrong date of the scores, a look-ahead, would flatter them.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { leadLagChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   placebo: false,
 *   progress: false,
 * });
 * const chart = leadLagChart(analysis);
 * if (!chart.description.includes("at the usual entry")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function leadLagChart(analysis: FactorAnalysis, options: AnalysisChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { about: "Entry before and after the usual one" });
  const { leadLag } = analysis.detail;
  if (leadLag === null) return layOutNothing(subject, "the rows are not in memory");
  const rows = rowsOf(leadLag);
  const known = withNumber(rows, "mean");
  if (known.length === 0) return layOutNothing(subject, "no entry has an IC");
  const costs = `after ${numberIn(rows[0], "one_way_bps")} bps of costs one way`;
  const panels = [
    [["mean", "low", "high"], "mean rank IC"],
    [["sharpe", "sharpe_low", "sharpe_high"], "Sharpe ratio, net"],
  ] as const;
  return layOutFinding(subject, {
    ...textsOf(known),
    subtitle: [`Lines: pointwise 95% confidence intervals. Sharpe ratio ${costs}`],
    views: panels.filter(([[field]]) => rows.some((row) => row[field] !== null))
      .map(([fields, title]) => ({
        width: subject.widthPx,
        height: 130,
        layer: layersOf(rows, fields, title),
      })),
  });
}

function layersOf(
  rows: readonly Row[],
  fields: readonly [string, string, string],
  title: string,
): readonly ChartSpec[] {
  const x = quantity("lag", {
    title: "sessions from the usual entry; grey: before it",
    fromZero: false,
    axis: { tickMinStep: 1, grid: false, tickCount: 16 },
    scale: { nice: false, padding: 8 },
  });
  const [value, low, high] = fields;
  return [
    {
      data: { values: [{ from: numberIn(rows[0], "lag") - 0.5, to: -0.5 }] },
      mark: { type: "rect", color: QUIET_COLOR, opacity: 0.2 },
      encoding: { x: { ...x, field: "from" }, x2: { field: "to" } },
    },
    ruleAt(0),
    ...pointsOver(rows, {
      ...{ x, title, fields },
      tooltip: [
        tip("lag", "sessions from the usual entry", "d"),
        tip(value, title, ".3f"),
        tip(low, "95% CI from", ".3f"),
        tip(high, "to", ".3f"),
      ],
    }),
  ];
}

/** The strongest entry beside the usual one; it is one of as many tests as there are entries (Bonferroni). */
function textsOf(known: readonly Row[]) {
  const best = known.reduce((a, b) =>
    Math.abs(numberIn(b, "mean")) > Math.abs(numberIn(a, "mean")) ? b : a
  );
  const usual = known.find((row) => row["lag"] === 0);
  const lag = numberIn(best, "lag");
  const largest = `${meanPhrase(best, 3)} ${countText(Math.abs(lag), "session")} ${
    lag < 0 ? "before" : "after"
  } it`;
  // An IC that is the same in every session has no p value.
  const isClear = numberIn(best, "p") * known.length < 0.05 || best["reason"] === "no_variance";
  const stands = isClear && areApart(best, usual);
  const of = `the largest of ${known.length}`;
  const others = lag === 0
    ? `, ${of}`
    : stands
    ? `, ${largest}, ${of}`
    : `; no other stands out, ${of} is ${largest}`;
  return {
    finding: `Mean IC ${
      usual === undefined ? "unknown" : meanPhrase(usual, 3)
    } at the usual entry${others}`,
    details: ratiosText(known),
    ...stands && lag < 0 && {
      caution: "The peak lies before the entry: scores that follow prices, or dated too late. " +
        "No order could earn it, and with earlier dates it would be a look-ahead",
    },
  };
}

function ratiosText(rows: readonly Row[]): string {
  const ratios = rows.filter((row) => row["sharpe"] !== null).map((row) =>
    `${decimalText(numberIn(row, "sharpe"), 2)} at ${decimalText(numberIn(row, "lag"), 0)}`
  );
  return ratios.length === 0 ? "No Sharpe ratio" : `Sharpe ratio, net: ${ratios.join(", ")}`;
}

/** True if the intervals of two means have nothing in common; a mean without one is a point. */
function areApart(one: Row, other: Row | undefined): boolean {
  const [low, high] = [
    (row: Row) => row["low"] ?? row["mean"]!,
    (row: Row) => row["high"] ?? row["mean"]!,
  ];
  return other === undefined || low(one) > high(other) || high(one) < low(other);
}
