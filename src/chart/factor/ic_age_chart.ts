import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import { type HorizonChartOptions, readSubject } from "../grammar/analysis_subject.ts";
import { pointsWithIntervals } from "../grammar/interval_view.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals, intervalText } from "../grammar/number_text.ts";
import { numberIn, type Row, rowsOf } from "../grammar/values.ts";

/**
 * Draws the mean IC of scores by their age, the sessions since a score was published or changed, with 95 % intervals.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options The horizon, title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 * @throws {RangeError} If the analysis has no such horizon, or the age of its scores is not known
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
 * const analysis = await analyzeFactor(panel, prices, { noise: false, progress: false });
 * const chart = icAgeChart(analysis);
 * if (!chart.description.includes("0 to 4 sessions")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icAgeChart(analysis: FactorAnalysis, options: HorizonChartOptions = {}): Chart {
  const about = { title: "IC by age of the score", hasHorizon: true };
  const subject = readSubject(analysis, options, about);
  const { icByAge } = analysis.detail;
  if (icByAge === null) {
    throw new RangeError("Cannot draw the IC by age: scores with a known age are required");
  }
  const parts = rowsOf(icByAge.filter(pl.col("horizon").eq(pl.lit(subject.horizon))))
    .map(({ group, mean, low, high, sessions }): Row => ({
      part: ageText(String(group)),
      mean: mean!,
      low: low!,
      high: high!,
      sessions: sessions!,
    }))
    // From the youngest scores to the oldest.
    .toSorted((a, b) => parseInt(String(a["part"])) - parseInt(String(b["part"])));
  return layOutChart({
    title: subject.title,
    subtitle: [subject.sample, "Sessions since a score was published or changed; lines: 95 %"],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    description: `${subject.title}: ${subject.sample}. ${parts.map(describe).join("; ")}.`,
    views: [
      pointsWithIntervals(parts, { width: subject.widthPx, title: "mean rank IC", format: ".3f" }),
    ],
  });
}

/** `[5, 21)` as it is said: the last one is below the end. */
function ageText(bin: string): string {
  const [, low, high] = /^\[(\d+), (\d+|∞)\)$/.exec(bin) ?? [];
  if (low === undefined) return bin;
  return high === "∞" ? `${low} sessions or more` : `${low} to ${Number(high) - 1} sessions`;
}

function describe(row: Row): string {
  const mean = numberIn(row, "mean");
  return Number.isNaN(mean)
    ? `${row["part"]}: no IC`
    : `${row["part"]}: ${decimals(mean, 3)} (${
      intervalText(numberIn(row, "low"), numberIn(row, "high"), 3)
    }, ${row["sessions"]} sessions)`;
}
