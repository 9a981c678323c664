import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";
import { Zip, type ZipInputFile } from "fflate";
import type { StudyFiles } from "./study_files.ts";

const DEFLATED = 8;
// Small files are passed on together: one by one, each would cost more than its content.
const PIECE_BYTES = 1 << 20;

// For some hundred bytes, preparing a window of 32 kB takes longer than packing, and a Huffman code of their own takes as
// long as all other work on the file: 21 instead of 10 µs, for a quarter less.
const WINDOWS = [
  { mostBytes: 1 << 10, windowBits: 10, memLevel: 3, most: 1 },
  { mostBytes: 1 << 12, windowBits: 12, memLevel: 6, most: 6 },
  { mostBytes: Infinity, windowBits: 15, memLevel: 8, most: 6 },
];
const LARGEST_CHUNK = 1 << 18;

const END_BYTES = 22;
const RECORD_BYTES = 56;
const LOCATOR_BYTES = 20;
const RECORD_MARK = 0x06064b50;
const LOCATOR_MARK = 0x07064b50;
const VERSION = 45;
const MOST_ENTRIES = 0xffff;

/**
 * The bytes of a zip, file after file, with one large file or a megabyte of small ones in memory. Equal files give equal
 * bytes under one version of the runtime.
 *
 * @param files Its files, in the order of their names
 * @param onPacked Called after each file
 */
export async function* zipChunks(
  files: StudyFiles,
  onPacked?: (done: number) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  let held = 0;
  let done = 0;
  for (const path of [...files.keys()].sort()) {
    const content = await files.get(path)!.read();
    const packed = packContent(path, content);
    const entry: ZipInputFile = {
      filename: path,
      size: content.length,
      crc: crc32(content),
      compression: DEFLATED,
      // The earliest time of the format; the package writes it as local time.
      mtime: new Date(1980, 0, 1),
      os: 3,
      attrs: 0o100644 << 16,
    };
    zip.add(entry);
    entry.ondata!(null, packed, true);
    held += content.length;
    onPacked?.(++done);
    if (held < PIECE_BYTES) continue;
    held = 0;
    yield Buffer.concat(chunks.splice(0));
  }
  if (chunks.length > 0) yield Buffer.concat(chunks.splice(0));
  zip.end();
  yield withZip64End(Buffer.concat(chunks), files.size);
}

/** The content of a file, deflated: equal content gives equal bytes under one version of the runtime. */
function packContent(path: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  // Compressing compressed files again wastes time. They become deflated blocks of stored bytes, because a streaming
  // reader could not find the end of a plain stored entry.
  const { most, windowBits, memLevel } = WINDOWS.find(({ mostBytes }) =>
    content.length <= mostBytes
  )!;
  const level = path.endsWith(".gz") ? 0 : most;
  const chunkSize = Math.min(LARGEST_CHUNK, content.length + 64);
  return deflateRawSync(content, { level, windowBits, memLevel, chunkSize }) as Uint8Array<
    ArrayBuffer
  >;
}

/**
 * The end of a zip, with the Zip64 extension if it has more entries than the plain format can count.
 *
 * @param end The directory of the zip and its end record with the wrapped count
 * @param entries Number of its entries
 */
function withZip64End(end: Buffer, entries: number): Buffer {
  if (entries < MOST_ENTRIES) return end;
  const place = end.length - END_BYTES;
  const size = end.readUInt32LE(place + 12);
  const start = end.readUInt32LE(place + 16);
  const record = Buffer.alloc(RECORD_BYTES);
  record.writeUInt32LE(RECORD_MARK, 0);
  record.writeUInt32LE(VERSION | VERSION << 16, 12);
  const longs = [[4, RECORD_BYTES - 12], [24, entries], [32, entries], [40, size], [48, start]];
  for (const [at, value] of longs) record.writeBigUInt64LE(BigInt(value!), at);
  const locator = Buffer.alloc(LOCATOR_BYTES);
  locator.writeUInt32LE(LOCATOR_MARK, 0);
  locator.writeBigUInt64LE(BigInt(start + size), 8);
  locator.writeUInt32LE(1, 16);
  const last = Buffer.from(end.subarray(place));
  last.writeUInt16LE(MOST_ENTRIES, 8);
  last.writeUInt16LE(MOST_ENTRIES, 10);
  return Buffer.concat([end.subarray(0, place), record, locator, last]);
}
