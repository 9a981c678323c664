import type { Buffer } from "node:buffer";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw } from "node:zlib";
import { IntegrityError } from "../../errors.ts";
import type { ArchiveBytes } from "./archive_bytes.ts";

/** One entry of an archive, as its directory says. */
export interface ZipEntry {
  /** Path, with slashes. */
  readonly name: string;
  /** Method: 0 stored, 8 deflated. */
  readonly method: number;
  /** CRC-32 of the content. */
  readonly crc: number;
  /** Bytes in the archive. */
  readonly compressedBytes: number;
  /** Bytes of the content. */
  readonly sizeBytes: number;
  /** Unix file type and permissions; 0 if another system wrote the archive. */
  readonly mode: number;
  /** Whether the content is encrypted. */
  readonly isEncrypted: boolean;
  /** Where its local header is. */
  readonly offset: number;
}

const END_MARK = 0x06054b50;
const DIRECTORY_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const DIRECTORY_BYTES = 46;
const LOCAL_BYTES = 30;
// Some hundred thousand entries.
const MOST_DIRECTORY_BYTES = 100_000_000;
const ENCRYPTED = 1;
const UNIX = 3;
const PIECE_BYTES = 1 << 18;

/**
 * Reads the directory of a zip; nothing is inflated.
 *
 * @throws {IntegrityError} If it is no zip, or one that needs extensions
 */
export async function readZipDirectory(archive: ArchiveBytes): Promise<readonly ZipEntry[]> {
  const { record, place } = await findEnd(archive);
  const total = record.readUInt16LE(10);
  const size = record.readUInt32LE(12);
  const start = record.readUInt32LE(16);
  const isWhole = start + size <= place && total === record.readUInt16LE(8);
  if (!isWhole || size > MOST_DIRECTORY_BYTES) throw damaged("its directory");
  const directory = await archive.read(start, size);
  const entries: ZipEntry[] = [];
  for (let i = 0, at = 0; i < total; i++) {
    if (at + DIRECTORY_BYTES > size || directory.readUInt32LE(at) !== DIRECTORY_MARK) {
      throw damaged("its directory");
    }
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32]
      .map((field) => directory.readUInt16LE(at + field)) as [number, number, number];
    entries.push(toEntry(directory.subarray(at, at + DIRECTORY_BYTES + nameBytes)));
    at += DIRECTORY_BYTES + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

function toEntry(record: Buffer): ZipEntry {
  const isUnix = record.readUInt8(5) === UNIX;
  return {
    name: decodeName(record.subarray(DIRECTORY_BYTES)),
    method: record.readUInt16LE(10),
    crc: record.readUInt32LE(16),
    compressedBytes: record.readUInt32LE(20),
    sizeBytes: record.readUInt32LE(24),
    mode: isUnix ? record.readUInt16LE(40) : 0,
    isEncrypted: (record.readUInt16LE(8) & ENCRYPTED) !== 0,
    offset: record.readUInt32LE(42),
  };
}

/**
 * The content of an entry, piece by piece: no more bytes than its directory says, whatever the archive holds.
 *
 * @throws {IntegrityError} If the content is not what the directory says
 */
export async function* readZipEntry(
  archive: ArchiveBytes,
  entry: ZipEntry,
): AsyncGenerator<Uint8Array, void, void> {
  const start = await findContent(archive, entry);
  const packed = packedPieces(archive, { start, entry });
  let sizeBytes = 0;
  let crc = 0;
  for await (const piece of entry.method === 0 ? packed : inflate(packed, entry)) {
    sizeBytes += piece.length;
    if (sizeBytes > entry.sizeBytes) throw damaged(entry.name);
    crc = crc32(piece, crc);
    yield piece;
  }
  if (sizeBytes !== entry.sizeBytes || crc !== entry.crc) throw damaged(entry.name);
}

async function findContent(
  archive: ArchiveBytes,
  { offset, name }: ZipEntry,
): Promise<number> {
  const header = await archive.read(offset, LOCAL_BYTES);
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL_MARK) throw damaged(name);
  const nameBytes = header.readUInt16LE(26);
  const local = await archive.read(offset + LOCAL_BYTES, nameBytes);
  // Two names for one entry show different files to different readers.
  if (decodeName(local) !== name) throw damaged(name);
  return offset + LOCAL_BYTES + nameBytes + header.readUInt16LE(28);
}

async function* packedPieces(
  archive: ArchiveBytes,
  { start, entry: { name, compressedBytes } }: {
    readonly start: number;
    readonly entry: ZipEntry;
  },
): AsyncGenerator<Uint8Array, void, void> {
  for (let at = 0; at < compressedBytes; at += PIECE_BYTES) {
    const count = Math.min(PIECE_BYTES, compressedBytes - at);
    const piece = await archive.read(start + at, count);
    if (piece.length < count) throw damaged(name);
    yield piece;
  }
}

async function* inflate(
  packed: AsyncIterable<Uint8Array>,
  { name }: ZipEntry,
): AsyncGenerator<Uint8Array, void, void> {
  const inflater = createInflateRaw({ chunkSize: PIECE_BYTES });
  // An error of the reading, too, comes out of what is inflated.
  pipeline(Readable.from(packed), inflater, () => {});
  try {
    yield* inflater;
  } catch {
    throw damaged(name);
  }
}

async function findEnd(
  archive: ArchiveBytes,
): Promise<{ readonly record: Buffer; readonly place: number }> {
  const first = Math.max(0, archive.sizeBytes - END_BYTES - LONGEST_COMMENT);
  const tail = await archive.read(first, archive.sizeBytes - first);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_MARK) continue;
    const record = tail.subarray(at);
    if (END_BYTES + record.readUInt16LE(20) === record.length) return { record, place: first + at };
  }
  throw new IntegrityError(
    "Cannot read the archive: expected a whole zip, got none or a part of one; ask for it again",
  );
}

function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw damaged("a name that is not UTF-8");
  }
}

function damaged(what: string): IntegrityError {
  return new IntegrityError(
    `Cannot read the archive: expected ${what} as the archive describes it, got something else; it was changed or cut ` +
      "off, ask for it again",
  );
}
