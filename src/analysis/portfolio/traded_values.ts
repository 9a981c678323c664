import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { assertColumns } from "../../frames/frame/assert_frame.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { cellsOfRows } from "../dense/cells_of_rows.ts";
import { readNumbers } from "../table/read_columns.ts";

/** Columns of the volumes, and the sessions and tickers to lay them out on. */
export interface TradedValuesOptions {
  readonly on: Pick<DenseScores, "days" | "tickers">;
  readonly volume: string;
  /** Column of prices; `null` for volumes in currency. */
  readonly price: string | null;
}

/**
 * Value of all trades of a stock in a session, in currency, as sessions × tickers; NaN where the volume or price is null or has no row.
 *
 * @throws {TypeError} If a column is missing, or a stock occurs twice in a session
 * @throws {RangeError} If a volume or price is negative, or no row is of a stock and session of the data
 */
export function tradedValues(
  action: string,
  market: DataFrame,
  { on: { days, tickers }, volume, price }: TradedValuesOptions,
): Float64Array {
  const numbers = price === null ? [volume] : [volume, price];
  assertColumns(action, market, ["ticker", ...numbers]);
  const cells = cellsOfRows(action, market, {
    ...{ on: { days, tickers }, expected: "one volume", advice: "drop duplicates" },
  });
  const amounts = numbers.map((name) => ({ name, values: readNumbers(action, market, name) }));
  const values = new Float64Array(days.length * tickers.length).fill(NaN);
  for (const [row, cell] of cells.entries()) {
    if (cell === -1) continue;
    for (const { name, values: of } of amounts) {
      if (!(of[row]! < 0)) continue;
      const day = fromEpochDay(days[Math.floor(cell / tickers.length)]!);
      const stock = `${day} ${tickers[cell % tickers.length]}`;
      throw negative(action, `${name} ${of[row]} for ${stock} in row ${row}`);
    }
    values[cell] = amounts.reduce((product, { values: of }) => product * of[row]!, 1);
  }
  if (cells.some((cell) => cell !== -1)) return values;
  throw new RangeError(
    `Cannot ${action}: expected volumes of the stocks and sessions of the data, got none; give the rows that ` +
      "the prices are of",
  );
}

function negative(action: string, found: string): RangeError {
  return new RangeError(
    `Cannot ${action}: expected volumes and prices of at least 0, got a ${found}; make unknown ones null`,
  );
}
