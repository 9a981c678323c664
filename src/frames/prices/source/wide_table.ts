import pl, { type DataFrame } from "nodejs-polars";
import { listText } from "../../../base/arguments/list_text.ts";
import { describe } from "../../../base/contract/violation.ts";
import { namesOfCloses, priceColumns } from "../closes/price_columns.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import { areDates, heldColumns, valuesOf } from "./choose_columns.ts";
import { readDateColumn } from "./price_rows.ts";
import type { OpenedSource } from "./open_source.ts";
import { columnsOfRole, fieldOfTicker, gridOf, isFieldName, isIndexName } from "../vendor_names.ts";

/** Columns of one ticker: its dates, and the column of each field. */
interface TickerColumns {
  readonly ticker: string;
  readonly date: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** The field of a table that has none. */
const ONLY_FIELD = "close";
const ROW = "\u0000row";

/**
 * Reads a table that has a column, or several fields, for each ticker (`wide`), each with a column of dates (`pairs`), or a row for
 * each ticker and a column for each date (`across`).
 *
 * @throws {TypeError} If no column has dates, or the fields have no close
 */
export async function readAside(
  source: OpenedSource,
  options: ReadPricesOptions & { readonly layout: "wide" | "pairs" | "across" },
) {
  const read = await source.read(source.rows.columns, options.only ?? {});
  if (options.layout === "across") return readAcross(read, source, options);
  const groups = options.layout === "pairs" ? pairsOf(source) : wideOf(source, options);
  // Remarks below the table stand once in it, and in each ticker of the long one.
  const { date } = groups[0]!;
  const frame = options.layout === "pairs"
    ? read
    : readDateColumn(read.rename({ [date]: "date" }), source.title, options).rename({ date });
  const fields = [...new Set(groups.flatMap(({ fields }) => Object.keys(fields)))];
  const columns = options.returns !== undefined && fields.length === 1
    ? { ...NO_COLUMNS, returns: fields[0]! }
    : priceColumns(fields, options, heldColumns(toLong(source.rows, groups, fields), undefined));
  if (columns.closes.length === 0 && columns.returns === null) {
    throw noClose(source.title, fields, options);
  }
  const used = [...namesOfCloses(columns), columns.returns];
  const names = fields.filter((name) => used.includes(name));
  const long = toLong(frame, groups, names);
  // Markets whose days begin at other times have rows of their own for one date.
  const isBlank = names.map((name) => pl.col(name).isNull()).reduce((all, one) => all.and(one));
  return { frame: options.timeZone === undefined ? long : long.filter(isBlank.not()), columns };
}

const NO_COLUMNS = priceColumns([], {});

function noClose(
  title: string,
  fields: readonly string[],
  { layout }: ReadPricesOptions,
): TypeError {
  const call = `{ layout: "${layout}", close: "…" }`;
  return new TypeError(
    `Cannot read ${title}: expected a close for each ticker, got the fields ${listText(fields)}; ` +
      `name one, such as ${call} with a field instead of the dots`,
  );
}

function wideOf(
  { rows, title }: OpenedSource,
  options: ReadPricesOptions,
): readonly TickerColumns[] {
  const date = dateColumn(rows, title, options);
  const names = rows.columns.filter((name) => name !== date && !isRowNumber(rows, name));
  const grid = gridOf(names);
  if (grid !== null) {
    const parts = Map.groupBy(grid.keys(), (i) => grid[i]!.ticker);
    return [...parts].map(([ticker, own]) => (
      { ticker, date, fields: Object.fromEntries(own.map((i) => [grid[i]!.field, names[i]!])) }
    ));
  }
  const fields = names.filter(isFieldName);
  const repeated = names.find((name) => /_duplicated_\d+$/.test(name));
  if (fields.length > 0 || repeated !== undefined) {
    throw new TypeError(
      `Cannot read ${title}: expected one column of closes for each ticker, got ` +
        `${listText(fields.length > 0 ? fields : [repeated!])}; keep one of them per ticker`,
    );
  }
  return names.map((name) => ({ ticker: name, date, fields: { [ONLY_FIELD]: name } }));
}

/** Each column of dates begins the columns of another ticker, whose name stands above the dates or above the closes. */
function pairsOf({ rows, title }: OpenedSource): readonly TickerColumns[] {
  const starts = rows.columns.filter((name) => areDates(rows, name));
  if (starts.length === 0 || rows.columns[0] !== starts[0]) {
    throw new TypeError(
      `Cannot read ${title}: expected a column of dates before the closes of each ticker, got the columns ` +
        listText(rows.columns),
    );
  }
  const bare = (name: string) => name.replace(/_duplicated_\d+$/, "").trim();
  const others = rows.columns.filter((name) => !starts.includes(name));
  const grid = new Map(gridOf(others)?.map((part, i) => [others[i]!, part]));
  return starts.map((date, i) => {
    const from = rows.columns.indexOf(date) + 1;
    const next = starts[i + 1];
    const end = next === undefined ? undefined : rows.columns.indexOf(next);
    const own = rows.columns.slice(from, end)
      .filter((name) => valuesOf(rows, name).some((value) => String(value).trim() !== ""));
    const parts = own.map((name) => ({ name, part: grid.get(name) ?? fieldOfTicker(bare(name)) }));
    const above = bare(date).replace(/[._\- |]?(dates?|datum|time)(\.\d+)?$/i, "").trim();
    const ticker = parts.find(({ part }) => part !== null)?.part?.ticker ??
      (above === "" || isIndexName(above) ? bare(own[0] ?? date) : above);
    const fields = parts.map(({ name, part }) =>
      [part?.field ?? (isFieldName(bare(name)) ? bare(name) : ONLY_FIELD), name] as const
    );
    return { ticker, date, fields: Object.fromEntries(fields) };
  });
}

function readAcross(frame: DataFrame, { title, rows }: OpenedSource, options: ReadPricesOptions) {
  const isDate = (name: string) => /^\D*\d{1,4}[-/.]?\d{1,2}/.test(name) && /^\d/.test(name);
  const dates = rows.columns.filter(isDate);
  const ticker = typeof options.ticker === "string"
    ? options.ticker
    : rows.columns.find((name) => !isDate(name));
  if (ticker === undefined || dates.length === 0) {
    const columns = listText(rows.columns);
    throw new TypeError(
      `Cannot read ${title}: expected a column of tickers and a column for each date, got the columns ${columns}`,
    );
  }
  const long = frame.select(ticker, ...dates)
    .unpivot([ticker], dates, { variableName: "date", valueName: ONLY_FIELD });
  const columns = options.returns === undefined
    ? priceColumns([ONLY_FIELD], options)
    : { ...NO_COLUMNS, returns: ONLY_FIELD };
  return { frame: long.rename({ [ticker]: "ticker" }), columns };
}

function dateColumn(rows: DataFrame, title: string, { date }: ReadPricesOptions): string {
  const { columns } = rows;
  const named = columnsOfRole(columns, "date").filter((name) => !isIndexName(name));
  const isIndex = (name: string) => isIndexName(name) || /^\(.*date.*\)$/i.test(name);
  const found = date ?? named.find((name) => areDates(rows, name)) ?? named[0] ??
    columns.find((name) => isIndex(name) && areDates(rows, name)) ??
    (isIndexName(columns[0] ?? "x") ? columns[0] : undefined);
  if (found !== undefined && columns.includes(found)) return found;
  const dated = columns.filter((name) => areDates(rows, name));
  if (date === undefined && dated.length === 1) return dated[0]!;
  throw new TypeError(
    `Cannot read ${title}: expected a column of dates ${describe(date ?? "date")} beside the ` +
      `tickers, got the columns ${listText(columns)}; give its name, such as { layout: "wide", ` +
      `date: ${dated.length === 1 ? describe(dated[0]) : '"…"'} }`,
  );
}

// An index of pandas that nobody named: no stock.
function isRowNumber(rows: DataFrame, name: string): boolean {
  const values = valuesOf(rows, name).map(Number);
  return isIndexName(name) && values.every((value, i) => i === 0 || value === values[i - 1]! + 1);
}

/** One row per date and ticker, with the columns `date`, `ticker` and those of the fields. */
function toLong(
  frame: DataFrame,
  groups: readonly TickerColumns[],
  fields: readonly string[],
): DataFrame {
  const isShared = groups.every(({ date }) => date === groups[0]!.date);
  if (!isShared) {
    return pl.concat(groups.map(({ ticker, date, fields: own }) =>
      frame.select(
        pl.col(date).alias("date"),
        pl.lit(ticker).alias("ticker"),
        ...fields.map((field) =>
          (own[field] === undefined ? pl.lit(null).cast(pl.Utf8) : pl.col(own[field])).alias(field)
        ),
      ).filter(pl.col("date").isNotNull())
    ));
  }
  const [first, ...others] = fields.map((field) => {
    const own = groups.filter(({ fields: some }) => some[field] !== undefined);
    const renamed = frame.select(
      pl.col(groups[0]!.date).alias("\u0000date"),
      ...own.map(({ ticker, fields: some }) => pl.col(some[field]!).alias(ticker)),
    );
    return renamed.withRowIndex(ROW)
      .unpivot([ROW, "\u0000date"], own.map(({ ticker }) => ticker), {
        variableName: "ticker",
        valueName: field,
      })
      .rename({ "\u0000date": "date" });
  });
  const joined = others.reduce(
    (some, more) => some.join(more.drop("date"), { on: [ROW, "ticker"], how: "left" }),
    first!,
  );
  return joined.drop(ROW);
}
