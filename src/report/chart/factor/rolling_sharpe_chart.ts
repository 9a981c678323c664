import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { capital } from "../../../base/wording/words.ts";
import { countText, decimalText, intervalText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import { intervalTips, ruleAt, sessionAxis, sessionTip, tip, zoom } from "../grammar/encodings.ts";
import { lineInBand } from "../grammar/interval_view.ts";
import { windowsText } from "../grammar/session_values_view.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { thinnedText, thinRows } from "../grammar/thin_rows.ts";
import { numberIn, rowsOf } from "../grammar/values.ts";

const MOST_ROWS = 600;

/**
 * Draws the annualised Sharpe ratio of the last year of the portfolio that is weighted by the scores, before costs, with its 95% confidence
 * interval.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { rollingSharpeChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   progress: false,
 * });
 * const chart = rollingSharpeChart(analysis);
 * if (!chart.description.includes("Sharpe ratio of the last")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function rollingSharpeChart(
  analysis: FactorAnalysis,
  options: AnalysisChartOptions = {},
): Chart {
  const named = readSubject(analysis, options, { about: "Sharpe ratio, before costs" });
  const year = countText(analysis.aligned.market.periodsPerYear, "session");
  const subject = { ...named, about: `Sharpe ratio of the last ${year}, before costs` };
  const all = ratiosOf(analysis);
  const fields = ["sharpe", "low", "high"] as const;
  const range = windowsText(all, {
    field: "sharpe",
    named: "ratio",
    textOf: (ratio) => decimalText(ratio, 2),
  });
  if (range === null) return layOutNothing(subject, `no year of ${year} is complete`);
  const { rows, size } = thinRows(all, fields, MOST_ROWS);
  const tooltip = [
    sessionTip("last date"),
    tip("sharpe", "Sharpe ratio", ".2f"),
    ...intervalTips(".2f"),
    tip("n", "returns", ",d"),
  ];
  return layOutFinding(subject, {
    finding: findingOf(analysis),
    subtitle: [
      ["Band: 95% confidence interval of the window alone", ...thinnedText(size)].join(". "),
    ],
    caution: "Neighbouring windows overlap",
    details: capital(`${range}.`),
    views: [{
      width: subject.widthPx,
      height: 200,
      data: { values: rows },
      layer: [
        ruleAt(0),
        ...lineInBand({ x: sessionAxis(), title: "Sharpe ratio", fields, params: zoom(), tooltip }),
      ],
    }],
  });
}

function ratiosOf({ detail: { rollingSharpe } }: FactorAnalysis) {
  return rowsOf(rollingSharpe).map(({ date, ...row }) => ({ session: date, ...row }));
}

/** The ratio of the whole sample. */
function findingOf({ performance }: FactorAnalysis): string {
  const row = rowsOf(performance)[0]!;
  const over = `${countText(numberIn(row, "sessions"), "session")} before costs`;
  if (row.sharpe === null) return `The whole sample has no Sharpe ratio, ${over}`;
  const interval = intervalText([row.sharpe_low, row.sharpe_high], 2);
  return `Sharpe ratio ${decimalText(row.sharpe, 2)} (${interval}) over ${over}`;
}
