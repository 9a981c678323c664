import { rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 as nextCrc32 } from "node:zlib";
import {
  putTextFile,
  readTextFile,
  removeIfThere,
  removeLeftBehind,
  temporaryPath,
} from "../../disk/files.ts";
import { readPieces } from "../../disk/hash_file.ts";
import { sha256Hex } from "../layout.ts";
import { metadataId, type StoredRelease } from "./release_file.ts";

/** Name of the Parquet file that is derived from a release. */
const DERIVED_FILE = "history.parquet";

/** Name of the file with the checksum of the derived one. */
const DERIVED_METADATA = "history.parquet.json";

// Increased with each change of the derived file's form; older files are rebuilt.
const FORM = 4;

/** Facts about a derived file. */
export interface DerivedFacts {
  /** Distinct tickers of the release. */
  readonly tickers: readonly string[];
  /** The code of each ticker in the derived file. */
  readonly codes: readonly number[];
  /** Verification steps that the release passed when the file was derived, as JSON. */
  readonly checks: readonly unknown[];
}

/** Rows of a release in the form that loads fastest; a missing or damaged file is rebuilt. */
export interface DerivedRelease extends DerivedFacts {
  /** Path of the Parquet file. */
  readonly path: string;
  /**
   * CRC-32 of its bytes, which protects against decay but not against forgery: a program that can change the file can change
   * the checksum as well. A verification compares the file with the original. SHA-256 takes ten times as long.
   */
  readonly crc32: string;
  /** Size of the Parquet file. */
  readonly sizeBytes: number;
}

/**
 * Finds the derived file of a release; `null` if there is none of this form, it was checked against other metadata, or the
 * file with its checksum changed. Reads none of its bytes: {@link isAsWritten} has to do that first, because some damaged
 * files make Polars end the process.
 */
export async function findDerived(stored: StoredRelease): Promise<DerivedRelease | null> {
  const folder = dirname(stored.path);
  const path = join(folder, DERIVED_FILE);
  const text = await readTextFile(join(folder, DERIVED_METADATA));
  const size = await stat(path).then(({ size }) => size, () => null);
  if (text === null || size === null) return null;
  const { sha256, ...vouching } = parseObject(text);
  const { form, of, crc32, size_bytes, tickers, codes, checks } = vouching;
  const isOurs = form === FORM && sha256 === sha256Hex(JSON.stringify(vouching)) &&
    of === metadataId(stored.release) && size_bytes === size && typeof crc32 === "string" &&
    Array.isArray(tickers) && Array.isArray(codes) && Array.isArray(checks);
  return isOurs ? { path, crc32, sizeBytes: size, tickers, codes, checks } : null;
}

/** Tests if the bytes of a derived file are as written; reads all of them. */
export async function isAsWritten({ path, crc32 }: DerivedRelease): Promise<boolean> {
  return await crc32OfFile(path) === crc32;
}

/**
 * Writes the derived file of a release, which appears complete or not at all.
 *
 * A derived file may replace another one: its checksum is in the file beside it, so that a mismatched pair is recognised and
 * rebuilt.
 *
 * @param stored The release
 * @param facts Facts to write beside the rows
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
    const crc32 = await crc32OfFile(temporary);
    const sizeBytes = (await stat(temporary)).size;
    const { tickers, codes, checks } = facts;
    const of = metadataId(stored.release);
    const vouching = { form: FORM, of, crc32, size_bytes: sizeBytes, tickers, codes, checks };
    // A changed ticker would look like another company, so the file with the checksum has a hash of its own.
    const sha256 = sha256Hex(JSON.stringify(vouching));
    const text = `${JSON.stringify({ ...vouching, sha256 })}\n`;
    await putTextFile(temporaryMetadata, text, { durable: false });
    await rename(temporary, path);
    await rename(temporaryMetadata, join(folder, DERIVED_METADATA));
    return { path, crc32, sizeBytes, ...facts };
  } finally {
    await Promise.allSettled([temporary, temporaryMetadata].map(removeIfThere));
  }
}

async function crc32OfFile(path: string): Promise<string> {
  let checksum = 0;
  await readPieces(path, (piece) => void (checksum = nextCrc32(piece, checksum)));
  return checksum.toString(16).padStart(8, "0");
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
