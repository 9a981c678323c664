import pl, { type DataFrame } from "nodejs-polars";
import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { investedSessions } from "../../../analysis/portfolio/portfolio_returns.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import {
  looksBy,
  quantity,
  ruleAt,
  sessionAxis,
  sessionTip,
  tip,
  zoom,
} from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { growthAxis, growthRange } from "../grammar/log_axis.ts";
import { DASHES, SERIES_COLORS } from "../palette.ts";
import { thinnedText, thinPlaces } from "../grammar/thin_rows.ts";
import { numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";
import { rebalancedText } from "./rebalanced_text.ts";
import { countText, decimalText, percentText } from "../../../base/wording/number_text.ts";
import { exposureText, weightsLabel } from "../../../base/wording/sentences/weighting_text.ts";

const NET_RATES = 3;
// Lines of which the title states end and drawdown: before costs and at the first rate.
const STATED = 2;
const MOST_ROWS = 420;
const NET = "net of 10 bps one way";
const DATA = { name: "wealth" };

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
 *   placebo: false,
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
  const lines = linesOf(analysis.detail.cumulativeNetReturns);
  const kinds = lines.map(({ kind }) => kind);
  const stated = kinds.slice(0, STATED).join(" and ");
  const [free] = rowsOf(analysis.costs, ["traded"]);
  const isKnown = lines.some(({ wealth }) => wealth.some((value) => value !== null && value >= 0));
  if (!(numberIn(free, "traded") > 0) || !isKnown) {
    return layOutNothing(subject, "the portfolio holds nothing");
  }
  const drawn = thinLines(lines);
  return layOutFinding(subject, {
    finding: findingOf(lines),
    subtitle: [
      [
        `${weightsLabel(analysis.plan.weighting)}, gross exposure ${
          exposureText(investedSessions(analysis.portfolio))
        }, ${rebalancedText(analysis)}`,
        ...thinnedText(drawn.size),
      ].join(". "),
      `Below: drawdown ${stated}`,
    ],
    caution: "A single realised path; costs are the rate times the traded value",
    details: `${lines.map(describe).join(" ")}${describeYears(lines[0]!)}`,
    sharesTime: true,
    datasets: { wealth: drawn.rows },
    views: wealthViews({ kinds, rows: drawn.rows }, {
      ...{ width: subject.widthPx, heights: [200, 80] },
    }),
  });
}

type Column = readonly (number | null)[];

/** Growth of 1 at one rate of costs, by session. Rows as objects would take longer than the picture. */
interface Line {
  readonly kind: string;
  /** The sessions, the same of each line. */
  readonly sessions: readonly Date[];
  readonly wealth: Column;
  readonly drawdown: Column;
}

/** One line per cost rate, the lowest first; those of the highest rates are not drawn. */
function linesOf(returns: DataFrame): readonly Line[] {
  const rates = [...new Set(returns.getColumn("one_way_bps").toArray() as number[])]
    .toSorted((a, b) => a - b).slice(0, NET_RATES + 1);
  let sessions: readonly Date[] | undefined;
  return rates.map((rate) => {
    const own = returns.filter(pl.col("one_way_bps").eq(pl.lit(rate)));
    sessions ??= own.getColumn("session").toArray() as unknown as readonly Date[];
    const column = (name: string) => own.getColumn(name).toArray() as Column;
    return {
      kind: rate === 0 ? "gross" : `net of ${rate} bps one way`,
      sessions,
      wealth: column("wealth"),
      drawdown: column("drawdown"),
    };
  });
}

/** End, largest drawdown and sessions of a line, as exact as a picture shows them; `null` of one without a return. */
function summaryOf({ wealth, drawdown }: Line) {
  const places = [...wealth.keys()].filter((place) => isNumber(wealth[place]));
  if (places.length === 0) return null;
  const lowest = places.reduce((least, place) => Math.min(least, drawdown[place] ?? 0), 0);
  return {
    end: toValue(wealth[places.at(-1)!]) as number,
    lowest: toValue(lowest) as number,
    sessions: places.length,
  };
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === "number" && !Number.isNaN(value);
}

/** End and maximum drawdown before costs and at the first rate. */
function findingOf(lines: readonly Line[]): string {
  const said = lines.slice(0, STATED).map((line, i) => {
    const { end = NaN, lowest = NaN } = summaryOf(line) ?? {};
    const label = i === 0 ? "before costs" : line.kind;
    return `${decimalText(end, 2)} ${label} (maximum drawdown ${percentText(-lowest)})`;
  });
  return `Growth of 1: ${said.join(", ")} over ${
    countText(summaryOf(lines[0]!)?.sessions ?? 0, "session")
  }`;
}

/** One row per session that is drawn: wealth at the second rate in `w1`, and how far it stands below its peak in `d1`. */
function thinLines(lines: readonly Line[]) {
  const named = lines.flatMap(({ wealth, drawdown }, i): readonly (readonly [string, Column])[] => [
    [`w${i}`, wealth],
    ...(i < STATED ? [[`d${i}`, drawdown] as const] : []),
  ]);
  const { sessions } = lines[0]!;
  const columns = named.map(([, column]) => column);
  const { places, size } = thinPlaces(columns, { height: sessions.length, most: MOST_ROWS });
  const rows = places.map((place): Row =>
    Object.fromEntries([
      ["session", toValue(sessions[place])],
      ...named.map(([name, column]) => [name, toValue(column[place])]),
    ])
  );
  return { rows, size };
}

/** Lines put below each other, with the name of each. */
function fold(letter: "w" | "d", kinds: readonly string[], value: string): readonly ChartSpec[] {
  const fields = [...kinds.keys()].filter((i) => letter === "w" || i < STATED);
  return [
    { fold: fields.map((i) => `${letter}${i}`), as: ["key", value] },
    { calculate: `${JSON.stringify(kinds)}[toNumber(slice(datum.key, 1))]`, as: "kind" },
  ];
}

/** Costs by colour, or by form; a single line needs no legend. */
function byCosts(kinds: readonly string[], looks: readonly unknown[]): ChartSpec {
  return looksBy("kind", kinds, looks, kinds.length === 1 ? { legend: null } : {});
}

/** Growth of 1, and beneath it the drawdown, shaded. */
function wealthViews(
  { kinds, rows }: { readonly kinds: readonly string[]; readonly rows: readonly Row[] },
  { width, heights: [above, below] }: {
    readonly width: number;
    readonly heights: readonly [number, number];
  },
): readonly ChartSpec[] {
  const range = growthRange(rows.flatMap((row) => kinds.map((_, i) => numberIn(row, `w${i}`))));
  const x = sessionAxis();
  const looks = { color: byCosts(kinds, SERIES_COLORS), strokeDash: byCosts(kinds, DASHES) };
  const tipOf = (field: string, name: string, format: string) => [
    ...[sessionTip(), tip("kind", "costs"), tip(field, name, format)],
  ];
  return [
    {
      width,
      height: above,
      layer: [
        ruleAt(1),
        {
          data: DATA,
          transform: fold("w", kinds, "wealth"),
          params: zoom("wealth_zoom"),
          mark: { type: "line", strokeWidth: 1.5 },
          encoding: {
            ...{ x, y: growthAxis("wealth", "growth of 1", range), ...looks },
            tooltip: tipOf("wealth", "growth of 1", ".4f"),
          },
        },
      ],
    },
    {
      width,
      height: below,
      ...drawdowns({ kinds, x, looks, tooltip: tipOf("below", "below peak", ".2%") }),
    },
  ];
}

/** Distance below the peak by session, shaded from the top. */
function drawdowns({ kinds, x, looks, tooltip }: {
  readonly kinds: readonly string[];
  readonly x: ChartSpec;
  readonly looks: { readonly color: ChartSpec; readonly strokeDash: ChartSpec };
  readonly tooltip: readonly ChartSpec[];
}): ChartSpec {
  const title = { title: "below peak", format: "%", axis: { tickCount: 3 } };
  return {
    data: DATA,
    transform: fold("d", kinds, "below"),
    encoding: { x, y: { ...quantity("below", title), stack: null } },
    layer: [
      {
        mark: { type: "area", opacity: 0.15 },
        encoding: { fill: { ...looks.color, legend: null } },
      },
      { mark: { type: "line", strokeWidth: 1.2 }, encoding: { ...looks, tooltip } },
    ],
  };
}

/** The line after usual costs in a small picture. */
export function smallWealth({ detail }: FactorAnalysis, width: number) {
  const lines = linesOf(detail.cumulativeNetReturns);
  const line = lines.find(({ kind }) => kind === NET) ?? lines.at(-1);
  const summary = line === undefined ? null : summaryOf(line);
  if (line === undefined || summary === null) return null;
  const { rows } = thinLines([line]);
  const views = wealthViews({ kinds: [line.kind], rows }, { width, heights: [81, 39] });
  return {
    kind: line.kind,
    summary,
    view: { datasets: { wealth: rows }, spacing: 4, vconcat: views },
  };
}

/** Values of the line before costs at the end of each year, as a reader of the picture sees them. */
function describeYears({ sessions, wealth }: Line): string {
  const ends = new Map<number, number>();
  for (const [place, value] of wealth.entries()) {
    if (isNumber(value)) ends.set(sessions[place]!.getUTCFullYear(), value);
  }
  if (ends.size < 2) return "";
  const said = [...ends].map(([year, end]) =>
    `${decimalText(toValue(end) as number, 3)} (${year})`
  );
  return ` Value before costs at year-end: ${said.join(", ")}.`;
}

function describe(line: Line): string {
  const summary = summaryOf(line);
  if (summary === null) return `There is no return (${line.kind}).`;
  const { end, lowest } = summary;
  return `Growth of 1: ${decimalText(end, 3)} (${line.kind}), maximum drawdown ${
    percentText(-lowest)
  }.`;
}
