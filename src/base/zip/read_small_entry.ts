import { crc32, inflateRawSync } from "node:zlib";
import type { ArchiveBytes } from "./archive_bytes.ts";
import { damaged, findContent, type ZipEntry } from "./read_zip.ts";

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
