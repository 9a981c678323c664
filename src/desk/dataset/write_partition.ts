import { saysSynthetic } from "../../frames/frame/provenance/origin.ts";
import { mkdir, open, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { syncFolder, temporaryPath } from "../../base/disk/files.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { IntegrityError } from "../../base/errors.ts";
import { buildHash } from "../../base/runtime/build_hash.ts";
import { sortedTexts } from "../../frames/frame/times/distinct_texts.ts";
import { heldOutOf } from "../../frames/frame/provenance/held_out.ts";
import { type ParquetOptions, writeParquet } from "../../frames/vintage/write_years.ts";
import { currentEnvironment } from "../../study/current_environment.ts";
import type { TableChange, WrittenFile } from "./delta_log.ts";
import { meetStored, type MetRows } from "./meet_stored.ts";
import { Dataset } from "./open_dataset.ts";
import { damageOf, type Partition, placeOf } from "./partition.ts";
import { asWritten, rowsInYear } from "./table/lay.ts";
import type { TableRows } from "./table/table_rows.ts";
import { type Table, TABLES } from "./table/table.ts";
import type { Version } from "./versions.ts";

const ACTION = "export a dataset";

/** Rows of one year. */
export type YearRows = TableRows & { readonly year: number };

/** Facts that rows contain. */
type RowFacts = Pick<
  Partition,
  "rows" | "first" | "last" | "releases" | "sets" | "versions" | "synthetic"
>;

/** The files of a place after a call to write rows to it. */
export interface WrittenPlace extends Omit<TableChange, "dataChange"> {
  /** Its name. */
  readonly place: string;
  /** All of its files. */
  readonly partitions: readonly Partition[];
  /** Number of files that were written. */
  readonly written: number;
}

/** Options of a file, and of rows that meet stored ones. */
interface MeetingOptions extends ParquetOptions {
  /** The version that the dataset has. */
  readonly base: Version;
  /** `all` if the rows are all of their place; `correct` if they may differ from stored ones. */
  readonly meeting: "all" | "append" | "correct";
}

/**
 * Writes the rows of one year to a file of its own name, which no reader sees before a version names it. Rows that are stored
 * already are not written again; a correction replaces the files of its rows.
 *
 * @throws {IntegrityError} If other rows are stored, and they are not to be corrected
 */
export async function writePartition(
  folder: string,
  source: YearRows,
  options: MeetingOptions,
): Promise<WrittenPlace> {
  const { base } = options;
  const rows = await rowsInYear(source, source.year).collect();
  const heldOut = heldOutOf(rows);
  const facts = inspectRows(rows, source);
  // A release is frozen: it comes whole.
  const meeting = facts.releases.length > 0 ? "all" : options.meeting;
  const place = placeOf({ ...source, releases: facts.releases });
  const known = base.partitions.filter((one) => placeOf(one) === place);
  const unchanged = { place, partitions: known, added: [], removed: [], written: 0 };
  const stored = { dataset: new Dataset(folder, base), known };
  let file: MetRows = { rows, removed: known };
  if (meeting !== "all") file = await meetNear(rows, source, { ...stored, facts, meeting });
  else if (known.length > 0 && await areWhole(folder, known)) {
    await assertStored(rows, source, { ...stored, facts });
    return unchanged;
  }
  if (file.rows.height === 0) return unchanged;
  const written = await writeRows(folder, file.rows, { source, heldOut, options });
  // The same bytes have the same name: a damaged file that is written again neither comes in nor goes out.
  const isThere = known.some(({ path }) => path === written.partition.path);
  const removed = file.removed.filter(({ path }) => path !== written.partition.path);
  const kept = known.filter((one) => !removed.includes(one));
  const partitions = isThere ? kept : [...kept, written.partition];
  return { place, partitions, added: isThere ? [] : [written], removed, written: 1 };
}

interface StoredRows {
  readonly dataset: Dataset;
  /** The files of their place. */
  readonly known: readonly Partition[];
  /** Facts of the rows that come. */
  readonly facts: RowFacts;
}

/** Further rows, and corrections, against the files that may have their keys. */
async function meetNear(
  rows: DataFrame,
  source: YearRows,
  { dataset, known, facts, meeting }: StoredRows & { readonly meeting: "append" | "correct" },
): Promise<MetRows> {
  const near = known.filter(({ first, last }) => first <= facts.last && last >= facts.first);
  if (near.length === 0) return { rows, removed: [] };
  return await meetStored(rows, source, { dataset, near, meeting });
}

/** Refuses rows that are not those of their place. */
async function assertStored(
  rows: DataFrame,
  source: YearRows,
  { dataset, known, facts }: StoredRows,
): Promise<void> {
  const met = await meetStored(rows, source, { dataset, near: known, meeting: "append" });
  const all = (of: "releases" | "sets" | "versions") =>
    [...new Set(known.flatMap((file) => file[of]))].toSorted();
  const stored = {
    rows: known.reduce((sum, file) => sum + file.rows, 0),
    releases: all("releases"),
    sets: all("sets"),
    versions: all("versions"),
  };
  const [had, given] = [describeRows(stored), describeRows(facts)];
  if (met.rows.height === 0 && had === given) return;
  throw new IntegrityError(
    `Cannot export ${
      placeOf(known[0]!)
    } to ${dataset.folder}: expected the rows that the dataset has there ` +
      `(${had}), got other rows (${given}); add rows with append: true, or export to another folder`,
  );
}

/** Writes sorted rows to a file that is named by the hash of its bytes. */
export async function writeRows(
  folder: string,
  rows: DataFrame,
  { source, heldOut, options: { compression, rowGroupSize } }: {
    readonly source: Pick<YearRows, "table" | "factor" | "year">;
    readonly heldOut: Partition["heldOut"] | null;
    readonly options: ParquetOptions;
  },
): Promise<WrittenFile> {
  const { table, factor, year } = source;
  const temporary = temporaryPath(folder);
  try {
    // Delta's instants are microseconds. Categories become texts as they are written: texts take four times the memory.
    const columns = asWritten(rows.lazy(), table, "us");
    await writeParquet(columns, temporary, {
      compression,
      ...rowGroupSize === undefined ? {} : { rowGroupSize },
    });
    const { sha256, sizeBytes: bytes } = await hashFile(temporary);
    const { scoreframe, runtime, polars } = await currentEnvironment();
    const partition: Partition = {
      table,
      factor,
      year,
      bytes,
      sha256,
      ...inspectRows(rows, source),
      path: `${table}/part-${sha256.slice(0, 16)}.parquet`,
      ...heldOut === null || heldOut === undefined ? {} : { heldOut },
      maker: { scoreframe, build: buildHash(), runtime, polars },
    };
    await keepFile(folder, temporary, partition);
    return { partition, stats: statisticsOf(rows, TABLES[table]) };
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

async function areWhole(folder: string, files: readonly Partition[]): Promise<boolean> {
  for (const file of files) if (await damageOf(folder, file) !== null) return false;
  return true;
}

/** Smallest and largest values and numbers of nulls, as the log of a table has them. */
function statisticsOf(rows: DataFrame, { columns, key }: Table): string {
  // Delta's readers take texts of any length for bounds; only those of the key are worth it.
  const told = columns.filter(({ name, type }) => type !== "text" || key.includes(name));
  const value = (name: string) => pl.col(name);
  const [least, most, nulls] = [
    ...(["min", "max"] as const).map((of) =>
      rows.select(...told.map(({ name }) => value(name)[of]())).row(0)
    ),
    rows.select(...told.map(({ name }) => value(name).nullCount())).row(0),
  ] as [unknown[], unknown[], unknown[]];
  const named = (values: readonly unknown[]) =>
    Object.fromEntries(
      told.map(({ name, type }, i) => [name, valueText(values[i], type)]).filter(([, one]) =>
        one !== null
      ),
    );
  return JSON.stringify({
    numRecords: rows.height,
    minValues: named(least),
    maxValues: named(most),
    nullCount: Object.fromEntries(told.map(({ name }, i) => [name, nulls[i]])),
  });
}

function valueText(value: unknown, type: string): unknown {
  if (!(value instanceof Date)) return value ?? null;
  return type === "date" ? value.toISOString().slice(0, 10) : value.toISOString();
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

/** Rows with their origin: releases, sets and calculation definitions. */
function describeRows(facts: Pick<RowFacts, "rows" | "releases" | "sets" | "versions">): string {
  const { rows, releases, sets, versions } = facts;
  const named = releases.map((sha256) => `release ${sha256.slice(0, 12)}…`);
  const ofSets = sets.length === 0 ? [] : [`${sets.length} sets to ${sets.at(-1)}`];
  return [`${rows} rows`, ...named, ...ofSets, ...versions].join(", ");
}

/**
 * Reads the facts about the sorted rows of a file.
 *
 * @throws {TypeError} If a key column is null, or two rows have the same key
 */
function inspectRows(
  frame: DataFrame,
  { table, factor }: Pick<TableRows, "table" | "factor">,
): RowFacts {
  const { key, columns } = TABLES[table];
  const keysOf = (rows: DataFrame) =>
    rows.select(...key).row(0).map((value: unknown, i: number) =>
      valueText(value, columns.find(({ name }) => name === key[i])!.type)
    ) as string[];
  for (const name of key) {
    const missing = frame.getColumn(name).nullCount();
    if (missing === 0) continue;
    throw new TypeError(
      `Cannot ${ACTION}: expected a ${name} in every row, got ${missing} rows without one; drop them`,
    );
  }
  const isSame = key.map((name) => pl.col(name).eq(pl.col(name).shift(1)))
    .reduce((all, one) => all.and(one)).fillNull(pl.lit(false));
  const repeated = frame.filter(isSame);
  if (repeated.height > 0) {
    const what = factor === null ? table : `${table} of ${factor}`;
    throw new TypeError(
      `Cannot ${ACTION}: expected each row of ${what} once, got ${
        keysOf(repeated).join(" ")
      } twice; ` +
        "keep one of them",
    );
  }
  return {
    rows: frame.height,
    first: keysOf(frame.head(1))[0]!,
    last: keysOf(frame.tail(1))[0]!,
    releases: sortedTexts(frame, "download_sha256"),
    sets: sortedTexts(frame, "snapshot_id"),
    versions: sortedTexts(frame, "factor_version"),
    synthetic: sortedTexts(frame, "source").some(saysSynthetic),
  };
}
