import pl from "nodejs-polars";
import type { DoubleSort } from "../../analysis/factor_test/double_sort.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { sessionsText } from "../grammar/analysis_subject.ts";
import { tip } from "../grammar/encodings.ts";
import { resultFootnote } from "../grammar/frame_subject.ts";
import { layOutChart } from "../grammar/lay_out_chart.ts";
import { decimals, intervalText } from "../grammar/number_text.ts";
import { CELL_TEXT_COLOR, DIVERGING_COLORS } from "../grammar/palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";

const BASIS_POINTS = 10_000;

/** Options of {@link doubleSortChart}. */
export interface DoubleSortChartOptions extends ResultChartOptions {
  /**
   * Horizon in sessions.
   *
   * @default 1
   */
  readonly horizon?: number;
}

/**
 * Draws the mean returns of names that were sorted twice: a cell a pair of buckets, in basis points, and the spread of each
 * column with its interval in words.
 *
 * @param sorted What `doubleSort()` gave
 * @param options The horizon, title, width and footnote
 * @throws {TypeError} If it is no double sort, or an option unknown
 * @throws {RangeError} If it has no such horizon
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { align, doubleSort, forwardReturns } from "scoreframe/analysis";
 * import { doubleSortChart } from "scoreframe/chart";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder });
 * const prices = await readPrices(`${folder}/closes.csv`);
 * const release = await api.history("ecpnd");
 * const other = (await api.history("ecqdi")).select("date", "ticker", "ecqdi_score")
 *   .rename({ date: "session" });
 * const { data } = align(release, forwardReturns(prices, { periods: [1] }), { entry: "same" });
 * const both = data.join(other, { on: ["session", "ticker"], how: "left" });
 * const sorted = doubleSort(both, { first: "ecqdi_score" });
 * const chart = doubleSortChart(sorted, { footnote: "ecqdi first, ecpnd second" });
 * if (!chart.description.includes("Bucket 1 of the first")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function doubleSortChart(sorted: DoubleSort, options: DoubleSortChartOptions = {}): Chart {
  const action = "draw a double sort";
  const { horizon = 1, ...rest } = options;
  const { title = "Returns of names sorted twice", widthPx = 420, footnote } = readResultOptions(
    action,
    rest,
  );
  if ((sorted as Partial<DoubleSort> | null)?.cells === undefined) {
    throw new TypeError(`Cannot ${action}: the result of doubleSort() is required`);
  }
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const cells = rowsOf(sorted.cells.filter(of)).map((row): Row => ({
    first: row["first"]!,
    second: row["second"]!,
    bps: toValue(BASIS_POINTS * numberIn(row, "mean")),
    names: row["names"]!,
    sessions: row["sessions"]!,
  }));
  if (cells.length === 0) {
    throw new RangeError(`Cannot ${action}: a horizon of the result is required, got ${horizon}`);
  }
  const [counted] = rowsOf(sorted.sessions.filter(of));
  const sample = `${sessionsText(numberIn(counted, "sessions"))}, ${
    counted?.["empty"]
  } of them with an empty cell`;
  const spreads = rowsOf(sorted.spreads.filter(of)).map(describeSpread);
  return layOutChart({
    title: `${title}, ${sessionsText(horizon)} ahead`,
    subtitle: [sample, ...spreads],
    footnote: resultFootnote(sorted.cells, footnote),
    widthPx,
    description: `${title}, ${sessionsText(horizon)} ahead: ${sample}. ${spreads.join(". ")}. ${
      describeCells(cells)
    }`,
    views: [view(cells, widthPx)],
  });
}

/** A sentence for each bucket of the first column, in the order of the second. */
function describeCells(cells: readonly Row[]): string {
  return [...new Set(cells.map((row) => row["first"]))].map((first, i) => {
    const returns = cells.filter((row) => row["first"] === first).map(returnText).join(", ");
    const order = i === 0 ? ", from the lowest bucket of the second to the highest" : "";
    return `Bucket ${first} of the first${order}: ${returns} bps.`;
  }).join(" ");
}

function returnText(row: Row): string {
  const bps = numberIn(row, "bps");
  return Number.isNaN(bps) ? "none" : decimals(bps, 1);
}

function describeSpread(row: Row): string {
  if (Number.isNaN(numberIn(row, "mean"))) return `Spread of the ${row["spread"]} column: none`;
  const bps = (name: string) => BASIS_POINTS * numberIn(row, name);
  return `Spread of the ${row["spread"]} column: ${decimals(bps("mean"), 1)} bps (${
    intervalText(bps("low"), bps("high"), 1)
  })`;
}

function view(cells: readonly Row[], width: number): ChartSpec {
  const most = cells.reduce((max, row) => Math.max(max, Math.abs(numberIn(row, "bps")) || 0), 0);
  const axis = { labelAngle: 0, domain: false, ticks: false };
  const rows = new Set(cells.map((row) => row["first"])).size;
  return {
    width,
    height: 46 * rows,
    data: { values: cells },
    encoding: {
      x: { field: "second", type: "ordinal", title: "bucket of the second", axis },
      y: {
        field: "first",
        type: "ordinal",
        sort: "descending",
        title: "bucket of the first",
        axis,
      },
    },
    layer: cellLayers(most),
  };
}

function cellLayers(most: number): readonly ChartSpec[] {
  const scale = { domain: [-most, 0, most], range: [...DIVERGING_COLORS], interpolate: "rgb" };
  return [
    {
      transform: [{ filter: "isValid(datum.bps)" }],
      mark: { type: "rect", cornerRadius: 2 },
      encoding: {
        color: { field: "bps", type: "quantitative", title: "mean return, bps", scale },
        tooltip: [
          tip("first", "first"),
          tip("second", "second"),
          tip("bps", "mean, bps", ".2f"),
          tip("names", "names a session", ".1f"),
          tip("sessions", "sessions", ",d"),
        ],
      },
    },
    {
      transform: [{ filter: "isValid(datum.bps)" }],
      mark: { type: "text" },
      encoding: {
        text: { field: "bps", type: "quantitative", format: ".1f" },
        color: { value: CELL_TEXT_COLOR },
      },
    },
  ];
}
