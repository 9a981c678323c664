import pl, { type DataFrame } from "nodejs-polars";
import { listText } from "../../base/arguments/list_text.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { type HeldOut, markHeldOut, rowsBefore } from "../frame/provenance/held_out.ts";
import { assertRows } from "../frame/assert_rows.ts";
import type { ColumnsOf } from "../frame/typed/column_kind.ts";
import { framed } from "../frame/typed/frame_of.ts";
import { inspectPrices } from "./_inspect_prices.ts";
import { LARGEST_PRICE, SMALLEST_PRICE } from "./price_bounds.ts";
import { type PriceFinding, PriceReport } from "./price_report.ts";
import type { ReportedPrices } from "./prices_promise.ts";
import type { ReadPricesOptions } from "./prices_options.ts";
import { openSource } from "./source/open_source.ts";
import { type PRICE_COLUMNS, toPriceRows } from "./source/price_rows.ts";

const MOST_BYTES = 4_000_000_000;
const EXAMPLES = 3;

/**
 * Opens a source of prices and checks its rows.
 *
 * @param options Checked options of `readPrices()`
 * @param heldOut Hold-out of the source's study; its sessions are omitted until it is opened
 */
export async function checkedPrices(
  source: string | URL | DataFrame,
  options: ReadPricesOptions,
  heldOut: HeldOut | null,
): Promise<ReportedPrices> {
  const { date, ticker, close, dateFormat = null, decimal = null } = options;
  const names = Object.entries({ date, ticker, close }).filter(([, name]) => name !== undefined);
  const opened = await openSource(source, {
    names: Object.fromEntries(names),
    separator: options.separator ?? ",",
    layout: options.layout ?? "long",
    maxInflatedBytes: options.maxInflatedBytes ?? MOST_BYTES,
  });
  const read = toPriceRows(opened, { dateFormat, decimal });
  const rows = heldOut === null || heldOut.isOpen ? read : rowsBefore(read, heldOut.from);
  const { title } = opened;
  assertRows(`read ${title}`, rows, "prices");
  const found = inspectPrices(rows, options);
  refuseWrongRows(title, rows, found);
  const prices = framed<ColumnsOf<typeof PRICE_COLUMNS>>(
    markHeldOut(await rows.lazy().sort(["date", "ticker"]).collect(), heldOut),
  );
  return { prices, report: new PriceReport(countsOf(title, prices), found) };
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
      `${problems.join("; ")}; correct the file, or pass a corrected frame`,
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
