import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../../calendar/civil_date.ts";
import { distinctDays, placesOfDays } from "../../dense/days.ts";
import { readDays, readNumbers, readTexts, type TextCodes } from "../../table/read_columns.ts";

/** Prices as sessions × tickers; the price of ticker `t` in session `d` stands at `d * tickers.length + t`. */
export interface PriceGrid {
  /** The sessions, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** The tickers, in the order of their code units. */
  readonly tickers: readonly string[];
  /** The price; NaN where there is none. */
  readonly prices: Float64Array;
  /** 1 where the frame has a row, priced or not. */
  readonly present: Uint8Array;
  /** How many rows lie on dates that are no session. */
  readonly strayRows: number;
}

/** Which columns of a frame of prices are read. */
export interface PriceColumns {
  /** The date of a session. */
  readonly date: string;
  /** The ticker. */
  readonly ticker: string;
  /** The price that is traded at. */
  readonly price: string;
}

const ACTION = "compute forward returns";

/**
 * Lays out a frame of prices.
 *
 * @param sessions The sessions, ascending; `null` if every date of the prices is one
 * @param others Tickers that have a column although the frame may have no row of them
 * @throws {TypeError} If a column is missing or of another type, or a date and ticker repeat
 * @throws {RangeError} If a price is zero, negative or infinite
 */
export function toPriceGrid(
  frame: DataFrame,
  columns: PriceColumns,
  sessions: Int32Array | null,
  others: readonly string[] = [],
): PriceGrid {
  const dates = readDays(ACTION, frame, columns.date);
  const tickers = withOthers(readTexts(ACTION, frame, columns.ticker), others);
  const values = readNumbers(ACTION, frame, columns.price);
  const days = sessions ?? distinctDays(dates);
  const placeOf = placesOfDays(days);
  const names = tickers.names.length;
  const prices = new Float64Array(days.length * names).fill(NaN);
  const present = new Uint8Array(prices.length);
  let strayRows = 0;
  let session = -1;
  for (let row = 0; row < dates.length; row++) {
    if (row === 0 || dates[row] !== dates[row - 1]) session = placeOf(dates[row]!);
    const ticker = tickers.codes[row]!;
    if (session === -1 || ticker === -1) {
      strayRows++;
      continue;
    }
    const cell = session * names + ticker;
    if (present[cell] === 1) throw repeated(dates[row]!, tickers.names[ticker]!);
    if (values[row]! <= 0) throw notPositive(columns, dates[row]!, tickers.names[ticker]!);
    present[cell] = 1;
    prices[cell] = values[row]!;
  }
  return { days, tickers: tickers.names, prices, present, strayRows };
}

function withOthers({ names, codes }: TextCodes, others: readonly string[]): TextCodes {
  if (others.length === 0) return { names, codes };
  const all = [...new Set([...names, ...others])].toSorted((a, b) => a < b ? -1 : 1);
  const places = new Map(all.map((name, place) => [name, place]));
  const placeOf = names.map((name) => places.get(name)!);
  return { names: all, codes: codes.map((code) => code === -1 ? -1 : placeOf[code]!) };
}

function repeated(day: number, ticker: string): TypeError {
  return new TypeError(
    `Cannot ${ACTION}: one row a date and ticker is required, ${fromEpochDay(day)} ${ticker} ` +
      "repeats; drop duplicates, or choose one source of prices",
  );
}

function notPositive(columns: PriceColumns, day: number, ticker: string): RangeError {
  return new RangeError(
    `Cannot ${ACTION}: positive prices are required in the column ${columns.price}, ` +
      `${fromEpochDay(day)} ${ticker} has none; make it null if there was no trade`,
  );
}
