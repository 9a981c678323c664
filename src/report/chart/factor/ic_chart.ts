import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { usualWindow } from "../../../analysis/dense/days.ts";
import { countText, decimalText, percentText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  crosshair,
  intervalTips,
  quantity,
  ruleAt,
  sessionAxis,
  sessionTip,
  tip,
  zoom,
} from "../grammar/encodings.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { inBlocks, thinRows } from "../grammar/thin_rows.ts";
import { ascending, numberIn, type Row, rowsOf, withNumber } from "../grammar/values.ts";
import { mark } from "../mark.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

const MOST_POINTS = 600;
const HEIGHT = 240;

/**
 * Draws the IC of each session as a point, the mean of the last 63 sessions as a line, that of all sessions as a dashed line,
 * both with their 95% intervals, and zero. Above a horizon of six sessions the window of 63 holds fewer than ten returns that do
 * not overlap, and its mean has no interval.
 *
 * A session without an IC leaves a gap, and so does a window with values in less than half of its sessions. Above 600
 * sessions, ranges from the lowest to the highest of several replace the points, and the subtitle says of how
 * many.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options The horizon or "all", title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
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
 *   progress: false,
 * });
 * const chart = icChart(analysis, { horizon: 5 });
 * if (!chart.description.includes("5 sessions ahead")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function icChart(
  analysis: FactorAnalysis,
  options: ChartOptions & { readonly horizon?: number | "all" } = {},
): Chart {
  const subject = readSubject(analysis, options, "IC by session", { of: "each horizon" });
  const { horizons, widthPx } = subject;
  const panels = horizons.map((horizon) => readPanel(analysis, horizon));
  const known = panels.filter(hasMean);
  if (known.length === 0) return layOutNothing(subject, "no session has an IC");
  const window = usualWindow(analysis.aligned.market.periodsPerYear);
  const plan = { width: widthPx, count: known.length, window };
  const isOneOfMany = horizons.length > 1;
  return layOutFinding(subject, {
    finding: `Mean IC ${findingOf(known[0]!, isOneOfMany)}`,
    subtitle: [marksText(known, plan), ...panels.filter((panel) => !hasMean(panel)).map(noneText)],
    details: panels.map((panel) => describe(panel, plan, isOneOfMany)).join(" "),
    sharesTime: true,
    views: known.map((panel) => viewOf(panel, plan)),
  });
}

type Panel = ReturnType<typeof readPanel>;

/** Number of pictures below each other, their width, and the sessions of a rolling mean. */
interface Plan {
  readonly width: number;
  readonly count: number;
  readonly window: number;
}

function readPanel({ ic, detail, summary }: FactorAnalysis, horizon: number) {
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const [whole] = rowsOf(summary.table.filter(of));
  return {
    horizon,
    whole,
    sessions: rowsOf(ic.filter(of), ["session", "ic", "n"]),
    means: rowsOf(detail.rollingIc.filter(of), ["session", "mean", "low", "high"]),
  };
}

function noneText({ horizon }: Panel): string {
  return `At ${countText(horizon, "session")} no session has an IC`;
}

function hasMean({ whole }: Panel): boolean {
  return !Number.isNaN(numberIn(whole, "mean"));
}

function findingOf({ horizon, whole }: Panel, isOneOfMany: boolean): string {
  const at = isOneOfMany ? ` at ${countText(horizon, "session")}` : "";
  return `${meanPhrase(whole, 3)}${at}, above zero in ` +
    `${percentText(numberIn(whole, "hit_rate"), 0)} of ` +
    countText(numberIn(whole, "sessions"), "session");
}

/** Range of the means of windows, and the latest; with several pictures the finding of each before it. */
function describe(panel: Panel, { window }: Plan, isOneOfMany: boolean): string {
  if (!hasMean(panel)) return `${noneText(panel)}.`;
  const lead = isOneOfMany
    ? `At ${countText(panel.horizon, "session")}: mean IC ${findingOf(panel, false)}; the `
    : "The ";
  const sorted = ascending(panel.means, "mean");
  if (sorted.length === 0) return isOneOfMany ? `${lead.slice(0, -6)}.` : "";
  const last = sorted.reduce((a, b) => String(a.session) > String(b.session) ? a : b);
  const [lowest, highest] = [sorted[0]!, sorted.at(-1)!].map(({ mean, session }) =>
    `${decimalText(mean, 3)} (window ending ${session})`
  );
  return `${lead}${window}-session mean ranges from ${lowest} to ${highest}; latest ` +
    `${decimalText(last.mean, 3)}.`;
}

function blocksOf({ sessions }: Panel, { count }: Plan) {
  return inBlocks(sessions, Math.floor(MOST_POINTS / count));
}

/** Marks of the pictures in words, without those that are missing because the sessions are too few. */
function marksText(panels: readonly Panel[], plan: Plan): string {
  const size = Math.max(...panels.map((panel) => blocksOf(panel, plan)[0]?.length ?? 1));
  const means = panels.flatMap((panel) => withNumber(panel.means, "mean"));
  const ends = [...means, ...panels.flatMap(({ whole = [] }) => whole)] as readonly Row[];
  return [
    size === 1 ? "Points: sessions" : `Grey: lowest to highest of every ${size} sessions`,
    ...means.length === 0 ? [] : [`Line: mean of the last ${plan.window} sessions`],
    "Dashed: mean of all sessions",
    ...withNumber(ends, "low").length === 0 ? [] : ["Bands: 95% confidence intervals"],
  ].join(". ");
}

/** Sessions as points, or as ranges of blocks, so that no extreme is lost; their rolling mean and that of all sessions. */
function viewOf(panel: Panel, plan: Plan): ChartSpec {
  const { horizon, means, whole } = panel;
  const { width, count, window } = plan;
  const title = count === 1 ? "rank IC" : `rank IC, ${countText(horizon, "session")}`;
  const [x, y] = [sessionAxis(), (field: string) => quantity(field, { title })];
  const { rows } = thinRows(means, ["mean", "low", "high"], Math.floor(MOST_POINTS / count));
  const mean = tip("mean", `mean of ${window}`, ".4f");
  const tooltip = [sessionTip("last session"), mean, ...intervalTips(".4f")];
  const all = withNumber(whole === undefined ? [] : [whole as Row], "mean");
  const line = { color: OTHER_COLOR, strokeWidth: 1.5, strokeDash: [6, 3] };
  const height = count === 1 ? HEIGHT : Math.floor(HEIGHT / 1.8);
  const averages = [
    mark("area", { opacity: 0.28, color: MAIN_COLOR, x, y: y("low"), y2: "high" }),
    mark("line", { strokeWidth: 2, color: MAIN_COLOR, x, y: y("mean") }),
  ];
  const layer = [
    sessionsLayer(panel, plan, y),
    ...withNumber(all, "low").map((row) =>
      mark("rect", { rows: [row], color: OTHER_COLOR, opacity: 0.25, y: y("low"), y2: "high" })
    ),
    mark("rule", { rows: all, ...line, y: y("mean") }),
    ruleAt(0),
    { data: { values: rows }, layer: averages },
    ...rows.length === 0 ? [] : [crosshair(`hover_${horizon}`, { rows, x, tooltip })],
  ];
  return { name: `horizon_${horizon}`, width, height, layer };
}

function sessionsLayer(panel: Panel, plan: Plan, y: (field: string) => ChartSpec): ChartSpec {
  const params = zoom(`horizon_${panel.horizon}_zoom`);
  const [x, color] = [sessionAxis(), QUIET_COLOR];
  const blocks = blocksOf(panel, plan);
  if ((blocks[0]?.length ?? 1) === 1) {
    const look = { filled: true, size: 12, opacity: 0.45, color };
    const tooltip = [sessionTip(), tip("ic", "IC", ".4f"), tip("n", "stocks", ",.0f")];
    return mark("point", { rows: panel.sessions, params, ...look, x, y: y("ic"), tooltip });
  }
  const rows = blocks.map((block) => {
    const values = ascending(block, "ic").map(({ ic }) => ic);
    const [low = null, high = null] = [values[0], values.at(-1)];
    return { session: block[0]!.session, low, high, sessions: values.length };
  });
  const ends = [tip("low", "lowest", ".4f"), tip("high", "highest", ".4f")];
  const tooltip = [sessionTip("from"), tip("sessions", "sessions", "d"), ...ends];
  const look = { strokeWidth: 1.2, opacity: 0.3, color };
  return mark("rule", { rows, params, ...look, x, y: y("low"), y2: "high", tooltip });
}
