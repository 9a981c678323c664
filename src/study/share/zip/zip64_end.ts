import { Buffer } from "node:buffer";

const END_BYTES = 22;
const RECORD_BYTES = 56;
const LOCATOR_BYTES = 20;
const RECORD_MARK = 0x06064b50;
const LOCATOR_MARK = 0x07064b50;
const VERSION = 45;
const MOST_ENTRIES = 0xffff;

/**
 * The end of a zip, with the Zip64 extension if it has more entries than the plain format can count.
 *
 * @param end The directory of the zip and its end record with the wrapped count
 * @param entries Number of its entries
 */
export function withZip64End(end: Buffer, entries: number): Buffer {
  if (entries < MOST_ENTRIES) return end;
  const place = end.length - END_BYTES;
  const size = end.readUInt32LE(place + 12);
  const start = end.readUInt32LE(place + 16);
  const record = Buffer.alloc(RECORD_BYTES);
  record.writeUInt32LE(RECORD_MARK, 0);
  record.writeBigUInt64LE(BigInt(RECORD_BYTES - 12), 4);
  record.writeUInt16LE(VERSION, 12);
  record.writeUInt16LE(VERSION, 14);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(LOCATOR_BYTES);
  locator.writeUInt32LE(LOCATOR_MARK, 0);
  locator.writeBigUInt64LE(BigInt(start + size), 8);
  locator.writeUInt32LE(1, 16);
  const last = Buffer.from(end.subarray(place));
  last.writeUInt16LE(MOST_ENTRIES, 8);
  last.writeUInt16LE(MOST_ENTRIES, 10);
  return Buffer.concat([end.subarray(0, place), record, locator, last]);
}
