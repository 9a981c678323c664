import type { DataFrame } from "nodejs-polars";
import { informationSummary } from "../../../analysis/series/information_summary.ts";
import { countText, decimalText } from "../../../base/wording/number_text.ts";
import { assertColumns } from "../../../frames/frame/assert_frame.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import {
  crosshair,
  quantity,
  ruleAt,
  sessionAxis,
  sessionTip,
  tip,
  zoom,
} from "../grammar/encodings.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { mark } from "../mark.ts";
import {
  readResultOptions,
  type ResultChartOptions,
  resultOrigin,
} from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { thinnedText, thinRows } from "../grammar/thin_rows.ts";
import { ascending, type Row, rowsOf } from "../grammar/values.ts";
import { MAIN_COLOR } from "../palette.ts";

const MOST_POINTS = 500;

/**
 * Draws the rank correlation of two factors' scores by session. A session without one leaves a gap. Above 500
 * sessions the first, lowest, highest and last of each block are drawn, and the subtitle says so.
 *
 * @param correlation The result of `factorCorrelation()`
 * @param options Title, width and footnote
 * @throws {TypeError} If a column is missing, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { demo } from "scoreframe";
 * import { factorCorrelation } from "scoreframe/analysis";
 * import { correlationChart } from "scoreframe/chart";
 *
 * const api = await demo();
 * const [first, second] = [await api.history("ecpnd"), await api.history("ecqdi")];
 * const both = first
 *   .join(second.select("date", "ticker", "ecqdi_score"), { on: ["date", "ticker"] })
 *   .rename({ date: "session", ecpnd_score: "score" });
 * const correlation = factorCorrelation(both, ["score", "ecqdi_score"]);
 * const chart = correlationChart(correlation, { footnote: "ecpnd and ecqdi" });
 * if (!chart.description.includes("480 sessions")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function correlationChart(correlation: DataFrame, options: ResultChartOptions = {}): Chart {
  const action = "draw the correlation of factors";
  const { title, widthPx = 640, footnote } = readResultOptions(action, options, {});
  const names = ["session", "correlation"];
  assertColumns(action, correlation, names, "give the result of factorCorrelation()");
  const rows = rowsOf(correlation.sort("session"), names);
  const sorted = ascending(rows, "correlation");
  const drawn = thinRows(rows, ["correlation"], MOST_POINTS);
  const span = rows.length === 0 ? "" : `, ${rows[0]!["session"]} to ${rows.at(-1)!["session"]}`;
  const subject = {
    title,
    about: "Rank correlation of two factors by session",
    sample: `${countText(rows.length, "session")}${span}`,
    ...resultOrigin(correlation, footnote),
    widthPx,
  };
  if (sorted.length === 0) return layOutNothing(subject, "no session has a correlation");
  const values = sorted.map((row) => row.correlation);
  const [low, high] = [values[0]!, values.at(-1)!].map((value) => decimalText(value, 3));
  const of = correlation.select("session", "correlation");
  const [tested] = rowsOf(informationSummary(of, { value: "correlation" }).table);
  const over = countText(values.length, "session");
  return layOutFinding(subject, {
    finding: `Mean rank correlation ${meanPhrase(tested!, 3)} over ${over}, from ${low} to ${high}`,
    subtitle: thinnedText(drawn.size),
    views: [{ width: widthPx, height: 180, layer: layersOf(drawn.rows) }],
  });
}

function layersOf(rows: readonly Row[]): readonly ChartSpec[] {
  const [x, y] = [sessionAxis(), quantity("correlation", { title: "rank correlation" })];
  const tooltip = [sessionTip(), tip("correlation", "rank correlation", ".4f")];
  // A value between two gaps needs a point, because it makes no line.
  const look = { color: MAIN_COLOR, strokeWidth: 1.4, point: { size: 10, color: MAIN_COLOR } };
  const line = mark("line", { rows, params: zoom(), ...look, x, y });
  return [ruleAt(0), line, crosshair("hover_correlation", { rows, x, tooltip })];
}
