import { open, readFile } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { createGunzip, gunzipSync } from "node:zlib";
import { pipeline } from "node:stream/promises";
import { IntegrityError } from "../../../base/errors.ts";
import type { ArchiveBytes } from "../../../base/read_zip.ts";
import { readSmallEntry, readZipDirectory } from "../../../base/read_zip.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";

// Deflate turns one byte into at most 1,032.
const MOST_A_BYTE = 1032;
const HEAD_BYTES = 1 << 16;
// The names of a hundred thousand tickers.
const LONGEST_LINE = 1 << 20;
const HEAD_LINES = 40;
const QUOTE = 34;
const TOO_LARGE = "a file that is too large";

/** A file of prices. */
export interface PriceFile {
  /** Its path. */
  readonly path: string;
  /** Such as `the prices of closes.csv`. */
  readonly title: string;
  /** Its size in bytes. */
  readonly size: number;
}

/** First lines of a text file, and whether its last line has an end; `null` if that is not known. */
export interface TextEdges {
  /** The first lines. */
  readonly lines: readonly string[];
  /** `true` if the file ends with the end of a line. */
  readonly isEnded: boolean | null;
}

/**
 * Reads the whole text of a file, which may be compressed.
 *
 * @throws {IntegrityError} If it is damaged, or inflates to more than allowed
 */
export async function wholeText({ path, title }: PriceFile, most: number): Promise<string> {
  const bytes = await readFile(path);
  try {
    const plain = /\.gz$/i.test(path)
      ? gunzipSync(bytes, { maxOutputLength: Math.min(most, 2 ** 31) })
      : /\.zip$/i.test(path)
      ? await onlyEntry(bytes, most)
      : bytes;
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE" || message === TOO_LARGE) throw tooLarge(title, most);
    const reason = code === "ERR_ENCODING_INVALID_ENCODED_DATA" || error instanceof TypeError
      ? 'text that is not UTF-8; save it as "CSV UTF-8"'
      : error instanceof IntegrityError
      ? "a damaged ZIP archive"
      : message;
    throw new IntegrityError(`Cannot read ${title}: expected a whole file, got ${reason}`, {
      cause: error,
    });
  }
}

/** The content of the one file in a ZIP archive. */
async function onlyEntry(bytes: Buffer, most: number): Promise<Uint8Array> {
  const archive: ArchiveBytes = {
    sizeBytes: bytes.length,
    read: (start, count) => Promise.resolve(bytes.subarray(start, start + count)),
  };
  const files = (await readZipDirectory(archive))
    .filter(({ name }) => !name.endsWith("/") && !name.startsWith("__MACOSX/"));
  if (files.length !== 1) {
    throw new RangeError(
      `a ZIP archive of ${files.length} files; unpack it, and read the folder: readPrices("prices/")`,
    );
  }
  if (files[0]!.sizeBytes > most) throw new RangeError(TOO_LARGE);
  return await readSmallEntry(archive, files[0]!);
}

function tooLarge(title: string, most: number): IntegrityError {
  return new IntegrityError(
    `Cannot read ${title}: expected a file that inflates to at most ` +
      `${groupThousands(most)} bytes, got more; if the file is correct, raise maxInflatedBytes`,
  );
}

/**
 * Reads the first lines of a CSV, and its last byte unless it is compressed.
 *
 * @throws {IntegrityError} If a compressed file is damaged before the end of those lines
 */
export async function textEdges({ path, title, size }: PriceFile): Promise<TextEdges> {
  if (/\.gz$/i.test(path)) {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    await inflate({ path, title, size }, (part) => {
      parts.push(part);
      bytes += part.length;
      return bytes < HEAD_BYTES;
    });
    return { lines: headLines(Buffer.concat(parts).subarray(0, HEAD_BYTES)), isEnded: null };
  }
  const file = await open(path);
  try {
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
    await file.read(head, 0, head.length, 0);
    const last = Buffer.alloc(1);
    await file.read(last, 0, 1, size - 1);
    return { lines: headLines(head), isEnded: last[0] === 10 || last[0] === 13 };
  } finally {
    await file.close();
  }
}

/**
 * Refuses a text whose first line is longer than any line of names, which would be taken for as many columns, and one in which a
 * field opens with a quote that none closes: parsers read to the end of the file for it, in a time of its length squared.
 *
 * @throws {IntegrityError} With the number of bytes, or the place of the quote
 */
export async function assertLines({ path, title, size }: PriceFile): Promise<void> {
  const seen = { bytes: 0, quotes: 0, last: 0, hasLine: false };
  const isBroken = () =>
    seen.hasLine
      ? seen.quotes % 2 === 1 && seen.bytes - seen.last > LONGEST_LINE
      : seen.bytes > LONGEST_LINE;
  const take = (part: Uint8Array) => {
    const last = part.lastIndexOf(QUOTE);
    if (last !== -1) {
      for (let i = 0; i <= last; i++) if (part[i] === QUOTE) seen.quotes++;
      seen.last = seen.bytes + last;
    }
    seen.hasLine ||= part.includes(10) || part.includes(13);
    seen.bytes += part.length;
    return !isBroken();
  };
  if (/\.gz$/i.test(path)) await inflate({ path, title, size }, take);
  else for await (const part of createReadStream(path)) if (!take(part)) break;
  if (!isBroken()) return;
  const limit = groupThousands(LONGEST_LINE);
  throw new IntegrityError(
    seen.hasLine
      ? `Cannot read ${title}: expected quotes in pairs, got one at byte ${
        groupThousands(seen.last + 1)
      } that none closes within ${limit} bytes; close it, or delete it`
      : `Cannot read ${title}: expected lines, the first one of at most ${limit} bytes, got more without an end; ` +
        "check that it is a text of prices",
  );
}

/** The first lines of a text. */
export function headLines(text: Buffer | string): readonly string[] {
  const head = typeof text === "string" ? text.slice(0, HEAD_BYTES) : text.toString("utf8");
  return head.replace(/^\ufeff/, "").split(/\r?\n/, HEAD_LINES);
}

/**
 * Refuses a compressed file that inflates to more than a size, before it is parsed. Files too small to do so are not read.
 *
 * @throws {IntegrityError} If it inflates to more or is damaged
 */
export async function assertInflatedSize(file: PriceFile, most: number): Promise<void> {
  if (file.size * MOST_A_BYTE <= most) return;
  let bytes = 0;
  await inflate(file, (part) => (bytes += part.length) <= most);
  if (bytes > most) throw tooLarge(file.title, most);
}

/** Inflates a file part by part, until the receiver returns `false`. */
async function inflate(
  { path, title }: PriceFile,
  take: (part: Uint8Array) => boolean,
): Promise<void> {
  let isEnough = false;
  try {
    await pipeline(
      createReadStream(path),
      createGunzip(),
      async (parts: AsyncIterable<Uint8Array>) => {
        for await (const part of parts) {
          isEnough = !take(part);
          if (isEnough) return;
        }
      },
    );
  } catch (error) {
    if (isEnough) return;
    throw new IntegrityError(
      `Cannot read ${title}: expected a whole CSV file, got ${(error as Error).message}`,
      { cause: error },
    );
  }
}
