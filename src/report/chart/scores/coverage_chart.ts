import type { DataFrame } from "nodejs-polars";
import { assertFrame } from "../../../frames/frame/assert_frame.ts";
import { isWholeRelease } from "../../../frames/frame/release/whole_release.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { coverage } from "../../../frames/vintage/coverage_frame.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  quantity,
  sessionAxis,
  sessionSpanOf,
  sessionTip,
  tip,
  zoom,
} from "../grammar/encodings.ts";
import { originText } from "../grammar/subject/frame_subject.ts";
import { layOutFinding } from "../grammar/subject/lay_out_finding.ts";
import { MAIN_COLOR, OTHER_COLOR } from "../palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { inBlocks, meanOfKnown, numberIn, type Row, rowsOf } from "../grammar/values.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";

const MOST_POINTS = 500;
const DATA = { name: "coverage" };

/**
 * Draws the number of rows with a score by session, and below it the number explicitly missing. Both scales begin at
 * zero; each has its own maximum. Above 500 sessions a point is the mean of several, and the subtitle says of
 * how many.
 *
 * Only the given rows count; rows that were filtered out before are not in the chart.
 *
 * @param release A release of one factor, as `history()` gives it
 * @param options Title, width and footnote
 * @returns The chart; a notebook shows it
 * @throws {TypeError} If the frame has no date or no score, or an option is unknown
 * @throws {RangeError} If the width is not a number of pixels
 * @example Usage
 * ```ts
 * import { demo } from "scoreframe";
 * import { coverageChart } from "scoreframe/chart";
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
  const { title, widthPx = 640 } = readResultOptions(action, options, {});
  const sessions = rowsOf(coverage(release), ["date", "row_count", "scored", "missing"]);
  const blocks = inBlocks(sessions, MOST_POINTS);
  const size = blocks[0]?.length ?? 1;
  const points = blocks.map(pointOf);
  const span = sessionSpanOf(points);
  const first = sessions[0]!["date"];
  const subject = {
    title,
    about: isWholeRelease(release)
      ? "Coverage by session"
      : "Coverage by session, of the rows given",
    sample: `${countText(sessions.length, "session")}, ${first} to ${sessions.at(-1)!["date"]}`,
    footnote: originText(release, options.footnote),
    widthPx,
  };
  return layOutFinding(subject, {
    finding: findingOf(sessions),
    subtitle: size === 1 ? [] : [`Aggregated: means of ${size} sessions`],
    sharesTime: true,
    datasets: { coverage: points },
    // On a common axis, the few missing rows would be a sliver above the many scored ones.
    views: (["scored", "missing"] as const).map((kind) => ({
      width: widthPx,
      ...view(kind, sessionAxis(span)),
    })),
  });
}

function pointOf(block: readonly Row[]): Row {
  const mean = (name: string) => meanOfKnown(block.map((row) => numberIn(row, name)));
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

/** The share of rows with a score, and the smallest and largest number of stocks per session. */
function findingOf(sessions: readonly Row[]): string {
  const total = (name: string) => sessions.reduce((sum, row) => sum + numberIn(row, name), 0);
  const counts = sessions.map((row) => numberIn(row, "scored"));
  const [least, most] = [Math.min(...counts), Math.max(...counts)].map(groupThousands);
  const range = least === most ? `${least} in each session` : `${least} to ${most} per session`;
  const rows = countText(total("row_count"), "row");
  return `${percentText(total("scored") / total("row_count"))} of ${rows} have a score, ${range}`;
}
