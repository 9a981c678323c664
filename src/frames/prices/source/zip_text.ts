import { Buffer } from "node:buffer";
import { open } from "node:fs/promises";
import { crc32, createInflateRaw } from "node:zlib";
import { Readable } from "node:stream";
import { IntegrityError } from "../../../base/errors.ts";

const [END, DIRECTORY, LOCAL, END_64] = [0x06054b50, 0x02014b50, 0x04034b50, 0x06064b50];
const [END_BYTES, ENTRY_BYTES, LOCAL_BYTES, LOCATOR_BYTES, END_64_BYTES] = [22, 46, 30, 20, 56];
const LONGEST_COMMENT = 0xffff;
const IN_EXTRA = 0xffffffff;
const ZIP64_FIELD = 1;

/**
 * The content of the one file of a ZIP archive, piece by piece. Archives that were streamed, and those of Zip64, are read by their
 * directory, as unpackers do; an archive of a study is read by stricter rules elsewhere.
 *
 * @throws {IntegrityError} If it is no ZIP, has several files, or its content differs from the directory
 */
export async function* zippedText(path: string): AsyncGenerator<Uint8Array, void, void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (start: number, count: number) =>
      (await file.read(Buffer.alloc(count), 0, count, start)).buffer;
    const entry = await onlyFile(read, size);
    const local = await read(entry.offset, LOCAL_BYTES);
    if (local.readUInt32LE(0) !== LOCAL) throw damaged();
    const start = entry.offset + LOCAL_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28);
    const end = Math.max(start, start + entry.packed - 1);
    const packed = file.createReadStream({ start, end, autoClose: false });
    yield* checked(entry, entry.packed === 0 ? Readable.from([]) : packed);
  } finally {
    await file.close();
  }
}

async function* checked(
  { method, size, crc }: ReturnType<typeof entriesOf>[number],
  packed: Readable,
): AsyncGenerator<Uint8Array, void, void> {
  if (method !== 0 && method !== 8) {
    throw damaged("a file that is encrypted, or packed by another method");
  }
  const content: AsyncIterable<Uint8Array> = method === 0
    ? packed
    : packed.pipe(createInflateRaw());
  let [bytes, sum] = [0, 0];
  try {
    for await (const piece of content) {
      bytes += piece.length;
      sum = crc32(piece, sum);
      yield piece;
    }
  } catch {
    throw damaged();
  }
  if (bytes !== size || sum !== crc) throw damaged();
}

async function onlyFile(read: (start: number, count: number) => Promise<Buffer>, size: number) {
  const tailAt = Math.max(0, size - END_BYTES - LONGEST_COMMENT);
  const tail = await read(tailAt, size - tailAt);
  let at = tail.length - END_BYTES;
  while (at >= 0 && tail.readUInt32LE(at) !== END) at--;
  if (at < 0) throw damaged("a file that is cut, or none");
  let [count, start] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 16)];
  let length = tail.readUInt32LE(at + 12);
  const locator = at - LOCATOR_BYTES;
  if ((count === 0xffff || start === IN_EXTRA || length === IN_EXTRA) && locator >= 0) {
    const end = await read(Number(tail.readBigUInt64LE(locator + 8)), END_64_BYTES);
    if (end.readUInt32LE(0) !== END_64) throw damaged();
    [count = 0, length = 0, start = 0] = [32, 40, 48]
      .map((field) => Number(end.readBigUInt64LE(field)));
  }
  const files = entriesOf(await read(start, Math.min(length, size)), count)
    .filter(({ name }) =>
      !name.endsWith("/") && !name.startsWith("__MACOSX/") && !/(^|\/)\./.test(name)
    );
  if (files.length === 1) return files[0]!;
  throw new RangeError(
    `a ZIP archive of ${files.length} files; unpack it, and read the folder: readPrices("prices/")`,
  );
}

function entriesOf(directory: Buffer, count: number) {
  const found = [];
  for (let at = 0, i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== DIRECTORY) {
      throw damaged();
    }
    const [nameBytes = 0, extraBytes = 0, commentBytes = 0] = [28, 30, 32]
      .map((field) => directory.readUInt16LE(at + field));
    const extraAt = at + ENTRY_BYTES + nameBytes;
    const wide = zip64Fields(directory.subarray(extraAt, extraAt + extraBytes));
    // The extra field has, in this order, those numbers for which the directory has no room.
    const numberOf = (field: number) => {
      const value = directory.readUInt32LE(at + field);
      return value === IN_EXTRA ? wide.shift() ?? value : value;
    };
    const [size, packed, offset] = [numberOf(24), numberOf(20), numberOf(42)];
    const isEncrypted = (directory.readUInt16LE(at + 8) & 1) !== 0;
    found.push({
      name: directory.subarray(at + ENTRY_BYTES, extraAt).toString("utf8"),
      method: isEncrypted ? -1 : directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packed,
      size,
      offset,
    });
    at = extraAt + extraBytes + commentBytes;
  }
  return found;
}

function zip64Fields(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64_FIELD) continue;
    const count = Math.floor(extra.readUInt16LE(at + 2) / 8);
    return Array.from({ length: count }, (_, i) => Number(extra.readBigUInt64LE(at + 4 + 8 * i)));
  }
  return [];
}

function damaged(what = "a damaged ZIP archive"): IntegrityError {
  return new IntegrityError(`Cannot read the archive: expected a whole ZIP archive, got ${what}`);
}
