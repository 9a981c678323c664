import pl, { type DataFrame } from "nodejs-polars";
import { listText } from "../../base/arguments/list_text.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { tryParquet } from "../frame/polars/try_parquet.ts";
import { type HeldOut, markHeldOut, rowsBefore } from "../frame/provenance/held_out.ts";
import { assertRows } from "../frame/assert_frame.ts";
import type { ColumnsOf } from "../frame/typed/columns.ts";
import { framed } from "../frame/typed/frame_of.ts";
import { inspectPrices, matchTickers } from "./_inspect_prices.ts";
import { periodOfDay } from "./dates/frequency.ts";
import { type PriceFinding, PriceReport } from "./price_report.ts";
import type { ReportedPrices } from "./prices_promise.ts";
import { missingText, type ReadPricesOptions } from "./prices_options.ts";
import { MISSING_CODE } from "./closes/chained_closes.ts";
import { repeatedAdvice } from "./source/find_tickers.ts";
import { type ReadRows, readRows } from "./source/read_rows.ts";
import { type OpenedSource, openSource } from "./source/open_source.ts";
import type { PRICE_COLUMNS } from "./source/price_rows.ts";
import { LARGEST_PRICE, refuseStill, SMALLEST_PRICE } from "./values/check_values.ts";

type Part = ReadRows & { readonly source: OpenedSource };

const EXAMPLES = 3;

/**
 * Opens sources of prices and checks their rows.
 *
 * @param sources A frame, or files
 * @param options Checked options of `readPrices()`
 * @param heldOut Hold-out of the source's study; its sessions are omitted until it is opened
 */
export async function checkedPrices(
  sources: readonly (string | DataFrame)[],
  options: ReadPricesOptions,
  heldOut: HeldOut | null,
): Promise<ReportedPrices> {
  assertTogether(options);
  await tryParquet(
    sources.filter((part) => typeof part === "string" && /\.parquet$/i.test(part)) as string[],
  );
  const parts: Part[] = [];
  for (const part of sources) {
    const source = await openSource(part, options);
    parts.push({ source, ...await readRows(source, options) });
  }
  const title = parts.length === 1 ? parts[0]!.source.title : `the prices of ${parts.length} files`;
  const whole = together(parts);
  const ends = toEnds(whole, options);
  const read = options.tickers === undefined ? ends : matchTickers(ends, options.tickers);
  const rows = heldOut === null || heldOut.isOpen ? read : rowsBefore(read, heldOut.from);
  assertRows(`read ${title}`, rows, "prices");
  const isAsRead = parts.length === 1 && options.tickers === undefined && ends === whole &&
    rows.height === whole.height;
  const sorted = (isAsRead ? parts[0]!.sorted : null) ?? undefined;
  const found = [...sourceFindings(parts), ...inspectPrices(rows, options, sorted)];
  const [first] = parts;
  const isRepeated = found.some(({ what }) => what === "repeated") && parts.length === 1;
  const advice = isRepeated && first!.key !== null
    ? await repeatedAdvice(first!.source, first!.key, options)
    : null;
  refuseWrongRows(title, rows, found, (wrong) => advice ?? wrongAdvice(wrong, rows, options));
  const still = found.find(({ what }) => what === "still_share")?.value ?? 0;
  if (options.still !== true) refuseStill(`read ${title}`, still);
  const once = found.some(({ what }) => what === "same_row") ? rows.unique() : rows;
  const prices = framed<ColumnsOf<typeof PRICE_COLUMNS>>(
    markHeldOut(await once.lazy().sort(["date", "ticker"]).collect(), heldOut),
  );
  return { prices, report: new PriceReport(countsOf(title, prices), found, first!.facts) };
}

/** Findings of the sources themselves: a last line without an end, and splits that closes do not follow. */
function sourceFindings(parts: readonly Part[]): readonly PriceFinding[] {
  const isOne = parts.length === 1;
  const cut = parts.filter(({ source }) => !source.isEnded).map(({ source }): PriceFinding => (
    { what: "cut", day: null, value: null, ticker: isOne ? null : source.stem }
  ));
  const odd = parts.flatMap((part) => part.odd)
    .map(([day, ticker]): PriceFinding => ({ what: "split", day, ticker, value: null }));
  return [...cut, ...odd];
}

function assertTogether({ labels, frequency, dateFormat = "%d" }: ReadPricesOptions): void {
  const isDaily = (frequency ?? "daily") === "daily";
  if (labels !== "start" || !isDaily || !dateFormat.includes("%d")) return;
  throw new TypeError(
    'Cannot call readPrices() with labels: "start": expected the period that a date begins, got none; ' +
      'use frequency: "monthly" or "weekly" beside it',
  );
}

/** The rows of all sources, with the columns that each has; `adjusted` if the state of each is known. */
function together(parts: readonly ReadRows[]): DataFrame {
  const isKnown = parts.every(({ state }) => state !== "unknown");
  const common = parts[0]!.rows.columns.filter((name) =>
    parts.every(({ rows: { columns } }) => columns.includes(name))
  );
  const all = parts.map(({ rows, state }) => {
    const own = rows.select(...common);
    return isKnown ? own.withColumns(pl.lit(state).alias("adjusted")) : own;
  });
  return all.length === 1 ? all[0]! : pl.concat(all);
}

/** Moves dates by days, and those that begin a period to its last day. */
function toEnds(
  rows: DataFrame,
  { labels, frequency = "monthly", shiftDays = 0 }: ReadPricesOptions,
): DataFrame {
  if (labels !== "start" && shiftDays === 0) return rows;
  const days = rows.getColumn("date").cast(pl.Int32).toArray() as number[];
  const ends = Int32Array.from(days, (day) => {
    const moved = day + shiftDays;
    return labels === "start" ? periodOfDay(moved, frequency).last : moved;
  });
  return rows.withColumns(pl.Series("date", ends, pl.Int32).cast(pl.Date));
}

function refuseWrongRows(
  title: string,
  rows: DataFrame,
  found: readonly PriceFinding[],
  adviceOf: (wrong: DataFrame) => string,
): void {
  const close = pl.col("close");
  const positive = close.isFinite().and(close.gt(0));
  const possible = close.gtEq(SMALLEST_PRICE).and(close.ltEq(LARGEST_PRICE));
  const priced = rows.filter(close.isNotNull());
  const wrong = priced.filter(positive.not());
  const absurd = priced.filter(positive.and(possible.not()));
  const repeated = found.filter(({ what }) => what === "repeated");
  const again = repeated.slice(0, EXAMPLES).map(({ day, ticker }) =>
    `${fromEpochDay(day!)} ${listText([ticker!])}`
  );
  const range = `closes below ${SMALLEST_PRICE} or above ${LARGEST_PRICE}`;
  const problems = ([
    [wrong.height, "closes that are not positive and finite", rowTexts(wrong)],
    [absurd.height, range, rowTexts(absurd)],
    [repeated.length, "rows that repeat a date and ticker with another close", again],
  ] as const).filter(([count]) => count > 0).map(([count, what, examples]) =>
    `${what}: ${count} (${examples.join(", ")}${count > examples.length ? ", …" : ""})`
  );
  if (problems.length === 0) return;
  throw new RangeError(
    `Cannot read ${title}: expected one positive close per date and ticker, got ` +
      `${problems.join("; ")}; ${adviceOf(wrong)}`,
  );
}

function wrongAdvice(wrong: DataFrame, rows: DataFrame, options: ReadPricesOptions): string {
  const negative = wrong.filter(pl.col("close").lt(0));
  if (negative.height === 0) return zeroAdvice(wrong, options);
  const codes = new Set(negative.getColumn("close").toArray().map(String));
  const [code] = codes;
  if (codes.size === 1 && MISSING_CODE.test(code!)) {
    return `use missing: "${code}" if it stands for no close`;
  }
  if (areQuotes(negative, rows)) {
    return 'use negative: "quote" if the sign means the mean of bid and ask on a day without a trade, as in CRSP';
  }
  return options.layout === "wide"
    ? "use returns: true if these are returns"
    : 'use returns: "…" with the name of their column if these are returns';
}

// A vendor's token for a day without a trade.
function zeroAdvice(wrong: DataFrame, options: ReadPricesOptions): string {
  const tokens = (wrong.getColumn("close").toArray() as number[])
    .map((value) => String(value).replace("NaN", "nan").replace("Infinity", "inf"));
  const [token, ...others] = new Set(tokens);
  return token === undefined || others.length > 0
    ? "correct the file, or pass a corrected frame"
    : `use missing: ${missingText(options, token)} if it stands for no close`;
}

/** `true` if the closes without their sign lie among the others of their ticker. */
function areQuotes(negative: DataFrame, rows: DataFrame): boolean {
  const sizes = (frame: DataFrame) =>
    frame.withColumns(pl.col("close").abs().alias("close")).select("ticker", "close");
  const usual = sizes(rows).groupBy("ticker").agg(pl.col("close").median().alias("usual"));
  const ratios = sizes(negative).join(usual, { on: "ticker", how: "left" })
    .select(pl.col("close").div(pl.col("usual")).alias("ratio")).getColumn("ratio").toArray();
  return ratios.every((ratio) => (ratio as number) > 0.5 && (ratio as number) < 2) &&
    negative.height < rows.height / 4 + 1;
}

function rowTexts(rows: DataFrame): readonly string[] {
  return rows.head(EXAMPLES).select("date", "ticker", "close").rows().map(([date, ticker, close]) =>
    `${(date as Date).toISOString().slice(0, 10)} ${listText([ticker as string])}: ${close}`
  );
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
