import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { putTextFile, readTextFile, removeIfThere, temporaryPath } from "../disk/files.ts";
import { removeLeftBehind } from "../disk/left_behind.ts";
import { metadataId, type StoredRelease } from "./release_file.ts";

/** Name of the Parquet file that is derived from a release. */
const DERIVED_FILE = "history.parquet";

/** Name of the file that vouches for the derived one. */
const DERIVED_METADATA = "history.parquet.json";

// Raised whenever the derived file changes its form: older ones are then made anew.
const FORM = 3;
// The same rows, with a SHA-256 where a CRC-32 is now.
const FORM_WITH_SHA256 = 2;
const READ_SIZE = 1 << 19;

/** What is known of a derived file, beside its bytes. */
export interface DerivedFacts {
  /** Distinct tickers of the release. */
  readonly tickers: readonly string[];
  /** The code of each ticker in the derived file. */
  readonly codes: readonly number[];
  /** The checks that the release passed when the file was derived, as JSON. */
  readonly checks: readonly unknown[];
}

/**
 * What protects a derived file from decay. It needs no protection from forgery: who can change the file can change what
 * vouches for it, and a verification compares it with the original. CRC-32 takes a tenth of the time of SHA-256, by
 * which older versions checked.
 */
export interface DerivedChecksum {
  /** How it is computed. */
  readonly kind: "crc32" | "sha256";
  /** The checksum in hexadecimal. */
  readonly value: string;
}

/** A release's rows in the form that loads fastest; made again whenever it is not what it should be. */
export interface DerivedRelease extends DerivedFacts {
  /** Path of the Parquet file. */
  readonly path: string;
  /** What its bytes are checked by. */
  readonly checksum: DerivedChecksum;
  /** Size of the Parquet file. */
  readonly sizeBytes: number;
}

/**
 * The derived file of a release, or `null` if there is none of this form, or it was checked against other metadata.
 * Its bytes are not read yet: {@link isAsWritten} does that.
 */
export async function findDerived(stored: StoredRelease): Promise<DerivedRelease | null> {
  const folder = dirname(stored.path);
  const path = join(folder, DERIVED_FILE);
  const text = await readTextFile(join(folder, DERIVED_METADATA));
  const size = await stat(path).then(({ size }) => size, () => null);
  if (text === null || size === null) return null;
  const vouching = parseObject(text);
  const { of, size_bytes, tickers, codes, checks } = vouching;
  const checksum = readChecksum(vouching);
  const isOurs = of === metadataId(stored.release) && size_bytes === size &&
    Array.isArray(tickers) && Array.isArray(codes) && Array.isArray(checks);
  return isOurs && checksum !== null
    ? { path, checksum, sizeBytes: size, tickers, codes, checks }
    : null;
}

/** Whether the bytes of a derived file are those that were written; reads all of them. */
export async function isAsWritten({ path, checksum }: DerivedRelease): Promise<boolean> {
  const { kind, value } = checksum;
  return await (kind === "crc32" ? crc32OfFile(path) : sha256OfFile(path)) === value;
}

/**
 * Writes the derived file of a release: under a temporary name first, so that it is whole or not there.
 *
 * A derived file may replace another one: what vouches for it holds its checksum, so that a pair that does not
 * belong together is recognised and made again.
 *
 * @param stored The release
 * @param facts What is kept beside the rows
 * @param write Writes the rows to a path
 */
export async function putDerived(
  stored: StoredRelease,
  facts: DerivedFacts,
  write: (path: string) => Promise<void>,
): Promise<DerivedRelease> {
  const folder = dirname(stored.path);
  await removeLeftBehind(folder);
  const path = join(folder, DERIVED_FILE);
  const temporary = temporaryPath(folder);
  const temporaryMetadata = temporaryPath(folder);
  try {
    await write(temporary);
    const value = await crc32OfFile(temporary);
    const sizeBytes = (await stat(temporary)).size;
    const metadata = {
      form: FORM,
      of: metadataId(stored.release),
      crc32: value,
      size_bytes: sizeBytes,
    };
    const text = `${JSON.stringify({ ...metadata, ...facts })}\n`;
    await putTextFile(temporaryMetadata, text, { durable: false });
    await rename(temporary, path);
    await rename(temporaryMetadata, join(folder, DERIVED_METADATA));
    return { path, checksum: { kind: "crc32", value }, sizeBytes, ...facts };
  } finally {
    await removeIfThere(temporary);
    await removeIfThere(temporaryMetadata);
  }
}

function readChecksum(vouching: Record<string, unknown>): DerivedChecksum | null {
  const { form, crc32: crc, sha256 } = vouching;
  if (form === FORM && typeof crc === "string") return { kind: "crc32", value: crc };
  if (form !== FORM_WITH_SHA256 || typeof sha256 !== "string") return null;
  return { kind: "sha256", value: sha256 };
}

async function crc32OfFile(path: string): Promise<string> {
  let checksum = 0;
  await readPieces(path, (piece) => void (checksum = crc32(piece, checksum)));
  return checksum.toString(16).padStart(8, "0");
}

/** SHA-256 of a file, in hexadecimal. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await readPieces(path, (piece) => void hash.update(piece));
  return hash.digest("hex");
}

// In pieces, so that the event loop stays free.
async function readPieces(path: string, onPiece: (piece: Uint8Array) => void): Promise<void> {
  const piece = new Uint8Array(READ_SIZE);
  const file = openSync(path, "r");
  try {
    // Asynchronous reads wait for a core each time while Polars uses them all, which takes a tenth longer.
    for (;;) {
      const bytesRead = readSync(file, piece);
      if (bytesRead === 0) return;
      onPiece(piece.subarray(0, bytesRead));
      await setImmediate();
    }
  } finally {
    closeSync(file);
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
