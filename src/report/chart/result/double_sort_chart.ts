import pl from "nodejs-polars";
import type { DoubleSort } from "../../../analysis/factor_test/double_sort.ts";
import { among } from "../../../base/arguments/check_options.ts";
import { wrongKind } from "../../../base/arguments/list_text.ts";
import { BASIS_POINTS, countText, decimalText } from "../../../base/wording/number_text.ts";
import type { Chart } from "../chart.ts";
import type { ChartSpec } from "../chart_spec.ts";
import { signed, tip } from "../grammar/encodings.ts";
import { has, mark } from "../mark.ts";
import { inBasisPoints, meanPhrase } from "../grammar/mean_phrase.ts";
import {
  readResultOptions,
  type ResultChartOptions,
  resultOrigin,
} from "../grammar/subject/frame_subject.ts";
import { layOutFinding, layOutNothing } from "../grammar/subject/lay_out_finding.ts";
import { numberIn, type RowOf, rowsOf, toValue, withNumber } from "../grammar/values.ts";
import { CELL_TEXT_COLOR } from "../palette.ts";

/**
 * Draws the mean returns of a double sort: one cell per pair of quantiles, in basis points, and the spread of each column
 * with its interval in words.
 *
 * @param sorted The result of `doubleSort()`
 * @param options The horizon (by default 1), title, width and footnote
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
export function doubleSortChart(
  sorted: DoubleSort,
  options: ResultChartOptions & { readonly horizon?: number } = {},
): Chart {
  const action = "draw a double sort";
  const rules = { horizon: among(horizonsOf(action, sorted)) };
  const { horizon = 1, title, widthPx = 420, footnote } = readResultOptions(action, options, rules);
  const of = pl.col("horizon").eq(pl.lit(horizon));
  const cells = rowsOf(sorted.cells.filter(of)).map(({ first, second, mean, names, sessions }) => (
    { first, second, bps: toValue(BASIS_POINTS * (mean ?? NaN)) as number | null, names, sessions }
  ));
  const { columns } = sorted;
  const [counted] = rowsOf(sorted.sessions.filter(of));
  const sessions = countText(numberIn(counted, "sessions"), "session");
  const subject = {
    title,
    about: `Returns by quantile of ${columns[0]} and ${columns[1]}, ` +
      `${countText(horizon, "session")} ahead`,
    sample: `${sessions}, ${counted?.empty} of them with an empty cell`,
    ...resultOrigin(sorted.cells, footnote),
    widthPx,
  };
  const known = withNumber(cells, "bps");
  if (known.length === 0) return layOutNothing(subject, "no cell holds a return");
  const spreads = rowsOf(sorted.spreads.filter(of)).toReversed()
    .map((row) => describeSpread(row, columns));
  const most = known.reduce((max, { bps }) => Math.max(max, Math.abs(bps)), 0);
  return layOutFinding(subject, {
    finding: `${spreads[0]}, ${sessions}`,
    subtitle: [...spreads.slice(1), "Basis points; small: stocks per session"],
    details: `${spreads.join(". ")}. ${describeCells(cells, columns)}`,
    views: [{
      width: widthPx,
      height: 46 * new Set(cells.map(({ first }) => first)).size,
      data: { values: cells },
      ...grid(columns, most),
    }],
  });
}

type Columns = DoubleSort["columns"];

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

/** One sentence per quantile of the first column, in the order of the second. */
function describeCells(
  cells: readonly { readonly first: number | null; readonly bps: number | null }[],
  columns: Columns,
): string {
  return [...Map.groupBy(cells, ({ first }) => first)].map(([first, own], i) => {
    const returns = own.map(({ bps }) => bps === null ? "none" : decimalText(bps, 1)).join(", ");
    const order = i === 0 ? `, from the lowest quantile of ${columns[1]} to the highest` : "";
    return `Quantile ${first} of ${columns[0]}${order}: ${returns} bps.`;
  }).join(" ");
}

function describeSpread(row: RowOf<DoubleSort["spreads"]>, columns: Columns): string {
  const [own, other] = row.spread === "second" ? [columns[1], columns[0]] : columns;
  const name = `Spread of ${own} within quantiles of ${other}`;
  return row.mean === null
    ? `${name}: none`
    : `${name} ${meanPhrase(inBasisPoints(row), 1, " bps")}`;
}

function grid(columns: Columns, most: number): ChartSpec {
  const axis = { labelAngle: 0, domain: false, ticks: false };
  const [first, second] = columns.map((name) => `quantile of ${name}`) as [string, string];
  const [where, color] = [has("bps"), { value: CELL_TEXT_COLOR }];
  const number = (field: string) => ({ field, type: "quantitative", format: ".1f" });
  const tooltip = [
    tip("first", first),
    tip("second", second),
    tip("bps", "mean, bps", ".2f"),
    tip("names", "stocks per session", ".1f"),
    tip("sessions", "sessions", ",d"),
  ];
  const fill = signed("bps", "mean return, bps", most);
  return {
    encoding: {
      x: { field: "second", type: "ordinal", title: second, axis },
      y: { field: "first", type: "ordinal", sort: "descending", title: first, axis },
    },
    layer: [
      mark("rect", { where, cornerRadius: 2, color: fill, tooltip }),
      mark("text", { where, text: number("bps"), color }),
      mark("text", { where, dy: 14, fontSize: 8, text: number("names"), color }),
    ],
  };
}
