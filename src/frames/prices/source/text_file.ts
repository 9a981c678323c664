import { readFile } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { createGunzip, gunzipSync } from "node:zlib";
import { pipeline } from "node:stream/promises";
import { IntegrityError } from "../../../base/errors.ts";
import { type ArchiveBytes, readSmallEntry, readZipDirectory } from "../../../base/read_zip.ts";
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
 * Reads a CSV once, which may be compressed, for its first lines and its end.
 *
 * Refuses one that inflates to more than allowed; one whose first line is longer than any line of names, which would be taken
 * for as many columns; and one in which a field opens with a quote that none closes: parsers read to the end of the file for
 * it, in a time of its length squared.
 *
 * @param most Largest size of an inflated file, in bytes
 * @returns The first lines, and `false` if the last line of a plain file has no end
 * @throws {IntegrityError} With the size, the length of the line or the place of the quote; or if it is damaged
 */
export async function readEdges(
  { path, title, size }: PriceFile,
  most: number,
): Promise<{ readonly lines: readonly string[]; readonly isEnded: boolean }> {
  const isPacked = /\.gz$/i.test(path);
  // Too large an inflated file is told first, whatever its lines are.
  const isSized = isPacked && size * MOST_A_BYTE > most;
  const head: Uint8Array[] = [];
  const seen = { bytes: 0, quotes: 0, quote: 0, hasLine: false, last: 0 };
  let fault: IntegrityError | null = null;
  const take = (part: Uint8Array): boolean => {
    if (seen.bytes < HEAD_BYTES) head.push(part);
    if (fault === null) {
      const last = part.lastIndexOf(QUOTE);
      for (let i = 0; i <= last; i++) if (part[i] === QUOTE) seen.quotes++;
      if (last !== -1) seen.quote = seen.bytes + last;
      seen.hasLine ||= part.includes(10) || part.includes(13);
    }
    seen.bytes += part.length;
    seen.last = part.at(-1) ?? seen.last;
    fault ??= lineFault(title, seen);
    return isSized ? seen.bytes <= most : fault === null;
  };
  if (isPacked) await inflate(path, title, take);
  else for await (const part of createReadStream(path)) if (!take(part)) break;
  if (isSized && seen.bytes > most) throw tooLarge(title, most);
  if (fault !== null) throw fault;
  const lines = headLines(Buffer.concat(head).subarray(0, HEAD_BYTES));
  return { lines, isEnded: isPacked || seen.last === 10 || seen.last === 13 };
}

function lineFault(
  title: string,
  { bytes, quotes, quote, hasLine }: {
    readonly bytes: number;
    readonly quotes: number;
    readonly quote: number;
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
  return quotes % 2 === 0 || bytes - quote <= LONGEST_LINE ? null : new IntegrityError(
    `Cannot read ${title}: expected quotes in pairs, got one at byte ${
      groupThousands(quote + 1)
    } ` +
      `that none closes within ${limit} bytes; close it, or delete it`,
  );
}

/** The first lines of a text. */
export function headLines(text: Buffer | string): readonly string[] {
  const head = typeof text === "string" ? text.slice(0, HEAD_BYTES) : text.toString("utf8");
  return head.replace(/^\ufeff/, "").split(/\r?\n/, HEAD_LINES);
}

/** Inflates a file part by part, until the receiver returns `false`. */
async function inflate(
  path: string,
  title: string,
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
