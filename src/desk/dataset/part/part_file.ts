import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { PART_TABLES, type PartTableName, type PartTables } from "./part_tables.ts";
import { parseJson } from "../../../base/contract/json_text.ts";
import { IntegrityError } from "../../../base/errors.ts";
import { freeFrames } from "../../../base/runtime/free_frames.ts";
import { isCode, removeLeftBehind } from "../../../base/disk/files.ts";
import { replaceFile } from "../../../base/disk/replace_file.ts";
import type { PartFacts } from "./part_facts.ts";

/** A part in the form of its file. */
export interface Part {
  /** Facts that identify the part. */
  readonly facts: PartFacts;
  /** Its tables. */
  readonly tables: PartTables;
}

/** Part as stored in its file, without the rows of its account. */
export interface StoredPart extends Part {
  /** Columns of each of its tables, by its name. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

const TABLE = "table";
const FACTS = "facts";
const TEXT = "text";
const ACCOUNT: PartTableName = "account";
const ROWS_AT_ONCE = 32;
const MOST_ROWS = 2 ** 31;
// A Parquet file ends with its metadata, their length in four bytes, and four letters.
const LENGTH_BYTES = 4;
const END_BYTES = 8;
const MARK = new TextEncoder().encode("scoreframe.seal\n");
const SEAL_BYTES = MARK.length + 32;

/**
 * Writes a part to one sealed Parquet file: a first row with the facts that identify it, and the rows of all its tables with the
 * table's name in the column `table`, those of the account last. The file is written under a temporary name and renamed.
 */
export async function writePart(path: string, { facts, tables }: Part): Promise<void> {
  const named = PART_TABLES.flatMap((name) => {
    const table = tables.get(name);
    return table === undefined ? [] : [[name, table] as const];
  });
  const small = named.filter(([name]) => name !== ACCOUNT);
  const wire: Wire = {
    ...facts,
    columns: Object.fromEntries(named.map(([name, { columns }]) => [name, columns])),
    rows: small.reduce((sum, [, { height }]) => sum + height, 0),
    content: contentOf(small),
    account: contentOf(named.slice(small.length)),
  };
  const head = pl.DataFrame([
    pl.Series(TABLE, [FACTS], pl.Utf8),
    pl.Series(TEXT, [JSON.stringify(wire)], pl.Utf8),
  ]);
  const frames = named.map(([name, frame]) => frame.withColumns(pl.lit(name).alias(TABLE)));
  const rows = pl.concat([head, ...frames], { how: "diagonal" });
  await mkdir(dirname(path), { recursive: true });
  await removeLeftBehind(dirname(path));
  // Not flushed to the disk: a file that a power loss truncates fails its hash and is made again.
  await replaceFile(path, async (temporary) => {
    rows.writeParquet(temporary, { compression: "zstd" });
    await writeFile(temporary, sealParquet(await readFile(temporary)));
  });
}

/**
 * Reads a part without the rows of its account, after comparing its bytes and then its rows with their hashes.
 *
 * @throws {IntegrityError} If the file is not a part, is truncated, or has other rows
 */
export async function readPart(path: string): Promise<StoredPart> {
  const { bytes, wire } = await readSealed(path);
  const { columns, rows: height, content, account: _, ...facts } = wire;
  const rows = pl.readParquet(bytes, { nRows: 1 + height });
  const named = PART_TABLES.filter((name) => name !== ACCOUNT && Object.hasOwn(columns, name)).map((
    name,
    // The other order would copy the columns of every table.
  ) => [name, rows.select(...columns[name]!, TABLE).filter(isOf(name)).drop(TABLE)] as const);
  if (contentOf(named) !== content) throw damaged(path, "rows that differ from those written");
  // The tables take a twentieth of the memory of the file's frame, and many parts are read in turn.
  freeFrames(rows.height * rows.width);
  return { facts, tables: new Map(named), columns };
}

/**
 * Reads the rows of a part's account, which are long.
 *
 * @throws {IntegrityError} If the file is not a part, is truncated, or has other rows
 */
export async function readAccount(path: string): Promise<DataFrame> {
  const { bytes, wire } = await readSealed(path);
  const columns = [...wire.columns[ACCOUNT] ?? []];
  const rows = pl.readParquet(bytes, { columns }).slice(1 + wire.rows, MOST_ROWS);
  if (contentOf([[ACCOUNT, rows]]) !== wire.account) {
    throw damaged(path, "rows that differ from those written");
  }
  return rows;
}

const isOf = (name: string) => pl.col(TABLE).eq(pl.lit(name));

interface Wire extends PartFacts {
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** Number of rows between the first one and those of the account. */
  readonly rows: number;
  /** Hash of those rows. */
  readonly content: string;
  /** Hash of the rows of the account. */
  readonly account: string;
}

async function readSealed(path: string): Promise<{ readonly bytes: Buffer; readonly wire: Wire }> {
  const bytes = await readFile(path);
  if (!isSealed(bytes)) throw damaged(path, "bytes that differ from those written");
  const head = pl.readParquet(bytes, { nRows: 1 });
  const isPart = head.columns.includes(TABLE) && head.columns.includes(TEXT) &&
    head.filter(isOf(FACTS)).height === 1;
  if (!isPart) throw damaged(path, "a Parquet file that is not a part");
  try {
    return { bytes, wire: parseJson(String(head.getColumn(TEXT).get(0))) as Wire };
  } catch (cause) {
    throw damaged(path, "text that cannot be parsed", cause);
  }
}

/** Reads a part; `null` if it is missing or truncated. */
export async function findPart(path: string): Promise<Part | null> {
  try {
    return await readPart(path);
  } catch (error) {
    if (error instanceof IntegrityError || isCode(error, "ENOENT")) return null;
    throw error;
  }
}

// CSV has enough digits to distinguish all numbers. All rows of an account at once would be a text as long as the account.
function contentOf(tables: readonly (readonly [name: string, rows: DataFrame])[]): string {
  const hash = createHash("sha256");
  for (const [name, rows] of tables) {
    hash.update(`${name}\n`);
    for (let row = 0; row === 0 || row < rows.height; row += ROWS_AT_ONCE) {
      const text: unknown = rows.slice(row, ROWS_AT_ONCE).writeCSV();
      hash.update(text as string | Uint8Array);
    }
  }
  return hash.digest("hex");
}

function damaged(path: string, found: string, cause?: unknown): IntegrityError {
  return new IntegrityError(
    `Cannot read the part ${path}: expected a complete part, got ${found}; analyse its partition again`,
    { cause },
  );
}

/**
 * Adds a hash to the bytes of a Parquet file, between rows and metadata. Readers follow the offsets in the metadata and
 * never see it.
 */
function sealParquet(bytes: Uint8Array): Uint8Array {
  const at = metadataStart(bytes);
  if (at === null) throw new RangeError("expected the bytes of a Parquet file");
  const [rows, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
  const seal = new Uint8Array([...MARK, ...hashOf(rows, rest)]);
  const sealed = new Uint8Array(bytes.length + seal.length);
  sealed.set(rows);
  sealed.set(seal, at);
  sealed.set(rest, at + seal.length);
  return sealed;
}

/**
 * Tests if bytes are an unchanged sealed Parquet file. Call this before Polars reads them, because some damaged files make it
 * end the process.
 */
function isSealed(bytes: Uint8Array): boolean {
  const at = metadataStart(bytes);
  if (at === null || at < SEAL_BYTES) return false;
  const seal = bytes.subarray(at - SEAL_BYTES, at);
  const hash = hashOf(bytes.subarray(0, at - SEAL_BYTES), bytes.subarray(at));
  return [...MARK, ...hash].every((byte, i) => byte === seal[i]);
}

function metadataStart(bytes: Uint8Array): number | null {
  const end = bytes.length - END_BYTES;
  if (end < 0) return null;
  const length = new DataView(bytes.buffer, bytes.byteOffset + end, LENGTH_BYTES)
    .getUint32(0, true);
  return length <= end ? end - length : null;
}

function hashOf(rows: Uint8Array, rest: Uint8Array): Uint8Array {
  return createHash("sha256").update(rows).update(rest).digest();
}
