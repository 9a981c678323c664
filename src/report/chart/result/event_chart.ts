import { assertColumns } from "../../../frames/frame/assert_columns.ts";
import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { quantity, ruleAt, tip } from "../grammar/encodings.ts";
import { resultFootnote } from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import { whiskers } from "../grammar/interval_view.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { numberIn, type Row, rowsOf, toValue, withNumber } from "../grammar/values.ts";
import { BASIS_POINTS, countText, decimalText } from "../../../base/wording/number_text.ts";

const MOST_TICKS = 16;
const WIDEST_BAR = 14;

/**
 * Draws the mean abnormal return around events with its 95% interval at each offset, and their cumulative sum, which is 0 at
 * the event.
 *
 * @param events The result of `eventReturns()`
 * @param options Title, width and footnote
 * @throws {TypeError} If a column is missing, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import pl from "nodejs-polars";
 * import { demo, readPrices } from "scoreframe";
 * import { eventReturns, forwardReturns } from "scoreframe/analysis";
 * import { eventChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const release = await api.history("ecpnd");
 * // An event is a score that rises above 0.9.
 * const events = release.sort("date")
 *   .withColumns(pl.col("ecpnd_score").shift(1).over("ticker").alias("before"))
 *   .filter(pl.col("ecpnd_score").gt(pl.lit(0.9)).and(pl.col("before").ltEq(pl.lit(0.9))))
 *   .select("date", "ticker")
 *   .rename({ date: "session" });
 * const returns = eventReturns(events, forwardReturns(prices, { periods: [1] }));
 * const chart = eventChart(returns, { footnote: "ecpnd rises above 0.9" });
 * if (!chart.description.includes("The means add up to")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function eventChart(events: DataFrame, options: ResultChartOptions = {}): Chart {
  const action = "draw returns around events";
  const { title, widthPx = 640, footnote } = readResultOptions(action, options, {});
  const names = ["offset", "mean", "low", "high", "n", "cumulative"];
  assertColumns(action, events, names, "give the result of eventReturns()");
  const rows = fromEvent(rowsOf(events).map(inBasisPoints));
  const most = rows.reduce((max, row) => Math.max(max, numberIn(row, "n") || 0), 0);
  const subject = {
    title,
    about: "Returns around events",
    sample: `up to ${countText(most, "event")} per offset`,
    footnote: resultFootnote(events, footnote),
    widthPx,
  };
  if (!rows.some((row) => !Number.isNaN(numberIn(row, "mean")))) {
    return layOutNothing(subject, "too few events for a mean");
  }
  return layOutFinding(subject, {
    finding: findingOf(rows, most),
    subtitle: [
      "Bars: mean by offset, lines: 95% confidence intervals. Curve: their sum, 0 at the event, which has no interval. Below: number of events",
    ],
    details: describe(rows),
    views: [view(rows, widthPx), countView(rows, widthPx)],
  });
}

/** Cumulative returns relative to the event, so that those before and after it can be read separately. */
function fromEvent(rows: readonly Row[]): readonly Row[] {
  const at = numberIn(rows.find((row) => row["offset"] === 0), "cumulative");
  return Number.isNaN(at) ? rows : rows.map((row): Row => ({
    ...row,
    cumulative: toValue(numberIn(row, "cumulative") - at),
  }));
}

/** The offsets whose interval excludes zero, and the largest of them; the sum of the means has no interval and is no finding. */
function findingOf(rows: readonly Row[], events: number): string {
  const tested = withNumber(rows, "low");
  if (tested.length === 0) {
    return `No offset has enough events for an interval, ${countText(events, "event")}`;
  }
  const apart = apartOf(tested).toSorted((a, b) =>
    Math.abs(numberIn(b, "mean")) - Math.abs(numberIn(a, "mean"))
  );
  const most = apart.length === 0
    ? ""
    : `; largest ${meanPhrase(apart[0], 1, " bps")} at offset ${at(apart[0]!)}`;
  return `95% CI excludes zero at ${apart.length} of ${countText(tested.length, "offset")} (about ${
    Math.round(0.05 * tested.length)
  } expected by chance)${most}, ${countText(events, "event")}`;
}

function apartOf(rows: readonly Row[]): readonly Row[] {
  return rows.filter((row) => numberIn(row, "low") > 0 || numberIn(row, "high") < 0);
}

function describe(rows: readonly Row[]): string {
  const means = withNumber(rows, "mean");
  if (means.length === 0) return "Too few events for a mean.";
  const tested = withNumber(means, "low");
  const apart = apartOf(tested);
  const where = apart.length === 0
    ? ""
    : ` (${apart.map((row) => `${at(row)}: ${bps(row, "mean")}`).join(", ")})`;
  return `${
    sumText(rows)
  } The intervals of ${apart.length} of ${tested.length} offsets exclude zero${where}.`;
}

/** First, last, lowest and highest value of the cumulative return; a missing mean ends it. */
function sumText(rows: readonly Row[]): string {
  const sums = withNumber(rows, "cumulative");
  if (sums.length === 0) return "The means have no sum.";
  const sorted = sums.toSorted((a, b) => numberIn(a, "cumulative") - numberIn(b, "cumulative"));
  const said = [...new Set([sums[0]!, sorted[0]!, sorted.at(-1)!, sums.at(-1)!])]
    .map((row) => `${bps(row, "cumulative")} at ${at(row)}`);
  return `The means add up to ${said.join(", ")} relative to the event.`;
}

function at(row: Row): string {
  return decimalText(numberIn(row, "offset"), 0);
}

function bps(row: Row, name: string): string {
  return `${decimalText(numberIn(row, name), 1)} bps`;
}

function inBasisPoints(row: Row): Row {
  const bps = ["mean", "low", "high", "cumulative"]
    .map((name) => [name, toValue(BASIS_POINTS * numberIn(row, name))]);
  return { offset: row["offset"]!, n: row["n"]!, ...Object.fromEntries(bps) };
}

function view(rows: readonly Row[], width: number): ChartSpec {
  const x = quantity("offset", {
    title: "sessions after the event",
    axis: { tickMinStep: 1, grid: false, tickCount: Math.min(rows.length, MOST_TICKS) },
    scale: offsetScale(rows, width),
  });
  return {
    width,
    height: 220,
    data: { values: rows },
    layer: [
      {
        mark: { type: "bar", color: MAIN_COLOR, opacity: 0.75, size: barWidth(rows, width) },
        encoding: {
          x,
          y: quantity("mean", { title: "bps" }),
          tooltip: [
            tip("offset", "offset", "d"),
            tip("mean", "mean, bps", ".2f"),
            tip("low", "95% CI from", ".2f"),
            tip("high", "to", ".2f"),
            tip("cumulative", "sum, bps", ".2f"),
            tip("n", "events", ",d"),
          ],
        },
      },
      ruleAt(0),
      ...whiskers({ x }),
      {
        mark: { type: "line", color: OTHER_COLOR, strokeWidth: 2 },
        encoding: { x, y: { field: "cumulative", type: "quantitative" } },
      },
    ],
  };
}

function countView(rows: readonly Row[], width: number): ChartSpec {
  return {
    width,
    height: 40,
    data: { values: rows },
    mark: { type: "bar", color: QUIET_COLOR, size: barWidth(rows, width) },
    encoding: {
      x: quantity("offset", {
        title: null,
        axis: { labels: false, ticks: false, grid: false },
        scale: offsetScale(rows, width),
      }),
      y: quantity("n", { title: "events", format: ",d", axis: { tickCount: 2 } }),
      tooltip: [tip("offset", "offset", "d"), tip("n", "events", ",d")],
    },
  };
}

/** Axis from the first to the last offset; rounded ends would show empty ones. */
function offsetScale(rows: readonly Row[], width: number): ChartSpec {
  return { nice: false, padding: barWidth(rows, width) };
}

/** Width of a bar, narrow enough not to cover its neighbours. */
function barWidth(rows: readonly Row[], width: number): number {
  return Math.max(1, Math.min(WIDEST_BAR, Math.floor(0.7 * width / (rows.length + 2))));
}
