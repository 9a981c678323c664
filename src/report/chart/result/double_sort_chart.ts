import { wrongKind } from "../../../base/arguments/wrong_kind.ts";
import { among } from "../../../base/arguments/check_options.ts";
import pl from "nodejs-polars";
import type { DoubleSort } from "../../../analysis/factor_test/double_sort.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { tip } from "../grammar/encodings.ts";
import { resultFootnote } from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { inBasisPoints, meanPhrase } from "../grammar/mean_phrase.ts";
import { CELL_TEXT_COLOR, DIVERGING_COLORS } from "../palette.ts";
import { readResultOptions, type ResultChartOptions } from "../grammar/result_options.ts";
import { numberIn, type Row, rowsOf, toValue } from "../grammar/values.ts";
import { BASIS_POINTS, countText, decimalText } from "../../../base/wording/number_text.ts";

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
 * Draws the mean returns of a double sort: one cell per pair of quantiles, in basis points, and the spread of each column
 * with its interval in words.
 *
 * @param sorted The result of `doubleSort()`
 * @param options The horizon, title, width and footnote
 * @throws {TypeError} If it is not a double sort, or an option is unknown
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
 * if (!chart.description.includes("Quantile 1 of ecqdi_score")) throw new Error(chart.description);
 * await api.close();
 * ```
 */
export function doubleSortChart(sorted: DoubleSort, options: DoubleSortChartOptions = {}): Chart {
  const action = "draw a double sort";
  const rules = { horizon: among(horizonsOf(action, sorted)) };
  const { horizon = 1, title, widthPx = 420, footnote } = readResultOptions(action, options, rules);
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const cells = rowsOf(sorted.cells.filter(of)).map(toCell);
  const { columns } = sorted;
  const [counted] = rowsOf(sorted.sessions.filter(of));
  const sessions = numberIn(counted, "sessions");
  const about = `Returns by quantile of ${columns[0]} and ${columns[1]}, ${
    countText(horizon, "session")
  } ahead`;
  const subject = {
    title,
    about,
    sample: `${countText(sessions, "session")}, ${counted?.["empty"]} of them with an empty cell`,
    footnote: resultFootnote(sorted.cells, footnote),
    widthPx,
  };
  if (!cells.some((row) => row["bps"] !== null)) {
    return layOutNothing(subject, "no cell holds a return");
  }
  const spreads = rowsOf(sorted.spreads.filter(of)).toReversed()
    .map((row) => describeSpread(row, columns));
  return layOutFinding(subject, {
    finding: `${spreads[0]}, ${countText(sessions, "session")}`,
    subtitle: [...spreads.slice(1), "Basis points; small: stocks per session"],
    details: `${spreads.join(". ")}. ${describeCells(cells, columns)}`,
    views: [view(cells, widthPx, columns)],
  });
}

function horizonsOf(action: string, sorted: DoubleSort): readonly number[] {
  const { cells } = (sorted as Partial<DoubleSort> | null | undefined) ?? {};
  if (cells === undefined) {
    throw wrongKind(action, sorted, {
      expected: "the result of doubleSort()",
      advice: 'doubleSort(aligned, { first: "size" }) gives it',
    });
  }
  return [...new Set(cells.getColumn("horizon").toArray() as number[])];
}

function toCell(row: Row): Row {
  return {
    first: row["first"]!,
    second: row["second"]!,
    bps: toValue(BASIS_POINTS * numberIn(row, "mean")),
    names: row["names"]!,
    sessions: row["sessions"]!,
  };
}

/** One sentence per quantile of the first column, in the order of the second. */
type Columns = DoubleSort["columns"];

function describeCells(cells: readonly Row[], columns: Columns): string {
  return [...new Set(cells.map((row) => row["first"]))].map((first, i) => {
    const returns = cells.filter((row) => row["first"] === first).map(returnText).join(", ");
    const order = i === 0 ? `, from the lowest quantile of ${columns[1]} to the highest` : "";
    return `Quantile ${first} of ${columns[0]}${order}: ${returns} bps.`;
  }).join(" ");
}

function returnText(row: Row): string {
  const bps = numberIn(row, "bps");
  return Number.isNaN(bps) ? "none" : decimalText(bps, 1);
}

function describeSpread(row: Row, columns: Columns): string {
  const [own, other] = row["spread"] === "second" ? [columns[1], columns[0]] : columns;
  const name = `Spread of ${own} within quantiles of ${other}`;
  return Number.isNaN(numberIn(row, "mean"))
    ? `${name}: none`
    : `${name} ${meanPhrase(inBasisPoints(row), 1, " bps")}`;
}

function view(cells: readonly Row[], width: number, columns: Columns): ChartSpec {
  const most = cells.reduce((max, row) => Math.max(max, Math.abs(numberIn(row, "bps")) || 0), 0);
  const axis = { labelAngle: 0, domain: false, ticks: false };
  const rows = new Set(cells.map((row) => row["first"])).size;
  return {
    width,
    height: 46 * rows,
    data: { values: cells },
    encoding: {
      x: { field: "second", type: "ordinal", title: `quantile of ${columns[1]}`, axis },
      y: {
        field: "first",
        type: "ordinal",
        sort: "descending",
        title: `quantile of ${columns[0]}`,
        axis,
      },
    },
    layer: cellLayers(most, columns),
  };
}

function cellLayers(most: number, columns: Columns): readonly ChartSpec[] {
  const scale = { domain: [-most, 0, most], range: [...DIVERGING_COLORS], interpolate: "rgb" };
  return [
    {
      transform: [{ filter: "isValid(datum.bps)" }],
      mark: { type: "rect", cornerRadius: 2 },
      encoding: {
        color: { field: "bps", type: "quantitative", title: "mean return, bps", scale },
        tooltip: [
          tip("first", `quantile of ${columns[0]}`),
          tip("second", `quantile of ${columns[1]}`),
          tip("bps", "mean, bps", ".2f"),
          tip("names", "stocks per session", ".1f"),
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
    {
      transform: [{ filter: "isValid(datum.bps)" }],
      mark: { type: "text", dy: 14, fontSize: 8 },
      encoding: {
        text: { field: "names", type: "quantitative", format: ".1f" },
        color: { value: CELL_TEXT_COLOR },
      },
    },
  ];
}
