import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pl, { type DataFrame } from "nodejs-polars";
import {
  checkOptions,
  oneOf,
  type OptionRule,
  type OptionRules,
  TEXT,
} from "../arguments/check_options.ts";
import { listText } from "../arguments/list_text.ts";
import { fromEpochDay } from "../calendar/civil_date.ts";
import { assertRows } from "../frame/assert_rows.ts";
import { sayNotice } from "../notebook/kernel/say_notice.ts";
import { inspectPrices } from "./_inspect_prices.ts";
import { priceWatchers } from "./price_watchers.ts";
import { type PriceFinding, PriceReport } from "./price_report.ts";
import { LARGEST_PRICE, SMALLEST_PRICE } from "./price_bounds.ts";
import { PricesPromise, type ReportedPrices } from "./prices_promise.ts";
import { type Frequency, FREQUENCY_NAMES } from "./dates/frequency.ts";
import { dateReader } from "./source/date_format.ts";
import { openSource } from "./source/open_source.ts";
import { toPriceRows } from "./source/price_rows.ts";
import type { ColumnsOf } from "../frame/typed/column_kind.ts";
import { framed } from "../frame/typed/frame_of.ts";
import type { PRICE_COLUMNS } from "./source/price_rows.ts";

/** Options of {@link readPrices}: the layout of the source. */
export interface ReadPricesOptions {
  /**
   * The column of the date.
   *
   * @default "date"
   */
  readonly date?: string;
  /**
   * The column of the ticker.
   *
   * @default "ticker"
   */
  readonly ticker?: string;
  /**
   * The column of the close; adjusted for splits and dividends, if returns are to be computed.
   *
   * @default "close"
   */
  readonly close?: string;
  /**
   * Separator between the fields of a CSV, one character.
   *
   * @default ","
   */
  readonly separator?: string;
  /**
   * Decimal sign. With `"."` commas group thousands (3,838.05), with `","` points do (3.838,05).
   *
   * @default "." without groups of thousands
   */
  readonly decimal?: "." | ",";
  /**
   * Format of dates that are texts, from `%Y`, `%y`, `%m`, `%d`, `%b` and `%B`: `"%m/%d/%Y"`, `"%d.%m.%Y"`.
   *
   * @default 2026-11-19 and 20261119
   */
  readonly dateFormat?: string;
  /**
   * One row per date and ticker (`long`), or a column of dates and one column per ticker (`wide`).
   *
   * @default "long"
   */
  readonly layout?: "long" | "wide";
  /**
   * Spacing of the closes; the report lists gaps in it.
   *
   * @default "daily"
   */
  readonly frequency?: Frequency;
  /**
   * Calendar for the report: sessions of the US market, or only the dates of the prices.
   *
   * @default "us"
   */
  readonly calendar?: "us" | "own";
  /**
   * Largest inflated size of a `.csv.gz` in bytes.
   *
   * @default 4,000,000,000
   */
  readonly maxInflatedBytes?: number;
}

const SEPARATOR: OptionRule = {
  required: 'one character, such as ";"',
  accepts: (value) => typeof value === "string" && value.length === 1 && value.charCodeAt(0) < 128,
};
const BYTES: OptionRule = {
  required: "a whole number of bytes above 0",
  accepts: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  isKind: (value) => typeof value === "number",
};
const RULES: OptionRules<ReadPricesOptions> = {
  date: TEXT,
  ticker: TEXT,
  close: TEXT,
  separator: SEPARATOR,
  decimal: oneOf(".", ","),
  dateFormat: TEXT,
  layout: oneOf("long", "wide"),
  frequency: oneOf(...FREQUENCY_NAMES),
  calendar: oneOf("us", "own"),
  maxInflatedBytes: BYTES,
};
const MOST_BYTES = 4_000_000_000;
const EXAMPLES = 3;

/**
 * Reads closes from a CSV, a gzipped CSV, a Parquet file or a frame, and checks them.
 *
 * One row per date and ticker, sorted by both. Columns: `date` (Date), `ticker` (Utf8; 1E5, NA, TRUE and 0012 stay text),
 * `close` (Float64, positive; null: no trade). Dates are read as 2026-11-19 or 20261119, and times at midnight as the date in
 * their own time zone; `dateFormat`, `decimal` and `separator` read files of other countries, and `layout: "wide"` a table
 * with a column for each ticker. Other columns are left out. Sends nothing. A file in the folder of an open study is pinned
 * in its lock.
 *
 * A notice lists possible faults, and `withReport()` itemises them: jumps of the size of a split (at least 1.9 times, or at
 * most 1/1.9), gaps within a ticker, rows without a close, dates that are no session, sessions without a row, dates that are
 * not daily, tickers that the API cannot have. Nothing is changed or dropped.
 *
 * @param source Path of the file, or a frame
 * @param options Names of the columns, and formats of dates and numbers
 * @returns The prices (rows × 3)
 * @throws {TypeError} If a column is missing, ambiguous or of another type, or a text is no date or no number
 * @throws {RangeError} If a date and ticker repeat, or a close is not positive and finite
 * @throws {StorageError} If the file cannot be read
 * @throws {IntegrityError} If the file is truncated, damaged, or inflates to more than allowed
 * @example
 * ```ts
 * import { readPrices } from "scoreframe";
 * import pl from "nodejs-polars";
 *
 * const raw = pl.DataFrame({ Day: ["2026-11-19", "2026-11-20"], Symbol: ["1E5", "1E5"], Adj: [40, 10] });
 * const { prices, report } = await readPrices(raw, { date: "Day", ticker: "Symbol", close: "Adj" })
 *   .withReport();
 * if (prices.height !== 2) throw new Error("two rows expected");
 * if (!report.summary.includes("2026-11-20 1E5 ×0.25")) throw new Error("a jump expected");
 * ```
 */
export function readPrices(
  source: string | URL | DataFrame,
  options: ReadPricesOptions = {},
): PricesPromise {
  return new PricesPromise(read(source, options), (report) => {
    if (report.isClean) return;
    const { title } = report.counts;
    sayNotice(
      `${title[0]!.toUpperCase()}${title.slice(1)} have ${report.summary}. ` +
        "readPrices(…).withReport() lists all",
    );
  });
}

async function read(
  source: string | URL | DataFrame,
  options: ReadPricesOptions,
): Promise<ReportedPrices> {
  checkOptions("call readPrices()", options, RULES);
  const { date, ticker, close, dateFormat = null, decimal = null } = options;
  const names = Object.entries({ date, ticker, close }).filter(([, name]) => name !== undefined);
  if (dateFormat !== null) dateReader(dateFormat);
  await tellWatchers(source);
  const opened = await openSource(source, {
    names: Object.fromEntries(names),
    separator: options.separator ?? ",",
    layout: options.layout ?? "long",
    maxInflatedBytes: options.maxInflatedBytes ?? MOST_BYTES,
  });
  const rows = toPriceRows(opened, { dateFormat, decimal });
  const { title } = opened;
  assertRows(`read ${title}`, rows, "prices");
  const found = inspectPrices(rows, options);
  refuseWrongRows(title, rows, found);
  const prices = framed<ColumnsOf<typeof PRICE_COLUMNS>>(
    await rows.lazy().sort(["date", "ticker"]).collect(),
  );
  return { prices, report: new PriceReport(countsOf(title, prices), found) };
}

// A study pins the price files in its folder.
async function tellWatchers(source: unknown): Promise<void> {
  if (typeof source !== "string" && !(source instanceof URL)) return;
  const path = resolve(source instanceof URL ? fileURLToPath(source) : source);
  for (const watch of priceWatchers.values()) await watch(path);
}

function refuseWrongRows(title: string, rows: DataFrame, found: readonly PriceFinding[]): void {
  const close = pl.col("close");
  const positive = close.isFinite().and(close.gt(0));
  const possible = close.gtEq(SMALLEST_PRICE).and(close.ltEq(LARGEST_PRICE));
  const priced = rows.filter(close.isNotNull());
  const wrong = priced.filter(positive.not());
  const absurd = priced.filter(positive.and(possible.not()));
  const repeated = found.filter(({ what }) => what === "repeated");
  const problems = [
    itemOf(wrong.height, "closes that are not positive and finite", examplesOf(wrong)),
    itemOf(
      absurd.height,
      `closes below ${SMALLEST_PRICE} or above ${LARGEST_PRICE}`,
      examplesOf(absurd),
    ),
    itemOf(
      repeated.length,
      "rows that repeat a date and ticker",
      repeated.slice(0, EXAMPLES).map(({ day, ticker }) =>
        `${fromEpochDay(day!)} ${listText([ticker!])}`
      ),
    ),
  ].filter((text) => text !== "");
  if (problems.length === 0) return;
  throw new RangeError(
    `Cannot read ${title}: expected one positive close per date and ticker, got ` +
      `${problems.join("; ")}; repair the source, or a frame of it, and read that`,
  );
}

function examplesOf(rows: DataFrame): readonly string[] {
  return rows.head(EXAMPLES).rows().map(([date, ticker, close]) =>
    `${(date as Date).toISOString().slice(0, 10)} ${listText([ticker as string])}: ${close}`
  );
}

function itemOf(count: number, what: string, examples: readonly string[]): string {
  if (count === 0) return "";
  return `${what}: ${count} (${examples.join(", ")}${count > examples.length ? ", …" : ""})`;
}

function countsOf(title: string, prices: DataFrame) {
  const dates = prices.getColumn("date").unique().sort().toArray() as unknown as Date[];
  const textOf = (date: Date | undefined) => date?.toISOString().slice(0, 10) ?? null;
  return {
    title,
    rows: prices.height,
    tickers: prices.height === 0 ? 0 : prices.getColumn("ticker").nUnique(),
    dates: dates.length,
    first: textOf(dates[0]),
    last: textOf(dates.at(-1)),
  };
}
