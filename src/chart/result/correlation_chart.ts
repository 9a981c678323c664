import type { DataFrame } from "nodejs-polars";
import { assertFrame } from "../../frame/assert_frame.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { sessionsText } from "../grammar/analysis_subject.ts";
import { quantity, ruleAt, sessionAxis, sessionTip, tip, zoom } from "../grammar/encodings.ts";
import { resultFootnote } from "../grammar/frame_subject.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals } from "../grammar/number_text.ts";
import { MAIN_COLOR } from "../grammar/palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { inBlocks, meanOf, numberIn, type Row, rowsOf } from "../grammar/values.ts";

const MOST_POINTS = 500;

/**
 * Draws how much two factors agree: the rank correlation of their scores session by session. A session without one leaves a
 * gap. Above 500 sessions a point is the mean of several, and the subtitle says so.
 *
 * @param correlation What `factorCorrelation()` gave
 * @param options Title, width and footnote
 * @throws {TypeError} If a column is missing, or an option unknown
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
  const { title = "Factor against factor", widthPx = 640, footnote } = readResultOptions(
    action,
    options,
  );
  assertFrame(action, correlation);
  const missing = ["session", "correlation"].filter((name) => !correlation.columns.includes(name));
  if (missing.length > 0) {
    throw new TypeError(
      `Cannot ${action}: the result of factorCorrelation() is required, it lacks ${
        missing.join(", ")
      }`,
    );
  }
  const rows = rowsOf(correlation.sort("session"));
  const blocks = inBlocks(rows, MOST_POINTS);
  const size = blocks[0]?.length ?? 1;
  const points = blocks.map((block): Row => ({
    session: block[0]!["session"]!,
    correlation: meanOf(block.map((row) => numberIn(row, "correlation"))),
  }));
  const values = rows.map((row) => numberIn(row, "correlation")).filter((value) => !isNaN(value));
  const mean = meanOf(values);
  const span = rows.length === 0 ? "" : `, ${rows[0]!["session"]} to ${rows.at(-1)!["session"]}`;
  const sample = `${sessionsText(rows.length)}${span}`;
  const found = mean === null
    ? "No session has a correlation"
    : `Mean ${decimals(mean, 3)} over ${sessionsText(values.length)}, between ${
      decimals(Math.min(...values), 3)
    } and ${decimals(Math.max(...values), 3)}`;
  return layOutChart({
    title,
    subtitle: [sample, size === 1 ? found : `${found}. Aggregated: means of ${size} sessions`],
    footnote: resultFootnote(correlation, footnote),
    widthPx,
    description: `${title}: ${sample}. ${found}.`,
    views: [view(points, widthPx)],
  });
}

function view(rows: readonly Row[], width: number): ChartSpec {
  return {
    width,
    height: 180,
    layer: [
      ruleAt(0),
      {
        data: { values: rows },
        params: zoom(),
        // A value between two gaps is no line.
        mark: {
          type: "line",
          color: MAIN_COLOR,
          strokeWidth: 1.4,
          point: { size: 10, color: MAIN_COLOR },
        },
        encoding: {
          x: sessionAxis(),
          y: quantity("correlation", { title: "rank correlation", format: ".2f" }),
          tooltip: [sessionTip(), tip("correlation", "rank correlation", ".4f")],
        },
      },
    ],
  };
}
