import type { FactorAnalysis } from "../../../analysis/factor/factor_analysis.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  looksBy,
  quantity,
  sessionAxis,
  sessionSpanOf,
  sessionTip,
  tip,
  zoom,
} from "../grammar/encodings.ts";
import { mark } from "../mark.ts";
import { type ChartOptions, readSubject } from "../grammar/subject/analysis_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { inBlocks } from "../grammar/thin_rows.ts";
import {
  ascending,
  columnSum,
  type Known,
  meanOfKnown,
  numberIn,
  type RowOf,
  rowsOf,
} from "../grammar/values.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR, SERIES_COLORS } from "../palette.ts";

const KINDS = ["any other score", "exactly 0", "exactly 0.5", "exactly 1", "no score"];
const COLORS = [MAIN_COLOR, SERIES_COLORS[2], SERIES_COLORS[5], SERIES_COLORS[3], OTHER_COLOR];
const MOST_SESSIONS = 260;

/**
 * Draws the stocks with a score in each session, those of them with exactly 0, 0.5 or 1, and those without a score; below it the
 * stocks that enter and leave, where any do. Only kinds that occur have a colour, with their name and their share of all rows. Above 260 sessions neighbours are combined:
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
 *   progress: false,
 * });
 * const chart = factorCoverageChart(analysis);
 * if (!chart.description.includes("of 30,828 rows have a score")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function factorCoverageChart(analysis: FactorAnalysis, options: ChartOptions = {}): Chart {
  const subject = readSubject(analysis, options, "Coverage by session");
  const sessions = rowsOf(analysis.detail.coverage.bySession);
  const total = columnSum(sessions, "rows") - columnSum(sessions, "outside");
  if (total === 0) return layOutNothing(subject, "no row of the scores is on a session");
  const sorted = ascending(sessions, "scored");
  const blocks = inBlocks(sessions, MOST_SESSIONS);
  const size = blocks[0]?.length ?? 1;
  const moves = blocks.flatMap(movesOf);
  const place = { width: subject.widthPx, x: sessionAxis(sessionSpanOf(sessions)) };
  const [least, most] = [sorted[0]!, sorted.at(-1)!].map(({ scored }) => groupThousands(scored));
  const number = least === most
    ? `${countText(sorted[0]!.scored, "stock")} in each`
    : `${least} to ${most} stocks per`;
  const shown = moves.length === 0 ? "" : " above, sums below";
  return layOutFinding(subject, {
    finding: `${percentText(columnSum(sessions, "scored") / total)} of ` +
      `${countText(total, "row")} have a score: ${number} session`,
    subtitle: size === 1 ? [] : [`Aggregated: means of ${size} sessions${shown}`],
    details: describe(sessions, sorted),
    sharesTime: true,
    views: [
      namesView(blocks.flatMap(namesOf), place),
      ...moves.length === 0 ? [] : [movesView(moves, place)],
    ],
  });
}

type Session = RowOf<FactorAnalysis["detail"]["coverage"]["bySession"]>;
type Names = ReturnType<typeof namesOf>;

/** Mean numbers of stocks of a block, by kind. */
function namesOf(block: readonly Session[]) {
  const mean = (name: string) => meanOfKnown(block.map((row) => numberIn(row, name))) ?? 0;
  const [scored, ...exact] = ["scored", "zeros", "halves", "ones"].map(mean) as [number];
  const other = exact.reduce((left, value) => left - value, scored);
  const names = [other, ...exact, mean("rows") - mean("outside") - scored];
  return names.map((value, order) => ({
    session: block[0]!.session,
    kind: KINDS[order]!,
    order,
    names: Number(value.toFixed(2)),
  }));
}

function movesOf(block: readonly Session[]) {
  const { session } = block[0]!;
  return [
    { session, names: columnSum(block, "entered"), kind: "enter" },
    { session, names: -columnSum(block, "left"), kind: "leave" },
  ].filter(({ names }) => names !== 0);
}

function namesView(rows: Names, { width, x }: ChartSpec): ChartSpec {
  const sums = KINDS.map((_, kind) =>
    columnSum(rows.filter(({ order }) => order === kind), "names")
  );
  const all = sums.reduce((sum, value) => sum + value, 0);
  const found = [...KINDS.keys()].filter((kind) => sums[kind]! > 0);
  const nameOf = (kind: number) => `${KINDS[kind]}: ${percentText(sums[kind]! / all)}`;
  const shown = rows.filter(({ order }) => found.includes(order))
    .map((row) => ({ ...row, kind: nameOf(row.order) }));
  const legend = { columns: 3 };
  const color = looksBy("kind", found.map(nameOf), found.map((kind) => COLORS[kind]), { legend });
  const tooltip = [sessionTip(), tip("kind", "stocks with"), tip("names", "stocks", ",.1f")];
  const drawn = mark("area", {
    rows: shown,
    params: zoom("names_zoom"),
    interpolate: "step-after",
    x,
    y: quantity("names", { title: "stocks", format: ",d" }),
    order: { field: "order", type: "quantitative" },
    color,
    tooltip,
  });
  return { width, height: 170, ...drawn };
}

function movesView(rows: ReturnType<typeof movesOf>, { width, x }: ChartSpec): ChartSpec {
  const axis = { tickMinStep: 1, tickCount: 3 };
  const y = quantity("names", { title: "enter, leave", format: ",d", axis });
  const color = { condition: { test: "datum.names > 0", value: MAIN_COLOR }, value: QUIET_COLOR };
  const tooltip = [sessionTip(), tip("kind", "stocks that"), tip("names", "stocks", "+,d")];
  const drawn = mark("bar", { rows, size: 2, clip: true, x, y, color, tooltip });
  return { width, height: 60, ...drawn };
}

function describe(
  sessions: readonly Session[],
  sorted: readonly Known<Session, "scored">[],
): string {
  const [fewest, most] = [sorted[0]!, sorted.at(-1)!]
    .map(({ scored, session }) => `${countText(scored, "stock")} on ${session}`);
  const [first, last] = [sessions[0], sessions.at(-1)]
    .map((row) => groupThousands(numberIn(row, "scored")));
  const moves = `${countText(columnSum(sessions, "entered"), "stock")} enter and ` +
    `${groupThousands(columnSum(sessions, "left"))} leave`;
  return `Fewest: ${fewest}, most: ${most}; ${first} in the first session and ${last} in the ` +
    `last. ${moves}.`;
}
