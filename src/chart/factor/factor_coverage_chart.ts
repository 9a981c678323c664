import type { FactorAnalysis } from "../../analysis/factor/factor_analysis.ts";
import { groupThousands } from "../../notebook/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/analysis_subject.ts";
import {
  quantity,
  sessionAxis,
  type SessionSpan,
  sessionTip,
  spanOf,
  tip,
  zoom,
} from "../grammar/encodings.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { percent } from "../grammar/number_text.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR, SERIES_COLORS } from "../grammar/palette.ts";
import { inBlocks, meanOf, numberIn, type Row, rowsOf } from "../grammar/values.ts";

const KINDS = ["score between", "exactly 0", "exactly 0.5", "exactly 1", "no score"];
const COLORS = [MAIN_COLOR, SERIES_COLORS[2], SERIES_COLORS[5], SERIES_COLORS[3], OTHER_COLOR];
const MOST_SESSIONS = 260;

/**
 * Draws how many names have a score in each session, how many of these have exactly 0, 0.5 or 1, how many have none, and
 * below it how many names enter and leave. Above 260 sessions neighbours are put together: means of the names, sums of
 * entries and exits; the subtitle says of how many.
 *
 * @param analysis What `analyzeFactor()` gave
 * @param options Title and width
 * @throws {TypeError} If it is no analysis, or an option unknown
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import { factorCoverageChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const analysis = await analyzeFactor(await api.history("ecpnd"), prices, {
 *   noise: false,
 *   progress: false,
 * });
 * const chart = factorCoverageChart(analysis);
 * if (!chart.description.includes("of 30,925 rows have a score")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function factorCoverageChart(
  analysis: FactorAnalysis,
  options: AnalysisChartOptions = {},
): Chart {
  const subject = readSubject(analysis, options, { title: "Coverage over time" });
  const sessions = rowsOf(analysis.detail.coverage.bySession);
  const blocks = inBlocks(sessions, MOST_SESSIONS);
  const size = blocks[0]?.length ?? 1;
  const span = spanOf(sessions);
  const note = size === 1 ? [] : [`Aggregated: ${size} sessions together, means above, sums below`];
  return layOutChart({
    title: subject.title,
    subtitle: [subject.sample, ...note],
    footnote: subject.footnote,
    widthPx: subject.widthPx,
    sharesTime: true,
    description: `${subject.title}: ${subject.sample}. ${describe(sessions)}`,
    views: [
      namesView(blocks.flatMap(namesOf), subject.widthPx, span),
      movesView(blocks.flatMap(movesOf), subject.widthPx, span),
    ],
  });
}

function namesOf(block: readonly Row[]): readonly Row[] {
  const mean = (name: string) => meanOf(block.map((row) => numberIn(row, name))) ?? 0;
  const [scored, zeros, halves, ones] = ["scored", "zeros", "halves", "ones"].map(mean) as [
    number,
    number,
    number,
    number,
  ];
  const names = [scored - zeros - halves - ones, zeros, halves, ones, mean("rows") - scored];
  const session = block[0]!["session"]!;
  return names.flatMap((
    value,
    order,
  ) => [{ session, kind: KINDS[order]!, order, names: Number(value.toFixed(2)) }]);
}

function movesOf(block: readonly Row[]): readonly Row[] {
  const sum = (name: string) => block.reduce((total, row) => total + numberIn(row, name), 0);
  const session = block[0]!["session"]!;
  return [{ session, names: sum("entered"), kind: "enter" }, {
    session,
    names: -sum("left"),
    kind: "leave",
  }].filter(({ names }) => names !== 0);
}

function namesView(
  rows: readonly Row[],
  width: number,
  span: SessionSpan | undefined,
): ChartSpec {
  return {
    width,
    height: 170,
    data: { values: rows },
    params: zoom("names_zoom"),
    mark: { type: "area", interpolate: "step-after" },
    encoding: {
      x: sessionAxis(span),
      y: quantity("names", { title: "names", format: ",d", axis: { tickMinStep: 1 } }),
      order: { field: "order", type: "quantitative" },
      color: {
        field: "kind",
        type: "nominal",
        title: null,
        scale: { domain: KINDS, range: COLORS },
      },
      tooltip: [sessionTip(), tip("kind", "names with"), tip("names", "names", ",.1f")],
    },
  };
}

function movesView(
  rows: readonly Row[],
  width: number,
  span: SessionSpan | undefined,
): ChartSpec {
  return {
    width,
    height: 60,
    data: { values: rows },
    mark: { type: "bar", size: 2, clip: true },
    encoding: {
      x: sessionAxis(span),
      y: quantity("names", {
        title: "enter, leave",
        format: ",d",
        axis: { tickMinStep: 1, tickCount: 3 },
      }),
      color: {
        condition: { test: "datum.names > 0", value: MAIN_COLOR },
        value: QUIET_COLOR,
      },
      tooltip: [sessionTip(), tip("kind", "names that"), tip("names", "names", "+,d")],
    },
  };
}

function describe(sessions: readonly Row[]): string {
  const sum = (name: string) => sessions.reduce((total, row) => total + numberIn(row, name), 0);
  const rows = sum("rows");
  if (rows === 0) return "There are no rows.";
  const scored = (row: Row) => numberIn(row, "scored");
  const sorted = sessions.toSorted((a, b) => scored(a) - scored(b));
  const count = (row: Row) => groupThousands(scored(row));
  const exact = ["zeros", "halves", "ones"].map((name) => percent(sum(name) / rows));
  return `${percent(sum("scored") / rows)} of ${groupThousands(rows)} rows have a score, between ${
    count(sorted[0]!)
  } names (${sorted[0]!["session"]}) and ${count(sorted.at(-1)!)} (${
    sorted.at(-1)!["session"]
  }) a session, ${count(sessions[0]!)} in the first and ${count(sessions.at(-1)!)} in the last; ${
    exact[0]
  } are exactly 0, ` +
    `${exact[1]} exactly 0.5, ${exact[2]} exactly 1. ${sum("entered")} names enter and ${
      sum("left")
    } leave.`;
}
