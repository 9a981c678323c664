import type { DataFrame } from "nodejs-polars";
import { BASIS_POINTS, countText, decimalText } from "../../../base/wording/number_text.ts";
import { assertColumns } from "../../../frames/frame/assert_frame.ts";
import type { Chart } from "../chart.ts";
import { capital } from "../../../base/wording/words.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { intervalTips, looksBy, quantity, tip } from "../grammar/encodings.ts";
import { barsWithIntervals } from "../grammar/interval_view.ts";
import { mark } from "../mark.ts";
import { meanPhrase } from "../grammar/mean_phrase.ts";
import {
  readResultOptions,
  type ResultChartOptions,
  resultOrigin,
} from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import {
  ascending,
  isApart,
  numberIn,
  type Row,
  rowsOf,
  toValue,
  withNumber,
} from "../grammar/values.ts";
import { bucketColors, MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../palette.ts";

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
  const all = offsetsOf(events);
  // Of sorted events, the difference of the outer quantiles is drawn in full, and the cumulated mean of each quantile as a line.
  const groups = [...new Set(all.map(({ group }) => group))];
  const rows = all.filter(({ group }) => group === groups.at(-1));
  const lines = all.filter(({ group }) => group !== groups.at(-1));
  const most = rows.reduce((max, { n }) => Math.max(max, n || 0), 0);
  const subject = {
    title,
    about: groups.length === 1
      ? "Returns around events"
      : `Returns around events, ${groups.at(-1)}`,
    sample: `up to ${countText(most, "event")} per offset`,
    ...resultOrigin(events, footnote),
    widthPx,
  };
  if (withNumber(rows, "mean").length === 0) {
    return layOutNothing(subject, "too few events for a mean");
  }
  return layOutFinding(subject, {
    finding: findingOf(rows, most),
    subtitle: [
      "Bars: mean by offset, lines: 95% confidence intervals. Curve: their sum, 0 at the event. Below: number of events",
      ...lines.length === 0 ? [] : ["Thin curves: the sum of each quantile"],
    ],
    details: describe(rows),
    views: [view(rows, lines, widthPx), countView(rows, widthPx)],
  });
}

type Offset = ReturnType<typeof offsetsOf>[number];

/** Returns by offset in basis points; their sum is 0 at the event, so that those before and after it can be read separately. */
function offsetsOf(events: DataFrame) {
  const rows = rowsOf(events);
  const zeros = new Map(
    rows.filter((row) => row["offset"] === 0).map((row) => [row["group"], row]),
  );
  const bps = (row: Row | undefined, name: string) =>
    toValue(BASIS_POINTS * numberIn(row, name)) as number | null;
  return rows.map((row) => {
    const zero = bps(zeros.get(row["group"]), "cumulative");
    const sum = bps(row, "cumulative");
    return {
      group: typeof row["group"] === "string" ? row["group"] : null,
      offset: numberIn(row, "offset"),
      sumLow: bps(row, "cumulative_low"),
      sumHigh: bps(row, "cumulative_high"),
      n: numberIn(row, "n"),
      mean: bps(row, "mean"),
      low: bps(row, "low"),
      high: bps(row, "high"),
      cumulative: zero === null || sum === null ? sum : toValue(sum - zero) as number,
    };
  });
}

/** The sum at the last offset, where it has an interval, or else the offsets whose interval excludes zero, and the largest of them. */
function findingOf(rows: readonly Offset[], events: number): string {
  const last = rows.at(-1)!;
  if (last.cumulative !== null && last.sumLow !== null) {
    const sum = { mean: last.cumulative, low: last.sumLow, high: last.sumHigh };
    const name = capital(last.group ?? "sum of the means");
    const over = countText(last.offset, "session");
    return `${name} ${meanPhrase(sum, 1, " bps")} after ${over}, ${countText(events, "event")}`;
  }
  const tested = withNumber(withNumber(rows, "mean"), "low");
  if (tested.length === 0) {
    return `No offset has enough events for an interval, ${countText(events, "event")}`;
  }
  const apart = tested.filter(isApart).toSorted((a, b) => Math.abs(b.mean) - Math.abs(a.mean));
  const [largest] = apart;
  const most = largest === undefined
    ? ""
    : `; largest ${meanPhrase(largest, 1, " bps")} at offset ${decimalText(largest.offset, 0)}`;
  const about = Math.round(0.05 * tested.length);
  return `95% CI excludes zero at ${apart.length} of ${countText(tested.length, "offset")} ` +
    `(about ${about} expected by chance)${most}, ${countText(events, "event")}`;
}

/** First, last, lowest and highest value of the cumulative return, and the offsets whose interval excludes zero. */
function describe(rows: readonly Offset[]): string {
  const bps = (value: number) => `${decimalText(value, 1)} bps`;
  const at = ({ offset }: Offset) => decimalText(offset, 0);
  const tested = withNumber(withNumber(rows, "mean"), "low");
  const apart = tested.filter(isApart);
  const where = apart.length === 0
    ? ""
    : ` (${apart.map((row) => `${at(row)}: ${bps(row.mean)}`).join(", ")})`;
  const [sums, sorted] = [withNumber(rows, "cumulative"), ascending(rows, "cumulative")];
  const ends = [...new Set([sums[0], sorted[0], sorted.at(-1), sums.at(-1)])]
    .flatMap((row) => row === undefined ? [] : [`${bps(row.cumulative)} at ${at(row)}`]);
  const sum = ends.length === 0
    ? "The means have no sum."
    : `The means add up to ${ends.join(", ")} relative to the event.`;
  return `${sum} The intervals of ${apart.length} of ${tested.length} offsets exclude zero${where}.`;
}

function view(rows: readonly Offset[], lines: readonly Offset[], width: number): ChartSpec {
  const names = [...new Set(lines.map(({ group }) => group))];
  const size = barWidth(rows, width);
  const x = quantity("offset", {
    title: "sessions after the event",
    axis: { tickMinStep: 1, grid: false, tickCount: Math.min(rows.length, MOST_TICKS) },
    scale: { nice: false, padding: size },
  });
  const tooltip = [
    tip("offset", "offset", "d"),
    tip("mean", "mean, bps", ".2f"),
    ...intervalTips(".2f"),
    tip("cumulative", "sum, bps", ".2f"),
    tip("n", "events", ",d"),
  ];
  const look = { color: MAIN_COLOR, opacity: 0.75, size };
  const sum = { field: "cumulative", type: "quantitative" };
  const drawn = {
    rows: lines,
    strokeWidth: 1,
    x,
    y: sum,
    color: looksBy("group", names, bucketColors(names.length)),
  };
  const layer = [
    ...barsWithIntervals({ ...look, x, y: quantity("mean", { title: "bps" }), tooltip }),
    ...lines.length === 0 ? [] : [mark("line", drawn)],
    mark("line", { color: OTHER_COLOR, strokeWidth: 2, x, y: sum }),
  ];
  return { width, height: 220, data: { values: rows }, layer };
}

function countView(rows: readonly Offset[], width: number): ChartSpec {
  const size = barWidth(rows, width);
  const x = quantity("offset", {
    title: null,
    axis: { labels: false, ticks: false, grid: false },
    scale: { nice: false, padding: size },
  });
  const y = quantity("n", { title: "events", format: ",d", axis: { tickCount: 2 } });
  const tooltip = [tip("offset", "offset", "d"), tip("n", "events", ",d")];
  const bars = mark("bar", { color: QUIET_COLOR, size, x, y, tooltip });
  return { width, height: 40, data: { values: rows }, ...bars };
}

/** Width of a bar, narrow enough not to cover its neighbours, and of the room at both ends, whose rounding would show empty offsets. */
function barWidth(rows: readonly Offset[], width: number): number {
  return Math.max(1, Math.min(WIDEST_BAR, Math.floor(0.7 * width / (rows.length + 2))));
}
