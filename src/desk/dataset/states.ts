import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { instantOf } from "../../base/contract/instant.ts";
import { exists, isCode, readTextFile, syncFolder, temporaryPath } from "../../base/disk/files.ts";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { IntegrityError, StorageError } from "../../base/errors.ts";
import {
  DATASET_FORMAT,
  encodeState,
  parseState,
  type Partition,
  placeOf,
  type State,
} from "./state.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";
import { type ColumnType, type TableName, TABLES } from "./table/table.ts";

/** Folder of the states in that of a dataset, each in a folder of its number. */
const STATES = "states";
/** The file of a state that can be opened. */
export const STATE_FILE = "state.json";
/** Its name after the state was withdrawn: the folder keeps the number taken. */
export const WITHDRAWN_FILE = "withdrawn.json";
const NONE: State = { number: 0, committedAt: "", partitions: [] };
const TYPES: Readonly<Record<ColumnType, string>> = {
  text: "string",
  number: "double",
  date: "date",
  instant: "timestamp (ms, UTC)",
};

/**
 * The newest state of a dataset; without files if it has none yet.
 *
 * @throws {IntegrityError} If it is damaged, or the dataset was written by an earlier version
 */
export async function readNewest(folder: string): Promise<State> {
  const numbers = await stateNumbers(folder);
  if (numbers.length === 0) await refuseEarlierFormat(folder);
  for (const number of numbers.toReversed()) {
    const state = await readIfKept(folder, number);
    if (state !== null) return state;
  }
  return NONE;
}

/**
 * The state of a number.
 *
 * @throws {StorageError} If there is none, or it was withdrawn
 */
export async function readState(folder: string, number: number): Promise<State> {
  const state = await readIfKept(folder, number);
  if (state !== null) return state;
  const isKnown = await exists(folderOfState(folder, number));
  throw await noState(folder, `the state ${number}`, isKnown ? "one that was withdrawn" : "none");
}

/** The state that was the newest one at an instant; `null` if it was withdrawn, or the dataset began later. */
export async function findStateAt(folder: string, at: string): Promise<State | null> {
  const numbers = await stateNumbers(folder);
  let found: State | null = null;
  // Numbers and times ascend together, and those that were withdrawn are the first ones.
  for (let [low, high] = [0, numbers.length - 1]; low <= high;) {
    const middle = (low + high) >> 1;
    const state = await readIfKept(folder, numbers[middle]!);
    if (state !== null && state.committedAt > at) high = middle - 1;
    else [low, found] = [middle + 1, state ?? found];
  }
  return found;
}

/**
 * The state that was the newest one at an instant.
 *
 * @throws {StorageError} If it was withdrawn, or the dataset began later
 */
export async function readStateAt(folder: string, at: string): Promise<State> {
  const found = await findStateAt(folder, at);
  if (found !== null) return found;
  throw await noState(folder, `a state of ${at}`, "none");
}

/**
 * Commits the state after another one, which exists whole or not at all.
 *
 * @returns `false` if another job committed that number first
 */
export async function commitState(
  folder: string,
  base: State,
  changed: readonly Partition[],
): Promise<boolean> {
  const places = new Set(changed.map(placeOf));
  const partitions = [...base.partitions.filter((one) => !places.has(placeOf(one))), ...changed]
    .toSorted((a, b) => a.path < b.path ? -1 : 1);
  const state = { number: base.number + 1, committedAt: timeAfter(base), partitions };
  const temporary = temporaryPath(folder);
  const path = folderOfState(folder, state.number);
  try {
    await mkdir(join(folder, STATES), { recursive: true });
    await mkdir(temporary);
    await writeWhole(join(temporary, "schema.md"), schemaPage(state));
    await writeWhole(join(temporary, STATE_FILE), encodeState(state));
    // No file system renames a folder over one that has files, so one job alone takes a number.
    await rename(temporary, path);
  } catch (error) {
    if (await exists(path)) return false;
    throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
  }
  await syncFolder(join(folder, STATES));
  return true;
}

/** Numbers of the states of a dataset, ascending, with those that were withdrawn. */
export async function stateNumbers(folder: string): Promise<readonly number[]> {
  const names = await readdir(join(folder, STATES)).catch(() => []);
  return names.filter((name) => /^\d{8}$/.test(name)).map(Number).toSorted((a, b) => a - b);
}

/** The folder of a state. */
export function folderOfState(folder: string, number: number): string {
  return join(folder, STATES, String(number).padStart(8, "0"));
}

async function readIfKept(folder: string, number: number): Promise<State | null> {
  const path = join(folderOfState(folder, number), STATE_FILE);
  const text = await readTextFile(path);
  return text === null ? null : parseState(text, path);
}

// Later than the state before, even if a clock was set back.
function timeAfter({ committedAt }: State): string {
  return instantOf(Math.max(Date.now(), Date.parse(committedAt || instantOf(0)) + 1));
}

async function noState(folder: string, asked: string, got: string): Promise<StorageError> {
  const newest = await readNewest(folder);
  return new StorageError(
    `Cannot open the dataset ${folder}: expected ${asked}, got ${got}; ` +
      (newest.number === 0
        ? "export to it first, with exportDataset()"
        : `the newest is ${newest.number}, of ${newest.committedAt}`),
  );
}

// Its files were replaced in place: nobody can tell which state a reader of them saw.
async function refuseEarlierFormat(folder: string): Promise<void> {
  if (!await exists(join(folder, "manifest.json"))) return;
  throw new IntegrityError(
    `Cannot open the dataset ${folder}: expected a dataset of format ${DATASET_FORMAT}, got a ` +
      "manifest.json of an earlier one; export the same frames to another folder, with exportDataset()",
  );
}

/** A difference between the file of a partition and its state, worded to follow "expected"; `null` if there is none. */
export async function damageOf(
  folder: string,
  { path, bytes, sha256 }: Pick<Partition, "path" | "bytes" | "sha256">,
): Promise<string | null> {
  const file = join(folder, path);
  const size = await stat(file).then((status) => status.size, (error) => {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return null;
    throw error;
  });
  if (size === null) return "a file, got none";
  if (size !== bytes) return `${bytes} bytes, got ${size}`;
  const found = (await hashFile(file)).sha256;
  return found === sha256 ? null : `the SHA-256 ${sha256}, got ${found}`;
}

/** Description of the tables of a state, and of reading them with other engines, in Markdown. */
function schemaPage({ number, committedAt, partitions }: State): string {
  const tables = (Object.keys(TABLES) as TableName[])
    .filter((name) => partitions.some(({ table }) => table === name));
  const [first] = tables;
  const synthetic = partitions.some((partition) => partition.synthetic)
    ? ["", "Some of its numbers are **synthetic**: `source` says which."]
    : [];
  return [
    `# State ${number} of a dataset of scoreframe`,
    "",
    `Committed at ${committedAt}; format ${DATASET_FORMAT}. \`state.json\` has one line per file: its path in the dataset, rows,`,
    "first and last session, SHA-256, columns, the program that wrote it, and the release or sets that its rows come from.",
    "Below `data`, each folder is one table, whose files all have the same columns; `year` is in the name of the folder",
    "alone. Rows are sorted, and each column has statistics. Files of earlier states and of unfinished jobs are in the",
    "same folders: read those that the state names.",
    ...synthetic,
    ...heldOutLines(partitions),
    ...tables.flatMap((table) => describeTable(table, partitions)),
    "",
    "## How to read a table",
    "",
    "```python",
    "import json",
    `state = json.load(open("DATASET/states/${String(number).padStart(8, "0")}/state.json"))`,
    `files = ["DATASET/" + file["path"] for file in state["files"] if file["table"] == "${first}"]`,
    "polars.scan_parquet(files, hive_partitioning=True)",
    "duckdb.read_parquet(files, hive_partitioning=True)",
    "pyarrow.parquet.read_table(files)",
    "pandas.read_parquet(files)",
    `spark.read.option("basePath", "DATASET/data/${first}").parquet(*files)`,
    "```",
    "",
  ].join("\n");
}

/** Hold-outs of the studies that the files come from, each once. */
function heldOutLines(partitions: readonly Partition[]): readonly string[] {
  const said = partitions.flatMap(({ heldOut }) =>
    heldOut === undefined ? [] : heldOutText(heldOut)
  );
  return said.length === 0 ? [] : ["", [...new Set(said)].join(" ")];
}

function describeTable(name: TableName, all: readonly Partition[]): readonly string[] {
  const table = TABLES[name];
  const partitions = all.filter((partition) => partition.table === name);
  const rows = partitions.reduce((sum, partition) => sum + partition.rows, 0);
  const folders = `${name === "releases" ? "release=…/" : ""}year=…/`;
  return [
    "",
    `## ${name}`,
    "",
    `\`data/${name}/${folders}\`: ${partitions.length} files, ${rows} rows. One row is`,
    `${table.row}; sorted by ${table.key.join(", ")}.`,
    "",
    "| column | type | meaning |",
    "| --- | --- | --- |",
    ...table.columns.map(({ name, type, what }) => `| ${name} | ${TYPES[type]} | ${what} |`),
    "| year | integer | of the folder |",
  ];
}
