import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { pPhrase } from "../../notebook/p_text.ts";
import type { Chart } from "../chart.ts";
import { type HorizonChartOptions, readSubject } from "../grammar/analysis_subject.ts";
import { pointsWithIntervals } from "../grammar/interval_view.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals, intervalText } from "../grammar/number_text.ts";
import { SERIES_COLORS } from "../grammar/palette.ts";
import { numberIn, type Row, rowsOf } from "../grammar/values.ts";

const COLOR = {
  field: "kind",
  type: "nominal",
  scale: { domain: ["all", "year", "half", "group"], range: SERIES_COLORS.slice(0, 4) },
  legend: null,
};

/**
 * Draws the mean IC of the whole sample, of each year, of both halves and of each group, with 95 % intervals on one axis. A
 * part that is too short for a test has a point without an interval.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options The horizon, title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 * @throws {RangeError} If the analysis has no such horizon
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { stabilityChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   noise: false,
 *   progress: false,
 * });
 * const chart = stabilityChart(analysis);
 * if (!chart.description.includes("first half")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function stabilityChart(analysis: FactorAnalysis, options: HorizonChartOptions = {}): Chart {
  const about = { title: "Is the mean IC the same everywhere", hasHorizon: true };
  const subject = readSubject(analysis, options, about);
  const { detail, stability, summary } = analysis;
  const ofHorizon = (rows: readonly Row[]) =>
    rows.filter((row) => row["horizon"] === subject.horizon);
  const parts = [
    ...ofHorizon(rowsOf(summary.table)).map((row) => toPart({ ...row, part: "all" }, "all")),
    ...ofHorizon(rowsOf(stability.table)).map((row) => toPart(row, "year")),
    ...ofHorizon(rowsOf(detail.halves.table)).map((row) => toPart(row, "half")),
    ...ofHorizon(rowsOf(detail.groups?.table ?? stability.table.slice(0, 0)))
      .map((row) => toPart(row, "group")),
  ];
  const joint = [["years", stability], ["halves", detail.halves], [
    "groups",
    detail.groups,
  ]] as const;
  const tests = joint.flatMap(([name, found]) => {
    const p = numberIn(ofHorizon(found === null ? [] : rowsOf(found.joint))[0], "p");
    return Number.isNaN(p) ? [] : [`That all ${name} are equal: ${pPhrase(p)}`];
  });
  const said = tests.length === 0 ? "Parts too short for a joint test" : tests.join(". ");
  return layOutChart({
    title: subject.title,
    subtitle: [subject.sample, said],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    description: `${subject.title}: ${subject.sample}. ${
      parts.map(describePart).join("; ")
    }. ${said}.`,
    views: [
      pointsWithIntervals(parts, {
        width: subject.widthPx,
        title: "mean rank IC",
        format: ".3f",
        color: COLOR,
      }),
    ],
  });
}

function toPart(row: Row, kind: string): Row {
  const { part, mean, low, high, sessions } = row;
  return { part: part!, kind, mean: mean!, low: low!, high: high!, sessions: sessions! };
}

function describePart(row: Row): string {
  const mean = numberIn(row, "mean");
  const found = Number.isNaN(mean) ? "no IC" : decimals(mean, 3);
  return `${row["part"]}: ${found} (${
    intervalText(numberIn(row, "low"), numberIn(row, "high"), 3)
  }, ${row["sessions"]} sessions)`;
}
