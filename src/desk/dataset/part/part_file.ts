import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { PART_TABLES, type PartTables } from "./part_tables.ts";
import { parseJson } from "../../../base/contract/json_text.ts";
import { IntegrityError } from "../../../base/errors.ts";
import { freeFrames } from "../../../base/runtime/free_frames.ts";
import { isCode } from "../../../base/disk/files.ts";
import { removeLeftBehind } from "../../../base/disk/left_behind.ts";
import { replaceFile } from "../../../base/disk/replace_file.ts";
import { isSealed, sealParquet } from "./_parquet_seal.ts";
import type { PartFacts } from "./part_facts.ts";

/** A part in the form of its file. */
export interface Part {
  /** Facts that identify the part. */
  readonly facts: PartFacts;
  /** Its tables. */
  readonly tables: PartTables;
}

/** Part as stored in its file. */
export interface StoredPart extends Part {
  /** Columns of each of its tables, by its name. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
}

const TABLE = "table";
const FACTS = "facts";
const TEXT = "text";

/**
 * Writes a part to one sealed Parquet file: the rows of all its tables with the table's name in the column `table`, and a last
 * row with the facts that identify it. The file is written under a temporary name and renamed.
 */
export async function writePart(path: string, { facts, tables }: Part): Promise<void> {
  const columns = Object.fromEntries([...tables].map(([name, { columns }]) => [name, columns]));
  const frames = [...tables].map(([name, frame]) => frame.withColumns(pl.lit(name).alias(TABLE)));
  const content = pl.concat(frames, { how: "diagonal" });
  const wire = { ...facts, columns, content: contentOf(content) };
  const head = pl.DataFrame([
    pl.Series(TABLE, [FACTS], pl.Utf8),
    pl.Series(TEXT, [JSON.stringify(wire)], pl.Utf8),
  ]);
  const rows = pl.concat([content, head], { how: "diagonal" });
  await mkdir(dirname(path), { recursive: true });
  await removeLeftBehind(dirname(path));
  // Not flushed to the disk: a file that a power loss truncates fails its hash and is made again.
  await replaceFile(path, async (temporary) => {
    // Some hundred rows of fifty columns: streaming would gain nothing.
    rows.writeParquet(temporary, { compression: "zstd" });
    await writeFile(temporary, sealParquet(await readFile(temporary)));
  });
}

/**
 * Reads a part, after comparing its bytes and then its rows with their hashes.
 *
 * @throws {IntegrityError} If the file is not a part, is truncated, or has other rows
 */
export async function readPart(path: string): Promise<StoredPart> {
  const { part, cells } = await readTables(path);
  // The tables take a twentieth of the memory of the file's frame, and many parts are read in turn.
  freeFrames(cells);
  return part;
}

async function readTables(
  path: string,
): Promise<{ readonly part: StoredPart; readonly cells: number }> {
  const bytes = await readFile(path);
  if (!isSealed(bytes)) throw damaged(path, "bytes that differ from those written");
  const rows = pl.readParquet(bytes);
  const head = rows.columns.includes(TABLE) && rows.columns.includes(TEXT)
    ? rows.filter(pl.col(TABLE).eq(pl.lit(FACTS))).getColumn(TEXT).toArray()
    : [];
  if (head.length !== 1) throw damaged(path, "a Parquet file that is not a part");
  const { columns, content, ...facts } = readWire(path, String(head[0]));
  const isFacts = pl.col(TABLE).eq(pl.lit(FACTS));
  if (contentOf(rows.filter(isFacts.not()).drop(TEXT)) !== content) {
    throw damaged(path, "rows that differ from those written");
  }
  const tables = new Map(
    PART_TABLES.filter((name) => Object.hasOwn(columns, name)).map((name) => [
      name,
      // The other order would copy the columns of every table.
      rows.select(...columns[name]!, TABLE).filter(pl.col(TABLE).eq(pl.lit(name))).drop(TABLE),
    ]),
  );
  return { part: { facts, tables, columns }, cells: rows.height * rows.width };
}

interface Wire extends PartFacts {
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly content: string;
}

function readWire(path: string, text: string): Wire {
  try {
    return parseJson(text) as Wire;
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

// CSV has enough digits to distinguish all numbers.
function contentOf(rows: DataFrame): string {
  const text: unknown = rows.writeCSV();
  return createHash("sha256").update(text as string | Uint8Array).digest("hex");
}

function damaged(path: string, found: string, cause?: unknown): IntegrityError {
  return new IntegrityError(
    `Cannot read the part ${path}: expected a complete part, got ${found}; analyse its partition again`,
    { cause },
  );
}
