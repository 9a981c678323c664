import type { DataFrame } from "nodejs-polars";
import { assertFrame } from "../../frame/assert_frame.ts";
import { groupThousands } from "../../notebook/group_thousands.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { quantity, ruleAt, tip } from "../grammar/encodings.ts";
import { resultFootnote } from "../grammar/frame_subject.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals } from "../grammar/number_text.ts";
import { MAIN_COLOR, OTHER_COLOR, QUIET_COLOR } from "../grammar/palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";

const BASIS_POINTS = 10_000;

/**
 * Draws the mean abnormal return around events with its 95 % interval at each offset, and their sum since the first offset.
 *
 * @param events What `eventReturns()` gave
 * @param options Title, width and footnote
 * @throws {TypeError} If a column is missing, or an option unknown
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
 * if (!chart.description.includes("the means add up to")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function eventChart(events: DataFrame, options: ResultChartOptions = {}): Chart {
  const action = "draw returns around events";
  const { title = "Returns around events", widthPx = 640, footnote } = readResultOptions(
    action,
    options,
  );
  assertFrame(action, events);
  const missing = ["offset", "mean", "low", "high", "n", "cumulative"]
    .filter((name) => !events.columns.includes(name));
  if (missing.length > 0) {
    throw new TypeError(
      `Cannot ${action}: the result of eventReturns() is required, it lacks ${missing.join(", ")}`,
    );
  }
  const rows = rowsOf(events).map(inBasisPoints);
  const most = rows.reduce((max, row) => Math.max(max, numberIn(row, "n") || 0), 0);
  const sample = `Up to ${groupThousands(most)} events an offset`;
  return layOutChart({
    title,
    subtitle: [
      sample,
      "Bars: mean of an offset, lines: 95 %. Curve: their sum, which has no interval",
    ],
    footnote: resultFootnote(events, footnote),
    widthPx,
    description: `${title}: ${sample}. ${describe(rows)}`,
    views: [view(rows, widthPx)],
  });
}

function describe(rows: readonly Row[]): string {
  const means = rows.filter((row) => !Number.isNaN(numberIn(row, "mean")));
  if (means.length === 0) return "Too few events for a mean.";
  const tested = means.filter((row) => !Number.isNaN(numberIn(row, "low")));
  const apart = tested.filter((row) => numberIn(row, "low") > 0 || numberIn(row, "high") < 0);
  const where = apart.length === 0
    ? ""
    : ` (${apart.map((row) => `${at(row)}: ${bps(row, "mean")}`).join(", ")})`;
  return `${
    sumText(rows)
  } The intervals of ${apart.length} of ${tested.length} offsets exclude zero${where}.`;
}

/** Where the sum ends, and where it is lowest and highest; a mean that is missing ends it. */
function sumText(rows: readonly Row[]): string {
  const sums = rows.filter((row) => !Number.isNaN(numberIn(row, "cumulative")));
  if (sums.length === 0) return "The means have no sum.";
  const [low, ...others] = sums.toSorted((a, b) =>
    numberIn(a, "cumulative") - numberIn(b, "cumulative")
  );
  return `From offset ${at(rows[0]!)} to ${at(sums.at(-1)!)} the means add up to ${
    bps(sums.at(-1)!, "cumulative")
  }; their sum is lowest at ${at(low!)} (${bps(low!, "cumulative")}) and highest at ${
    at(others.at(-1) ?? low!)
  } (${bps(others.at(-1) ?? low!, "cumulative")}).`;
}

function at(row: Row): string {
  return decimals(numberIn(row, "offset"), 0);
}

function bps(row: Row, name: string): string {
  return `${decimals(numberIn(row, name), 1)} bps`;
}

function inBasisPoints(row: Row): Row {
  const bps = ["mean", "low", "high", "cumulative"]
    .map((name) => [name, toValue(BASIS_POINTS * numberIn(row, name))]);
  return { offset: row["offset"]!, n: row["n"]!, ...Object.fromEntries(bps) };
}

function view(rows: readonly Row[], width: number): ChartSpec {
  const x = quantity("offset", {
    title: "sessions after the event",
    axis: { tickMinStep: 1, grid: false, tickCount: rows.length },
  });
  return {
    width,
    height: 220,
    data: { values: rows },
    layer: [
      {
        mark: { type: "bar", color: MAIN_COLOR, opacity: 0.75, size: 14 },
        encoding: {
          x,
          y: quantity("mean", { title: "bps" }),
          tooltip: [
            tip("offset", "offset", "d"),
            tip("mean", "mean, bps", ".2f"),
            tip("low", "95 % from", ".2f"),
            tip("high", "to", ".2f"),
            tip("cumulative", "sum, bps", ".2f"),
            tip("n", "events", ",d"),
          ],
        },
      },
      {
        transform: [{ filter: "isValid(datum.low)" }],
        mark: { type: "rule", color: QUIET_COLOR, strokeWidth: 1.5 },
        encoding: { x, y: { field: "low", type: "quantitative" }, y2: { field: "high" } },
      },
      {
        mark: { type: "line", color: OTHER_COLOR, strokeWidth: 2 },
        encoding: { x, y: { field: "cumulative", type: "quantitative" } },
      },
      ruleAt(0),
    ],
  };
}
