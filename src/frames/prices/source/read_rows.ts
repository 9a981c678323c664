import { clockText } from "../../../base/calendar/civil_date.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";
import { listText } from "../../../base/arguments/list_text.ts";
import { chainedCloses } from "../closes/chained_closes.ts";
import type { CloseState } from "../closes/close_state.ts";
import { judgeCloses } from "../closes/judge_closes.ts";
import { type CloseQuestion, type ColumnFact, namesOfCloses } from "../closes/price_columns.ts";
import { type SortedRows, sortRows } from "../closes/sorted_rows.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import { chooseColumns } from "./choose_columns.ts";
import type { OpenedSource } from "./open_source.ts";
import { toPriceRows } from "./price_rows.ts";
import { readAside } from "./wide_table.ts";

/** The rows of a source, with what its columns are taken for. */
export interface ReadRows {
  /** `date`, `ticker`, `close`, and `raw` if closes as traded are proven. */
  readonly rows: DataFrame;
  /** State of the closes. */
  readonly state: CloseState;
  /** Use of each column, and the evidence for it. */
  readonly facts: readonly ColumnFact[];
  /** Date and ticker of splits that the closes do not follow as at the others. */
  readonly odd: readonly (readonly [day: number, ticker: string])[];
  /** The rows in order, if they were put in order. */
  readonly sorted: SortedRows | null;
  /** Columns of date and ticker of a table with one row for each; `null` for another one. */
  readonly key: { readonly date: string; readonly ticker: string } | null;
}

/**
 * Reads the rows of a source.
 *
 * @throws {TypeError} If a column is missing or has several meanings, with the option for each
 */
export async function readRows(
  source: OpenedSource,
  options: ReadPricesOptions,
): Promise<ReadRows> {
  const { title } = source;
  const unknown = Object.keys(options.only ?? {})
    .find((name) => !source.rows.columns.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot read ${title}: expected a column ${JSON.stringify(unknown)}, got the columns ` +
        listText(source.rows.columns),
    );
  }
  const { frame, columns, facts, key } = await readTable(source, options);
  const ratios = new Set(namesOfCloses(columns))
    .difference(new Set(columns.closes.map(({ name }) => name)));
  const parsed = toPriceRows(frame, title, options, ratios);
  // In pairs, the dates of one ticker may end before those of another.
  if (options.layout !== "pairs") await source.refuseShort();
  if (options.returns === undefined) {
    const judged = judgedRows(parsed, { action: `read ${title}`, columns, options });
    return { ...judged, facts: [...facts, ...judged.facts], key };
  }
  const [column, { delisting }] = [columns.returns!, options];
  const names = { [column]: "returns", ...delisting !== undefined && { [delisting]: "delisting" } };
  const rows = chainedCloses(`read ${title}`, parsed.rename(names), options);
  const fact = { column, is: "returns, chained to closes", because: "an option says so" };
  return { rows, state: "all", facts: [...facts, fact], odd: [], sorted: null, key };
}

function judgedRows(
  parsed: DataFrame,
  { action, columns, options }: Omit<CloseQuestion, "call">,
): Omit<ReadRows, "key"> {
  const unsigned = options.negative === undefined
    ? parsed
    : parsed.withColumns(...columns.closes.map(({ name }) => pl.col(name).abs()));
  // One column that nothing tells anything of needs no look at its rows.
  const isAlone = columns.closes.length === 1 && columns.factors.length === 0 &&
    columns.dividend === null;
  const sorted = sortRows(isAlone ? unsigned.head(0) : unsigned);
  const found = judgeCloses(sorted, { action, columns, options, call: (text) => `{ ${text} }` });
  refuseBesideReturns(found, { action, columns, options });
  const { raw, close, state, facts } = found;
  const rows = unsigned.select(
    ...["date", "ticker"].map((name) => pl.col(name)),
    pl.col(close).alias("close"),
    ...(raw === null ? [] : [pl.col(raw).alias("raw")]),
  );
  const isAsIs = isAlone || found.values === sorted.numbers(close);
  return {
    rows: isAsIs ? rows : rows.withColumns(sorted.inFrame("close", found.values)),
    state,
    facts,
    sorted: isAlone ? null : {
      ...sorted,
      numbers: (name) => name === "close" ? found.values : sorted.numbers(raw ?? ""),
    },
    odd: found.odd.map((row) => [sorted.days[row]!, sorted.names[sorted.tickers[row]!]!]),
  };
}

async function readTable(source: OpenedSource, options: ReadPricesOptions) {
  if (options.layout !== undefined && options.layout !== "long") {
    const { frame, columns } = await readAside(source, { ...options, layout: options.layout });
    return { frame, columns, facts: [], key: null };
  }
  const columns = await chooseColumns(source, options);
  const { date, ticker } = columns;
  const isOfReturns = typeof options.returns === "string";
  const used = isOfReturns
    ? { ...columns, returns: options.returns as string, closes: [], factors: [], dividend: null }
    : columns;
  const names = isOfReturns ? [options.returns, options.delisting] : namesOfCloses(used);
  const own = [...new Set(names)]
    .filter((name) => name !== undefined && name !== date && name !== ticker) as string[];
  const all = [date, ...(ticker === null ? [] : [ticker]), ...own];
  const read = await source.read(all, options.only ?? {});
  const frame = read.select(
    pl.col(date).alias("date"),
    (ticker === null ? pl.lit(tickerOf(source, options)) : pl.col(ticker)).alias("ticker"),
    ...own.map((name) => pl.col(name)),
  );
  const [first = ""] = read.getColumn(date).head(1).toArray() as unknown[];
  const zone = options.timeZone === undefined ? "" : `, the date in ${options.timeZone}`;
  const shown = first instanceof Date ? clockText(Number(first)) : String(first);
  const facts: ColumnFact[] = [
    { column: date, is: "dates", because: `such as ${describe(shown)}${zone}` },
    ...(ticker === null ? [] : [{ column: ticker, is: "tickers", because: columns.key }]),
  ];
  return { frame, columns: used, facts, key: ticker === null ? null : { date, ticker } };
}

/** Closes as traded lack what the returns beside them have. */
function refuseBesideReturns(
  { state, factor }: ReturnType<typeof judgeCloses>,
  { action, columns, options }: Omit<CloseQuestion, "call">,
): void {
  const { returns, delisting, closes } = columns;
  const isOpen = options.adjusted === undefined && options.factor === undefined && state !== "all";
  if (!isOpen || returns === null || !closes.every(({ claim }) => claim === "raw")) return;
  const more = delisting === null ? "" : `, delisting: ${describe(delisting)}`;
  const [close, column] = [describe(closes[0]!.name), describe(returns)];
  const use = factor ?? "adjusted: false";
  throw new TypeError(
    `Cannot ${action}: expected closes that are adjusted for splits and dividends, got ${close} ` +
      `beside the returns of ${column}; use returns: ${column}${more} for these, or ${use} for the closes`,
  );
}

/** The ticker of a file from its name, or a given one. */
function tickerOf({ stem, title }: OpenedSource, { ticker }: ReadPricesOptions): string {
  if (typeof ticker !== "object") return "";
  if ("text" in ticker) return ticker.text;
  const [before = "", after = ""] = ticker.file.split("*");
  const name = stem ?? "";
  const isLike = name.length > before.length + after.length && name.startsWith(before) &&
    name.endsWith(after);
  if (isLike) return name.slice(before.length, name.length - after.length);
  throw new TypeError(
    `Cannot read ${title}: expected the name of a file like ${JSON.stringify(ticker.file)} ` +
      `without its ending, got ${stem === null ? "a frame" : JSON.stringify(stem)}; use ticker: ` +
      '{ file: "*" } if the whole name is the ticker',
  );
}
