import pl, { type DataFrame, type Series } from "nodejs-polars";
import { isCalendarDate } from "../contract/instant.ts";
import { describe } from "../contract/violation.ts";
import type { PriceSource } from "./_price_source.ts";

const COMPACT_DATE = /^(\d{4})(\d{2})(\d{2})$/;
// What pandas and databases write of a date that they keep as a time.
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[T ]00:00(:00(\.0+)?)?(Z|\+00:?00)?$/;
const DAY_MS = 86_400_000;
const NUMERIC = /^(Float|Int|UInt|Null)/;

/**
 * The rows with a `date` (Date), a `ticker` (Utf8) and a `close` (Float64), in the order of the source.
 *
 * @throws {TypeError} If a column is of another type, or a text is no date or no number
 */
export function toPriceRows({ frame, title }: PriceSource): DataFrame {
  const date = readDates(frame.getColumn("date"), title);
  const ticker = readTickers(frame.getColumn("ticker"), title);
  const close = readCloses(frame.getColumn("close"), title);
  const rows = pl.DataFrame([date, ticker, close]);
  for (const name of ["date", "ticker"]) {
    const nulls = rows.getColumn(name).nullCount();
    if (nulls === 0) continue;
    throw new TypeError(
      `Cannot read ${title}: expected a ${name} in every row, got ${nulls} without; drop those rows`,
    );
  }
  return rows;
}

function readDates(column: Series, title: string): Series {
  const type = typeName(column);
  if (type === "Date") return column;
  if (type === "Datetime") return datesOfInstants(column, title);
  if (!isText(type)) throw wrongType(title, column, "dates");
  return datesOfTexts(column.cast(pl.Utf8), title);
}

function datesOfInstants(column: Series, title: string): Series {
  const dates = column.cast(pl.Date);
  const milliseconds = pl.DataFrame([column]).select(
    pl.col("date").cast(pl.Datetime("ms")).cast(pl.Int64).cast(pl.Float64).modulo(DAY_MS).abs()
      .sum(),
  );
  if (Number(milliseconds.row(0)[0] ?? 0) === 0) return dates;
  throw new TypeError(
    `Cannot read ${title}: expected dates in the column of the date, got times of the day; which ` +
      "session a time belongs to depends on its time zone",
  );
}

// A file has some thousand dates and millions of rows: each text is read once.
function datesOfTexts(column: Series, title: string): Series {
  const texts = column.dropNulls().unique().toArray() as string[];
  const days = texts.map((text) => {
    const date = dateOf(text);
    if (date !== null) return new Date(date);
    throw new TypeError(
      `Cannot read ${title}: expected dates such as 2026-11-19, got ${describe(text)}`,
    );
  });
  const known = pl.DataFrame([pl.Series("date", texts, pl.Utf8), pl.Series("day", days, pl.Date)]);
  const joined = pl.DataFrame([column]).join(known, { on: "date", how: "left" });
  return joined.getColumn("day").rename("date");
}

function dateOf(text: string): string | null {
  const date = COMPACT_DATE.test(text)
    ? text.replace(COMPACT_DATE, "$1-$2-$3")
    : text.replace(MIDNIGHT, "$1");
  return isCalendarDate(date) ? date : null;
}

function readTickers(column: Series, title: string): Series {
  if (isText(typeName(column))) return column.cast(pl.Utf8);
  throw new TypeError(
    `Cannot read ${title}: expected tickers as text, got ${typeName(column)}; a ticker that was ` +
      "read as another type lost its form (1E5, 0012, TRUE), so read the source again with text",
  );
}

function readCloses(column: Series, title: string): Series {
  const type = typeName(column);
  if (NUMERIC.test(type)) return column.cast(pl.Float64);
  if (!isText(type)) throw wrongType(title, column, "numbers");
  const numbers = column.cast(pl.Float64, false);
  if (numbers.nullCount() === column.nullCount()) return numbers;
  const [first] = pl.DataFrame([column.rename("text"), numbers])
    .filter(pl.col("close").isNull().and(pl.col("text").isNotNull()))
    .getColumn("text").cast(pl.Utf8).toArray();
  throw new TypeError(
    `Cannot read ${title}: expected numbers such as 1234.5 or nothing as the close, got ` +
      describe(first),
  );
}

function wrongType(title: string, column: Series, expected: string): TypeError {
  return new TypeError(
    `Cannot read ${title}: expected ${expected} in the column of the ${column.name}, got ` +
      typeName(column),
  );
}

function isText(type: string): boolean {
  return ["Utf8", "String", "Categorical"].includes(type);
}

function typeName(column: Series): string {
  return (column.dtype as { variant?: string }).variant ?? String(column.dtype);
}
