import { mkdir, open, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createHash, type Hash } from "node:crypto";
import pl, { type DataFrame } from "nodejs-polars";
import { syncFolder, temporaryPath } from "../../base/disk/files.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { IntegrityError } from "../../base/errors.ts";
import { heldOutOf } from "../../frames/frame/provenance/held_out.ts";
import { type ParquetOptions, writeParquet } from "../../frames/vintage/write_years.ts";
import { damageOf } from "./states.ts";
import { currentMaker } from "./maker.ts";
import {
  type Partition,
  pathOf,
  placeOf,
  type RowFacts,
  type State,
  tableColumns,
} from "./state.ts";
import { asWritten, DAY, rowsInYear } from "./table/lay.ts";
import type { TableRows } from "./table/table_rows.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import {
  readDayColumn,
  readInstantColumn,
  readNumbers,
  readTexts,
} from "../../analysis/table/read_columns.ts";
import { type Table, TABLES } from "./table/table.ts";

const ACTION = "export a dataset";

/** A partition after a call to write it. */
export interface WrittenPartition {
  /** The partition. */
  readonly partition: Partition;
  /** `true` if this call wrote it; `false` if it existed already. */
  readonly isNew: boolean;
}

/**
 * Writes the rows of one year to a file of its own name, which no reader sees before a state names it; a year that the state
 * has with the same rows is not written again.
 *
 * @throws {IntegrityError} If the state has the partition with other rows
 */
export async function writePartition(
  folder: string,
  source: TableRows & { readonly year: number },
  { base, append, ...options }: ParquetOptions & {
    /** The state that the dataset has. */
    readonly base: State;
    /** True if the rows contain those of the state. */
    readonly append: boolean;
  },
): Promise<WrittenPartition> {
  const { table, factor, year } = source;
  const sorted = await rowsInYear(source, year).collect();
  const facts = inspectRows(sorted, source);
  const place = placeOf({ table, factor, year, releases: facts.releases });
  const known = base.partitions.find((one) => placeOf(one) === place);
  const isGrown = append && known?.numbers !== facts.numbers;
  if (known !== undefined && !isGrown && await damageOf(folder, known) === null) {
    refuseOtherRows(folder, known, facts);
    return { partition: known, isNew: false };
  }
  const temporary = temporaryPath(folder);
  try {
    await writeParquet(asWritten(sorted.lazy(), table), temporary, options);
    const { sha256, sizeBytes: bytes } = await hashFile(temporary);
    const heldOut = heldOutOf(sorted);
    const partition: Partition = {
      ...{ table, factor, year, bytes, sha256, ...facts },
      path: pathOf({ table, factor, year, releases: facts.releases, sha256 }),
      ...heldOut === null ? {} : { heldOut },
      ...{ columns: tableColumns(table), maker: await currentMaker() },
    };
    await keepFile(folder, temporary, partition);
    return { partition, isNew: true };
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** Flushes a file to the disk and gives it the name of its bytes. */
async function keepFile(folder: string, temporary: string, partition: Partition): Promise<void> {
  const path = join(folder, partition.path);
  if (await damageOf(folder, partition) === null) {
    // Written by a job that was killed or lost the race: as young as a new one, so that no cleaning takes it.
    await utimes(path, new Date(), new Date());
    return;
  }
  {
    await using file = await open(temporary, "r+");
    await file.sync();
  }
  await mkdir(dirname(path), { recursive: true });
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

function refuseOtherRows(folder: string, known: Partition, given: RowFacts): void {
  if (known.numbers === given.numbers && sameOrigin(known, given)) return;
  throw new IntegrityError(
    `Cannot export ${placeOf(known)} to ${folder}: expected the rows that the dataset has there ` +
      `(${describeRows(known)}), got other rows (${describeRows(given)}); export to another folder`,
  );
}

/** Tests if rows come from the same releases, sets and calculation definitions. */
function sameOrigin(a: RowFacts, b: RowFacts): boolean {
  return [[a.releases, b.releases], [a.sets, b.sets], [a.versions, b.versions]]
    .every(([one, other]) => JSON.stringify(one) === JSON.stringify(other));
}

/** A short description of the rows of a partition. */
function describeRows(facts: RowFacts): string {
  const releases = facts.releases.map((sha256) => `release ${sha256.slice(0, 8)}…`);
  const sets = facts.sets.length === 0 ? [] : [`${facts.sets.length} sets`];
  const numbers = `numbers ${facts.numbers.slice(0, 8)}…`;
  return [`${facts.rows} rows`, ...releases, ...sets, ...facts.versions, numbers].join(", ");
}

/**
 * Reads the facts of a state about the sorted rows of a partition.
 *
 * `numbers` is the SHA-256 of the key columns and the numbers, little endian, column after column: texts as sorted distinct
 * values and codes, dates as epoch days, instants as milliseconds, missing values as NaN, negative zero as zero.
 *
 * @param frame Rows with the columns of the table and {@link DAY}, sorted by its key
 * @throws {TypeError} If a key column is null, or two rows have the same key
 */
function inspectRows(frame: DataFrame, { table, factor }: TableRows): RowFacts {
  const schema = TABLES[table];
  const days = readDayColumn(ACTION, frame, DAY);
  const keys = schema.key.map((name) => readKey(frame, schema, name));
  refuseRepeated(keys, factor === null ? table : `${table} of ${factor}`);
  const hash = createHash("sha256").update(`${table}\n${factor ?? ""}\n`);
  for (const { names, values } of keys) addColumn(hash, values, names);
  for (const { name, type, isValue = false } of schema.columns) {
    if (isValue) {
      const { names, codes } = readTexts(ACTION, frame, name);
      addColumn(hash, codes, names);
    }
    if (schema.key.includes(name) || (type !== "number" && type !== "date")) continue;
    const column = type === "number"
      ? frame
      : frame.select(pl.col(name).cast(pl.Int32).cast(pl.Float64));
    addColumn(hash, canonical(readNumbers(ACTION, column, name)), []);
  }
  return {
    rows: days.length,
    first: fromEpochDay(days.reduce((a, b) => Math.min(a, b))),
    last: fromEpochDay(days.reduce((a, b) => Math.max(a, b))),
    numbers: hash.digest("hex"),
    releases: distinct(frame, "download_sha256"),
    sets: distinct(frame, "snapshot_id"),
    versions: distinct(frame, "factor_version"),
    synthetic: distinct(frame, "source").some((source) => source.includes("synthetic")),
  };
}

interface Key {
  readonly names: readonly string[];
  readonly values: Int32Array | Float64Array;
}

function readKey(frame: DataFrame, { columns }: Table, name: string): Key {
  const { type } = columns.find((column) => column.name === name)!;
  if (frame.getColumn(name).nullCount() > 0) {
    throw new TypeError(
      `Cannot ${ACTION}: expected a ${name} in every row, got ` +
        `${frame.getColumn(name).nullCount()} rows without one; drop them`,
    );
  }
  if (type === "text") {
    const { names, codes } = readTexts(ACTION, frame, name);
    return { names, values: codes };
  }
  const read = type === "date" ? readDayColumn : readInstantColumn;
  return { names: [], values: read(ACTION, frame, name) };
}

function refuseRepeated(keys: readonly Key[], what: string): void {
  // A frame's height is a call into Polars: asked for each row, it took half of an export.
  const rows = keys[0]!.values.length;
  for (let row = 1; row < rows; row++) {
    if (!keys.every(({ values }) => values[row] === values[row - 1])) continue;
    const texts = keys.map(({ names, values }) => names[values[row]!] ?? dateText(values, row));
    throw new TypeError(
      `Cannot ${ACTION}: expected each row of ${what} once, got ${texts.join(" ")} twice; ` +
        "keep one of them",
    );
  }
}

function dateText(values: Int32Array | Float64Array, row: number): string {
  return values instanceof Int32Array
    ? fromEpochDay(values[row]!)
    : new Date(values[row]!).toISOString();
}

function addColumn(hash: Hash, values: Int32Array | Float64Array, names: readonly string[]): void {
  hash.update(`${names.length} ${names.join("\0")}\n`);
  hash.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

function canonical(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) if (values[i] !== values[i]) values[i] = NaN;
  return values;
}

function distinct(frame: DataFrame, name: string): readonly string[] {
  if (!frame.columns.includes(name)) return [];
  return (frame.getColumn(name).unique().cast(pl.Utf8).dropNulls().toArray() as string[])
    .toSorted();
}
