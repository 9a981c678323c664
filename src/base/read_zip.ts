import { Buffer } from "node:buffer";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { IntegrityError } from "./errors.ts";

/** One entry of an archive's directory. */
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
  /** Unix file type and permissions; 0 if its writer knows none. */
  readonly mode: number;
  /** `true` if the content is encrypted or a patch. */
  readonly isEncrypted: boolean;
  /** Flags of the format. */
  readonly flags: number;
  /** Offset of its local header. */
  readonly offset: number;
  /** Offset of the next entry or of the directory. */
  readonly limit: number;
}

/** Random access to the bytes of an archive. */
export interface ArchiveBytes {
  /** Their number. */
  readonly sizeBytes: number;
  /** Reads `count` bytes from `start`; fewer at the end of the archive. */
  read(start: number, count: number): Promise<Buffer>;
}

const END_MARK = 0x06054b50;
const END_BYTES_MARK = Buffer.from("PK\u0005\u0006");
const DIRECTORY_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
const ZIP64_MARK = 0x06064b50;
const LOCATOR_MARK = 0x07064b50;
// The Zip64 end record, and its locator.
const ZIP64_BYTES = 56 + 20;
const MOST_ENTRIES = 0xffff;
const END_BYTES = 22;
const LONGEST_COMMENT = 0xffff;
const DIRECTORY_BYTES = 46;
const LOCAL_BYTES = 30;
// Some hundred thousand entries.
const MOST_DIRECTORY_BYTES = 100_000_000;
const DESCRIPTOR_MARK = 0x08074b50;
const DESCRIPTOR_BYTES = 16;
// Encryption, a patch, encryption by a public key, and a directory that is encrypted.
const ENCRYPTED = 0x2061;
const HAS_DESCRIPTOR = 8;
const IS_UTF8 = 0x800;
const PIECE_BYTES = 1 << 18;

/**
 * Reads the directory of a zip; nothing is inflated.
 *
 * @throws {IntegrityError} If it is not a zip, or needs unsupported extensions
 */
export async function readZipDirectory(archive: ArchiveBytes): Promise<readonly ZipEntry[]> {
  const { total, size, start } = await readEnd(archive);
  if (size > MOST_DIRECTORY_BYTES) throw damaged("its directory");
  const directory = await archive.read(start, size);
  const entries: Omit<ZipEntry, "limit">[] = [];
  let at = 0;
  for (let i = 0; i < total; i++) {
    if (at + DIRECTORY_BYTES > size || directory.readUInt32LE(at) !== DIRECTORY_MARK) {
      throw damaged("its directory");
    }
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32]
      .map((field) => directory.readUInt16LE(at + field)) as [number, number, number];
    entries.push(toEntry(directory.subarray(at, at + DIRECTORY_BYTES + nameBytes)));
    at += DIRECTORY_BYTES + nameBytes + extraBytes + commentBytes;
  }
  // Other readers go on for as many entries as the bytes hold.
  if (at !== size) throw damaged("its directory");
  return withLimits(entries, start);
}

/** Adds the end of each entry: nothing may stand between entries, so that all readers see the same content. */
function withLimits(entries: readonly Omit<ZipEntry, "limit">[], end: number): readonly ZipEntry[] {
  const places = entries.map(({ offset }) => offset).sort((a, b) => a - b);
  if ((places[0] ?? end) !== 0) throw filled(places[0] ?? end, "before the first one");
  const limits = new Map(places.map((place, i) => [place, places[i + 1] ?? end]));
  return entries.map((entry) => ({ ...entry, limit: limits.get(entry.offset)! }));
}

interface DirectoryPlace {
  readonly total: number;
  readonly size: number;
  readonly start: number;
}

async function readEnd(archive: ArchiveBytes): Promise<DirectoryPlace> {
  const { record, place } = await findEnd(archive);
  const found = {
    total: record.readUInt16LE(10),
    size: record.readUInt32LE(12),
    start: record.readUInt32LE(16),
  };
  const isOneDisk = record.readUInt32LE(4) === 0 && found.total === record.readUInt16LE(8);
  if (!isOneDisk) throw damaged("its directory");
  if (found.total === MOST_ENTRIES) return await readZip64End(archive, { ...found, place });
  if (found.start + found.size !== place) throw damaged("its directory");
  return found;
}

async function findEnd(
  archive: ArchiveBytes,
): Promise<{ readonly record: Buffer; readonly place: number }> {
  const first = Math.max(0, archive.sizeBytes - END_BYTES - LONGEST_COMMENT);
  const tail = await archive.read(first, archive.sizeBytes - first);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_MARK) continue;
    const record = tail.subarray(at);
    if (END_BYTES + record.readUInt16LE(20) !== record.length) continue;
    // Other readers would take a comment with this signature for the end of another archive.
    if (record.lastIndexOf(END_BYTES_MARK) !== 0) throw damaged("its directory");
    return { record, place: first + at };
  }
  throw new IntegrityError(
    "Cannot read the archive: expected a complete zip, got a truncated file or none; ask for another copy",
  );
}

/** Reads the Zip64 end, whose other fields must agree with the plain end, so that all readers see the same content. */
async function readZip64End(
  archive: ArchiveBytes,
  { size, start, place }: Omit<DirectoryPlace, "total"> & { readonly place: number },
): Promise<DirectoryPlace> {
  const at = place - ZIP64_BYTES;
  if (at < 0) throw damaged("its directory");
  const bytes = await archive.read(at, ZIP64_BYTES);
  const number = (field: number) => Number(bytes.readBigUInt64LE(field));
  const total = number(32);
  const isPlain = bytes.readUInt32LE(0) === ZIP64_MARK && number(4) === 44 &&
    bytes.readUInt32LE(16) === 0 && bytes.readUInt32LE(20) === 0 && number(24) === total &&
    number(40) === size && number(48) === start && start + size === at &&
    bytes.readUInt32LE(56) === LOCATOR_MARK && bytes.readUInt32LE(60) === 0 &&
    number(64) === at && bytes.readUInt32LE(72) === 1;
  if (!isPlain || total < MOST_ENTRIES) throw damaged("its directory");
  return { total, size, start };
}

function toEntry(record: Buffer): Omit<ZipEntry, "limit"> {
  const flags = record.readUInt16LE(8);
  return {
    name: decodeName(record.subarray(DIRECTORY_BYTES)),
    method: record.readUInt16LE(10),
    crc: record.readUInt32LE(16),
    compressedBytes: record.readUInt32LE(20),
    sizeBytes: record.readUInt32LE(24),
    mode: record.readUInt16LE(40),
    isEncrypted: (flags & ENCRYPTED) !== 0,
    flags,
    offset: record.readUInt32LE(42),
  };
}

/**
 * The content of an entry, piece by piece, and never more bytes than the directory says.
 *
 * @throws {IntegrityError} If the content differs from the directory's entry
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

/**
 * Reads a small entry at once, with the checks of `readZipEntry()`, because a stream takes longer than its content.
 *
 * @throws {IntegrityError} If the content differs from the directory's entry
 */
export async function readSmallEntry(archive: ArchiveBytes, entry: ZipEntry): Promise<Uint8Array> {
  const { name, method, sizeBytes, compressedBytes, crc } = entry;
  const start = await findContent(archive, entry);
  const packed = await archive.read(start, compressedBytes);
  if (packed.length < compressedBytes) throw damaged(name);
  const content = method === 0 ? packed : inflateWhole(packed, entry);
  if (content.length !== sizeBytes || crc32(content) !== crc) throw damaged(name);
  return content;
}

function inflateWhole(packed: Uint8Array, { name, sizeBytes }: ZipEntry): Uint8Array {
  // Never more bytes than the directory says.
  const maxOutputLength = Math.max(1, sizeBytes);
  const chunkSize = Math.max(64, sizeBytes + 1);
  const { buffer, engine } = inflated(packed, { maxOutputLength, chunkSize, info: true }, name);
  // The deflated data may end before the last byte of the entry.
  if (engine.bytesWritten !== packed.length) throw damaged(name);
  return buffer;
}

/**
 * Finds the offset of an entry's content, and checks that its headers agree with the directory.
 *
 * @throws {IntegrityError} If they differ
 */
async function findContent(archive: ArchiveBytes, entry: ZipEntry): Promise<number> {
  const { offset, name, compressedBytes, limit } = entry;
  const expected = Buffer.from(name);
  const header = await archive.read(offset, LOCAL_BYTES + expected.length);
  if (header.length < LOCAL_BYTES || !isAsListed(header, entry)) throw damaged(name);
  // With two names for one entry, readers may see different files.
  if (!header.subarray(LOCAL_BYTES).equals(expected)) throw damaged(name);
  const start = offset + header.length + header.readUInt16LE(28);
  const end = start + compressedBytes;
  if (end > limit) throw damaged(name);
  const afterwards = (entry.flags & HAS_DESCRIPTOR) === 0
    ? 0
    : await descriptorBytes(archive, { entry, end });
  if (end + afterwards !== limit) throw filled(limit - end - afterwards, `after ${name}`);
  return start;
}

function isAsListed(header: Buffer, entry: ZipEntry): boolean {
  const { flags, method, crc, compressedBytes, sizeBytes, name } = entry;
  const read = ENCRYPTED | HAS_DESCRIPTOR | IS_UTF8;
  const sizes = [14, 18, 22].map((field) => header.readUInt32LE(field));
  const isLater = (flags & HAS_DESCRIPTOR) !== 0 && sizes.every((size) => size === 0);
  return header.readUInt32LE(0) === LOCAL_MARK && header.readUInt16LE(8) === method &&
    (header.readUInt16LE(6) & read) === (flags & read) &&
    header.readUInt16LE(26) === Buffer.byteLength(name) &&
    (isLater || sizes.join() === [crc, compressedBytes, sizeBytes].join());
}

/** Length of the data descriptor after a content whose header lacks the sizes; its signature is optional. */
async function descriptorBytes(
  archive: ArchiveBytes,
  { entry, end }: { readonly entry: ZipEntry; readonly end: number },
): Promise<number> {
  const bytes = await archive.read(end, Math.min(DESCRIPTOR_BYTES, entry.limit - end));
  const { crc, compressedBytes, sizeBytes } = entry;
  const says = (place: number) =>
    bytes.length >= place + 12 && bytes.readUInt32LE(place) === crc &&
    bytes.readUInt32LE(place + 4) === compressedBytes &&
    bytes.readUInt32LE(place + 8) === sizeBytes;
  if (says(4) && bytes.readUInt32LE(0) === DESCRIPTOR_MARK) return DESCRIPTOR_BYTES;
  if (says(0)) return DESCRIPTOR_BYTES - 4;
  throw damaged(entry.name);
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
  { name, compressedBytes }: ZipEntry,
): AsyncGenerator<Uint8Array, void, void> {
  const inflater = createInflateRaw({ chunkSize: PIECE_BYTES });
  // Errors of reading surface in the inflating stream, too.
  pipeline(Readable.from(packed), inflater, () => {});
  try {
    yield* inflater;
  } catch {
    throw damaged(name);
  }
  // The deflated data may end before the last byte of the entry.
  if (inflater.bytesWritten !== compressedBytes) throw damaged(name);
}

function decodeName(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw damaged("a name that is not UTF-8");
  }
}

/** The error of an archive that contradicts its own directory. */
export function damaged(what: string): IntegrityError {
  return new IntegrityError(
    `Cannot read the archive: expected ${what} as the archive describes it, got something else; it was changed or ` +
      "truncated; ask for another copy",
  );
}

function filled(count: number, where: string): IntegrityError {
  return new IntegrityError(
    `Cannot read the archive: expected nothing but its files, got ${count} bytes ${where}; it was changed; ask for another copy`,
  );
}

interface Inflated {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function inflated(
  packed: Uint8Array,
  options: NonNullable<Parameters<typeof inflateRawSync>[1]>,
  name: string,
): Inflated {
  try {
    return inflateRawSync(packed, options) as unknown as Inflated;
  } catch {
    throw damaged(name);
  }
}
