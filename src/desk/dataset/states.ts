import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { instantOf } from "../../base/contract/instant.ts";
import { exists, readTextFile, syncFolder, temporaryPath } from "../../base/disk/files.ts";
import { writeWhole } from "../../base/disk/write_whole.ts";
import { IntegrityError, StorageError } from "../../base/errors.ts";
import { DATASET_FORMAT, encodeState, parseState, placeOf, type State } from "./state.ts";
import type { Partition } from "./state.ts";
import { schemaPage } from "./schema_page.ts";

/** Folder of the states in that of a dataset, each in a folder of its number. */
const STATES = "states";
/** The file of a state that can be opened. */
export const STATE_FILE = "state.json";
/** Its name after the state was withdrawn: the folder keeps the number taken. */
export const WITHDRAWN_FILE = "withdrawn.json";

const NONE: State = { number: 0, committedAt: "", partitions: [] };

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
