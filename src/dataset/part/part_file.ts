import { createHash } from "node:crypto";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { PART_TABLES, type PartTables } from "../../analysis/by_part/part_tables.ts";
import { readNumbers, readTexts } from "../../analysis/table/read_columns.ts";
import { parseJson } from "../../contract/json_text.ts";
import { IntegrityError } from "../../errors.ts";
import { isCode, temporaryPath } from "../../store/disk/files.ts";
import { writeParquet } from "../../vintage/write_parquet.ts";
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
 * before them a row with what it is a part of. The file is written aside and renamed.
 */
export async function writePart(path: string, { facts, tables }: Part): Promise<void> {
  const columns = Object.fromEntries([...tables].map(([name, { columns }]) => [name, columns]));
  const wire = { ...facts, columns, content: contentOf(tables) };
  const head = pl.DataFrame([
    pl.Series(TABLE, [FACTS], pl.Utf8),
    pl.Series(TEXT, [JSON.stringify(wire)], pl.Utf8),
  ]);
  const frames = [...tables].map(([name, frame]) => frame.withColumns(pl.lit(name).alias(TABLE)));
  const rows = pl.concat([head, ...frames], { how: "diagonal" });
  await mkdir(dirname(path), { recursive: true });
  const temporary = temporaryPath(dirname(path));
  try {
    await writeParquet(rows.lazy(), temporary, { compression: "zstd" });
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
  const rows = await pl.scanParquet(path, { glob: false, hivePartitioning: false }).collect()
    .catch((cause) => {
      throw damaged(path, `"${(cause as Error).message}"`, cause);
    });
  const head = rows.columns.includes(TABLE) && rows.columns.includes(TEXT)
    ? rows.filter(pl.col(TABLE).eq(pl.lit(FACTS))).getColumn(TEXT).toArray()
    : [];
  if (head.length !== 1) throw damaged(path, "another Parquet file");
  const { columns, content, ...facts } = parseJson(String(head[0])) as PartFacts & {
    readonly columns: Readonly<Record<string, readonly string[]>>;
    readonly content: string;
  };
  const tables = new Map(
    PART_TABLES.filter((name) => Object.hasOwn(columns, name)).map((name) => [
      name,
      rows.filter(pl.col(TABLE).eq(pl.lit(name))).select(...columns[name]!),
    ]),
  );
  if (contentOf(tables) !== content) throw damaged(path, "other rows than were written");
  return { facts, tables };
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

function contentOf(tables: PartTables): string {
  const hash = createHash("sha256");
  for (const name of PART_TABLES) {
    const frame = tables.get(name);
    if (frame === undefined) continue;
    hash.update(`${name} ${frame.height}\n`);
    for (const column of frame.columns) addColumn(hash, frame, column);
  }
  return hash.digest("hex");
}

function addColumn(hash: ReturnType<typeof createHash>, frame: DataFrame, name: string): void {
  const text = ["Utf8", "String"].includes(typeOf(frame, name));
  if (text) {
    const { names, codes } = readTexts("read a part", frame, name);
    hash.update(`${name} ${names.length} ${names.join("\0")}\n`);
    hash.update(new Uint8Array(codes.buffer, codes.byteOffset, codes.byteLength));
    return;
  }
  const numbers = typeOf(frame, name) === "Date"
    ? frame.select(pl.col(name).cast(pl.Int32))
    : frame.select(name);
  const values = readNumbers("read a part", numbers, name);
  hash.update(`${name}\n`).update(
    new Uint8Array(values.buffer, values.byteOffset, values.byteLength),
  );
}

function typeOf(frame: DataFrame, name: string): string {
  const { dtype } = frame.getColumn(name);
  return (dtype as { variant?: string }).variant ?? String(dtype);
}

function damaged(path: string, found: string, cause?: unknown): IntegrityError {
  return new IntegrityError(
    `Cannot read the part ${path}: expected a whole one, got ${found}; analyse its partition again`,
    { cause },
  );
}
