import pl, { type DataFrame } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import type { OpenedSource } from "./open_source.ts";
import { columnsOfRole, isFieldName, isIndexName, isOtherField } from "../vendor_names.ts";

const FLAGS = /^(true|false|t|f|y|n|yes|no|0|1|0\.0|1\.0)$/i;
const ROW = "\u0000row";
const MOST_SHOWN = 3;
// An identifier is met on several dates; a volume or a number of a row is not.
const FEWEST_DATES = 1.5;

/** `true` for the values of a flag, which tells no rows apart. */
export function isFlag(values: readonly string[]): boolean {
  return values.every((text) => FLAGS.test(text));
}

/**
 * The column of the tickers: among those with a name for it, and then all others, the first one that makes (date, column) a key.
 * One whose name says that it has tickers is taken before the rows are looked at.
 *
 * @returns `null` if no column does, as in a file of one ticker
 * @throws {TypeError} If two columns make the key, with the rows to take of the second one
 */
export async function findTickers(
  source: OpenedSource,
  options: ReadPricesOptions,
  date: string,
  columns: readonly string[],
) {
  const named = [...columnsOfRole(columns, "ticker"), ...columnsOfRole(columns, "id")];
  const [first] = columnsOfRole(columns, "ticker");
  if (first !== undefined) {
    return { name: first, key: `its name; one row per ${date} and ${first}` };
  }
  const candidates = [...new Set([...named, ...columns])];
  if (candidates.length === 0) return null;
  const read = await source.read([date, ...candidates], options.only ?? {});
  const rows = read.unique();
  const dates = rows.getColumn(date).nUnique();
  if (dates === rows.height) {
    const constant = named.find((name) => rows.getColumn(name).nUnique() === 1);
    return constant === undefined ? null : { name: constant, key: "its name" };
  }
  // A number of one or two digits is that of a venue or a class.
  const isShort = (name: string) => textsOf(rows, name).every((text) => /^\d{1,2}$/.test(text));
  const found = candidates.find((name) =>
    isKey(rows, [date, name]) && !isShort(name) &&
    (dates < 2 || rows.height / rows.getColumn(name).nUnique() >= FEWEST_DATES)
  );
  if (found !== undefined) return { name: found, key: `${date} and ${found} make a key` };
  const [ticker] = named;
  const advice = ticker === undefined ? null : tellingRows(rows, [date, ticker], candidates);
  if (advice === null) return null;
  throw new TypeError(
    `Cannot read ${source.title}: expected one row per date and ${ticker}, got several that ${advice.column} tells ` +
      `apart; use ${advice.text}`,
  );
}

function isKey(rows: DataFrame, names: readonly string[]): boolean {
  return rows.select(...names).unique().height === rows.height;
}

function tellingRows(rows: DataFrame, key: readonly string[], columns: readonly string[]) {
  const column = columns.find((name) => !key.includes(name) && isKey(rows, [...key, name]));
  if (column === undefined) return null;
  const counts = rows.groupBy([column]).agg(pl.col(column).count().alias(ROW))
    .sort([ROW, column], true);
  const values = (counts.getColumn(column).toArray() as unknown[])
    .filter((value) => value !== null && !isOtherField(String(value)));
  const shown = values.slice(0, MOST_SHOWN).map((value) => onlyText(column, value));
  return { column, text: shown.join(" or ") };
}

// A number of a text file is shown as one, unless zeros lead it.
function onlyText(column: string, value: unknown): string {
  const isNumber = typeof value === "number" || /^(0|[1-9]\d{0,14})$/.test(String(value));
  return `only: { ${keyText(column)}: ${isNumber ? value : describe(String(value))} }`;
}

/** The distinct values of a column as texts. */
function textsOf(rows: DataFrame, name: string): readonly string[] {
  return (rows.getColumn(name).unique().toArray() as unknown[]).map(String);
}

/**
 * The option for rows that repeat a date and ticker with another close: the column that tells them apart, or the one that makes
 * a key in the place of the ticker; `null` if there is none.
 */
export async function repeatedAdvice(
  source: OpenedSource,
  { date, ticker }: { readonly date: string; readonly ticker: string },
  options: ReadPricesOptions,
): Promise<string | null> {
  const others = source.rows.columns.filter((name) =>
    ![date, ticker].includes(name) && !isOtherField(name) && !isIndexName(name)
  );
  const rows = (await source.read([date, ticker, ...others], options.only ?? {})).unique();
  const few = others.filter((name) => {
    const texts = textsOf(rows, name);
    return texts.length > 1 && texts.length <= rows.height / 2 &&
      !texts.some((text) => /^-?\d+\.\d*[1-9]\d*$/.test(text));
  });
  // An identifier is a longer text than the number of a venue or of a class.
  const ids = columnsOfRole(few, "id").filter((name) =>
    isKey(rows, [date, name]) && textsOf(rows, name).every(({ length }) => length > 2)
  );
  const telling = ids.length > 0 ? null : tellingRows(
    rows.select(date, ticker, ...few).unique(),
    [date, ticker],
    few,
  );
  const way = ids.length > 0 ? `ticker: ${describe(ids[0])}` : telling?.text;
  return way === undefined ? null : `use ${way}`;
}

/** The options for a table whose rows are the fields of a bar; `null` for another one. */
export async function fieldAdvice(source: OpenedSource): Promise<string | null> {
  const { rows } = source;
  const texts = (frame: DataFrame, name: string) => textsOf(frame.select(name).dropNulls(), name);
  const areAll = (name: string, form: RegExp) =>
    texts(rows, name).length > 0 && texts(rows, name).every((text) => form.test(text));
  const values = rows.columns.filter((name) =>
    areAll(name, /^[-+]?[\d.,]+([eE][-+]?\d+)?$/) && !isFieldName(name) && !isIndexName(name) &&
    !/date/i.test(name)
  );
  const field = rows.columns.find((name) =>
    areAll(name, /\D/) && texts(rows, name).some(isFieldName)
  );
  const value = values.length === 1
    ? values[0]
    : values.find((name) => /val|price|data/i.test(name));
  if (field === undefined || value === undefined) return null;
  const fields = texts(await source.read([field], {}), field).toSorted();
  const roles = (["adjusted", "plain", "raw"] as const).map((role) => columnsOfRole(fields, role));
  const [close] = roles.flat();
  const isRaw = close !== undefined && roles[2]!.includes(close);
  const only = `only: { ${keyText(field)}: ${close === undefined ? '"…"' : describe(close)} }`;
  return `{ ${only}, close: ${describe(value)}${isRaw ? ", adjusted: false" : ""} }`;
}

function keyText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
