import { Buffer } from "node:buffer";
import { createReadStream, createWriteStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { pipeline } from "node:stream/promises";
import { IntegrityError } from "../../../base/errors.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { joinedNames, type TextForm } from "./text_head.ts";
import { zippedText } from "./zip_text.ts";

const HEAD_BYTES = 1 << 16;
// The names of a hundred thousand tickers.
const LONGEST_LINE = 1 << 20;
const HEAD_LINES = 40;
const PIECE_BYTES = 1 << 20;
const [QUOTE, LINE_FEED, RETURN] = [34, 10, 13];

/** A file of prices, with a title such as `the prices of closes.csv`. */
export type PriceFile = Readonly<Record<"path" | "title", string>>;

/** The bytes of a text, inflated if it is packed. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array, void, void> {
  if (/\.zip$/i.test(path)) return yield* zippedText(path);
  const plain = createReadStream(path, { highWaterMark: PIECE_BYTES });
  yield* /\.gz$/i.test(path) ? plain.pipe(createGunzip()) : plain;
}

/**
 * Reads a text once, which may be packed, for its first lines and its end.
 *
 * Refuses one that inflates to more than allowed; one whose first line is longer than any line of names, which would be taken
 * for as many columns; and one in which a field opens with a quote that none closes: parsers read to the end of the file for
 * it, in a time of its length squared.
 *
 * @param most Largest size of an inflated file, in bytes
 * @throws {IntegrityError} With the size, the length of the line or the place of the quote; or if it is damaged
 */
export async function readEdges({ path, title }: PriceFile, most: number) {
  const isPacked = /\.(gz|zip)$/i.test(path);
  const head: Uint8Array[] = [];
  const seen = { bytes: 0, quotes: 0, quote: 0, hasLine: false, last: 0 };
  let fault: IntegrityError | null = null;
  try {
    for await (const part of bytesOf(path)) {
      if (seen.bytes < HEAD_BYTES) head.push(part);
      if (fault === null) {
        const last = part.lastIndexOf(QUOTE);
        for (let i = 0; i <= last; i++) if (part[i] === QUOTE) seen.quotes++;
        if (last !== -1) seen.quote = seen.bytes + last;
        seen.hasLine ||= part.includes(LINE_FEED) || part.includes(RETURN);
      }
      seen.bytes += part.length;
      seen.last = part.at(-1) ?? seen.last;
      fault ??= lineFault(title, seen);
      // Too large an inflated file is told first, whatever its lines are.
      if (isPacked ? seen.bytes > most : fault !== null) break;
    }
  } catch (error) {
    throw unreadable(path, title, error as Error);
  }
  if (isPacked && seen.bytes > most) throw tooLarge(title, most);
  if (fault !== null) throw fault;
  const start = Buffer.concat(head).subarray(0, HEAD_BYTES);
  const isOfReturns = start.includes(RETURN) && !start.includes(LINE_FEED);
  return {
    lines: start.toString("utf8").replace(/^\ufeff/, "").split(/\r\n?|\n/, HEAD_LINES),
    isEnded: /\.gz$/i.test(path) || seen.last === LINE_FEED || seen.last === RETURN,
    isOfReturns,
  };
}

function unreadable(path: string, title: string, error: Error): IntegrityError {
  const expected = error instanceof RangeError
    ? "one file"
    : `a whole ${/\.zip$/i.test(path) ? "ZIP archive" : "CSV file"}`;
  const got = error.message.replace(/^.*, got /, "");
  const cause = { cause: error };
  return new IntegrityError(`Cannot read ${title}: expected ${expected}, got ${got}`, cause);
}

function tooLarge(title: string, most: number): IntegrityError {
  return new IntegrityError(
    `Cannot read ${title}: expected a file that inflates to at most ` +
      `${groupThousands(most)} bytes, got more; if the file is correct, raise maxInflatedBytes`,
  );
}

function lineFault(
  title: string,
  { bytes, quotes, quote, hasLine }: Readonly<Record<"bytes" | "quotes" | "quote", number>> & {
    readonly hasLine: boolean;
  },
): IntegrityError | null {
  const limit = groupThousands(LONGEST_LINE);
  if (!hasLine) {
    return bytes <= LONGEST_LINE ? null : new IntegrityError(
      `Cannot read ${title}: expected lines, the first one of at most ${limit} bytes, got more without an end; ` +
        "check that it is a text of prices",
    );
  }
  const place = groupThousands(quote + 1);
  return quotes % 2 === 0 || bytes - quote <= LONGEST_LINE ? null : new IntegrityError(
    `Cannot read ${title}: expected quotes in pairs, got one at byte ${place} that none closes ` +
      `within ${limit} bytes; close it, or delete it`,
  );
}

/** Writes a text as a plain table: one line of names, and the rows without what stands above and below; files of any size. */
export async function writeTable(
  from: string,
  to: string,
  { footer, isOfReturns, ...form }: TextForm & {
    readonly footer: number;
    readonly isOfReturns: boolean;
  },
): Promise<void> {
  const rest = afterNames(bytesOf(from), isOfReturns, form);
  await pipeline(withoutEnd(rest, footer), createWriteStream(to));
}

async function* afterNames(
  parts: AsyncIterable<Uint8Array>,
  isOfReturns: boolean,
  { skip, header, separator }: TextForm,
): AsyncGenerator<Buffer, void, void> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const part of parts) {
    const bytes = Buffer.from(part);
    for (let i = isOfReturns ? 0 : bytes.length; i < bytes.length; i++) {
      if (bytes[i] === RETURN) bytes[i] = LINE_FEED;
    }
    if (head === null) {
      yield bytes;
      continue;
    }
    head = Buffer.concat([head, bytes]);
    const end = endOfLine(head, skip + header);
    if (end === -1) continue;
    const lines = head.subarray(0, end).toString("utf8").replace(/^\ufeff/, "").split(/\r?\n/);
    yield Buffer.from(`${joinedNames(lines.slice(skip, skip + header), separator)}\n`);
    yield head.subarray(end);
    head = null;
  }
  if (head !== null) yield head;
}

/** Place after a line of so many; -1 if there are fewer. */
function endOfLine(bytes: Buffer, count: number): number {
  let at = 0;
  for (let line = 0; line < count; line++) {
    at = bytes.indexOf(LINE_FEED, at) + 1;
    if (at === 0) return -1;
  }
  return at;
}

/** All but the last lines, which are known at the end alone. */
async function* withoutEnd(
  parts: AsyncIterable<Buffer>,
  footer: number,
): AsyncGenerator<Buffer, void, void> {
  let held = Buffer.alloc(0);
  for await (const part of parts) {
    held = Buffer.concat([held, part]);
    const end = startOfLast(held, footer + 1);
    yield held.subarray(0, end);
    held = Buffer.from(held.subarray(end));
  }
  const text = held.at(-1) === LINE_FEED ? held.subarray(0, -1) : held;
  const end = startOfLast(text, footer);
  yield footer === 0 ? held : text.subarray(0, end);
}

/** Place at which the last so many lines begin, of which the very last may have no end. */
function startOfLast(bytes: Buffer, count: number): number {
  let at = bytes.length;
  for (let line = 0; line < count; line++) {
    at = at <= 0 ? -1 : bytes.lastIndexOf(LINE_FEED, at - 1);
    if (at === -1) return 0;
  }
  return at + 1 > bytes.length ? bytes.length : at + 1;
}

/**
 * Lines of a plain table with fewer fields than its first line; blank ones and a last one without an end aside.
 *
 * @returns `null` if there are none, or if no line has a field for each name, as under names that end with a separator
 */
export async function shortLines(path: string, separator: string) {
  const mark = separator.charCodeAt(0);
  let [line, fields, length, names, whole, count] = [1, 1, 0, 0, 0, 0];
  let first: { readonly line: number; readonly fields: number } | null = null;
  let isQuoted = false;
  for await (const part of bytesOf(path)) {
    for (const byte of part) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      if (byte === LINE_FEED && !isQuoted) {
        if (line === 1) names = fields;
        else if (fields >= names) whole++;
        else if (length > 0) {
          first ??= { line, fields };
          count++;
        }
        [fields, length] = [1, 0];
      } else if (byte === mark && !isQuoted) fields++;
      if (byte === LINE_FEED) line++;
      else if (byte !== RETURN) length++;
    }
  }
  return first === null || whole === 0 ? null : { ...first, names, count };
}
