import pl, { type DataFrame, type Series } from "nodejs-polars";
import { countText } from "../../../base/wording/number_text.ts";
import { describe } from "../../../base/contract/violation.ts";
import { listText } from "../../../base/arguments/list_text.ts";
import { clockText, DAY_MS } from "../../../base/calendar/civil_date.ts";
import { clockMs, columnType } from "../../frame/times/column_type.ts";
import { dateOfText, readDays } from "../../frame/times/read_days.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import { dateAdvice, dateReader } from "./date_format.ts";
import { missingNumbers, readNumbersOfTexts, readRatios } from "./read_numbers.ts";
import { isDateText } from "./text_head.ts";
import { isEpochText, zonedDateReader } from "./zoned_dates.ts";

/** Columns of prices, in order. */
export const PRICE_COLUMNS = { date: "date", ticker: "text", close: "number" } as const;

/** Advice for rows without a ticker, which usually had the ticker NA, NULL or NAN. */
export const NO_TICKER_ADVICE =
  "pandas reads the tickers NA, NULL and NAN as missing, so that dropping these rows can drop " +
  "companies; read the source with keep_default_na=False and write it again";

const NUMERIC = /^(Float|Int|UInt|Null|Decimal)/;

/**
 * Converts rows to `date` (Date), `ticker` (Utf8) and numbers, in the order of the source.
 *
 * @param frame `date`, `ticker` and columns of numbers
 * @param ratios Those that may be texts such as 3:1, and are null where they are no numbers
 * @throws {TypeError} If a column has another type, a text is not a date or not a number, or a date or ticker is missing
 */
export function toPriceRows(
  frame: DataFrame,
  title: string,
  options: ReadPricesOptions,
  ratios: ReadonlySet<string>,
): DataFrame {
  const dated = readDateColumn(frame, title, options);
  assertComplete(dated, "ticker", title);
  const columns = dated.getColumns().map((column) => {
    if (column.name === "date") return column;
    if (column.name === "ticker") return readTickers(column, title);
    if (ratios.has(column.name)) return readRatios(column, options);
    return readNumbers(column, title, options);
  });
  return pl.DataFrame(columns);
}

/**
 * Replaces the texts or times of `date` by dates.
 *
 * @throws {TypeError} If a text is not a date, or a date is missing
 */
export function readDateColumn(
  frame: DataFrame,
  title: string,
  options: ReadPricesOptions,
): DataFrame {
  const { dateFormat, timeZone } = options;
  const zoned = timeZone === undefined ? dateOfText : zonedDateReader(timeZone);
  const dateOf = dateFormat === undefined ? zoned : dateReader(dateFormat);
  const form = { dateOf, format: dateFormat ?? null };
  const texts = timesAsTexts(frame, timeZone !== undefined);
  refuseFooter(texts, title, form);
  assertComplete(texts, "date", title);
  return texts.withColumns(readDates(texts, title, form));
}

// The last time that a Date holds.
const LATEST_MS = 8.64e15;

/** The frame with its times as texts if they are not all dates: those of a Datetime within a day, and Unix times. */
function timesAsTexts(frame: DataFrame, hasZone: boolean): DataFrame {
  const column = frame.getColumn("date");
  const type = columnType(column);
  if (/^U?Int64|^Float64/.test(type.name)) {
    const whole = pl.col("date").cast(pl.Int64).cast(pl.Utf8);
    const [first] = frame.select(whole).getColumn("date").dropNulls().head(1).toArray() as string[];
    return first === undefined || !isEpochText(first) ? frame : frame.withColumns(whole);
  }
  if (type.name !== "Datetime") return frame;
  const clock = clockMs("date", type);
  const within = frame.select(clock.alias("date")).getColumn("date").dropNulls();
  const times = within.len() === 0
    ? new Float64Array()
    : within.toTypedArray() as unknown as Float64Array;
  const wrong = times.find((ms) => Math.abs(ms) > LATEST_MS);
  if (wrong !== undefined) {
    throw new TypeError(
      "Cannot read the prices: expected times within the years of a calendar in the column of the " +
        `date, got ${clockText(wrong)}; check the unit of the column`,
    );
  }
  const isOfDays = times.every((ms) => ms % DAY_MS === 0);
  if (isOfDays && (type.zone === null || !hasZone)) return frame;
  const form = type.zone === null ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%dT%H:%M:%S%:z";
  return frame.withColumns(pl.col("date").dt.strftime(form).alias("date"));
}

// The first date tells the format; remarks, totals and second tables stand below the last row with a date.
function refuseFooter(frame: DataFrame, title: string, form: DateForm): void {
  if (!columnType(frame.getColumn("date")).isText || frame.height === 0) return;
  const column = frame.getColumn("date").cast(pl.Utf8);
  const isDate = (text: string | null) => text !== null && form.dateOf(text) !== null;
  const [first] = column.head(1).toArray() as (string | null)[];
  if (typeof first === "string" && !isDate(first)) {
    throw noDate(first, column.unique().toArray() as (string | null)[], title, form);
  }
  if (isDate(column.tail(1).toArray()[0] as string | null)) return;
  const texts = column.toArray() as (string | null)[];
  const rows = texts.length - 1 - texts.findLastIndex(isDate);
  const below = texts.slice(-rows);
  const isOther = (text: string | null) => text === null || !isDateText(text);
  // A row with a close is no remark, whatever its date is.
  const hasNumbers = rows > 0 &&
    frame.tail(rows).rows().every((row) =>
      row.length > 2 && row.every((value) => value !== null && String(value).trim() !== "")
    );
  const isRemark = below.every(isOther) && texts.slice(0, -rows).every(isDate);
  if (hasNumbers || rows === texts.length || !isRemark) return;
  const shown = frame.tail(rows).rows()
    .map((row) => row.filter((value) => value !== null).join(" "));
  throw new TypeError(
    `Cannot read ${title}: expected a date in every row, got ${countText(rows, "row")} without ` +
      `one at the end (${listText(shown.filter((text) => text !== ""), 2)}); use footer: ${rows} ` +
      "if these lines are a remark or another table",
  );
}

function assertComplete(frame: DataFrame, name: "date" | "ticker", title: string): void {
  const column = frame.getColumn(name);
  const isBlank = columnType(column).isText
    ? pl.col(name).cast(pl.Utf8).str.strip().eq(pl.lit("")).or(pl.col(name).isNull())
    : pl.col(name).isNull();
  const blank = frame.select(isBlank.fillNull(pl.lit(true)).alias("blank")).getColumn("blank");
  const nulls = Number(blank.sum());
  if (nulls === 0) return;
  const row = (blank.toArray() as boolean[]).indexOf(true) + 1;
  const advice = name === "ticker"
    ? NO_TICKER_ADVICE
    : "look for a blank line, a total or a note in the table";
  throw new TypeError(
    `Cannot read ${title}: expected a ${name} in every row, got ${countText(nulls, "row")} ` +
      `without one (the first is row ${row}); ${advice}`,
  );
}

interface DateForm {
  readonly dateOf: (text: string) => string | null;
  readonly format: string | null;
}

function readDates(frame: DataFrame, title: string, form: DateForm): Series {
  const column = frame.getColumn("date");
  const { name, isText } = columnType(column);
  if (isText) return datesOfTexts(column.cast(pl.Utf8), title, form);
  if (name === "Date") return column;
  if (name !== "Datetime") throw wrongType(title, column, "dates");
  const days = readDays(`read ${title}`, frame, "date");
  return pl.Series("date", days).cast(pl.Int32).cast(pl.Date);
}

// A file has a few thousand dates in millions of rows, so each text is parsed once.
function datesOfTexts(column: Series, title: string, form: DateForm): Series {
  const texts = (column.unique().toArray() as string[]).toSorted();
  const days = texts.map((text) => {
    const date = form.dateOf(text);
    if (date !== null) return new Date(date);
    throw noDate(text, texts, title, form);
  });
  const known = pl.DataFrame([pl.Series("date", texts, pl.Utf8), pl.Series("day", days, pl.Date)]);
  const joined = pl.DataFrame([column]).join(known, { on: "date", how: "left" });
  return joined.getColumn("day").rename("date");
}

function noDate(
  text: string,
  all: readonly (string | null)[],
  title: string,
  { format }: DateForm,
): TypeError {
  const such = format === null ? "such as 2026-11-19" : `in the form ${describe(format)}`;
  const dates = all.filter((date) => date !== null);
  return new TypeError(
    `Cannot read ${title}: expected dates ${such}, got ${describe(text)}; ` +
      dateAdvice(text, dates, format),
  );
}

function readTickers(column: Series, title: string): Series {
  const { name, isText } = columnType(column);
  const numbers = /^(U?Int|Float)/.test(name) ? column.cast(pl.Float64) : null;
  if (!isText && numbers === null) {
    throw new TypeError(
      `Cannot read ${title}: expected tickers as text or whole numbers, got ${name}; read the source again with text`,
    );
  }
  // 80011.0 is the number of a stock that pandas had missing values beside.
  const texts = isText ? column.cast(pl.Utf8).str.strip() : column.cast(pl.Utf8);
  const own = texts.unique().toArray() as (string | null)[];
  const isWhole = own.some((text) => /\.0+$/.test(text ?? "")) &&
    own.every((text) => text === null || /^\d+\.0+$/.test(text));
  if (isWhole) return texts.str.replace("\\.0+$", "");
  const other = own.find((text) => /[.e]/.test(text ?? ""));
  if (numbers !== null && other !== undefined) {
    throw new TypeError(
      `Cannot read ${title}: expected tickers as text or whole numbers, got ${other}; a ticker ` +
        "that was read as another type lost its form (1E5, 0012, TRUE), so read the source again with text",
    );
  }
  return texts;
}

function readNumbers(column: Series, title: string, options: ReadPricesOptions): Series {
  const { name, isText } = columnType(column);
  if (NUMERIC.test(name)) return withoutBlanks(column.cast(pl.Float64), missingNumbers(options));
  if (!isText) throw wrongType(title, column, "numbers");
  return readNumbersOfTexts(column, title, options);
}

function withoutBlanks(column: Series, blanks: readonly number[]): Series {
  if (blanks.length === 0) return column;
  const value = pl.col(column.name);
  const isBlank = blanks.map((blank) =>
    Number.isNaN(blank) ? value.isNan() : value.eq(pl.lit(blank))
  ).reduce((some, one) => some.or(one));
  const kept = pl.when(isBlank).then(pl.lit(null).cast(pl.Float64)).otherwise(value);
  return pl.DataFrame([column]).select(kept.alias(column.name)).getColumn(column.name);
}

function wrongType(title: string, column: Series, expected: string): TypeError {
  const { name } = columnType(column);
  const advice = /^(U?Int|Float)/.test(name)
    ? "; make it text, by pl.col(NAME).cast(pl.Int32).cast(pl.Utf8), if its numbers are like 20261119"
    : "";
  return new TypeError(
    `Cannot read ${title}: expected ${expected} in the column of the ${column.name}, got ` +
      `${name}${advice}`,
  );
}
