import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { investedSessions } from "../../../analysis/portfolio/portfolio_returns.ts";
import { USUAL_RATE } from "../../../analysis/series/costs/costs.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText, decimalText, percentText } from "../../../base/wording/number_text.ts";
import { exposureText, weightsLabel } from "../../../base/wording/sentences/weighting_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  crosshair,
  legendToggle,
  looksBy,
  quantity,
  ruleAt,
  sessionAxis,
  sessionTip,
  tip,
  zoom,
} from "../grammar/encodings.ts";
import { growthAxis } from "../grammar/log_axis.ts";
import { type Column, foldLines, lastOf, thinColumns } from "../grammar/session_lines.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { thinnedText } from "../grammar/thin_rows.ts";
import { numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";
import { mark } from "../mark.ts";
import { DASHES, MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

const MOST_ROWS = 420;
const DEEPEST = 5;
// End of a range that says something.
const WIDEST = 1000;
const LOOKS = [[OTHER_COLOR, MAIN_COLOR], [DASHES[1], DASHES[0]]] as const;

/**
 * Draws the cumulative return of the portfolio that is weighted by the scores as growth of 1, before costs and net of the usual ones,
 * with the range that holds 95% of the paths without skill, and beneath it the drawdown of the net line, whose five deepest falls are
 * shaded. Its returns are those of one session each. Where sessions are many, the first, lowest, highest and last of each block are
 * drawn, so that no drawdown is lost; the subtitle states the size of a block.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { cumulativeReturnChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   progress: false,
 * });
 * const chart = cumulativeReturnChart(analysis);
 * if (!chart.description.includes("net of 10 bps one way")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function cumulativeReturnChart(analysis: FactorAnalysis, options: ChartOptions = {}): Chart {
  const about = "Long–short cumulative return before and after costs";
  const subject = readSubject(analysis, options, about);
  const lines = linesOf(analysis);
  const net = lines.at(-1)!;
  const [free] = rowsOf(analysis.costs, ["traded"]);
  const isKnown = lines.some(({ wealth }) => wealth.some((value) => value !== null && value >= 0));
  if (!isKnown || !(numberIn(free, "traded") > 0)) {
    return layOutNothing(subject, "the portfolio holds nothing");
  }
  const band = bandOf(analysis, net);
  const { rows, size, views } = draw(lines, band, subject.widthPx);
  const of = net.drawdown.some((value) => (value ?? 0) < 0) ? ", the five deepest shaded" : "";
  return layOutFinding(subject, {
    finding: findingOf(lines),
    subtitle: [
      [
        `${weightsLabel(analysis.plan.weighting)}, gross exposure ` +
        `${exposureText(investedSessions(analysis.portfolio))}, ${rebalancedText(analysis)}`,
        ...band === null ? [] : ["Grey: 95% of the paths without a mean return"],
        `Below: drawdown ${net.kind}${of}`,
        ...thinnedText(size),
      ].join(". "),
    ],
    caution: "A single realised path; costs are the rate times the traded value",
    details: band === null || net.end === null ? "" : standingText(net.end, band),
    sharesTime: true,
    datasets: { wealth: rows },
    views,
  });
}

/** Growth of 1 at one rate of costs, by session; its end and drawdown as exact as a picture shows them. */
type Line = ReturnType<typeof linesOf>[number];

/** The line before costs, and that of the usual rate, or of the given one nearest to it. */
function linesOf({ detail: { cumulativeNetReturns: returns } }: FactorAnalysis) {
  const rates = [...new Set(returns.getColumn("one_way_bps").toArray() as number[])];
  const isNearer = (a: number, b: number) => Math.abs(a - USUAL_RATE) - Math.abs(b - USUAL_RATE);
  const usual = rates.filter((rate) => rate > 0).toSorted(isNearer).slice(0, 1);
  return [0, ...usual].map((rate) => {
    const own = returns.filter(pl.col("one_way_bps").eq(pl.lit(rate)));
    const [wealth, drawdown] = ["wealth", "drawdown"]
      .map((name) => own.getColumn(name).toArray() as Column) as [Column, Column];
    const lowest = drawdown.reduce((least, value) => Math.min(least!, value ?? 0), 0);
    return {
      rate,
      kind: rate === 0 ? "before costs" : `net of ${rate} bps one way`,
      sessions: own.getColumn("date").toArray() as readonly Date[],
      wealth,
      drawdown,
      end: lastOf(wealth),
      lowest: toValue(lowest) as number,
    };
  });
}

type Band = NonNullable<ReturnType<typeof bandOf>>;

/** Where 95% of the paths with the same variance lie whose mean return is zero, by session, of the test of the mean; `null` without one. */
function bandOf({ costs }: FactorAnalysis, { rate, wealth }: Line) {
  const own = rowsOf(costs).find((row) => row.one_way_bps === rate);
  const half = (numberIn(own, "net_high") - numberIn(own, "net_low")) / 2;
  const count = Math.max(1, wealth.length - 1);
  // After a total loss everything lies within.
  if (!(half * count < Math.log(WIDEST))) return null;
  const ends = (sign: number) => wealth.map((_, i) => Math.exp(sign * half * Math.sqrt(count * i)));
  return { low: ends(-1), high: ends(1) };
}

/** Where the last value stands. */
function standingText(end: number, { low, high }: Band): string {
  const [least, most] = [low.at(-1)!, high.at(-1)!];
  const where = end > most ? "above" : end < least ? "below" : "within";
  return `It ends ${where} the range of 95% of the paths without a mean return, ` +
    `${decimalText(least, 2)} to ${decimalText(most, 2)}.`;
}

/** End and maximum drawdown, after costs first. */
function findingOf(lines: readonly Line[]): string {
  const said = lines.toReversed().map(({ kind, end, lowest }) =>
    `${decimalText(end ?? NaN, 2)} ${kind} (maximum drawdown ${percentText(-lowest)})`
  );
  // The first row is the entry, of which there is no return.
  const count = lines[0]!.wealth.slice(1).filter(Number.isFinite).length;
  return `Growth of 1: ${said.join(", ")} over ${countText(count, "session")}`;
}

/** Growth of 1 by session, `w0` before costs, and beneath it how far the net line stands below its peak. */
function draw(lines: readonly Line[], band: Band | null, width: number) {
  const [{ sessions, drawdown }, kinds] = [lines.at(-1)!, lines.map(({ kind }) => kind)];
  const growth = Object.fromEntries(lines.map(({ wealth }, i) => [`w${i}`, wealth]));
  const all = { ...growth, below: drawdown, ...band };
  const { rows, size } = thinColumns(sessions, all, MOST_ROWS);
  const fields = Object.keys(growth);
  const tooltip = [
    sessionTip(),
    ...fields.map((field, i) => tip(field, kinds[i]!, ".4f")),
    tip("below", "below peak", ".2%"),
  ];
  const growths = fields.flatMap((name) => rows.map((row) => row[name]));
  const y = growthAxis("wealth", "growth of 1", growths);
  const plan = { width, y, tooltip, fields, hasBand: band !== null };
  return { rows, size, views: [growthView(lines, plan), drawdownView(lines.at(-1)!, plan)] };
}

interface ViewPlan {
  readonly width: number;
  readonly y: ChartSpec;
  readonly tooltip: readonly ChartSpec[];
  /** Columns of the lines. */
  readonly fields: readonly string[];
  readonly hasBand: boolean;
}

function growthView(lines: readonly Line[], { width, y, tooltip, fields, hasBand }: ViewPlan) {
  const { sessions, drawdown } = lines.at(-1)!;
  const [x, kinds] = [sessionAxis(), lines.map(({ kind }) => kind)];
  const isOne = kinds.length === 1;
  const looks = LOOKS.map((all) =>
    looksBy("kind", kinds, isOne ? [all[1]] : all, isOne ? { legend: null } : {})
  );
  const { params: toggle = [], opacity } = legendToggle("kind");
  const look = { color: OTHER_COLOR, opacity: 0.12, x: { ...x, field: "peak" }, x2: "end" };
  const grey = { color: QUIET_COLOR, opacity: 0.16, clip: true, x };
  const layer = [
    mark("rect", { rows: deepest(sessions, drawdown), ...look }),
    ...hasBand ? [mark("area", { ...grey, y: { ...y, field: "low" }, y2: "high" })] : [],
    ruleAt(1),
    mark("line", {
      transform: foldLines(fields, kinds, ["wealth", "kind"]),
      params: [...zoom("wealth_zoom"), ...isOne ? [] : toggle],
      strokeWidth: 1.6,
      x,
      y,
      color: looks[0],
      strokeDash: looks[1],
      ...!isOne && { opacity },
    }),
    crosshair("hover_growth", { also: ["hover_below"], x, tooltip }),
  ];
  return { width, height: 200, data: { name: "wealth" }, layer };
}

function drawdownView({ lowest }: Line, { width, tooltip }: ViewPlan): ChartSpec {
  // An axis from 0 to 0 would have a single tick of six decimals.
  const scale = lowest === 0 ? { domain: [-0.01, 0] } : {};
  const peak = { title: "below peak", format: "%", axis: { tickCount: 3 }, scale };
  const [x, y] = [sessionAxis(), quantity("below", peak)];
  const layer = [
    mark("area", { opacity: 0.3, color: MAIN_COLOR, x, y }),
    mark("line", { strokeWidth: 1.2, color: MAIN_COLOR, x, y }),
    crosshair("hover_below", { also: ["hover_growth"], x, tooltip }),
  ];
  return { width, height: 80, data: { name: "wealth" }, layer };
}

/** The deepest falls, from the peak to the recovery or the end. */
function deepest(sessions: readonly Date[], drawdown: Column): readonly Row[] {
  const falls: { from: number; to: number; depth: number }[] = [];
  for (const [i, value] of drawdown.entries()) {
    const last = falls.at(-1);
    if (value === null || !(value < 0)) continue;
    if (last?.to === i) Object.assign(last, { to: i + 1, depth: Math.min(last.depth, value) });
    else falls.push({ from: Math.max(0, i - 1), to: i + 1, depth: value });
  }
  return falls.toSorted((a, b) => a.depth - b.depth).slice(0, DEEPEST).map(({ from, to }) => ({
    peak: toValue(sessions[from]),
    end: toValue(sessions[Math.min(to, sessions.length - 1)]),
  }));
}

/** Rebalancing of the portfolio of an analysis, in words. */
export function rebalancedText({ portfolio }: FactorAnalysis): string {
  const marks = portfolio.getColumn("rebalanced").toArray() as readonly boolean[];
  const traded = marks.filter(Boolean).length;
  return traded === marks.length
    ? "rebalanced each session"
    : `rebalanced in ${groupThousands(traded)} of ${countText(marks.length, "session")}`;
}
