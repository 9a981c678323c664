import { open, readFile } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { crc32, createGunzip, gunzipSync, inflateRawSync } from "node:zlib";
import { pipeline } from "node:stream/promises";
import { IntegrityError } from "../../../base/errors.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";

// Deflate turns one byte into at most 1,032.
const MOST_A_BYTE = 1032;
const HEAD_BYTES = 1 << 16;
const HEAD_LINES = 40;
const ENTRY_MARK = 0x02014b50;
const END_MARK = 0x06054b50;
const END_BYTES = 22;

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
      ? onlyEntry(bytes, most)
      : bytes;
    return new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(title, most);
    const reason = code === "ERR_ENCODING_INVALID_ENCODED_DATA" || error instanceof TypeError
      ? 'text that is not UTF-8; save it as "CSV UTF-8"'
      : message;
    throw new IntegrityError(`Cannot read ${title}: expected a whole file, got ${reason}`, {
      cause: error,
    });
  }
}

/** The content of the one file in a ZIP archive. */
function onlyEntry(bytes: Buffer, most: number): Buffer {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end === -1 || end + END_BYTES > bytes.length || bytes.readUInt32LE(end) !== END_MARK) {
    throw new RangeError("no end of a ZIP archive");
  }
  const files: { readonly at: number; readonly name: string }[] = [];
  for (let at = bytes.readUInt32LE(end + 16), i = bytes.readUInt16LE(end + 10); i > 0; i--) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== ENTRY_MARK) {
      throw new RangeError("a damaged ZIP archive");
    }
    const length = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + length);
    if (!name.endsWith("/") && !name.startsWith("__MACOSX/")) files.push({ at, name });
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  if (files.length !== 1) {
    throw new RangeError(
      `a ZIP archive of ${files.length} files; unpack it, and read the folder: readPrices("prices/")`,
    );
  }
  const { at } = files[0]!;
  const local = bytes.readUInt32LE(at + 42);
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  const packed = bytes.subarray(start, start + bytes.readUInt32LE(at + 20));
  const isStored = bytes.readUInt16LE(at + 10) === 0;
  const plain = isStored
    ? packed
    : inflateRawSync(packed, { maxOutputLength: Math.min(most, 2 ** 31) });
  if (crc32(plain) !== bytes.readUInt32LE(at + 16)) throw new RangeError("a damaged ZIP archive");
  return plain;
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
