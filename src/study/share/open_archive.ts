import { Buffer } from "node:buffer";
import { type FileHandle, open } from "node:fs/promises";
import { StorageError } from "../../base/errors.ts";
import {
  type ArchiveBytes,
  readSmallEntry,
  readZipEntry,
  type ZipEntry,
} from "../../base/read_zip.ts";
import { writeFully } from "../../base/disk/files.ts";
import { createHash } from "node:crypto";

// A small file is written faster synchronously than in a thread.
const SMALL_BYTES = 1 << 20;

/**
 * Opens the file of an archive.
 *
 * @throws {StorageError} If it cannot be read
 */
export async function openArchive(path: string): Promise<ArchiveBytes & AsyncDisposable> {
  const file = await open(path, "r").catch((error) => unreadable(path, error));
  const found = await file.stat();
  if (!found.isFile()) {
    await file.close();
    unreadable(path, { message: "a folder or a device" });
  }
  const { size } = found;
  return {
    sizeBytes: size,
    read: (start, count) => readBytes(file, start, Math.min(count, size - start)),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

function unreadable(
  path: string,
  error: { readonly code?: string; readonly message: string },
): never {
  const { code, message } = error;
  const found = code === "ENOENT" ? "no such file" : code === undefined ? message : `"${message}"`;
  throw new StorageError(
    `Cannot read ${path}: expected an exported study, got ${found}; name the zip`,
    { cause: error },
  );
}

async function readBytes(file: FileHandle, start: number, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, count));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/**
 * Writes an entry of an archive to a new file.
 *
 * @returns SHA-256 of its content
 * @throws {IntegrityError} If the content differs from the directory's entry
 */
export async function unpackEntry(
  archive: ArchiveBytes,
  entry: ZipEntry,
  place: string,
): Promise<string> {
  const hash = createHash("sha256");
  if (entry.sizeBytes < SMALL_BYTES && entry.compressedBytes < SMALL_BYTES) {
    const content = await readSmallEntry(archive, entry);
    // One system call, where Node needs three.
    Deno.writeFileSync(place, content, { createNew: true });
    return hash.update(content).digest("hex");
  }
  await using file = await open(place, "wx");
  for await (const piece of readZipEntry(archive, entry)) {
    hash.update(piece);
    await writeFully(file, { path: place, bytes: piece });
  }
  return hash.digest("hex");
}
