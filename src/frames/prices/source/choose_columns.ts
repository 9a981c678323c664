import type { DataFrame, Series } from "nodejs-polars";
import { listText } from "../../../base/arguments/list_text.ts";
import { nearestName } from "../../../base/arguments/nearest_name.ts";
import { isTicker } from "../../../base/contract/identifier.ts";
import { describe } from "../../../base/contract/violation.ts";
import { countText } from "../../../base/wording/number_text.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { type PriceColumns, priceColumns } from "../closes/price_columns.ts";
import { columnType } from "../../frame/times/column_type.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import { fieldAdvice, findTickers, isFlag } from "./find_tickers.ts";
import type { OpenedSource } from "./open_source.ts";
import { isDateText } from "./text_head.ts";
import { isEpochText } from "./zoned_dates.ts";
import {
  columnsOfRole,
  gridOf,
  isFieldName,
  isIndexName,
  isOtherField,
  letters,
} from "../vendor_names.ts";

const LONG_DATE = /^\d{4}-?\d{2}-?\d{2}$|^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/;
// Some names of tickers are those of companies to other vendors: their values decide.
const SURE_TICKER = /^\W*(ticker|tickers|symbol|symbols|tic|sym)\W*$/i;
const WHOLE = /^\d+(\.0+)?$/;
// A factor is the same on most days; a price hardly ever.
const HELD_SHARE = 0.4;
const REMARK_SHARE = 0.4;

/** The columns of a table with one row per date and ticker. */
export interface RowColumns extends PriceColumns {
  /** Column of the dates. */
  readonly date: string;
  /** Column of the tickers; `null` if an option gives the ticker. */
  readonly ticker: string | null;
  /** Evidence that it is the ticker. */
  readonly key: string;
}

/**
 * Chooses the columns of a table with one row per date and ticker: those that options name, else those that name themselves;
 * for the ticker the column that makes a key with the date.
 *
 * @throws {TypeError} If one is missing or ambiguous, with the option that names it, or the layout of the source
 */
export async function chooseColumns(
  source: OpenedSource,
  options: ReadPricesOptions,
): Promise<RowColumns> {
  const { rows, title } = source;
  const { columns } = rows;
  refuseUnknown(source, options);
  const date = options.date ?? dateColumn(rows);
  const found = priceColumns(
    columns.filter((name) => name !== date && name !== options.ticker),
    options,
    heldColumns(rows, date),
  );
  const ticker = await tickerColumn(source, options, [date, found]);
  const isFreeLayout = options.layout === undefined && typeof options.ticker !== "string";
  const beside = isFreeLayout && columnsOfRole(columns, "ticker").length === 0
    ? besideAdvice(rows)
    : null;
  if (beside !== null) throw missing(title, "ticker", beside);
  const isPriced = found.closes.length > 0 || options.returns !== undefined;
  if (date === undefined || ticker === null || !isPriced) {
    const lacking = [
      ...(date === undefined ? ["date" as const] : []),
      ...(ticker === null ? ["ticker" as const] : []),
      ...(isPriced ? [] : ["close" as const]),
    ];
    const advice = await shapeAdvice(source, lacking, options) ?? columnsAdvice(rows, lacking);
    throw missing(title, lacking[0]!, advice);
  }
  const read = [date, ticker.name, ...found.closes.map(({ name }) => name)];
  refuseRepeated(columns, read.filter((name) => name !== null), title);
  return { ...found, date, ticker: ticker.name, key: ticker.key };
}

function refuseUnknown({ rows, title }: OpenedSource, options: ReadPricesOptions): void {
  const { date, ticker, close, raw, delisting, returns, factor = {} } = options;
  const given = [date, close, raw, delisting, ticker, returns, ...Object.values(factor).flat()];
  const unknown = given.find((name): name is string =>
    typeof name === "string" && !rows.columns.includes(name)
  );
  if (unknown === undefined) return;
  const role = unknown === date ? "date" : unknown === ticker ? "ticker" : "close";
  throw missing(title, unknown, columnsAdvice(rows, [role], unknown));
}

async function tickerColumn(
  source: OpenedSource,
  options: ReadPricesOptions,
  [date, found]: readonly [date: string | undefined, found: PriceColumns],
) {
  const { rows } = source;
  if (typeof options.ticker === "string") {
    return { name: options.ticker, key: "an option names it" };
  }
  if (typeof options.ticker === "object") return { name: null, key: "an option gives it" };
  const columns = rows.columns.filter((name) =>
    name !== date && !isUsed(name, found) && mayBeKey(rows, name)
  );
  return date === undefined ? null : await findTickers(source, options, date, columns);
}

type Missing = readonly ("date" | "ticker" | "close")[];

function missing(title: string, name: string, advice: string): TypeError {
  return new TypeError(`Cannot read ${title}: expected a column ${describe(name)}, got ${advice}`);
}

function dateColumn(rows: DataFrame): string | undefined {
  const named = columnsOfRole(rows.columns, "date");
  const areTimes = (name: string) =>
    valuesOf(rows, name).slice(0, 1).some((value) => isEpochText(String(value)));
  const dated = rows.columns.filter((name) => areDates(rows, name));
  return named.find((name) => areDates(rows, name) || areTimes(name)) ??
    named.find((name) => !isIndexName(name) && letters(name).length > 1) ??
    (dated.length === 1 ? dated[0] : undefined);
}

function isUsed(name: string, { closes, factors, dividend }: PriceColumns): boolean {
  return closes.some((close) => close.name === name) || name === dividend ||
    factors.some((factor) => factor.isNamed && factor.name === name);
}

// Texts, or whole numbers, that are no field of a bar.
function mayBeKey(rows: DataFrame, name: string): boolean {
  if (SURE_TICKER.test(name)) return true;
  const isReturns = /^returns?$|^ret$/i.test(name);
  if (isOtherField(name) || isIndexName(name) || areDates(rows, name) || isReturns) return false;
  const values = valuesOf(rows, name).map((value) => String(value).trim());
  return values.length > 0 && !isFlag(values) &&
    (!areNumbers(rows, name) || values.every((text) => WHOLE.test(text)));
}

/** Columns of numbers that seldom change in the first rows, where a price changes in each. */
export function heldColumns(rows: DataFrame, date: string | undefined): readonly string[] {
  return rows.columns.filter((name) => {
    const isOther = name === date || isIndexName(name) || isOtherField(name) ||
      columnsOfRole([name], "id").length > 0;
    if (isOther || !areNumbers(rows, name)) return false;
    const values = valuesOf(rows, name).map(Number);
    const same = values.filter((value, i) => i > 0 && value === values[i - 1]).length;
    return values.every((value) => value >= 0) && same >= HELD_SHARE * (values.length - 1);
  });
}

/** The probable layout of a table that lacks columns, with the option that reads it; `null` if only names differ. */
async function shapeAdvice(
  source: OpenedSource,
  lacking: Missing,
  options: ReadPricesOptions,
): Promise<string | null> {
  const { rows } = source;
  const { columns } = rows;
  const got = `the columns ${listText(columns)}`;
  const dated = columns.filter((name) => LONG_DATE.test(name.replace(/[T ].*$/, "")));
  if (dated.length > 0) {
    const shown = `a column for each of ${countText(dated.length, "date")} (${listText(dated, 2)})`;
    return dated.length > 1 && dated.length >= columns.length - 2 && !areNumbers(rows, columns[0]!)
      ? `${shown}; use layout: "across"`
      : `${got}, which are data; write the names of the columns above them`;
  }
  const inField = lacking.includes("close") ? await fieldAdvice(source) : null;
  if (inField !== null) return `${got}; use ${inField}`;
  const returns = columnsOfRole(columns, "returns");
  if (lacking.join() === "close" && returns.length > 0) {
    const [delisting] = columnsOfRole(columns, "delisting");
    return `${got}; use returns: ${describe(returns[0])}` +
      (delisting === undefined ? "" : `, delisting: ${describe(delisting)}`);
  }
  if (options.ticker !== undefined) return null;
  const others = columns.filter((name) => !isIndexName(name) && !areDates(rows, name));
  if (lacking.includes("close") && others.length > 0) {
    const isWide = columns.length > others.length && !others.some(isFieldName) &&
      others.every((name) => areNumbers(rows, name));
    if (isWide) return `a column for each of ${countTickers(others)}; use layout: "wide"`;
  }
  return lacking.join() === "ticker"
    ? `${got}, and no date repeats, as in a file of one ticker; ${oneTickerAdvice(source)}`
    : null;
}

/** The layout of a table whose columns are those of several tickers; `null` for another one. */
function besideAdvice(rows: DataFrame): string | null {
  const { columns } = rows;
  const dates = columns.filter((name) => areDates(rows, name));
  if (
    dates.length > 1 && dates.length * 2 >= columns.length - 1 - dates.length * 8 &&
    columns[0] === dates[0] && columns.at(-1) !== dates.at(-1)
  ) {
    return `dates beside each of ${groupThousands(dates.length)} tickers; use layout: "pairs"`;
  }
  const grid = gridOf(columns.filter((name) => !isIndexName(name) && !areDates(rows, name)));
  if (grid === null) return null;
  const tickers = [...new Set(grid.map(({ ticker }) => ticker))];
  return `several fields for each of ${countTickers(tickers)}; use layout: "wide"`;
}

function countTickers(names: readonly string[]): string {
  return `${countText(names.length, "ticker")} (${listText(names, 3)})`;
}

/** The options that give a source without a column of tickers its one ticker. */
function oneTickerAdvice({ stem }: OpenedSource): string {
  const text = 'use ticker: { text: "…" } with its ticker instead of the dots';
  return stem !== null && isTicker(stem)
    ? `use ticker: { file: "*" } if the name of the file is its ticker, or ${text}`
    : text;
}

/** The columns, and for each missing one the option with the column whose values fit. */
function columnsAdvice(rows: DataFrame, lacking: Missing, unknown = ""): string {
  const { columns } = rows;
  const fits: Readonly<Partial<Record<string, (name: string) => boolean>>> = {
    date: (name) => areDates(rows, name),
    ticker: (name) => mayBeKey(rows, name) && !isFieldName(name) && !areNumbers(rows, name),
    close: (name) => areNumbers(rows, name) && !isFieldName(name) && !isIndexName(name),
  };
  const near = lacking.map((option) => {
    const found = columns.filter((name) => fits[option]?.(name) ?? true);
    return nearestName(unknown, found) ?? (found.length === 1 ? found[0]! : null);
  });
  if (unknown !== "" && near[0] === null) return `the columns ${listText(columns)}`;
  const shown = lacking.map((option, i) =>
    `${option}: ${near[i] === null ? '"…"' : describe(near[i])}`
  );
  const dots = near.includes(null) ? " with a name instead of the dots" : "";
  return `the columns ${listText(columns)}; give the names of yours, such as { ` +
    `${shown.join(", ")} }${dots}`;
}

function refuseRepeated(columns: readonly string[], names: readonly string[], title: string): void {
  const twice = names.find((name) => columns.includes(`${name}_duplicated_0`));
  if (twice === undefined) return;
  throw new TypeError(
    `Cannot read ${title}: expected one column ${describe(twice)}, got several with that name; ` +
      "rename or drop the others in the source",
  );
}

const COLUMNS = new WeakMap<DataFrame, ReadonlyMap<string, Series>>();

// Polars looks each name up among all: seconds for the questions that are asked of a thousand columns.
function columnOf(rows: DataFrame, name: string): Series {
  const known = COLUMNS.get(rows) ??
    new Map(rows.getColumns().map((column) => [column.name, column]));
  COLUMNS.set(rows, known);
  return known.get(name)!;
}

/** Values of a column of the sample that are not missing. */
export function valuesOf(rows: DataFrame, name: string): readonly unknown[] {
  return (columnOf(rows, name).toArray() as unknown[]).filter((value) => value !== null);
}

/** `true` if the values of a column look like dates. */
export function areDates(rows: DataFrame, name: string): boolean {
  if (/^Date/.test(columnType(columnOf(rows, name)).name)) return true;
  const values = valuesOf(rows, name);
  const dates = values.filter((value) => isDateText(String(value))).length;
  // Remarks may stand below.
  return dates >= REMARK_SHARE * values.length && dates > 0 && isDateText(String(values[0]));
}

/** `true` if the values of a column look like numbers. */
function areNumbers(rows: DataFrame, name: string): boolean {
  const values = valuesOf(rows, name).map((value) => String(value).trim())
    .filter((text) => /\d/.test(text));
  return values.length > 0 && !areDates(rows, name) &&
    values.every((text) => /^[-+$€£¥]?[\d.,' ]+([eE][+-]?\d+)?%?$/.test(text));
}
