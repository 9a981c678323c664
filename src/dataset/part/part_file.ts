import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { PART_TABLES, type PartTables } from "../../analysis/by_part/part_tables.ts";
import { parseJson } from "../../contract/json_text.ts";
import { IntegrityError } from "../../errors.ts";
import { freeFrames } from "../../runtime/free_frames.ts";
import { isCode, temporaryPath } from "../../store/disk/files.ts";
import { removeLeftBehind } from "../../store/disk/left_behind.ts";
import type { PartFacts } from "./part_facts.ts";

/** A part as it stands in a file. */
export interface Part {
  /** What it is a part of. */
  readonly facts: PartFacts;
  /** Its tables. */
  readonly tables: PartTables;
}

const TABLE = "table";
const FACTS = "facts";
const TEXT = "text";

/**
 * Writes a part to one Parquet file: the rows of all its tables below each other, with the table's name in the column `table`, and
 * after them a row with what it is a part of. The file is written aside and renamed.
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
  const temporary = temporaryPath(dirname(path));
  try {
    // Some hundred rows of fifty columns: nothing is gained by writing them as a stream.
    rows.writeParquet(temporary, { compression: "zstd" });
    // Not flushed to the disk: what a power loss cuts off has another hash, and is made again.
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * Reads a part, and compares its rows with the hash that it was written with.
 *
 * @throws {IntegrityError} If the file is no part, was cut off, or has other rows
 */
export async function readPart(path: string): Promise<Part> {
  const { part, cells } = await readTables(path);
  // Its tables take a twentieth of the frame of the file, and many parts are read one after the other.
  freeFrames(cells);
  return part;
}

async function readTables(path: string): Promise<{ readonly part: Part; readonly cells: number }> {
  const rows = await pl.scanParquet(path, { glob: false, hivePartitioning: false }).collect()
    .catch((cause) => {
      throw damaged(path, `"${(cause as Error).message}"`, cause);
    });
  const head = rows.columns.includes(TABLE) && rows.columns.includes(TEXT)
    ? rows.filter(pl.col(TABLE).eq(pl.lit(FACTS))).getColumn(TEXT).toArray()
    : [];
  if (head.length !== 1) throw damaged(path, "another Parquet file");
  const { columns, content, ...facts } = readWire(path, String(head[0]));
  const isFacts = pl.col(TABLE).eq(pl.lit(FACTS));
  if (contentOf(rows.filter(isFacts.not()).drop(TEXT)) !== content) {
    throw damaged(path, "other rows than were written");
  }
  const tables = new Map(
    PART_TABLES.filter((name) => Object.hasOwn(columns, name)).map((name) => [
      name,
      // Not the other way round, which would copy the columns of every table.
      rows.select(...columns[name]!, TABLE).filter(pl.col(TABLE).eq(pl.lit(name))).drop(TABLE),
    ]),
  );
  return { part: { facts, tables }, cells: rows.height * rows.width };
}

interface Wire extends PartFacts {
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly content: string;
}

function readWire(path: string, text: string): Wire {
  try {
    return parseJson(text) as Wire;
  } catch (cause) {
    throw damaged(path, "a text that cannot be read", cause);
  }
}

/** A part if there is one that can be read; `null` if there is none, or it was cut off. */
export async function findPart(path: string): Promise<Part | null> {
  try {
    // The reader of Parquet says of a file that is missing what it says of one that is damaged.
    const file = await open(path, "r");
    await file.close();
    return await readPart(path);
  } catch (error) {
    if (error instanceof IntegrityError || isCode(error, "ENOENT")) return null;
    throw error;
  }
}

// As CSV, in which a number has the digits that tell it apart from every other one.
function contentOf(rows: DataFrame): string {
  const text: unknown = rows.writeCSV();
  return createHash("sha256").update(text as string | Uint8Array).digest("hex");
}

function damaged(path: string, found: string, cause?: unknown): IntegrityError {
  return new IntegrityError(
    `Cannot read the part ${path}: expected a whole one, got ${found}; analyse its partition again`,
    { cause },
  );
}
