import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  type AllHorizonsChartOptions,
  readHorizons,
  sessionsText,
} from "../grammar/analysis_subject.ts";
import { quantity, ruleAt, sessionAxis, sessionTip, tip, zoom } from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals, intervalText } from "../grammar/number_text.ts";
import { MAIN_COLOR, QUIET_COLOR } from "../grammar/palette.ts";
import { inBlocks, meanOf, numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";

const BASIS_POINTS = 10_000;
const MOST_POINTS = 600;
const HEIGHT = 240;
const POINT_TIPS = [
  sessionTip(),
  tip("spread", "top minus bottom, bps", ".2f"),
  tip("names", "names in both", ".0f"),
];

/**
 * Draws the return of the top bucket minus that of the bottom one, session by session as points, the mean of the last sessions as a
 * line with its 95 % band, and zero. The mean is of 21 sessions at one session ahead; at longer horizons, whose windows
 * overlap, of as many sessions as hold 12 windows. Of several horizons each has its own picture, one below the other.
 *
 * A session without both buckets leaves a gap, and so does a window of which less than half has values. Above 600 sessions, for
 * all pictures together, a point is the mean of several, and the subtitle says of how many.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options The horizon or "all", title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 * @throws {RangeError} If the analysis has no such horizon
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { spreadChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   noise: false,
 *   progress: false,
 * });
 * const chart = spreadChart(analysis, { horizon: "all" });
 * if (!chart.description.includes("At 21 sessions the mean is")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function spreadChart(
  analysis: FactorAnalysis,
  options: AllHorizonsChartOptions = {},
): Chart {
  const subject = readHorizons(analysis, options, { title: "Top minus bottom bucket by session" });
  const { horizons, widthPx } = subject;
  const panels = horizons.map((horizon) => readPanel(analysis, horizon, horizons.length));
  const size = Math.max(...panels.map((panel) => panel.size));
  const windows = panels.map(({ window }) => window).join(", ");
  const points = size === 1 ? "sessions" : `means of ${size} sessions`;
  const lines = panels.length === 1 ? "Line" : "Lines";
  return layOutChart({
    title: subject.title,
    subtitle: [
      subject.sample,
      `Basis points over the horizon, ${analysis.spread.exposure}`,
      `Points: ${points}. ${lines}: mean of the last ${windows} sessions, with its own 95 % band`,
    ],
    footnote: subject.footnote,
    widthPx,
    sharesTime: true,
    description: `${subject.title}: ${subject.sample}. ${
      panels.map((panel) => describe(analysis, panel)).join(" ")
    }`,
    datasets: Object.fromEntries(
      panels.flatMap(({ horizon, points, means }) => [
        [`sessions_${horizon}`, points],
        [`means_${horizon}`, means],
      ]),
    ),
    views: panels.map((panel) => view(panel, { width: widthPx, count: panels.length })),
  });
}

interface Panel {
  readonly horizon: number;
  /** Sessions of a point. */
  readonly size: number;
  /** Sessions of a mean. */
  readonly window: number;
  readonly points: readonly Row[];
  readonly means: readonly Row[];
}

function readPanel(analysis: FactorAnalysis, horizon: number, count: number): Panel {
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const most = Math.floor(MOST_POINTS / count);
  const sessions = rowsOf(
    analysis.spread.data.filter(of).select("session", "spread", "n_top", "n_bottom"),
  );
  const blocks = inBlocks(sessions, most);
  const rolling = rowsOf(
    analysis.detail.rollingSpread.filter(of).select("session", "mean", "low", "high", "window"),
  );
  return {
    horizon,
    size: blocks[0]?.length ?? 1,
    window: numberIn(rolling[0], "window"),
    points: blocks.map(pointOf),
    means: inBlocks(rolling, most).map((block) => meanRow(block.at(-1)!)),
  };
}

function pointOf(block: readonly Row[]): Row {
  const mean = (name: string) => meanOf(block.map((row) => numberIn(row, name)));
  const spread = mean("spread");
  return {
    session: block[0]!["session"]!,
    spread: spread === null ? null : toValue(BASIS_POINTS * spread),
    names: toValue((mean("n_top") ?? 0) + (mean("n_bottom") ?? 0)),
  };
}

function meanRow(row: Row): Row {
  const bps = (name: string) => toValue(BASIS_POINTS * numberIn(row, name));
  return { session: row["session"]!, mean: bps("mean"), low: bps("low"), high: bps("high") };
}

function view(
  { horizon, window }: Panel,
  { width, count }: { readonly width: number; readonly count: number },
): ChartSpec {
  const title = count === 1 ? "bps" : `bps, ${sessionsText(horizon)}`;
  const at = (field: string) => ({
    x: sessionAxis(),
    y: quantity(field, { title, format: ",d" }),
  });
  const data = { name: `means_${horizon}` };
  return {
    name: `horizon_${horizon}`,
    width,
    height: count === 1 ? HEIGHT : Math.floor(HEIGHT / 1.8),
    layer: [
      {
        data: { name: `sessions_${horizon}` },
        params: zoom(`zoom_${horizon}`),
        mark: { type: "point", filled: true, size: 12, opacity: 0.45, color: QUIET_COLOR },
        encoding: { ...at("spread"), tooltip: POINT_TIPS },
      },
      ruleAt(0),
      {
        data,
        mark: { type: "area", opacity: 0.28, color: MAIN_COLOR },
        encoding: { ...at("low"), y2: { field: "high" } },
      },
      {
        data,
        mark: { type: "line", strokeWidth: 2, color: MAIN_COLOR },
        encoding: { ...at("mean"), tooltip: meanOfTips(window) },
      },
    ],
  };
}

function meanOfTips(window: number): readonly ChartSpec[] {
  return [
    sessionTip("last session"),
    tip("mean", `mean of ${window}, bps`, ".2f"),
    tip("low", "95 % from", ".2f"),
    tip("high", "to", ".2f"),
  ];
}

function describe(
  { spread, detail }: FactorAnalysis,
  { horizon, window }: Panel,
): string {
  const of = (row: Row) => row["horizon"] === horizon;
  const row = rowsOf(spread.summary).find(of);
  const bps = (value: number) => BASIS_POINTS * value;
  const mean = numberIn(row, "mean");
  const at = `At ${sessionsText(horizon)}`;
  if (Number.isNaN(mean)) return `${at} no session has both buckets.`;
  const values = rowsOf(spread.data.select("horizon", "spread")).filter(of)
    .map((one) => numberIn(one, "spread")).filter((value) => !Number.isNaN(value));
  const above = values.filter((value) => value > 0).length / values.length;
  const interval = intervalText(bps(numberIn(row, "low")), bps(numberIn(row, "high")), 1);
  const means = rowsOf(detail.rollingSpread.select("horizon", "session", "mean")).filter(of);
  return `${at} the mean is ${decimals(bps(mean), 1)} bps over ${
    sessionsText(values.length)
  } (${interval}), ${decimals(100 * above, 0)} % of them are above zero; ${
    describeRange(means, window)
  }.`;
}

function describeRange(means: readonly Row[], window: number): string {
  const known = means.filter((row) => !Number.isNaN(numberIn(row, "mean")))
    .toSorted((a, b) => numberIn(a, "mean") - numberIn(b, "mean"));
  const [lowest, highest] = [known[0], known.at(-1)];
  if (lowest === undefined || highest === undefined) {
    return `no window of ${window} sessions is whole`;
  }
  const last = known.reduce((a, b) => String(a["session"]) > String(b["session"]) ? a : b);
  const bps = (row: Row) => decimals(BASIS_POINTS * numberIn(row, "mean"), 1);
  const when = (row: Row) => `${bps(row)} (to ${row["session"]})`;
  return `the mean of ${window} sessions moves between ${when(lowest)} and ${
    when(highest)
  } and ends at ${bps(last)}`;
}
