import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import { partText, pointsWithIntervals } from "../grammar/interval_view.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { type HorizonChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { type Row, rowsOf, textIn, withNumber } from "../grammar/values.ts";

/**
 * Draws the mean IC of scores by their age, the sessions since a score was published or changed, with 95% intervals.
 * Without a known age the picture says so.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options The horizon, title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 * @throws {RangeError} If the analysis has no such horizon
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { icAgeChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const sessions = { from: "2026-06-01", to: "2026-11-18" };
 * const panel = await api.panel("ecpnd", { sessions, progress: false });
 * const analysis = await analyzeFactor(panel, prices, { progress: false });
 * const chart = icAgeChart(analysis);
 * if (!chart.description.includes("0 to 4 sessions")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icAgeChart(analysis: FactorAnalysis, options: HorizonChartOptions = {}): Chart {
  const about = { about: "IC by age of the score", hasHorizon: true };
  const subject = readSubject(analysis, options, about);
  const { icByAge } = analysis.detail;
  if (icByAge === null) {
    return layOutNothing(subject, "the age of the scores is not known; live sets state it");
  }
  const parts = rowsOf(icByAge.filter(pl.col("horizon").eq(pl.lit(subject.horizon))))
    .map(({ group, mean, low, high, sessions }): Row => (
      { part: ageText(String(group)), mean: mean!, low: low!, high: high!, sessions: sessions! }
    ))
    // From the youngest scores to the oldest.
    .toSorted((a, b) => parseInt(textIn(a, "part")) - parseInt(textIn(b, "part")));
  const known = withNumber(parts, "mean");
  if (known.length === 0) return layOutNothing(subject, "no session has an IC of scores of an age");
  const ends = [...new Set([known[0]!, known.at(-1)!])].map((row) =>
    `${meanPhrase(row, 3)} at age ${row["part"]}`
  );
  const said = parts.map((row) => row["mean"] === null ? `${row["part"]}: no IC` : partText(row));
  return layOutFinding(subject, {
    finding: `Mean IC ${ends.join(", ")}`,
    subtitle: ["Sessions since a score was published or changed; lines: 95% confidence intervals"],
    details: `${said.join("; ")}.`,
    views: [pointsWithIntervals(parts, { width: subject.widthPx, title: "mean rank IC" })],
  });
}

/** `[5, 21)` in words: 5 to 20 sessions. */
function ageText(bin: string): string {
  const [, low, high] = /^\[(\d+), (\d+|∞)\)$/.exec(bin) ?? [];
  if (low === undefined) return bin;
  return high === "∞" ? `${low} sessions or more` : `${low} to ${Number(high) - 1} sessions`;
}
