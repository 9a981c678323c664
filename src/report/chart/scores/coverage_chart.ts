import type { DataFrame } from "nodejs-polars";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { countText, percentText } from "../../../base/wording/number_text.ts";
import { assertFrame } from "../../../frames/frame/assert_frame.ts";
import { isWholeRelease } from "../../../frames/frame/release/release_frame.ts";
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
import { mark } from "../mark.ts";
import {
  originText,
  readResultOptions,
  type ResultChartOptions,
} from "../grammar/subject/frame_subject.ts";
import { layOutFinding } from "../grammar/subject/lay_out_finding.ts";
import { blockMeans } from "../grammar/thin_rows.ts";
import { ascending, columnSum, type Row, rowsOf } from "../grammar/values.ts";
import { MAIN_COLOR, OTHER_COLOR } from "../palette.ts";

const MOST_POINTS = 500;

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
  const sessions = rowsOf(coverage(release))
    .map(({ date, row_count, scored, missing }) => ({ session: date, row_count, scored, missing }));
  const drawn = blockMeans(sessions, ["scored", "missing"], MOST_POINTS);
  const x = sessionAxis(sessionSpanOf(drawn.rows));
  const subject = {
    title,
    about: isWholeRelease(release)
      ? "Coverage by session"
      : "Coverage by session, of the rows given",
    sample: `${countText(sessions.length, "session")}, ${sessions[0]!.session} to ` +
      `${sessions.at(-1)!.session}`,
    footnote: originText(release, options.footnote),
    widthPx,
  };
  return layOutFinding(subject, {
    finding: findingOf(sessions),
    subtitle: drawn.said,
    sharesTime: true,
    datasets: { coverage: drawn.rows },
    // On a common axis, the few missing rows would be a sliver above the many scored ones.
    views: [
      { width: widthPx, height: 150, ...areas("scored", x, { params: zoom(), color: MAIN_COLOR }) },
      { width: widthPx, height: 70, ...areas("missing", x, { color: OTHER_COLOR }) },
    ],
  });
}

const NAMES = { scored: "rows with a score", missing: "without" };

function areas(kind: "scored" | "missing", x: ChartSpec, look: ChartSpec): ChartSpec {
  const tips = (["scored", "missing"] as const).map((name) => tip(name, NAMES[name], ",.1f"));
  const axis = { tickMinStep: 1, tickCount: kind === "scored" ? 5 : 3 };
  return mark("area", {
    ...{ rows: "coverage", interpolate: "step-after", ...look, opacity: 0.8, x },
    ...{ y: quantity(kind, { title: NAMES[kind], format: ",d", axis }) },
    tooltip: [sessionTip(), ...tips],
  });
}

/** The share of rows with a score, and the smallest and largest number of stocks per session. */
function findingOf(sessions: readonly Row[]): string {
  const counts = ascending(sessions, "scored").map(({ scored }) => groupThousands(scored));
  const [least, most] = [counts[0], counts.at(-1)];
  const range = least === most ? `${least} in each session` : `${least} to ${most} per session`;
  const total = columnSum(sessions, "row_count");
  return `${percentText(columnSum(sessions, "scored") / total)} of ${countText(total, "row")} ` +
    `have a score, ${range}`;
}
