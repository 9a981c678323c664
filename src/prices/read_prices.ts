import pl, { type DataFrame } from "nodejs-polars";
import { checkOptions, type OptionRules, TEXT } from "../arguments/check_options.ts";
import { fromEpochDay } from "../calendar/civil_date.ts";
import { sayNotice } from "../notebook/kernel/say_notice.ts";
import { inspectPrices } from "./_inspect_prices.ts";
import { toPriceRows } from "./_price_rows.ts";
import { openSource } from "./_price_source.ts";
import { type PriceFinding, PriceReport } from "./price_report.ts";
import { PricesPromise, type ReportedPrices } from "./prices_promise.ts";

/** How the columns of prices are called where they come from. */
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
}

const RULES: OptionRules<ReadPricesOptions> = { date: TEXT, ticker: TEXT, close: TEXT };
const EXAMPLES = 3;

/**
 * Reads closes from a CSV, a gzipped CSV, a Parquet file or a frame, and checks them.
 *
 * One row per date and ticker, by date and ticker. Columns: `date` (Date), `ticker` (Utf8; 1E5, NA, TRUE and 0012 stay
 * what they are), `close` (Float64, positive; null: no trade). Dates are read as 2026-11-19 or 20261119. Other columns
 * are left out. Sends nothing.
 *
 * What deserves a look is said in a notice, and itemised by `withReport()`: jumps of the size of a split (from 1.9
 * times, or to 1/1.9), gaps within a ticker, rows without a close, dates that are no session, sessions without a row,
 * tickers that the API cannot have. Nothing is changed or dropped.
 *
 * @param source Path of the file, or a frame
 * @param options How the columns are called
 * @returns The prices (rows × 3)
 * @throws {TypeError} If a column is missing or of another type, or a text is no date or no number
 * @throws {RangeError} If a date and ticker repeat, or a close is not positive and finite
 * @throws {StorageError} If the file cannot be read
 * @throws {IntegrityError} If the file is cut off or damaged
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
  checkOptions("readPrices()", options, RULES);
  const { date = "date", ticker = "ticker", close = "close" } = options;
  const opened = await openSource(source, { date, ticker, close });
  const rows = toPriceRows(opened);
  const { title } = opened;
  const found = inspectPrices(rows);
  refuseWrongRows(title, rows, found);
  const prices = await rows.lazy().sort(["date", "ticker"]).collect();
  return { prices, report: new PriceReport(countsOf(title, prices), found) };
}

function refuseWrongRows(title: string, rows: DataFrame, found: readonly PriceFinding[]): void {
  const positive = pl.col("close").isFinite().and(pl.col("close").gt(0));
  const wrong = rows.filter(pl.col("close").isNotNull().and(positive.not()));
  const repeated = found.filter(({ what }) => what === "repeated");
  if (wrong.height === 0 && repeated.length === 0) return;
  const problems = [
    itemOf(
      wrong.height,
      "closes that are not positive and finite",
      wrong.head(EXAMPLES).rows().map(([date, ticker, close]) =>
        `${(date as Date).toISOString().slice(0, 10)} ${ticker}: ${close}`
      ),
    ),
    itemOf(
      repeated.length,
      "rows that repeat a date and ticker",
      repeated.slice(0, EXAMPLES).map(({ day, ticker }) => `${fromEpochDay(day!)} ${ticker}`),
    ),
  ].filter((text) => text !== "");
  throw new RangeError(
    `Cannot read ${title}: expected one positive close a date and ticker, got ` +
      `${problems.join("; ")}; repair the source, or a frame of it, and read that`,
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
