import pl, { type DataFrame } from "nodejs-polars";
import { listText } from "../../../base/arguments/list_text.ts";
import { describe } from "../../../base/contract/violation.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import { chooseCloses, type ChosenCloses } from "./choose_closes.ts";
import { areDates, type SourceSample, valuesOf } from "./choose_columns.ts";
import { columnsOfRole, fieldOfTicker, isFieldName, isIndexName } from "./vendor_names.ts";

/** A wide table: its dates, and for each role the columns of the tickers. */
export interface TickerColumns extends Omit<ChosenCloses, "roles" | "hints"> {
  /** Column of the dates. */
  readonly date: string;
  /** For `close`, and `raw` if the table has both, the column of each ticker. */
  readonly tickers: Readonly<
    Partial<Record<"close" | "raw" | "returns", Readonly<Record<string, string>>>>
  >;
}

/**
 * Finds the columns of a table with a column, or several fields, for each ticker.
 *
 * @throws {TypeError} If no column has dates, or the fields have no close
 */
export function wideColumns(sample: SourceSample, options: ReadPricesOptions): TickerColumns {
  const { rows, title } = sample;
  const date = dateColumn(sample, options);
  const names = rows.columns.filter((name) => name !== date && !isRowNumber(rows, name));
  const parts = names.map((name) => [name, fieldOfTicker(name)] as const);
  if (names.length > 0 && parts.every(([, part]) => part !== null)) {
    return { date, ...fieldColumns(title, parts as readonly Part[], options) };
  }
  const fields = names.filter(isFieldName);
  const repeated = names.find((name) => /_duplicated_\d+$/.test(name));
  if (fields.length > 0 || repeated !== undefined) {
    throw new TypeError(
      `Cannot read ${title}: expected one column of closes for each ticker, got ` +
        `${listText(fields.length > 0 ? fields : [repeated!])}; keep one of them per ticker`,
    );
  }
  const role = options.returns === undefined ? "close" : "returns";
  return {
    date,
    tickers: { [role]: Object.fromEntries(names.map((name) => [name, name])) },
    isAdjusted: role === "returns" ? true : options.adjusted ?? null,
  };
}

function dateColumn({ rows, title }: SourceSample, { date }: ReadPricesOptions): string {
  const { columns } = rows;
  const found = date ?? columnsOfRole(columns, "date").find((name) => !isIndexName(name)) ??
    columns.find((name) => isIndexName(name) && areDates(rows, name)) ??
    (isIndexName(columns[0] ?? "x") ? columns[0] : undefined);
  if (found !== undefined && columns.includes(found)) return found;
  const dated = columns.filter((name) => areDates(rows, name));
  throw new TypeError(
    `Cannot read ${title}: expected a column of dates ${describe(date ?? "date")} beside the ` +
      `tickers, got the columns ${listText(columns)}; give its name, such as { layout: "wide", ` +
      `date: ${dated.length === 1 ? describe(dated[0]) : '"…"'} }`,
  );
}

type Part = readonly [name: string, part: { readonly ticker: string; readonly field: string }];

function fieldColumns(title: string, parts: readonly Part[], options: ReadPricesOptions) {
  const fields = [...new Set(parts.map(([, { field }]) => field))];
  const chosen = chooseCloses(`read ${title}`, fields, options);
  if (chosen?.roles.close === undefined) {
    throw new TypeError(
      `Cannot read ${title}: expected a close for each ticker, got the fields ` +
        `${listText(fields)}; name one, such as { layout: "wide", close: "…" } with a field ` +
        "instead of the dots",
    );
  }
  const { close, raw } = chosen.roles;
  const columnsOf = (wanted: string) =>
    Object.fromEntries(
      parts.filter(([, { field }]) => field === wanted).map(([name, { ticker }]) => [ticker, name]),
    );
  return {
    tickers: { close: columnsOf(close), ...(raw === undefined ? {} : { raw: columnsOf(raw) }) },
    isAdjusted: chosen.isAdjusted,
  };
}

// An index of pandas that nobody named: no stock.
function isRowNumber(rows: DataFrame, name: string): boolean {
  const values = valuesOf(rows, name).map(Number);
  return isIndexName(name) && values.every((value, i) => i === 0 || value === values[i - 1]! + 1);
}

/** One row per date and ticker, with the columns `date`, `ticker` and those of the roles. */
export function toLong(frame: DataFrame, { date, tickers }: TickerColumns): DataFrame {
  const [first, ...others] = Object.entries(tickers).map(([role, columns]) => {
    const renamed = frame.select(
      pl.col(date).alias("\u0000date"),
      ...Object.entries(columns).map(([ticker, name]) => pl.col(name).alias(ticker)),
    );
    return renamed.withRowIndex("\u0000row")
      .unpivot(["\u0000row", "\u0000date"], Object.keys(columns), {
        variableName: "ticker",
        valueName: role,
      })
      .rename({ "\u0000date": "date" });
  });
  const joined = others.reduce(
    (some, more) => some.join(more.drop("date"), { on: ["\u0000row", "ticker"], how: "left" }),
    first!,
  );
  return joined.drop("\u0000row");
}
