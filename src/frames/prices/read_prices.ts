import { resolve } from "node:path";
import type { DataFrame } from "nodejs-polars";
import type { HeldOut } from "../frame/provenance/held_out.ts";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { sayNotice } from "../notebook/kernel/say_notice.ts";
import { PricesPromise, type ReportedPrices } from "./prices_promise.ts";
import { PRICES_RULES, type ReadPricesOptions } from "./prices_options.ts";

/** Called with a file of prices before it is read; returns the hold-out of its study, or `null`. */
export type PriceWatcher = (path: string) => Promise<HeldOut | null>;

/** Functions called with each file of prices before it is read, by the folder of an open study. */
export const priceWatchers: Map<string, PriceWatcher> = new Map();

/**
 * Reads closes from text files, Parquet files or a frame, and checks them.
 *
 * One row per date and ticker, sorted by both. Columns: `date` (Date), `ticker` (Utf8; 1E5, NA, TRUE and 0012 stay text),
 * `close` (Float64, positive; null: no trade); `raw` (Float64, the close as traded) where the numbers of the source prove it,
 * and `adjusted` (Utf8) where the state of `close` is known: `none` as traded, `splits` adjusted for splits, `all` for dividends,
 * too. Columns are found by their names and by the key that they make; the meaning of closes and factors is decided by their
 * numbers, and `withReport()` tells it with its evidence. Dates are read as 2026-11-19 or 20261119, and times at midnight as the
 * date in their own time zone; what has two readings is refused with the option for each. A folder with its folders, or a pattern
 * such as `prices/*.csv`, is read as one. Other columns are omitted. Sends nothing. A file in the folder of an open study is
 * pinned in its lock, and held-out sessions are omitted.
 *
 * A notice lists possible faults, and `withReport()` itemises them: jumps of the size of a split (at least 1.9 times, or at
 * most 1/1.9), gaps within a ticker, rows without a close, dates that are not sessions, sessions without a row, dates that are
 * not daily, tickers that the API cannot have, closes that do not move, repeat or are no prices. Rows that occur again are kept
 * once; nothing else is changed or dropped.
 *
 * @param source Path of a file, a folder or a pattern, a list of paths, or a frame
 * @param options Names of the columns, and formats of dates and numbers
 * @returns The prices (rows × 3 to 5)
 * @throws {TypeError} If a column is missing, ambiguous or of another type, or a text is not a date or not a number
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
  source: string | URL | readonly string[] | DataFrame,
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
  source: string | URL | readonly string[] | DataFrame,
  options: ReadPricesOptions,
): Promise<ReportedPrices> {
  checkOptions("call readPrices()", options, PRICES_RULES);
  // Loaded on demand, so that importing the package does not load the reader of prices.
  const [{ dateReader }, { checkedPrices }, { priceFiles }] = await Promise.all([
    import("./source/date_format.ts"),
    import("./checked_prices.ts"),
    import("./source/open_source.ts"),
  ]);
  if (options.dateFormat !== undefined) dateReader(options.dateFormat);
  const isPath = (value: unknown): value is string | URL =>
    typeof value === "string" || value instanceof URL;
  const paths = isPath(source)
    ? [source]
    : Array.isArray(source) && source.every(isPath) && source.length > 0
    ? source
    : null;
  if (paths === null) return await checkedPrices([source as DataFrame], options, null);
  const files = (await Promise.all(paths.map(priceFiles))).flat();
  return await checkedPrices(files, options, await tellWatchers(files));
}

// A study pins the price files in its folder, and reports its hold-out.
async function tellWatchers(files: readonly string[]): Promise<HeldOut | null> {
  const found: HeldOut[] = [];
  for (const file of files) {
    for (const watch of priceWatchers.values()) {
      const heldOut = await watch(resolve(file));
      if (heldOut !== null) found.push(heldOut);
    }
  }
  return found.find(({ isOpen }) => !isOpen) ?? found[0] ?? null;
}
