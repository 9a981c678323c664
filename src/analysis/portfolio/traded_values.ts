import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../calendar/civil_date.ts";
import { describe } from "../../contract/violation.ts";
import { assertColumns } from "../../frame/assert_columns.ts";
import { placesOfDays } from "../dense/days.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { readDayColumn, readNumbers, readTexts } from "../table/read_columns.ts";

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
 * @throws {TypeError} If a column is missing, the price no column name, or a stock stands twice in a session
 * @throws {RangeError} If a volume or price is negative, or no row is of a stock and session of the data
 */
export function tradedValues(
  action: string,
  market: DataFrame,
  { on: { days, tickers }, volume, price }: TradedValuesOptions,
): Float64Array {
  const numbers = numberColumns(action, volume, price);
  assertColumns(action, market, ["ticker", ...numbers]);
  const time = market.columns.includes("session") ? "session" : "date";
  const sessions = readDayColumn(action, market, time);
  const { names, codes } = readTexts(action, market, "ticker");
  const amounts = numbers.map((name) => ({ name, values: readNumbers(action, market, name) }));
  const placeOf = placesOfDays(days);
  const columns = new Map(tickers.map((ticker, column) => [ticker, column]));
  const columnOf = names.map((name) => columns.get(name) ?? -1);
  const values = new Float64Array(days.length * tickers.length).fill(NaN);
  const seen = new Uint8Array(values.length);
  for (const [row, session] of sessions.entries()) {
    const [place, column] = [placeOf(session), columnOf[codes[row]!] ?? -1];
    if (place === -1 || column === -1) continue;
    const cell = place * tickers.length + column;
    const stock = `${fromEpochDay(session)} ${tickers[column]}`;
    if (seen[cell] === 1) throw repeated(action, stock, row);
    seen[cell] = 1;
    for (const { name, values: of } of amounts) {
      if (of[row]! < 0) throw negative(action, `${name} ${of[row]} for ${stock} in row ${row}`);
    }
    values[cell] = amounts.reduce((product, { values: of }) => product * of[row]!, 1);
  }
  if (seen.includes(1)) return values;
  throw new RangeError(
    `Cannot ${action}: expected volumes of the stocks and sessions of the data, got none; give the rows that ` +
      "the prices are of",
  );
}

function numberColumns(action: string, volume: string, price: unknown): readonly string[] {
  if (price === null) return [volume];
  if (typeof price === "string") return [volume, price];
  throw new TypeError(
    `Cannot ${action}: expected price to be a column name such as "close", or null for volumes in ` +
      `currency, got ${describe(price)}`,
  );
}

function repeated(action: string, stock: string, row: number): TypeError {
  return new TypeError(
    `Cannot ${action}: expected one volume per session and ticker, got ${stock} again in row ${row}; drop duplicates`,
  );
}

function negative(action: string, found: string): RangeError {
  return new RangeError(
    `Cannot ${action}: expected volumes and prices of at least 0, got a ${found}; make unknown ones null`,
  );
}
