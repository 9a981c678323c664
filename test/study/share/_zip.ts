import { Buffer } from "node:buffer";
import { crc32, deflateRawSync } from "node:zlib";

/** Fields of a header that stand in it instead of the true ones. */
export interface ZipFields {
  /** Name. */
  readonly name?: string | Uint8Array;
  /** Flags. */
  readonly flags?: number;
  /** Method. */
  readonly method?: number;
  /** CRC-32. */
  readonly crc?: number;
  /** Bytes in the archive. */
  readonly packed?: number;
  /** Bytes of the content. */
  readonly size?: number;
  /** Place of the local header; of the directory only. */
  readonly offset?: number;
  /** System that wrote it; of the directory only. */
  readonly system?: number;
  /** File type and permissions; of the directory only. */
  readonly mode?: number;
  /** Extra field. */
  readonly extra?: Uint8Array;
}

/** One entry of an archive that is written field by field. */
export interface ZipPart {
  /** Name, true in both headers unless one says otherwise. */
  readonly name: string | Uint8Array;
  /** Content. */
  readonly content: string | Uint8Array;
  /** Whether it is stored as it is. */
  readonly isStored?: boolean;
  /** What both headers say. */
  readonly both?: ZipFields;
  /** What the header before the content says. */
  readonly local?: ZipFields;
  /** What the directory says. */
  readonly central?: ZipFields;
  /** Bytes before its local header. */
  readonly before?: Uint8Array;
  /** Bytes after what is packed, which count as packed. */
  readonly trailing?: Uint8Array;
  /** Bytes after it. */
  readonly after?: Uint8Array;
}

/** What stands at the end of an archive instead of the truth. */
export interface ZipEnd {
  readonly disk?: number;
  readonly count?: number;
  readonly total?: number;
  readonly size?: number;
  readonly start?: number;
  readonly comment?: Uint8Array;
  /** Bytes between the directory and the end. */
  readonly between?: (place: number, size: number, start: number) => Uint8Array;
  /** Bytes that follow the comment, which it does not count. */
  readonly after?: Uint8Array;
}

const UTF8 = 0x800;

/** A zip, each field of which can lie. */
export function zipOf(parts: readonly ZipPart[], end: ZipEnd = {}): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let place = 0;
  const put = (...bytes: (Uint8Array | undefined)[]) => {
    for (const piece of bytes) {
      if (piece === undefined) continue;
      pieces.push(Buffer.from(piece));
      place += piece.length;
    }
  };
  for (const part of parts) {
    put(part.before);
    const content = Buffer.from(part.content as string);
    const deflated = part.isStored === true ? content : deflateRawSync(content);
    const packed = Buffer.concat([deflated, part.trailing ?? new Uint8Array()]);
    const truth = {
      name: part.name,
      flags: UTF8,
      method: part.isStored === true ? 0 : 8,
      crc: crc32(content),
      packed: packed.length,
      size: content.length,
      offset: place,
      system: 3,
      mode: 0o100644,
      extra: new Uint8Array(),
      ...part.both,
    };
    put(header(0x04034b50, { ...truth, ...part.local }), packed, part.after);
    directory.push(header(0x02014b50, { ...truth, ...part.central }));
  }
  const start = place;
  put(...directory);
  const size = place - start;
  put(end.between?.(place, size, start));
  put(endRecord({ count: parts.length, size, start, ...end }), end.after);
  return Buffer.concat(pieces);
}

/** The last record of an archive. */
export function endRecord(
  { disk = 0, count = 0, total = count, size = 0, start = 0, comment = new Uint8Array() }: ZipEnd,
): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt16LE(disk, 4);
  record.writeUInt16LE(disk, 6);
  record.writeUInt16LE(count, 8);
  record.writeUInt16LE(total, 10);
  record.writeUInt32LE(size, 12);
  record.writeUInt32LE(start, 16);
  record.writeUInt16LE(comment.length, 20);
  return Buffer.concat([record, comment]);
}

/** The record and the locator of a Zip64. */
export function zip64Record(
  { count, size, start, at }: Readonly<Record<"count" | "size" | "start" | "at", number>>,
): Buffer {
  const bytes = Buffer.alloc(76);
  bytes.writeUInt32LE(0x06064b50, 0);
  bytes.writeBigUInt64LE(44n, 4);
  bytes.writeBigUInt64LE(BigInt(count), 24);
  bytes.writeBigUInt64LE(BigInt(count), 32);
  bytes.writeBigUInt64LE(BigInt(size), 40);
  bytes.writeBigUInt64LE(BigInt(start), 48);
  bytes.writeUInt32LE(0x07064b50, 56);
  bytes.writeBigUInt64LE(BigInt(at), 64);
  bytes.writeUInt32LE(1, 72);
  return bytes;
}

/** What stands after a content whose header has no sizes. */
export function descriptorOf(
  content: string | Uint8Array,
  { crc = crc32(content), packed = deflateRawSync(content).length, size = content.length }: Pick<
    ZipFields,
    "crc" | "packed" | "size"
  > = {},
): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUInt32LE(0x08074b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeUInt32LE(packed, 8);
  bytes.writeUInt32LE(size, 12);
  return bytes;
}

function header(mark: number, fields: Required<ZipFields>): Buffer {
  const isDirectory = mark === 0x02014b50;
  const { flags, method, crc, packed, size, offset, system, mode, extra } = fields;
  const name = Buffer.from(fields.name as string);
  const bytes = Buffer.alloc(isDirectory ? 46 : 30);
  bytes.writeUInt32LE(mark, 0);
  if (isDirectory) {
    bytes.writeUInt16LE(20 | (system << 8), 4);
    bytes.writeUInt32LE(mode * 0x1_0000, 38);
    bytes.writeUInt32LE(offset, 42);
  }
  let at = isDirectory ? 6 : 4;
  for (const value of [20, flags, method, 0, 33]) at = bytes.writeUInt16LE(value, at);
  for (const value of [crc, packed, size]) at = bytes.writeUInt32LE(value >>> 0, at);
  for (const value of [name.length, extra.length]) at = bytes.writeUInt16LE(value, at);
  return Buffer.concat([bytes, name, extra]);
}
