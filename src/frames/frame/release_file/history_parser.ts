import { Buffer } from "node:buffer";
import { DAY_MS, fromEpochDay, WEEKDAY, weekdayOf } from "../../../base/calendar/civil_date.ts";
import { type Factor, scoreNameOf } from "../../../base/contract/factor.ts";
import { isTicker } from "../../../base/contract/identifier.ts";
import { parseScoreText } from "../../../base/contract/scores/score_csv.ts";
import { ContractViolation } from "../../../base/contract/violation.ts";
import {
  DATE_BYTES,
  HistoryColumns,
  type HistoryKeys,
  NEVER,
  type PieceTaker,
  SLICE_BYTES,
  SLICE_HEADROOM,
} from "./history_columns.ts";
import { KeptRows } from "./kept_rows.ts";
import { type LineRule, OffenceLog } from "./offence.ts";
import { runRowLoop } from "./row_loop.ts";

/** Options of parsing a release file. */
export interface HistoryParserOptions {
  /**
   * Number of rows announced by the metadata; further rows are counted but not kept.
   *
   * @default null, as many as come
   */
  readonly rows?: number | null;
  /**
   * Receives the rows in pieces while the file is parsed.
   *
   * @default {@link KeptRows}
   */
  readonly taker?: PieceTaker | undefined;
}

const NEWLINE = 10;
const SLICE_SLACK = 32;
const SLICE_START = SLICE_SLACK + SLICE_HEADROOM;
// As single characters, one for each of its bytes in UTF-8.
const BYTE_ORDER_MARK = "\xef\xbb\xbf";
const DIGITS_REQUIRED = "a number from 0 to 1, or nothing";

/**
 * Parses and checks a release file in one pass, part by part.
 *
 * A line that continues the session with the expected ticker and a plain decimal takes a fast path of word comparisons; every
 * other line is parsed in full. Lines that break a rule are noted and not kept.
 *
 * @see API document, section 2.6
 */
export class HistoryParser {
  /** Parsed columns. */
  readonly columns: HistoryColumns;
  /** Broken rules. */
  readonly offences: OffenceLog = new OffenceLog();
  /** True if the file begins with a byte order mark. */
  hasByteOrderMark = false;
  /** True if the last line has no line break. */
  hasOpenEnd = false;
  readonly #header: string;
  readonly #order = new RowOrder();
  // The date of the last row, the unfinished line of the previous slice, and a slice; words are read beyond its end.
  #bytes = new Uint8Array(SLICE_START + SLICE_BYTES + SLICE_SLACK);
  #pendingBytes = 0;
  #lines = 0;
  #skipping = false;
  #rowsInFull = 0;

  /** @param factor Factor that the header must name */
  constructor(factor: Factor, options: HistoryParserOptions = {}) {
    const { rows = null, taker = new KeptRows() } = options;
    this.#header = `date,ticker,${scoreNameOf(factor)}`;
    this.columns = new HistoryColumns(taker, rows);
  }

  /** The order of the rows so far. */
  get order(): RowOrderName {
    return this.#order.name;
  }

  /** Parses the complete lines of a part; its buffer may be reused afterwards. */
  push(part: Uint8Array): void {
    for (let offset = 0; offset < part.length; offset += SLICE_BYTES) {
      this.#pushSlice(part.subarray(offset, offset + SLICE_BYTES));
    }
  }

  #pushSlice(slice: Uint8Array): void {
    const start = SLICE_START - this.#pendingBytes;
    const end = SLICE_START + slice.length;
    this.#bytes.set(slice, SLICE_START);
    const complete = Math.max(this.#bytes.subarray(0, end).lastIndexOf(NEWLINE) + 1, start);
    if (complete > start) {
      this.columns.reserve();
      this.#parseLines(start, complete);
    }
    this.#keepPending(complete, end);
  }

  /** Ends the file; a last line without a line break counts like the others. */
  finish(): void {
    this.hasOpenEnd = this.#pendingBytes > 0;
    if (this.hasOpenEnd) {
      this.push(Uint8Array.of(NEWLINE));
    } else if (this.#lines === 0) {
      this.#offend("header", `"${this.#header}"`, "an empty file");
    }
    this.columns.finish();
    this.#bytes = new Uint8Array(0);
    // In an ordered file, each row is compared with the one before while parsing.
    if (this.order === "in no order") this.#offendRepeated();
  }

  #offendRepeated(): void {
    const { keys, names } = this.columns;
    for (const row of findRepeatedRows(keys, names.length)) {
      const found = `${fromEpochDay(keys.days[row]!)},${names[keys.numbers[row]!]}`;
      // Line number of a row in a file with a header.
      this.offences.add({ rule: "duplicate", line: row + 2, required: ONCE_REQUIRED, found });
    }
  }

  // A line longer than the headroom is always wrong; its beginning is enough for the report.
  #keepPending(start: number, end: number): void {
    const bytes = this.#bytes;
    this.#pendingBytes = end - start;
    if (this.#pendingBytes <= SLICE_HEADROOM && !this.#skipping) {
      bytes.copyWithin(SLICE_START - this.#pendingBytes, start, end);
      return;
    }
    if (!this.#skipping) {
      this.#lines++;
      const [rule, required] = this.#lines === 1
        ? ["header", `"${this.#header}"`] as const
        : ["line", LINE_REQUIRED] as const;
      this.#offend(rule, required, textOf(bytes.subarray(start, end)));
    }
    this.#pendingBytes = 0;
    this.#skipping = true;
  }

  #parseLines(start: number, end: number): void {
    let position = start;
    if (this.#skipping) {
      position = this.#bytes.indexOf(NEWLINE, position) + 1;
      this.#skipping = false;
    }
    if (this.#lines === 0) position = this.#parseHeader(position);
    while (position < end) {
      // The loop requires contiguous sessions, as in a file ordered by date.
      if (this.#order.isByDate) {
        const before = this.columns.rows;
        position = runRowLoop(this.#bytes, this.columns, [position, end]);
        this.#lines += this.columns.rows - before;
      }
      if (position === end) return;
      position = this.#fullPath(position);
      this.#lines++;
    }
  }

  #parseHeader(start: number): number {
    const end = this.#bytes.indexOf(NEWLINE, start);
    const line = this.#lineText(start, end);
    this.hasByteOrderMark = line.startsWith(BYTE_ORDER_MARK);
    const header = this.hasByteOrderMark ? line.slice(BYTE_ORDER_MARK.length) : line;
    this.#lines = 1;
    if (header !== this.#header) this.#offend("header", `"${this.#header}"`, header);
    return end + 1;
  }

  #fullPath(start: number): number {
    const end = this.#bytes.indexOf(NEWLINE, start);
    const line = this.#lineText(start, end);
    const fields = line.split(",");
    const [date = "", ticker = "", score = ""] = fields;
    const [day, value] = [parseSessionDay(date), parseScore(score)];
    if (fields.length !== 3) this.#offend("line", LINE_REQUIRED, line, 1);
    else if (typeof day === "string") this.#offend("date", DATE_REQUIRED[day], line, 1);
    else if (!isTicker(ticker)) this.#offend("ticker", TICKER_REQUIRED, line, 1);
    else if (Number.isNaN(value)) this.#offend("score", DIGITS_REQUIRED, line, 1);
    else this.#addRow(start, { day, ticker, score: value ?? NaN }, line);
    return end + 1;
  }

  #addRow(start: number, row: { day: number; ticker: string; score: number }, line: string): void {
    const { columns } = this;
    const known = columns.find(row.ticker);
    if (columns.rows > this.#rowsInFull) this.#order.sawSession();
    if (known !== undefined && columns.isLastIn(known, row.day)) {
      this.#offend("duplicate", ONCE_REQUIRED, line, 1);
    } else {
      this.#order.see(row.day, known ?? columns.names.length, known !== undefined);
      columns.add(row.day, row.ticker, row.score);
      this.#bytes.copyWithin(0, start, start + DATE_BYTES);
    }
    this.#rowsInFull = columns.rows;
  }

  #lineText(start: number, end: number): string {
    const carriageReturn = end > start && this.#bytes[end - 1] === 13 ? 1 : 0;
    return textOf(this.#bytes.subarray(start, end - carriageReturn));
  }

  #offend(rule: LineRule, required: string, found: string, ahead = 0): void {
    this.offences.add({ rule, line: this.#lines + ahead, required, found });
  }
}

const ONCE_REQUIRED = "each date and ticker once";
const LINE_REQUIRED = "a date, a ticker and a score";
const TICKER_REQUIRED = "1 to 16 of the characters A-Z, 0-9, dot and hyphen as ticker";
const DATE_REQUIRED = { form: "a date of the form YYYY-MM-DD", day: "a date that exists" } as const;

function parseScore(text: string): number | null {
  try {
    return parseScoreText(text, "score");
  } catch (error) {
    if (error instanceof ContractViolation) return NaN;
    throw error;
  }
}

// Bytes above 127 become single characters; the text is only displayed and compared.
function textOf({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(buffer, byteOffset, Math.min(length, SLICE_HEADROOM * 2)).toString("latin1");
}

/**
 * Finds rows that repeat the date and ticker of an earlier row, among unordered rows, by sorting two numbers per row.
 *
 * @param keys Sessions and tickers of the rows
 * @param tickers Number of distinct tickers
 */
function findRepeatedRows({ days, numbers }: HistoryKeys, tickers: number): readonly number[] {
  // Exact: days of four-digit years take 22 bits, and there are fewer tickers than rows.
  const keys = Float64Array.from(days, (day, row) => day * tickers + numbers[row]!);
  const sorted = keys.toSorted();
  const repeated = new Set(sorted.filter((key, i) => i > 0 && key === sorted[i - 1]));
  if (repeated.size === 0) return [];
  const seen = new Set<number>();
  const rows: number[] = [];
  for (const [row, key] of keys.entries()) {
    if (!repeated.has(key)) continue;
    if (seen.has(key)) rows.push(row);
    seen.add(key);
  }
  return rows;
}

/** Order of the rows of a file. */
type RowOrderName = "by date" | "by date, descending" | "by ticker" | "in no order";

/** Order of the rows of a file. The API document specifies none (section 2.6), so any is accepted. */
class RowOrder {
  #isAscending = true;
  #isDescending = true;
  #isByTicker = true;
  #day = NEVER;
  #ticker = -1;

  /** True if the rows of each session are still contiguous. */
  get isByDate(): boolean {
    return this.#isAscending || this.#isDescending;
  }

  /** The order; the first matching name if there are several. */
  get name(): RowOrderName {
    if (this.#isAscending) return "by date";
    if (this.#isDescending) return "by date, descending";
    return this.#isByTicker ? "by ticker" : "in no order";
  }

  /** Notes that a known ticker followed another one in the same session, so that the order can only be by date. */
  sawSession(): void {
    this.#isByTicker = false;
  }

  /** Notes the next row. */
  see(day: number, ticker: number, isKnown: boolean): void {
    const isFirst = this.#ticker === -1;
    this.#isAscending &&= isFirst || day >= this.#day;
    this.#isDescending &&= isFirst || day <= this.#day;
    this.#isByTicker &&= ticker === this.#ticker ? day > this.#day : !isKnown;
    [this.#day, this.#ticker] = [day, ticker];
  }
}

/** Days from 1970-01-01 to a date `YYYY-MM-DD`, or the fault of its text: its form, or a day that does not exist. */
function parseSessionDay(text: string): number | "form" | "day" {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return "form";
  const day = Date.parse(text) / DAY_MS;
  // The 30th of February is read as a day of March.
  return Number.isNaN(day) || fromEpochDay(day) !== text ? "day" : day;
}

/** True if a day is a Saturday or Sunday, on which no market is open. */
export function isWeekend(epochDay: number): boolean {
  const weekday = weekdayOf(epochDay);
  return weekday === WEEKDAY.sunday || weekday === WEEKDAY.saturday;
}
