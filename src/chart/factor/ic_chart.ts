import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  type AnalysisSubject,
  type HorizonChartOptions,
  readSubject,
} from "../grammar/analysis_subject.ts";
import { quantity, ruleAt, sessionAxis, sessionTip, tip, zoom } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals, intervalText } from "../grammar/number_text.ts";
import { MAIN_COLOR, QUIET_COLOR } from "../grammar/palette.ts";
import { inBlocks, meanOf, numberIn, type Row, rowsOf } from "../grammar/values.ts";

const MOST_POINTS = 600;

/**
 * Draws the IC of each session as a point, the mean of the last 63 sessions as a line with its 95 % band, and zero.
 *
 * A session without an IC leaves a gap, and so does a window of which less than half has values. Above 600 sessions a point
 * is the mean of several, and the subtitle says of how many.
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
 * import { icChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   noise: false,
 *   progress: false,
 * });
 * const chart = icChart(analysis, { horizon: 5 });
 * if (!chart.description.includes("5 sessions ahead")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icChart(analysis: FactorAnalysis, options: HorizonChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, { title: "IC by session", hasHorizon: true });
  const of = pl.col("horizon").eq(pl.lit(subject.horizon));
  const points = rowsOf(analysis.ic.filter(of).select("session", "ic", "n"));
  const means = rowsOf(
    analysis.detail.rollingIc.filter(of).select("session", "mean", "low", "high"),
  );
  const blocks = inBlocks(points, MOST_POINTS);
  const size = blocks[0]?.length ?? 1;
  const thinned = inBlocks(means, MOST_POINTS).map((block) => block.at(-1)!);
  const note = size === 1 ? [] : [`Each point is the mean of ${size} sessions`];
  const shown = "Points: sessions. Line: mean of the last 63 sessions, with its own 95 % band";
  return layOutChart({
    title: subject.title,
    subtitle: [subject.sample, [shown, ...note].join(". ")],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    description: describe(analysis, subject, means),
    datasets: { sessions: blocks.map(pointOf), means: thinned },
    views: [view(subject.widthPx)],
  });
}

function pointOf(block: readonly Row[]): Row {
  return {
    session: block[0]!["session"]!,
    ic: meanOf(block.map((row) => numberIn(row, "ic"))),
    n: meanOf(block.map((row) => numberIn(row, "n"))),
  };
}

function view(width: number): ChartSpec {
  const x = sessionAxis();
  const y = (field: string) => quantity(field, { title: "rank IC", format: ".2f" });
  return {
    width,
    height: 240,
    layer: [
      {
        data: { name: "sessions" },
        params: zoom(),
        mark: { type: "point", filled: true, size: 12, opacity: 0.45, color: QUIET_COLOR },
        encoding: {
          x,
          y: y("ic"),
          tooltip: [sessionTip(), tip("ic", "IC", ".4f"), tip("n", "names", ".0f")],
        },
      },
      ruleAt(0),
      {
        data: { name: "means" },
        mark: { type: "area", opacity: 0.28, color: MAIN_COLOR },
        encoding: { x, y: y("low"), y2: { field: "high" } },
      },
      {
        data: { name: "means" },
        mark: { type: "line", strokeWidth: 2, color: MAIN_COLOR },
        encoding: {
          x,
          y: y("mean"),
          tooltip: [
            sessionTip("last session"),
            tip("mean", "mean of 63", ".4f"),
            tip("low", "95 % from", ".4f"),
            tip("high", "to", ".4f"),
          ],
        },
      },
    ],
  };
}

function describe(
  analysis: FactorAnalysis,
  { title, sample, horizon }: AnalysisSubject,
  means: readonly Row[],
): string {
  const row = rowsOf(analysis.summary.table).find((one) => one["horizon"] === horizon);
  const mean = numberIn(row, "mean");
  if (Number.isNaN(mean)) return `${title}: ${sample}; no session has an IC.`;
  return `${title}: ${sample}. The mean is ${decimals(mean, 3)} over ${
    row!["sessions"]
  } sessions (${intervalText(numberIn(row, "low"), numberIn(row, "high"), 3)}), ${
    decimals(100 * numberIn(row, "hit_rate"), 0)
  } % of the sessions are above zero; ${describeRange(means)}.`;
}

function describeRange(means: readonly Row[]): string {
  const known = means.filter((row) => !Number.isNaN(numberIn(row, "mean")))
    .toSorted((a, b) => numberIn(a, "mean") - numberIn(b, "mean"));
  const [lowest, highest] = [known[0], known.at(-1)];
  if (lowest === undefined || highest === undefined) return "no window of 63 sessions is whole";
  const last = known.reduce((a, b) => String(a["session"]) > String(b["session"]) ? a : b);
  const when = (row: Row) => `${decimals(numberIn(row, "mean"), 3)} (to ${row["session"]})`;
  return `the mean of 63 sessions moves between ${when(lowest)} and ${when(highest)} and ends at ` +
    decimals(numberIn(last, "mean"), 3);
}
