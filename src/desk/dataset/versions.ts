import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseJson } from "../../base/contract/json_text.ts";
import { instantOf } from "../../base/contract/instant.ts";
import * as z from "zod/mini";
import { aCount, anInstant, anyText, read } from "../../base/contract/schema.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import { exists, putTextFile, readTextFile } from "../../base/disk/files.ts";
import { IntegrityError, StorageError } from "../../base/errors.ts";
import {
  endAfter,
  entryPath,
  type LogEnd,
  logEntry,
  type LoggedFile,
  readLog,
  type TableChange,
} from "./delta_log.ts";
import { type Partition, placeOf } from "./partition.ts";
import { type TableName, TABLES } from "./table/table.ts";

/** The finished files of a dataset at one time. A version is never changed: a change of the dataset makes a new one. */
export interface Version {
  /** Its number, counted from 1; 0 of a folder without a dataset. */
  readonly version: number;
  /** The time when it was committed, later than that of the version before; empty without a dataset. */
  readonly committedAt: string;
  /** The first version that can be opened. */
  readonly firstKept: number;
  /** The end of the log of each table. */
  readonly tables: Readonly<Record<string, LogEnd>>;
  /** The entries that the version added to the logs of its tables. */
  readonly entries: Readonly<Record<string, string>>;
  /** Its files, sorted by table and first row. */
  readonly partitions: readonly Partition[];
  /** All files that its logs name, also those that were removed. */
  readonly logged: readonly LoggedFile[];
}

/** Changes of tables, made in one version. */
export type Changes = ReadonlyMap<TableName, TableChange>;

/** Version of the layout of folders and files, and of the columns. */
export const DATASET_FORMAT = 4;
const KIND = "scoreframe dataset" as const;
const FOLDER = "versions";
/** Clocks of machines that write to one folder differ by seconds; by more, one of them is wrong. */
const AHEAD_MS = 300_000;
const FILE = z.object({
  kind: z.literal(KIND),
  format: z.literal(DATASET_FORMAT),
  version: aCount,
  committedAt: anInstant,
  firstKept: aCount,
  tables: z.record(z.string(), z.object({ version: aCount, sha256: anyText })),
  entries: z.record(z.string(), anyText),
});
type VersionFile = z.output<typeof FILE>;
const NONE: Version = {
  version: 0,
  committedAt: "",
  firstKept: 1,
  tables: {},
  entries: {},
  partitions: [],
  logged: [],
};

/**
 * The newest version of a dataset; without files if it has none yet.
 *
 * @throws {IntegrityError} If it is damaged, or the dataset was written by an earlier version of this library
 */
export async function readNewest(folder: string): Promise<Version> {
  const newest = await newestFile(folder);
  return newest === null ? NONE : await withFiles(folder, newest);
}

/** The file of the newest version; `null` without a dataset. */
async function newestFile(folder: string): Promise<VersionFile | null> {
  const newest = await newestNumber(folder);
  if (newest > 0) return await readVersionFile(folder, newest);
  for (const earlier of ["states", "manifest.json"]) {
    if (!await exists(join(folder, earlier))) continue;
    throw new IntegrityError(
      `Cannot open the dataset ${folder}: expected a dataset of format ${DATASET_FORMAT}, got ${earlier} of an ` +
        "earlier one; export the same frames to another folder, with exportDataset()",
    );
  }
  return null;
}

/**
 * The version of a number.
 *
 * @throws {StorageError} If there is none, or it was withdrawn
 */
export async function readVersion(folder: string, number: number): Promise<Version> {
  const newest = await newestFile(folder) ?? NONE;
  if (newest.version < number) throw noVersion(folder, newest, [`the version ${number}`, "none"]);
  if (number < newest.firstKept) {
    throw noVersion(folder, newest, [`the version ${number}`, "one that was withdrawn"]);
  }
  return await withFiles(folder, await readVersionFile(folder, number));
}

/** Number of the version that was the newest one at an instant; 0 if the dataset began later. */
export async function numberAt(folder: string, at: string): Promise<number> {
  let found = 0;
  for (let [low, high] = [1, await newestNumber(folder)]; low <= high;) {
    const middle = (low + high) >> 1;
    if ((await readVersionFile(folder, middle)).committedAt > at) high = middle - 1;
    else [low, found] = [middle + 1, middle];
  }
  return found;
}

/**
 * The version that was the newest one at an instant.
 *
 * @throws {StorageError} If it was withdrawn, or the dataset began later
 */
export async function readVersionAt(folder: string, at: string): Promise<Version> {
  const found = await numberAt(folder, at);
  if (found > 0) return await readVersion(folder, found);
  throw noVersion(folder, await newestFile(folder) ?? NONE, [`a version of ${at}`, "none"]);
}

/**
 * Commits the version after another one, which exists whole or not at all: its file appears by a hard link, and the logs of the
 * tables follow from it. A job that finds them unfinished, because the one before was killed, finishes them.
 *
 * @returns `false` if another job committed that number first
 * @throws {IntegrityError} If the base lies in the future of this clock, or something else wrote to a log
 */
export async function commitVersion(
  folder: string,
  base: Version,
  changes: Changes,
  firstKept = base.firstKept,
): Promise<boolean> {
  const number = base.version + 1;
  refuseAhead(folder, base);
  await writeEntries(folder, base);
  const at = Math.max(Date.now(), Date.parse(base.committedAt || instantOf(0)) + 1);
  const tables: Record<string, LogEnd> = { ...base.tables };
  const entries: Record<string, string> = {};
  for (const [table, change] of changes) {
    const end = base.tables[table];
    entries[table] = logEntry(table, change, { at, isFirst: end === undefined });
    tables[table] = endAfter(end, entries[table]);
    const path = entryPath(folder, table, tables[table].version);
    if (await exists(path) && !await exists(pathOf(folder, number))) throw foreign(path);
  }
  const facts = { kind: KIND, format: DATASET_FORMAT, version: number, committedAt: instantOf(at) };
  const file = { ...facts, firstKept, tables, entries };
  const text = `${JSON.stringify(file, null, 1)}\n`;
  if (!await putTextFile(pathOf(folder, number), text, { durable: true })) return false;
  await writeEntries(folder, file);
  return true;
}

/** Writes the entries of a version to the logs of its tables, if they are not there. */
async function writeEntries(
  folder: string,
  { tables, entries }: Pick<Version, "tables" | "entries">,
): Promise<void> {
  for (const [table, text] of Object.entries(entries)) {
    const path = entryPath(folder, table, tables[table]!.version);
    if (await putTextFile(path, text, { durable: true })) continue;
    if (await readTextFile(path) !== text) throw foreign(path);
  }
}

async function withFiles(folder: string, file: VersionFile): Promise<Version> {
  const logged: LoggedFile[] = [];
  for (const [table, end] of Object.entries(file.tables)) {
    logged.push(...await readLog(folder, table as TableName, { end, newest: file.entries[table] }));
  }
  const partitions = logged.filter(({ removedAt }) => removedAt === null)
    .map(({ partition }) => partition).toSorted(byPlace);
  return { ...file, partitions, logged };
}

function byPlace(a: Partition, b: Partition): number {
  const [one, other] = [a, b].map((file) => `${placeOf(file)} ${file.first} ${file.path}`);
  return one! < other! ? -1 : 1;
}

async function newestNumber(folder: string): Promise<number> {
  const names = await readdir(join(folder, FOLDER)).catch(() => []);
  return names.reduce(
    (newest, name) => Math.max(newest, Number(/^(\d{8})\.json$/.exec(name)?.[1] ?? 0)),
    0,
  );
}

function pathOf(folder: string, number: number): string {
  return join(folder, FOLDER, `${String(number).padStart(8, "0")}.json`);
}

/** Reads the file of a version, without the logs of its tables. */
export async function readVersionFile(folder: string, number: number): Promise<VersionFile> {
  const path = pathOf(folder, number);
  const text = await readTextFile(path) ?? "";
  try {
    const file = read(FILE, parseJson(text));
    if (file.version !== number) {
      throw new ContractViolation("$.version", `${number}`, file.version);
    }
    const unknown = Object.keys(file.tables).find((table) => !(table in TABLES));
    if (unknown === undefined) return file;
    throw new ContractViolation("$.tables", Object.keys(TABLES).join(", "), unknown);
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    throw new IntegrityError(
      `Cannot read ${error.path} of ${path}: expected ${error.required}, got ${error.received}; use the ` +
        "version of scoreframe that wrote it, or export the dataset again",
      { cause: error },
    );
  }
}

function refuseAhead(folder: string, { version, committedAt }: Version): void {
  if (version === 0 || Date.parse(committedAt) <= Date.now() + AHEAD_MS) return;
  throw new IntegrityError(
    `Cannot export to ${folder}: expected the version ${version} to lie in the past of this clock, ` +
      `${
        instantOf(Date.now())
      }, got ${committedAt}; correct the clock that is wrong, and if it was that of ` +
      "the other machine, export to another folder",
  );
}

function foreign(path: string): IntegrityError {
  return new IntegrityError(
    `Cannot export a dataset: expected ${path} to be written by scoreframe, got an entry of something ` +
      "else; remove it, or export to another folder",
  );
}

function noVersion(
  folder: string,
  newest: Pick<Version, "version" | "committedAt">,
  [asked, got]: readonly [string, string],
): StorageError {
  return new StorageError(
    `Cannot open the dataset ${folder}: expected ${asked}, got ${got}; ` +
      (newest.version === 0
        ? "export to it first, with exportDataset()"
        : `the newest is ${newest.version}, of ${newest.committedAt}`),
  );
}
