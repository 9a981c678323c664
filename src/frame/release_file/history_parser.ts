import { fromEpochDay } from "../../calendar/civil_date.ts";
import { type Factor, scoreNameOf } from "../../contract/factor.ts";
import { isTicker } from "../../contract/ticker.ts";
import { parseScoreText } from "../../contract/scores/score_csv.ts";
import { ContractViolation } from "../../contract/violation.ts";
import { HistoryColumns, type PieceTaker } from "./history_columns.ts";
import { readScore, type ScoreCursor } from "./_score_cursor.ts";
import { parseSessionDay } from "./_session_day.ts";
import { findRepeatedRows } from "./_repeated_rows.ts";
import { RowOrder, type RowOrderName } from "./_row_order.ts";
import { NEVER } from "./_ticker_table.ts";
import { type LineRule, OffenceLog } from "./offence.ts";

/** Free bytes required before the content of a part, for the unfinished line of the previous part. */
export const PART_HEADROOM = 256;

/** Bytes required after the content of a part, because words are read beyond the end of a line. */
export const PART_SLACK = 32;

/** A piece of the decompressed file, with room around it. */
export interface HistoryPart {
  /** Buffer with at least {@link PART_HEADROOM} bytes before and {@link PART_SLACK} bytes after the content. */
  readonly buffer: ArrayBuffer;
  /** Start of the content. */
  readonly start: number;
  /** End of the content. */
  readonly end: number;
}

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
   * @default null, the parser keeps all rows
   */
  readonly taker?: PieceTaker | null;
}

const NEWLINE = 10;
// As single characters, one for each of its bytes in UTF-8.
const BYTE_ORDER_MARK = "\xef\xbb\xbf";
const SHORTEST_ROW = "YYYY-MM-DD,A,\n".length;
const LINE_START = "YYYY-MM-DD,".length;
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
  readonly #cursor: ScoreCursor = { position: 0 };
  #bytes = new Uint8Array(0);
  #view = new DataView(new ArrayBuffer(0));
  #pending = new Uint8Array(0);
  #lines = 0;
  #skipping = false;
  #date0 = 0;
  #date1 = 0;
  #date2 = 0;
  #day = NEVER;
  #ticker = 0;
  #rowsInFull = 0;

  /** @param factor Factor that the header must name */
  constructor(factor: Factor, options: HistoryParserOptions = {}) {
    this.#header = `date,ticker,${scoreNameOf(factor)}`;
    this.columns = new HistoryColumns(options.rows ?? null, options.taker);
  }

  /** The order of the rows so far. */
  get order(): RowOrderName {
    return this.#order.name;
  }

  /** Parses the complete lines of a part; the buffer may be reused afterwards. */
  push(part: HistoryPart): void {
    const start = part.start - this.#pending.length;
    this.#bytes = new Uint8Array(part.buffer);
    this.#view = new DataView(part.buffer);
    this.#bytes.set(this.#pending, start);
    const content = this.#bytes.subarray(0, part.end);
    const lineEnd = content.lastIndexOf(NEWLINE) + 1;
    const complete = Math.max(lineEnd, start);
    if (complete > start) {
      this.columns.reserve(Math.ceil((complete - start) / SHORTEST_ROW));
      this.#parseLines(start, complete);
    }
    this.#keepPending(content.subarray(complete));
  }

  /** Ends the file; a last line without a line break counts like the others. */
  finish(): void {
    this.hasOpenEnd = this.#pending.length > 0;
    if (this.hasOpenEnd) {
      const buffer = new ArrayBuffer(PART_HEADROOM + 1 + PART_SLACK);
      new Uint8Array(buffer)[PART_HEADROOM] = NEWLINE;
      this.push({ buffer, start: PART_HEADROOM, end: PART_HEADROOM + 1 });
    } else if (this.#lines === 0) {
      this.#offend("header", `"${this.#header}"`, "an empty file");
    }
    this.columns.finish();
    // In an ordered file, each row is compared with the one before while parsing.
    if (this.order === "in no order") this.#offendRepeated();
  }

  #offendRepeated(): void {
    const { keys, tickers: { names } } = this.columns;
    for (const row of findRepeatedRows(keys, names.length)) {
      const found = `${fromEpochDay(keys.days[row]!)},${names[keys.numbers[row]!]}`;
      // Line number of a row in a file with a header.
      this.offences.add({ rule: "duplicate", line: row + 2, required: ONCE_REQUIRED, found });
    }
  }

  // A line longer than the headroom is always wrong; its beginning is enough for the report.
  #keepPending(rest: Uint8Array): void {
    if (rest.length <= PART_HEADROOM && !this.#skipping) {
      this.#pending = rest.slice();
      return;
    }
    if (!this.#skipping) {
      this.#lines++;
      const [rule, required] = this.#lines === 1
        ? ["header", `"${this.#header}"`] as const
        : ["line", LINE_REQUIRED] as const;
      this.#offend(rule, required, textOf(rest));
    }
    this.#pending = new Uint8Array(0);
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
      // The fast path requires contiguous sessions, as in a file ordered by date.
      if (this.#order.isByDate) position = this.#shortPath(position, end);
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

  // Reads rows as long as each continues the session with the expected ticker and a plain score. All state is in local
  // variables: this loop runs for nearly every row.
  #shortPath(start: number, end: number): number {
    const { columns } = this;
    const { successors, lengths, lastDays, text0, mask0, text1, mask1 } = columns.tickers;
    const { days, numbers, scores, first } = columns;
    const [bytes, view, cursor] = [this.#bytes, this.#view, this.#cursor];
    const [date0, date1, date2, day] = [this.#date0, this.#date1, this.#date2, this.#day];
    const firstRow = columns.rows;
    let [row, missing, ticker, line] = [firstRow, 0, this.#ticker, start];
    while (
      line < end && view.getInt32(line, true) === date0 &&
      view.getInt32(line + 4, true) === date1 && view.getInt32(line + 7, true) === date2
    ) {
      const expected = successors[ticker]!;
      const position = line + LINE_START;
      if (
        (view.getInt32(position, true) & mask0[expected]!) !== text0[expected] ||
        (view.getInt32(position + 4, true) & mask1[expected]!) !== text1[expected] ||
        lastDays[expected] === day || lengths[expected] === 0
      ) break;
      const score = readScore(bytes, view, position + lengths[expected]!, cursor);
      if (score < 0) break;
      if (score !== score) missing++;
      lastDays[expected] = day;
      const place = row - first;
      days[place] = day;
      numbers[place] = expected;
      scores[place] = score;
      row++;
      ticker = expected;
      line = cursor.position;
    }
    columns.rows = row;
    columns.missingRows += missing;
    this.#ticker = ticker;
    this.#lines += row - firstRow;
    return line;
  }

  #fullPath(start: number): number {
    const end = this.#bytes.indexOf(NEWLINE, start);
    const line = this.#lineText(start, end);
    const [date = "", ticker = "", score, ...rest] = line.split(",");
    if (score === undefined || rest.length > 0) {
      this.#offend("line", LINE_REQUIRED, line, 1);
      return end + 1;
    }
    const session = parseSessionDay(date);
    const value = parseScore(score);
    if ("fault" in session) this.#offend("date", DATE_REQUIRED[session.fault], line, 1);
    else if (!isTicker(ticker)) this.#offend("ticker", TICKER_REQUIRED, line, 1);
    else if (Number.isNaN(value)) this.#offend("score", DIGITS_REQUIRED, line, 1);
    else this.#addRow(start, { day: session.day, ticker, score: value ?? NaN }, line);
    return end + 1;
  }

  #addRow(start: number, row: { day: number; ticker: string; score: number }, line: string): void {
    const { columns } = this;
    const { tickers } = columns;
    const known = tickers.find(row.ticker);
    if (columns.rows > this.#rowsInFull) this.#order.sawSession();
    const placed = {
      day: row.day,
      ticker: known ?? tickers.names.length,
      known: known !== undefined,
    };
    if (known !== undefined && tickers.lastDays[known] === row.day) {
      this.#offend("duplicate", ONCE_REQUIRED, line, 1);
    } else {
      this.#order.see(placed);
      const number = known ?? tickers.add(row.ticker);
      columns.add(row.day, number, row.score);
      columns.addSession(row.day);
      tickers.lastDays[number] = row.day;
      tickers.successors[this.#ticker] = number;
      this.#ticker = number;
      this.#expectDate(start, row.day);
    }
    this.#rowsInFull = columns.rows;
  }

  #expectDate(start: number, day: number): void {
    this.#day = day;
    this.#date0 = this.#view.getInt32(start, true);
    this.#date1 = this.#view.getInt32(start + 4, true);
    this.#date2 = this.#view.getInt32(start + 7, true);
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
const DATE_REQUIRED = {
  form: "a date of the form YYYY-MM-DD",
  day: "a date that exists",
} as const;

function parseScore(text: string): number | null {
  try {
    return parseScoreText(text, "score");
  } catch (error) {
    if (error instanceof ContractViolation) return NaN;
    throw error;
  }
}

// Bytes above 127 become single characters; the text is only displayed and compared.
function textOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, PART_HEADROOM * 2));
}
