import type { DataFrame } from "nodejs-polars";
import { assertFrame } from "../../frame/assert_frame.ts";
import { isWholeRelease } from "../../frame/whole_release.ts";
import { groupThousands } from "../../notebook/group_thousands.ts";
import { coverage } from "../../vintage/coverage_frame.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { sessionsText } from "../grammar/analysis_subject.ts";
import { quantity, sessionAxis, sessionTip, spanOf, tip, zoom } from "../grammar/encodings.ts";
import { originText } from "../grammar/frame_subject.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { percent } from "../grammar/number_text.ts";
import { MAIN_COLOR, OTHER_COLOR } from "../grammar/palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { inBlocks, meanOf, numberIn, type Row, rowsOf } from "../grammar/values.ts";

const MOST_POINTS = 500;
const DATA = { name: "coverage" };

/**
 * Draws how many rows of each session have a score, and below it how many are explicitly missing. Both scales begin at
 * zero; each has its own end. Above 500 sessions a point is the mean of several, and the subtitle says of how many.
 *
 * It counts the rows that it is given: rows that were filtered out before are in no session.
 *
 * @param release A release of one factor, as `history()` gives it
 * @param options Title, width and footnote
 * @returns The chart; a notebook shows it
 * @throws {TypeError} If the frame has no date or no score, or an option is unknown
 * @throws {RangeError} If the width is no number of pixels
 * @example Usage
 * ```ts
 * import { coverageChart, demo } from "scoreframe";
 *
 * const api = await demo();
 * const chart = coverageChart(await api.history("ecpnd"));
 * if (!(await chart.toSvg()).startsWith("<svg")) throw new Error("a picture expected");
 * await api.close();
 * ```
 */
export function coverageChart(release: DataFrame, options: ResultChartOptions = {}): Chart {
  const action = "draw the coverage of a release";
  assertFrame(action, release);
  const { title = defaultTitle(release), widthPx = 640 } = readResultOptions(action, options);
  const sessions = rowsOf(coverage(release), ["date", "row_count", "scored", "missing"]);
  const blocks = inBlocks(sessions, MOST_POINTS);
  const size = blocks[0]?.length ?? 1;
  const points = blocks.map(pointOf);
  const span = spanOf(points);
  const said = describe(sessions);
  return layOutChart({
    title,
    subtitle: size === 1 ? said : [...said, `Aggregated: means of ${size} sessions`],
    footnote: originText(release, options.footnote),
    description: `${title}: ${said.join(". ")}.`,
    widthPx,
    sharesTime: true,
    datasets: { coverage: points },
    // On one axis from zero the few that are missing would be a sliver above the many that are scored.
    views: (["scored", "missing"] as const).map((kind) => ({
      width: widthPx,
      ...view(kind, sessionAxis(span)),
    })),
  });
}

function defaultTitle(release: DataFrame): string {
  return isWholeRelease(release) ? "Coverage by session" : "Coverage by session, of the rows given";
}

function pointOf(block: readonly Row[]): Row {
  const mean = (name: string) => meanOf(block.map((row) => numberIn(row, name)));
  return { session: block[0]!["date"]!, scored: mean("scored"), missing: mean("missing") };
}

function view(kind: "scored" | "missing", x: ChartSpec): ChartSpec {
  const [title, color, height] = kind === "scored"
    ? ["rows with a score", MAIN_COLOR, 150]
    : ["without", OTHER_COLOR, 70];
  return {
    height,
    data: DATA,
    ...(kind === "scored" && { params: zoom() }),
    mark: { type: "area", interpolate: "step-after", color, opacity: 0.8 },
    encoding: {
      x,
      y: quantity(kind, {
        title: String(title),
        format: ",d",
        axis: { tickMinStep: 1, tickCount: Math.ceil(Number(height) / 30) },
      }),
      tooltip: [
        sessionTip(),
        tip("scored", "rows with a score", ",.1f"),
        tip("missing", "without", ",.1f"),
      ],
    },
  };
}

function describe(sessions: readonly Row[]): readonly string[] {
  const [first, last] = [sessions[0], sessions.at(-1)];
  if (first === undefined || last === undefined) return ["no sessions"];
  const total = (name: string) => sessions.reduce((sum, row) => sum + numberIn(row, name), 0);
  const counts = sessions.map((row) => numberIn(row, "scored"));
  const [least, most] = [Math.min(...counts), Math.max(...counts)].map(groupThousands);
  const range = least === most ? `${least} in each session` : `${least} to ${most} a session`;
  return [
    `${sessionsText(sessions.length)}, ${first["date"]} to ${last["date"]}`,
    `${groupThousands(total("row_count"))} rows, ${
      percent(total("scored") / total("row_count"))
    } with a score, ${range}`,
  ];
}
