import type { DataFrame } from "nodejs-polars";
import { type HasBuckets, toQuantized } from "../../cross_section/buckets/to_quantized.ts";
import { heldQuantiles } from "../../portfolio/book/equal_books.ts";
import { sessionsDense } from "../../portfolio/sessions_dense.ts";
import type { TableFrame } from "../../../frames/frame/typed/table_frame.ts";
import { tableOfRows } from "../../table/frame_of_rows.ts";
import { readDayColumn, readNumbers } from "../../table/read_columns.ts";
import { wealthOf } from "./wealth.ts";

/** Columns of the table, in order. */
export const WEALTH_COLUMNS = {
  quantile: "count",
  date: "date",
  wealth: "number",
  all_names: "number",
  relative: "number",
} as const;

const ACTION = "compound the returns of quantiles";

/**
 * Cumulative return of each quantile and of all stocks, as growth of 1: accounts that hold their stocks with equal weights in every
 * session, without costs. Stocks stay in their quantile until there are new scores. One without a close is kept at its last one
 * and books the whole move when the close is back, as in {@link portfolioReturns}.
 *
 * One row per quantile and date, by both: `quantile` (Int32), `date` (Date), `wealth` (1 on the session of the first entry), `all_names`
 * (wealth of all scored stocks), `relative` (the product of 1 + return of the quantile over 1 + return of all
 * stocks, over the sessions in which the quantile has a return). A date without a return has null, because the quantile holds
 * nothing or prices end, and the next one goes on from the last value.
 *
 * @param data The result of {@link quantize}, or a frame of its rows
 * @returns A frame of one row per quantile and date: the wealth
 * @throws {TypeError} If a column is missing, or means are given
 * @throws {RangeError} If a frame has no returns of one session, or lacks sessions
 * @see Campbell, Lo and MacKinlay (1997), The econometrics of financial markets, section 1.4, on compounding
 *
 * @example Usage
 * ```ts
 * import { cumulativeQuantileReturns } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const data = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
 *   ticker: ["A", "B", "A", "B"],
 *   score: [0.1, 0.9, 0.1, 0.9],
 *   quantile: [1, 2, 1, 2],
 *   return_1: [0.1, 0.5, -0.5, 0],
 * });
 * const wealth = cumulativeQuantileReturns(data).getColumn("wealth").toArray().map((value) => Number(value).toFixed(2));
 * if (wealth.join() !== "1.00,1.10,0.55,1.00,1.50,1.50") throw new Error(wealth.join());
 * ```
 */
export function cumulativeQuantileReturns(
  data: HasBuckets | DataFrame,
): TableFrame<typeof WEALTH_COLUMNS> {
  if ((data as Partial<DataFrame> | null | undefined)?.columns?.includes?.("mean") === true) {
    throw new TypeError(
      `Cannot ${ACTION}: expected stocks in their quantiles, got means, which do not tell what a stock without a ` +
        "close is worth; give the result of quantize()",
    );
  }
  const quantized = toQuantized(ACTION, data);
  sessionsDense(ACTION, data);
  const { from, to } = quantized.dense;
  return compoundQuantiles(heldQuantiles(ACTION, quantized, [from, to]));
}

/** Growth of 1 by quantile and session. */
export function compoundQuantiles(held: DataFrame): TableFrame<typeof WEALTH_COLUMNS> {
  const sorted = held.sort(["quantile", "date"]);
  const [quantiles, returns, all] = ["quantile", "return", "all_names"].map((name) =>
    readNumbers(ACTION, sorted, name)
  ) as [Float64Array, Float64Array, Float64Array];
  const [days, entries] = ["date", "from"].map((name) => readDayColumn(ACTION, sorted, name));
  const parts = [...Map.groupBy(quantiles.keys(), (row) => quantiles[row]!).values()];
  const rows = parts.flatMap((part) => {
    const take = (of: Float64Array) => Float64Array.from(part, (row) => of[row]!);
    const [own, market] = [take(returns), take(all)];
    const [wealth, ofAll] = [wealthOf(own), wealthOf(market)];
    const relative = wealthOf(own.map((value, i) => (1 + value) / (1 + market[i]!) - 1));
    const shown = (value: number, line: Float64Array, i: number) =>
      Number.isNaN(value) ? null : line[i]!;
    const quantile = quantiles[part[0]!]!;
    const start = { quantile, date: entries![part[0]!]!, wealth: 1, allNames: 1, relative: 1 };
    const rest = part.map((row, i) => ({
      ...{ quantile, date: days![row]!, wealth: shown(own[i]!, wealth, i) },
      ...{ allNames: shown(market[i]!, ofAll, i), relative: shown(own[i]!, relative, i) },
    }));
    return [start, ...rest];
  });
  return tableOfRows(rows, WEALTH_COLUMNS, {});
}
