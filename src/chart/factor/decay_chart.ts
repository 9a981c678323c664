import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  type AnalysisChartOptions,
  readSubject,
  sessionsText,
} from "../grammar/analysis_subject.ts";
import { labelsAt, meanTips, quantity, ruleAt, rulesAt, tip } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals } from "../grammar/number_text.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../grammar/palette.ts";
import { numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";

/**
 * Draws how the relation fades: the mean IC with the return of one session that ends so many sessions after entry, lag by lag,
 * with 95 % intervals, and the fitted curve of the half-life where there is one. Lags are marginal; returns of whole
 * horizons are never on this axis.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options Title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { decayChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   noise: false,
 *   progress: false,
 * });
 * const chart = decayChart(analysis);
 * if (!chart.description.includes("Fitted half-life")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function decayChart(analysis: FactorAnalysis, options: AnalysisChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { title: "How the IC fades, by lag" });
  const rows = rowsOf(analysis.decayMeans.select("group", "mean", "low", "high", "sessions"))
    .map(({ group, ...row }): Row => ({ lag: Number(group), ...row }));
  const [fit] = rowsOf(analysis.halfLife);
  const found = describeFit(fit);
  const entries = entriesOf(analysis.aligned.entry);
  const entry = analysis.aligned.entry === "next"
    ? 'Entered at lag 0, the first close after the score was known; entry "same" would stand a session before it'
    : 'Entered at lag 0, the very close of the decision; entry "next" would stand at lag 1 and earn from lag 2 on';
  return layOutChart({
    title: subject.title,
    subtitle: [subject.sample, `${entry}. Bars: 95 %, of each lag alone`, found],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    description: `${subject.title}: ${subject.sample}. ${entry}. ${describe(rows)} ${found}.`,
    views: [
      view(rows, curveOf(rows, fit), { width: subject.widthPx, entries }),
    ],
  });
}

interface Entry extends Row {
  readonly lag: number;
}

/** Where each way of entering stands on the axis of lags, which begins at the one that was taken. */
function entriesOf(taken: "same" | "next"): readonly Entry[] {
  const same = taken === "same" ? 0 : -1;
  const text = (entry: string) => `entry "${entry}"${entry === taken ? ", as drawn" : ""}`;
  return [{ lag: same, text: text("same") }, { lag: same + 1, text: text("next") }];
}

function view(
  rows: readonly Row[],
  curve: readonly Row[],
  { width, entries }: { readonly width: number; readonly entries: readonly Entry[] },
): ChartSpec {
  const x = quantity("lag", {
    title: "lag: sessions from entry to the end of the return",
    axis: { tickMinStep: 1, grid: false, tickCount: 12 },
    scale: { nice: false, domainMin: entries[0]!.lag },
  });
  return {
    width,
    height: 220,
    layer: [
      ruleAt(0),
      ...entries.flatMap(entryLayers),
      {
        data: { values: rows },
        mark: { type: "rule", color: MAIN_COLOR, opacity: 0.55 },
        encoding: { x, y: y("low"), y2: { field: "high" } },
      },
      {
        data: { values: rows },
        mark: { type: "point", filled: true, size: 30, color: MAIN_COLOR },
        encoding: {
          x,
          y: y("mean"),
          tooltip: [tip("lag", "lag", "d"), ...meanTips("mean IC")],
        },
      },
      {
        data: { values: curve },
        mark: { type: "line", color: OTHER_COLOR, strokeWidth: 2 },
        encoding: { x, y: y("ic") },
      },
    ],
  };
}

function entryLayers(entry: Entry, i: number): readonly ChartSpec[] {
  // Above the plot, where no interval is; the two stand a session apart.
  const place = { align: "left", dx: -2, y: 13 * i - 20 };
  return [
    rulesAt([entry], "lag", { strokeDash: [2, 3], color: QUIET_COLOR }),
    labelsAt([entry], { field: "lag", label: "text" }, place),
  ];
}

function y(field: string): ChartSpec {
  return quantity(field, { title: "marginal rank IC", format: ".3f" });
}

function curveOf(rows: readonly Row[], fit: Row | undefined): readonly Row[] {
  const [level, half] = [numberIn(fit, "level"), numberIn(fit, "half_life")];
  if (Number.isNaN(level) || Number.isNaN(half)) return [];
  return rows.map((row) => ({
    lag: row["lag"]!,
    ic: toValue(level * 2 ** (-numberIn(row, "lag") / half)),
  }));
}

function describeFit(fit: Row | undefined): string {
  const half = numberIn(fit, "half_life");
  if (Number.isNaN(half)) {
    return fit?.["reason"] === "no_decay"
      ? "No half-life: no fading shows at these lags"
      : "No half-life: the level at these lags does not exclude zero";
  }
  return `Fitted half-life ${decimals(half, 0)} sessions (95 %: ${
    decimals(numberIn(fit, "half_life_low"), 0)
  } to ${decimals(numberIn(fit, "half_life_high"), 0)})`;
}

function describe(rows: readonly Row[]): string {
  const known = rows.filter((row) => !Number.isNaN(numberIn(row, "mean")));
  if (known.length === 0) return "No lag has an IC.";
  const clear = known.filter((row) => numberIn(row, "low") > 0 || numberIn(row, "high") < 0).length;
  const at = (row: Row) =>
    `${decimals(numberIn(row, "mean"), 3)} at ${sessionsText(numberIn(row, "lag"))}`;
  const places = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * (known.length - 1)));
  const shown = [...new Set(places)].map((place) => at(known[place]!));
  return `The mean IC is ${shown.join(", ")}; the intervals of ${clear} of ${known.length} lags ` +
    "exclude zero.";
}
