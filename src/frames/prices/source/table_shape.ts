import { listText } from "../../../base/arguments/list_text.ts";
import { isTicker } from "../../../base/contract/ticker.ts";
import type { PriceNames } from "./price_source.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";

const DATE = /^\d{4}-?\d{2}-?\d{2}$|^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/;
const IDENTIFIER =
  /^(ticker|symbol|sym|tic|ric|isin|cusip|figi|permno|code|asset|instrument|security|name)/i;

/** Names of an index in a file, as pandas writes them, beside the names of dates. */
export const INDEX =
  /^(|index|unnamed: 0|__index_level_0__|date|day|datum|timestamp|time|session)$/i;

/** Names of the fields of a bar. */
export const FIELD =
  /^(open|high|low|close|adj.*|volume|vwap|price|last|bid|ask|dividends|stock splits|capital gains)(_duplicated_\d+)?$/i;

/** Probable layout of a table that lacks columns, with advice to read it; `null` if only names differ. */
export function tableShape(
  columns: readonly string[],
  missing: readonly (keyof PriceNames)[],
  given: Partial<PriceNames>,
): string | null {
  const got = `the columns ${listText(columns)}`;
  if (columns.some((name) => DATE.test(name))) {
    return `${got}, which are data; write the names of the columns above them`;
  }
  if (!missing.includes("ticker") || given.ticker !== undefined) return null;
  if (columns.some((name) => IDENTIFIER.test(name))) return null;
  const [date = "", ...others] = columns;
  if (date === "Price" && others.some((name) => FIELD.test(name))) {
    return `${got}, the first of several header lines, as pandas writes for columns with two levels; save ` +
      'one level, such as data["Close"].to_csv("closes.csv"), and use layout: "wide"';
  }
  if (others.some((name) => FIELD.test(name))) {
    return `${got}, as in a file of one ticker; read it as a frame, and add ` +
      'frame.withColumn(pl.lit("AAPL").alias("ticker"))';
  }
  const isWide = INDEX.test(date) && missing.includes("close") && others.length > 0 &&
    others.slice(0, 100).every(isTicker);
  if (!isWide) return null;
  return `a column for each of ${groupThousands(others.length)} tickers (${
    listText(others, 3)
  }); use layout: "wide"`;
}
