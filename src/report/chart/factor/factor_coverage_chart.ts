import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { type AnalysisChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import {
  looksBy,
  quantity,
  sessionAxis,
  type SessionSpan,
  sessionSpanOf,
  sessionTip,
  tip,
  zoom,
} from "../grammar/encodings.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR, SERIES_COLORS } from "../palette.ts";
import { inBlocks, meanOfKnown, numberIn, type Row, rowsOf } from "../grammar/values.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";

const KINDS = ["any other score", "exactly 0", "exactly 0.5", "exactly 1", "no score"];
const COLORS = [MAIN_COLOR, SERIES_COLORS[2], SERIES_COLORS[5], SERIES_COLORS[3], OTHER_COLOR];
const MOST_SESSIONS = 260;
const NAMES_PX = 170;
const LABELS_PX = 122;
// A nice end of the axis takes up to a fifth of the height; the letters are 10 px high.
const LABEL_GAP_PX = 13;

/**
 * Draws the stocks with a score in each session, those of them with exactly 0, 0.5 or 1, and those without a score; below it the
 * stocks that enter and leave, where any do. Only kinds that occur have a colour, with their name and their share of all rows at the
 * right, in the order of their areas, so that they are told apart without colour. Above 260 sessions neighbours are combined:
 * means of stocks, sums of entries and exits; the subtitle states their number.
 *
 * @param analysis The result of `analyzeFactor()`
 * @param options Title and width
 * @throws {TypeError} If it is not an analysis, or an option is unknown
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
 *   placebo: false,
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
  const subject = readSubject(analysis, options, { about: "Coverage by session" });
  const sessions = rowsOf(analysis.detail.coverage.bySession);
  const total = (name: string) => sessions.reduce((sum, row) => sum + numberIn(row, name), 0);
  if (total("rows") === 0) return layOutNothing(subject, "no row of the scores is on a session");
  const blocks = inBlocks(sessions, MOST_SESSIONS);
  const size = blocks[0]?.length ?? 1;
  const span = sessionSpanOf(sessions);
  const scored = sessions.map((row) => numberIn(row, "scored"));
  const names = blocks.flatMap(namesOf);
  const moves = blocks.flatMap(movesOf);
  const width = subject.widthPx - LABELS_PX;
  const [least, most] = [Math.min(...scored), Math.max(...scored)].map(groupThousands);
  return layOutFinding(subject, {
    finding: `${percentText(total("scored") / total("rows"))} of ${
      countText(total("rows"), "row")
    } have a score: ${
      least === most
        ? `${countText(Number(scored[0]), "stock")} in each`
        : `${least} to ${most} stocks per`
    } session`,
    subtitle: size === 1
      ? []
      : moves.length === 0
      ? [`Aggregated: means of ${size} sessions`]
      : [`Aggregated: means of ${size} sessions above, sums below`],
    details: describe(sessions),
    sharesTime: true,
    views: [
      namesView(names, width, span),
      ...moves.length === 0 ? [] : [movesView(moves, width, span)],
    ],
  });
}

function namesOf(block: readonly Row[]): readonly Row[] {
  const mean = (name: string) => meanOfKnown(block.map((row) => numberIn(row, name))) ?? 0;
  const [scored, ...exact] = ["scored", "zeros", "halves", "ones"].map(mean) as [number];
  const other = exact.reduce((left, value) => left - value, scored);
  const names = [other, ...exact, mean("rows") - scored];
  const session = block[0]!["session"]!;
  return names.map((value, order) => (
    { session, kind: KINDS[order]!, order, names: Number(value.toFixed(2)) }
  ));
}

function movesOf(block: readonly Row[]): readonly Row[] {
  const sum = (name: string) => block.reduce((total, row) => total + numberIn(row, name), 0);
  const session = block[0]!["session"]!;
  return [
    { session, names: sum("entered"), kind: "enter" },
    { session, names: -sum("left"), kind: "leave" },
  ].filter(({ names }) => names !== 0);
}

function namesView(
  rows: readonly Row[],
  width: number,
  span: SessionSpan | undefined,
): ChartSpec {
  const found = [...KINDS.keys()].filter((order) =>
    rows.some((row) => row["order"] === order && numberIn(row, "names") > 0)
  );
  const [kinds, colors] = [KINDS, COLORS].map((all) => found.map((order) => all[order]!));
  const color = looksBy("kind", kinds!, colors!, { legend: null });
  const shown = rows.filter((row) => found.includes(numberIn(row, "order")));
  return {
    width,
    height: NAMES_PX,
    layer: [
      {
        data: { values: shown },
        params: zoom("names_zoom"),
        mark: { type: "area", interpolate: "step-after" },
        encoding: {
          x: sessionAxis(span),
          y: quantity("names", { title: "stocks", format: ",d" }),
          order: { field: "order", type: "quantitative" },
          color,
          tooltip: [sessionTip(), tip("kind", "stocks with"), tip("names", "stocks", ",.1f")],
        },
      },
      labelsLayer(labelsOf(shown, found), color),
    ],
  };
}

function labelsLayer(labels: readonly Row[], color: ChartSpec): ChartSpec {
  return {
    data: { values: labels },
    mark: { type: "text", align: "left", dx: 6, fontSize: 10, clip: false, tooltip: false },
    encoding: {
      x: { value: "width" },
      y: { field: "at", type: "quantitative" },
      text: { field: "label" },
      color,
    },
  };
}

/** A label beside the middle of the mean area of each kind, from the lowest area up, apart from its neighbours. */
function labelsOf(rows: readonly Row[], found: readonly number[]): readonly Row[] {
  const sums = found.map((order) =>
    rows.reduce((sum, row) => row["order"] === order ? sum + numberIn(row, "names") : sum, 0)
  );
  const all = sums.reduce((sum, value) => sum + value, 0);
  const top = all * found.length / rows.length;
  const gap = LABEL_GAP_PX * top / NAMES_PX;
  let below = 0;
  const places = sums.map((sum) => {
    const middle = top * (below + sum / 2) / all;
    below += sum;
    return middle;
  });
  for (let i = 1; i < places.length; i++) places[i] = Math.max(places[i]!, places[i - 1]! + gap);
  let ceiling = top;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i]!, ceiling);
    ceiling = places[i]! - gap;
  }
  return found.map((order, i) => ({
    kind: KINDS[order]!,
    label: `${KINDS[order]}: ${percentText(sums[i]! / all)}`,
    at: Number(places[i]!.toFixed(3)),
  }));
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
      tooltip: [sessionTip(), tip("kind", "stocks that"), tip("names", "stocks", "+,d")],
    },
  };
}

function describe(sessions: readonly Row[]): string {
  const sum = (name: string) => sessions.reduce((total, row) => total + numberIn(row, name), 0);
  const scored = (row: Row) => numberIn(row, "scored");
  const sorted = sessions.toSorted((a, b) => scored(a) - scored(b));
  const count = (row: Row) => `${groupThousands(scored(row))} stocks on ${row["session"]}`;
  const [zero, half, one] = ["zeros", "halves", "ones"]
    .map((name) => percentText(sum(name) / sum("rows")));
  return `Fewest: ${count(sorted[0]!)}, most: ${count(sorted.at(-1)!)}; ${
    groupThousands(scored(sessions[0]!))
  } in the first session and ${
    groupThousands(scored(sessions.at(-1)!))
  } in the last. ${zero} of rows are exactly 0, ${half} exactly 0.5, ${one} exactly 1. ${
    countText(sum("entered"), "stock")
  } enter and ${groupThousands(sum("left"))} leave.`;
}
