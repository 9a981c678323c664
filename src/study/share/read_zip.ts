import type { Buffer } from "node:buffer";
import { crc32, inflateRawSync } from "node:zlib";
import { IntegrityError } from "../../errors.ts";

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
const ENCRYPTED = 1;
const UNIX = 3;

/**
 * Reads the directory of a zip; nothing is inflated.
 *
 * @throws {IntegrityError} If it is no zip, or one that needs extensions
 */
export function readZipDirectory(archive: Buffer): readonly ZipEntry[] {
  const end = findEnd(archive);
  const total = archive.readUInt16LE(end + 10);
  const size = archive.readUInt32LE(end + 12);
  let at = archive.readUInt32LE(end + 16);
  if (at + size > end || total !== archive.readUInt16LE(end + 8)) throw damaged("its directory");
  const entries: ZipEntry[] = [];
  for (let i = 0; i < total; i++) {
    if (at + DIRECTORY_BYTES > end || archive.readUInt32LE(at) !== DIRECTORY_MARK) {
      throw damaged("its directory");
    }
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32]
      .map((place) => archive.readUInt16LE(at + place)) as [number, number, number];
    const name = archive.subarray(at + DIRECTORY_BYTES, at + DIRECTORY_BYTES + nameBytes);
    const isUnix = archive.readUInt8(at + 5) === UNIX;
    entries.push({
      name: decodeName(name),
      method: archive.readUInt16LE(at + 10),
      crc: archive.readUInt32LE(at + 16),
      compressedBytes: archive.readUInt32LE(at + 20),
      sizeBytes: archive.readUInt32LE(at + 24),
      mode: isUnix ? archive.readUInt16LE(at + 40) : 0,
      isEncrypted: (archive.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
      offset: archive.readUInt32LE(at + 42),
    });
    at += DIRECTORY_BYTES + nameBytes + extraBytes + commentBytes;
  }
  return entries;
}

/**
 * The content of an entry: no more bytes than its directory says, whatever the archive holds.
 *
 * @throws {IntegrityError} If the content is not what the directory says
 */
export function readZipEntry(archive: Buffer, entry: ZipEntry): Uint8Array {
  const { offset, name, compressedBytes, sizeBytes, method } = entry;
  if (offset + LOCAL_BYTES > archive.length || archive.readUInt32LE(offset) !== LOCAL_MARK) {
    throw damaged(name);
  }
  const nameBytes = archive.readUInt16LE(offset + 26);
  const start = offset + LOCAL_BYTES + nameBytes + archive.readUInt16LE(offset + 28);
  const local = archive.subarray(offset + LOCAL_BYTES, offset + LOCAL_BYTES + nameBytes);
  const packed = archive.subarray(start, start + compressedBytes);
  // Two names for one entry show different files to different readers.
  if (decodeName(local) !== name || packed.length !== compressedBytes) throw damaged(name);
  const content = method === 0 ? packed : inflate(packed, entry);
  if (content.length !== sizeBytes || crc32(content) !== entry.crc) throw damaged(name);
  return content;
}

function inflate(packed: Uint8Array, { name, sizeBytes }: ZipEntry): Uint8Array {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, sizeBytes) });
  } catch {
    throw damaged(name);
  }
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - END_BYTES - LONGEST_COMMENT);
  for (let at = archive.length - END_BYTES; at >= first; at--) {
    if (archive.readUInt32LE(at) !== END_MARK) continue;
    if (at + END_BYTES + archive.readUInt16LE(at + 20) === archive.length) return at;
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
