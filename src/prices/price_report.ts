import pl, { type DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../calendar/civil_date.ts";
import type { CalendarDate } from "../contract/instant.ts";
import { DISPLAY, display, type MimeBundle } from "../notebook/display.ts";
import { preHtml } from "../notebook/pre_html.ts";

/** What in prices deserves a look. */
export type PriceFindingKind =
  | "repeated"
  | "jump"
  | "gap"
  | "no_close"
  | "no_session"
  | "missing_session"
  | "ticker";

/** One place in prices that deserves a look. */
export interface PriceFinding {
  /** What it is. */
  readonly what: PriceFindingKind;
  /** The day, in days since 1970-01-01; `null` if it concerns no day. */
  readonly day: number | null;
  /** The ticker; `null` if it concerns all. */
  readonly ticker: string | null;
  /** What {@link PriceReport.findings} says; `null` if there is no number. */
  readonly value: number | null;
}

/** What was read. */
export interface PriceCounts {
  /** Such as `the prices of closes.csv`. */
  readonly title: string;
  /** Rows. */
  readonly rows: number;
  /** Distinct tickers. */
  readonly tickers: number;
  /** Distinct dates. */
  readonly dates: number;
  /** First date; `null` without rows. */
  readonly first: CalendarDate | null;
  /** Last date; `null` without rows. */
  readonly last: CalendarDate | null;
}

const EXAMPLES = 3;
const KINDS: readonly (readonly [kind: PriceFindingKind, clean: string, found: string])[] = [
  ["repeated", "one row a date and ticker", "rows that repeat a date and ticker"],
  ["jump", "no jump of the size of a split", "jumps of the size of a split"],
  ["gap", "no gap within a ticker", "gaps within a ticker"],
  ["no_close", "a close in every row", "rows without a close"],
  ["no_session", "every date is a session", "dates that are no session"],
  ["missing_session", "every session of the span", "sessions without any row"],
  ["ticker", "tickers in the form of the API", "tickers in another form than those of the API"],
];

/** What reading prices found: an item for each kind of mistake that prices commonly have. */
export class PriceReport {
  /** What was read. */
  readonly counts: PriceCounts;
  readonly #found: readonly PriceFinding[];

  /**
   * Makes a report of what was found.
   *
   * @param counts What was read
   * @param found What was found, by date and ticker
   */
  constructor(counts: PriceCounts, found: readonly PriceFinding[]) {
    this.counts = counts;
    this.#found = found;
  }

  /** Whether nothing was found. */
  get isClean(): boolean {
    return this.#found.length === 0;
  }

  /**
   * Everything that was found: one row a finding, by date and ticker.
   *
   * Columns: `what` (Utf8: `jump`, `gap`, `no_close`, `no_session`, `missing_session` or `ticker`), `date` (Date; null if it
   * concerns no date), `ticker` (Utf8; null if it concerns all), `value` (Float64): for a jump the close divided by the
   * one before, for a gap the sessions that are missing before the date, for a date that is no session its rows; else
   * null.
   */
  get findings(): DataFrame {
    const days = this.#found.map(({ day }) => day === null ? null : new Date(fromEpochDay(day)));
    return pl.DataFrame([
      pl.Series("what", this.#found.map(({ what }) => what), pl.Utf8),
      pl.Series("date", days, pl.Date),
      pl.Series("ticker", this.#found.map(({ ticker }) => ticker), pl.Utf8),
      pl.Series("value", this.#found.map(({ value }) => value), pl.Float64),
    ]);
  }

  /** One line of what was found, with the first examples; empty if nothing was. */
  get summary(): string {
    return KINDS.map(([kind, , found]) => this.#item(kind, found)).filter(Boolean).join("; ");
  }

  /** What a notebook shows. */
  [DISPLAY](): Promise<MimeBundle> {
    const text = String(this);
    return display({ "text/html": preHtml(text), "text/plain": text });
  }

  /** The report as text: one line an item. */
  toString(): string {
    const { title, rows, tickers, dates, first, last } = this.counts;
    const span = first === null ? "" : `, ${first} to ${last}`;
    const head = `${title[0]!.toUpperCase()}${title.slice(1)}: ${numbered(rows, "row")}, ` +
      `${numbered(tickers, "ticker")}, ${numbered(dates, "date")}${span}`;
    const items = KINDS.map(([kind, clean, found]) => {
      const item = this.#item(kind, found);
      return item === "" ? `  ✓ ${clean}` : `  ! ${item}`;
    });
    return [head, ...items].join("\n");
  }

  #item(kind: PriceFindingKind, what: string): string {
    const found = this.#found.filter((finding) => finding.what === kind);
    if (found.length === 0) return "";
    const examples = found.slice(0, EXAMPLES).map(exampleOf).join(", ");
    const more = found.length > EXAMPLES ? ", …" : "";
    return `${what}: ${counted(found.length)} (${examples}${more})`;
  }
}

function exampleOf({ what, day, ticker, value }: PriceFinding): string {
  const place = [day === null ? null : fromEpochDay(day), ticker].filter((part) => part !== null);
  if (what === "jump") place.push(`×${Number(value!.toPrecision(3))}`);
  if (what === "gap") place.push(`after ${counted(value!)} missing`);
  return place.join(" ");
}

function numbered(count: number, noun: string): string {
  return `${counted(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function counted(count: number): string {
  return count.toLocaleString("en-US");
}
