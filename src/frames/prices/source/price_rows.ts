import { countText } from "../../../base/wording/number_text.ts";
import pl, { type DataFrame, type Series } from "nodejs-polars";
import { isCalendarDate } from "../../../base/contract/instant.ts";
import { describe } from "../../../base/contract/violation.ts";
import { columnType } from "../../frame/times/column_type.ts";
import { readDays } from "../../frame/times/read_days.ts";
import { dateAdvice } from "./date_advice.ts";
import { dateReader } from "./date_format.ts";
import { NO_TICKER_ADVICE } from "./no_ticker_advice.ts";
import type { PriceSource } from "./price_source.ts";
import { type Decimal, readCloses } from "./read_closes.ts";
import { frameOf } from "../../frame/typed/frame_of.ts";
/** Columns of prices, in order. */
export const PRICE_COLUMNS = { date: "date", ticker: "text", close: "number" } as const;

/** Formats of texts. */
export interface TextForms {
  /** Decimal sign; `null` for plain numbers. */
  readonly decimal: Decimal;
  /** Such as `%m/%d/%Y`; `null` for 2026-11-19 and 20261119. */
  readonly dateFormat: string | null;
}

const COMPACT_DATE = /^(\d{4})(\d{2})(\d{2})$/;
// A date that pandas or a database stores as a time, with any offset: the date in its own time zone.
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[T ]00:00(:00(\.0+)?)?(Z|[+-]\d{2}:?\d{2})?$/;
const NUMERIC = /^(Float|Int|UInt|Null)/;

/**
 * Converts rows to `date` (Date), `ticker` (Utf8) and `close` (Float64), in the order of the source.
 *
 * @throws {TypeError} If a column has another type, a text is not a date or not a number, or a date or ticker is missing
 */
export function toPriceRows({ frame, title }: PriceSource, forms: TextForms): DataFrame {
  assertComplete(frame, title);
  const date = readDates(frame, title, forms);
  const ticker = readTickers(frame.getColumn("ticker"), title);
  const close = readNumbers(frame.getColumn("close"), title, forms);
  return frameOf(PRICE_COLUMNS, { date, ticker, close });
}

function assertComplete(frame: DataFrame, title: string): void {
  for (const name of ["date", "ticker"]) {
    const missing = frame.getColumn(name).isNull().toArray() as boolean[];
    const nulls = missing.filter(Boolean).length;
    if (nulls === 0) continue;
    throw new TypeError(
      `Cannot read ${title}: expected a ${name} in every row, got ${countText(nulls, "row")} ` +
        `without one (the first is row ${missing.indexOf(true) + 1}); ` +
        (name === "ticker"
          ? NO_TICKER_ADVICE
          : "look for a blank line, a total or a note in the table"),
    );
  }
}

function readDates(frame: DataFrame, title: string, { dateFormat }: TextForms): Series {
  const column = frame.getColumn("date");
  const { name, isText } = columnType(column);
  if (isText) return datesOfTexts(column.cast(pl.Utf8), title, dateFormat);
  if (name === "Date") return column;
  if (name !== "Datetime") throw wrongType(title, column, "dates");
  const days = readDays(`read ${title}`, frame, "date");
  return pl.Series("date", days).cast(pl.Int32).cast(pl.Date);
}

// A file has a few thousand dates in millions of rows, so each text is parsed once.
function datesOfTexts(column: Series, title: string, format: string | null): Series {
  const texts = column.unique().toArray() as string[];
  const dateOf = format === null ? plainDate : dateReader(format);
  const days = texts.map((text) => {
    const date = dateOf(text);
    if (date !== null) return new Date(date);
    const such = format === null ? "such as 2026-11-19" : `in the form ${describe(format)}`;
    throw new TypeError(
      `Cannot read ${title}: expected dates ${such}, got ${describe(text)}; ` +
        dateAdvice(text, texts, format),
    );
  });
  const known = pl.DataFrame([pl.Series("date", texts, pl.Utf8), pl.Series("day", days, pl.Date)]);
  const joined = pl.DataFrame([column]).join(known, { on: "date", how: "left" });
  return joined.getColumn("day").rename("date");
}

function plainDate(text: string): string | null {
  const date = COMPACT_DATE.test(text)
    ? text.replace(COMPACT_DATE, "$1-$2-$3")
    : text.replace(MIDNIGHT, "$1");
  return isCalendarDate(date) ? date : null;
}

function readTickers(column: Series, title: string): Series {
  const { name, isText } = columnType(column);
  if (isText) return column.cast(pl.Utf8);
  throw new TypeError(
    `Cannot read ${title}: expected tickers as text, got ${name}; a ticker that was ` +
      "read as another type lost its form (1E5, 0012, TRUE), so read the source again with text",
  );
}

function readNumbers(column: Series, title: string, { decimal }: TextForms): Series {
  const { name, isText } = columnType(column);
  if (NUMERIC.test(name)) return column.cast(pl.Float64);
  if (!isText) throw wrongType(title, column, "numbers");
  return readCloses(column, title, decimal);
}

function wrongType(title: string, column: Series, expected: string): TypeError {
  return new TypeError(
    `Cannot read ${title}: expected ${expected} in the column of the ${column.name}, got ` +
      columnType(column).name +
      (/^(U?Int|Float)/.test(columnType(column).name)
        ? `; make it text, by pl.col(NAME).cast(pl.Int32).cast(pl.Utf8), if its numbers are like 20261119`
        : ""),
  );
}
