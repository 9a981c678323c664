import pl from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { investedSessions } from "../../../analysis/portfolio/portfolio_returns.ts";
import { countText, decimalText, percentText } from "../../../base/wording/number_text.ts";
import { exposureText, weightsLabel } from "../../../base/wording/sentences/weighting_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  looksBy,
  quantity,
  ruleAt,
  sessionAxis,
  sessionTip,
  tip,
  zoom,
} from "../grammar/encodings.ts";
import { growthAxis, growthRange } from "../grammar/log_axis.ts";
import { mark } from "../mark.ts";
import { type Column, foldLines, lastOf, thinColumns, yearEnds } from "../grammar/session_lines.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { thinnedText } from "../grammar/thin_rows.ts";
import { numberIn, rowsOf, toValue } from "../grammar/values.ts";
import { DASHES, MAIN_COLOR, SERIES_COLORS } from "../palette.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";

const NET_RATES = 3;
// Lines of which the title states end and drawdown: before costs and at the first rate.
const STATED = 2;
const MOST_ROWS = 420;
// Gross and three rates in one row of a legend.
const LEGEND_PX = 560;
const NET = "net of 10 bps one way";

/**
 * Draws the cumulative return of the portfolio that is weighted by the scores as growth of 1, before costs and at three rates, and
 * beneath it the drawdown before costs and at the first rate. Its returns are those of one session each. Where sessions are many, the first, lowest,
 * highest and last of each block are drawn, so that no drawdown is lost; the subtitle states the size of a block.
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
export function cumulativeReturnChart(
  analysis: FactorAnalysis,
  options: AnalysisChartOptions = {},
): Chart {
  const subject = readSubject(analysis, options, {
    about: "Long–short cumulative return before and after costs",
  });
  const lines = linesOf(analysis);
  if (!holdsSomething(analysis, lines)) {
    return layOutNothing(subject, "the portfolio holds nothing");
  }
  const { rows, size, views } = draw(lines, {
    ...{ width: subject.widthPx, heights: [200, 80], name: "growth of 1" },
  });
  return layOutFinding(subject, {
    finding: findingOf(lines),
    subtitle: [
      [
        `${weightsLabel(analysis.plan.weighting)}, gross exposure ` +
        `${exposureText(investedSessions(analysis.portfolio))}, ${rebalancedText(analysis)}`,
        ...thinnedText(size),
      ].join(". "),
      `Below: drawdown ${lines.slice(0, STATED).map(({ kind }) => kind).join(" and ")}`,
    ],
    caution: "A single realised path; costs are the rate times the traded value",
    details: `${lines.map(describe).join(" ")}${describeYears(lines[0]!)}`,
    sharesTime: true,
    datasets: { wealth: rows },
    views,
  });
}

function holdsSomething({ costs }: FactorAnalysis, lines: readonly Line[]): boolean {
  const [free] = rowsOf(costs, ["traded"]);
  return numberIn(free, "traded") > 0 &&
    lines.some(({ wealth }) => wealth.some((value) => value !== null && value >= 0));
}

/** Growth of 1 at one rate of costs, by session; its end and drawdown as exact as a picture shows them. */
type Line = ReturnType<typeof linesOf>[number];

/** One line per cost rate, the lowest first; those of the highest rates are not drawn. */
function linesOf({ detail: { cumulativeNetReturns: returns } }: FactorAnalysis) {
  const rates = [...new Set(returns.getColumn("one_way_bps").toArray() as number[])]
    .toSorted((a, b) => a - b).slice(0, NET_RATES + 1);
  return rates.map((rate) => {
    const own = returns.filter(pl.col("one_way_bps").eq(pl.lit(rate)));
    const [wealth, drawdown] = ["wealth", "drawdown"]
      .map((name) => own.getColumn(name).toArray() as Column) as [Column, Column];
    const lowest = drawdown.reduce((least, value) => Math.min(least!, value ?? 0), 0);
    return {
      kind: rate === 0 ? "gross" : `net of ${rate} bps one way`,
      sessions: own.getColumn("date").toArray() as readonly Date[],
      ...{ wealth, drawdown, end: lastOf(wealth), lowest: toValue(lowest) as number },
    };
  });
}

function countOf({ wealth }: Line): number {
  // The first row is the entry, of which there is no return.
  return wealth.slice(1).filter((value) => value !== null && !Number.isNaN(value)).length;
}

/** End and maximum drawdown before costs and at the first rate. */
function findingOf(lines: readonly Line[]): string {
  const said = lines.slice(0, STATED).map(({ kind, end, lowest }, i) =>
    `${decimalText(end ?? NaN, 2)} ${i === 0 ? "before costs" : kind} (maximum drawdown ` +
    `${percentText(-lowest)})`
  );
  return `Growth of 1: ${said.join(", ")} over ${countText(countOf(lines[0]!), "session")}`;
}

/** A single line needs no legend, and four names have two rows of a small one. */
function legendOf(kinds: readonly string[], width: number): ChartSpec {
  if (kinds.length === 1) return { legend: null };
  return width < LEGEND_PX ? { legend: { columns: 2 } } : {};
}

/** Growth of 1 by session, `w0` before costs, and beneath it how far it stands below its peak, `d0`, shaded from the top. */
function draw(
  lines: readonly Line[],
  { width, heights: [above, below], name }: {
    readonly width: number;
    /** Title of the axis of growth. */
    readonly name: string;
    readonly heights: readonly [number, number];
  },
) {
  const stated = lines.slice(0, STATED);
  const growth = Object.fromEntries(lines.map(({ wealth }, i) => [`w${i}`, wealth]));
  const falls = Object.fromEntries(stated.map(({ drawdown }, i) => [`d${i}`, drawdown]));
  const { rows, size } = thinColumns(lines[0]!.sessions, { ...growth, ...falls }, MOST_ROWS);
  const kinds = lines.map(({ kind }) => kind);
  const fold = (of: object, value: string) => foldLines(Object.keys(of), kinds, [value, "kind"]);
  const legend = legendOf(kinds, width);
  const by = (looks: readonly unknown[]) => looksBy("kind", kinds, looks, legend);
  const [color, strokeDash] = [by(SERIES_COLORS), by(DASHES)];
  const x = sessionAxis();
  const range = growthRange(Object.keys(growth).flatMap((name) => rows.map((row) => row[name])));
  const wealth = mark("line", {
    ...{ rows: "wealth", transform: fold(growth, "wealth"), params: zoom("wealth_zoom") },
    ...{ strokeWidth: 1.5, x, y: growthAxis("wealth", name, range), color, strokeDash },
    tooltip: [sessionTip(), tip("kind", "costs"), tip("wealth", "growth of 1", ".4f")],
  });
  const views = [
    { width, height: above, layer: [ruleAt(1), wealth] },
    {
      ...{ width, height: below },
      ...drawdowns({
        ...{ color, strokeDash, transform: fold(falls, "below") },
        isFlat: stated.every(({ lowest }) => lowest === 0),
      }),
    },
  ];
  return { rows, size, views };
}

/** Distance below the peak by session, shaded from the top. */
function drawdowns(
  { transform, color, strokeDash, isFlat }: Readonly<Record<"color" | "strokeDash", ChartSpec>> & {
    readonly transform: readonly ChartSpec[];
    /** True without a drawdown: an axis from 0 to 0 would have a single tick of six decimals. */
    readonly isFlat: boolean;
  },
): ChartSpec {
  const scale = isFlat ? { domain: [-0.01, 0] } : {};
  const peak = { title: "below peak", format: "%", axis: { tickCount: 3 }, scale };
  const tooltip = [sessionTip(), tip("kind", "costs"), tip("below", "below peak", ".2%")];
  return {
    data: { name: "wealth" },
    transform,
    encoding: { x: sessionAxis(), y: { ...quantity("below", peak), stack: null } },
    layer: [
      // A fill by kind without a legend would take that of the lines away.
      mark("area", { opacity: 0.15, color: MAIN_COLOR, detail: { field: "kind" } }),
      mark("line", { strokeWidth: 1.2, color, strokeDash, tooltip }),
    ],
  };
}

/** The line after usual costs in a small picture; `null` if nothing is held. */
export function smallWealth(analysis: FactorAnalysis, width: number) {
  const lines = linesOf(analysis);
  const line = lines.find(({ kind }) => kind === NET) ?? lines.at(-1);
  if (line === undefined || line.end === null || !holdsSomething(analysis, lines)) return null;
  const { kind, end, lowest } = line;
  const { rows, views } = draw([line], { width, heights: [81, 39], name: "growth" });
  const view = { datasets: { wealth: rows }, spacing: 4, vconcat: views };
  return { kind, end, lowest, sessions: countOf(line), view };
}

/** Values of the line before costs at the end of each year, as a reader of the picture sees them. */
function describeYears({ sessions, wealth }: Line): string {
  const ends = yearEnds(sessions, wealth);
  const said = [...ends].map(([year, end]) => `${decimalText(end, 3)} (${year})`);
  return ends.size < 2
    ? ""
    : ` Value before costs after the last session of each year: ${said.join(", ")}.`;
}

function describe({ kind, end, lowest }: Line): string {
  if (end === null) return `There is no return (${kind}).`;
  return `Growth of 1: ${decimalText(end, 3)} (${kind}), maximum drawdown ${percentText(-lowest)}.`;
}

/** Rebalancing of the portfolio of an analysis, in words. */
export function rebalancedText({ portfolio }: FactorAnalysis): string {
  const marks = portfolio.getColumn("rebalanced").toArray() as readonly boolean[];
  const traded = marks.filter(Boolean).length;
  return traded === marks.length
    ? "rebalanced each session"
    : `rebalanced in ${groupThousands(traded)} of ${countText(marks.length, "session")}`;
}
