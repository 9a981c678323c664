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
import type { ReadPricesOptions } from "./prices_options.ts";
import { adjustCloses, MISSING_CODE } from "./source/adjust_closes.ts";
import { chooseColumns } from "./source/choose_columns.ts";
import { type OpenedSource, openSource } from "./source/open_source.ts";
import { type PRICE_COLUMNS, readDateColumn, toPriceRows } from "./source/price_rows.ts";
import { toLong, wideColumns } from "./source/wide_table.ts";
import { LARGEST_PRICE, refuseStill, SMALLEST_PRICE } from "./values/check_values.ts";

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
  const parts: { readonly rows: DataFrame; readonly source: OpenedSource }[] = [];
  for (const part of sources) {
    const source = await openSource(part, options);
    parts.push({ source, rows: await readRows(source, options) });
  }
  const title = parts.length === 1 ? parts[0]!.source.title : `the prices of ${parts.length} files`;
  const whole = withCommonColumns(parts.map(({ rows }) => rows));
  const ends = toEnds(whole, options);
  const read = options.tickers === undefined ? ends : matchTickers(ends, options.tickers);
  const rows = heldOut === null || heldOut.isOpen ? read : rowsBefore(read, heldOut.from);
  assertRows(`read ${title}`, rows, "prices");
  const found = [
    ...parts.filter(({ source }) => !source.isEnded).map(({ source }): PriceFinding => ({
      what: "cut",
      day: null,
      ticker: parts.length === 1 ? null : source.stem,
      value: null,
    })),
    ...inspectPrices(rows, options),
  ];
  refuseWrongRows(title, rows, { found, options });
  const still = found.find(({ what }) => what === "still_share")?.value ?? 0;
  if (options.still !== true) refuseStill(`read ${title}`, still);
  const once = found.some(({ what }) => what === "same_row") ? rows.unique() : rows;
  const prices = framed<ColumnsOf<typeof PRICE_COLUMNS>>(
    markHeldOut(await once.lazy().sort(["date", "ticker"]).collect(), heldOut),
  );
  return { prices, report: new PriceReport(countsOf(title, prices), found) };
}

function assertTogether({ labels, frequency, dateFormat = "%d" }: ReadPricesOptions): void {
  const isDaily = (frequency ?? "daily") === "daily";
  if (labels !== "start" || !isDaily || !dateFormat.includes("%d")) return;
  throw new TypeError(
    'Cannot call readPrices() with labels: "start": expected the period that a date begins, got none; ' +
      'use frequency: "monthly" or "weekly" beside it',
  );
}

/** The rows of a source: `date`, `ticker`, `close`, and `raw` and `adjusted` if they are known. */
async function readRows(source: OpenedSource, options: ReadPricesOptions): Promise<DataFrame> {
  const { title } = source;
  const only = options.only ?? {};
  const unknown = Object.keys(only).find((name) => !source.rows.columns.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(
      `Cannot read ${title}: expected a column ${JSON.stringify(unknown)}, got the columns ` +
        `${listText(source.rows.columns)}`,
    );
  }
  const [frame, isAdjusted, hints] = options.layout === "wide"
    ? await readWide(source, options)
    : await readLong(source, options);
  const rows = adjustCloses(toPriceRows(frame, title, options), hints, { title, options });
  const signed = options.negative === undefined ? rows : rows.withColumns(
    ...rows.columns.slice(2).map((name) => pl.col(name).abs()),
  );
  return isAdjusted === null ? signed : signed.withColumns(pl.lit(isAdjusted).alias("adjusted"));
}

async function readLong(source: OpenedSource, options: ReadPricesOptions) {
  const { roles, isAdjusted, hints } = chooseColumns(source, options);
  const delisting = options.delisting === undefined ? {} : { delisting: options.delisting };
  const named = Object.entries({ ...roles, ...delisting });
  const read = await source.read([...new Set(named.map(([, name]) => name))], options.only ?? {});
  const frame = read.select(...named.map(([role, name]) => pl.col(name).alias(role)));
  const ticker = tickerOf(source, options);
  const whole = ticker === null ? frame : frame.withColumns(pl.lit(ticker).alias("ticker"));
  return [whole, isAdjusted, hints] as const;
}

async function readWide(source: OpenedSource, options: ReadPricesOptions) {
  const columns = wideColumns(source, options);
  const frame = await source.read(source.rows.columns, options.only ?? {});
  const dated = readDateColumn(frame.rename({ [columns.date]: "date" }), source.title, options);
  return [toLong(dated, { ...columns, date: "date" }), columns.isAdjusted, {}] as const;
}

/** The ticker of a file from its name, or a given one; `null` if a column has it. */
function tickerOf({ stem, title }: OpenedSource, { ticker }: ReadPricesOptions): string | null {
  if (typeof ticker !== "object") return null;
  if ("text" in ticker) return ticker.text;
  const [before = "", after = ""] = ticker.file.split("*");
  const name = stem ?? "";
  if (
    name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after)
  ) {
    return name.slice(before.length, name.length - after.length);
  }
  throw new TypeError(
    `Cannot read ${title}: expected the name of a file like ${JSON.stringify(ticker.file)} ` +
      `without its ending, got ${stem === null ? "a frame" : JSON.stringify(stem)}; use ticker: ` +
      '{ file: "*" } if the whole name is the ticker',
  );
}

function withCommonColumns(parts: readonly DataFrame[]): DataFrame {
  const common = parts[0]!.columns.filter((name) =>
    parts.every(({ columns }) => columns.includes(name))
  );
  return parts.length === 1 ? parts[0]! : pl.concat(parts.map((rows) => rows.select(...common)));
}

/** Moves dates by days, and those that begin a period to its last day. */
function toEnds(
  rows: DataFrame,
  { labels, frequency = "monthly", shiftDays = 0 }: ReadPricesOptions,
): DataFrame {
  if (labels !== "start" && shiftDays === 0) return rows;
  const days = rows.getColumn("date").cast(pl.Int32).toArray() as number[];
  const ends = Int32Array.from(
    days,
    (day) => labels === "start" ? periodOfDay(day + shiftDays, frequency).last : day + shiftDays,
  );
  return rows.withColumns(pl.Series("date", ends, pl.Int32).cast(pl.Date));
}

function refuseWrongRows(
  title: string,
  rows: DataFrame,
  { found, options }: {
    readonly found: readonly PriceFinding[];
    readonly options: ReadPricesOptions;
  },
): void {
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
      "rows that repeat a date and ticker with another close",
      repeated.slice(0, EXAMPLES).map(({ day, ticker }) =>
        `${fromEpochDay(day!)} ${listText([ticker!])}`
      ),
    ),
  ].filter((text) => text !== "");
  if (problems.length === 0) return;
  throw new RangeError(
    `Cannot read ${title}: expected one positive close per date and ticker, got ` +
      `${problems.join("; ")}; ${wrongAdvice(wrong, rows, options)}`,
  );
}

function wrongAdvice(wrong: DataFrame, rows: DataFrame, { layout }: ReadPricesOptions): string {
  const negative = wrong.filter(pl.col("close").lt(0));
  if (negative.height === 0) return "correct the file, or pass a corrected frame";
  const codes = new Set(negative.getColumn("close").toArray().map(String));
  const [code] = codes;
  if (codes.size === 1 && MISSING_CODE.test(code!)) {
    return `use missing: "${code}" if it stands for no close`;
  }
  if (areQuotes(negative, rows)) {
    return 'use negative: "quote" if the sign means the mean of bid and ask on a day without a trade, as in CRSP';
  }
  return layout === "wide"
    ? "use returns: true if these are returns"
    : 'use returns: "…" with the name of their column if these are returns';
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

function examplesOf(rows: DataFrame): readonly string[] {
  return rows.head(EXAMPLES).select("date", "ticker", "close").rows().map(([date, ticker, close]) =>
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
