import type { Stats } from "node:fs";
import { readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import {
  checkOptions,
  FLAG,
  needed,
  type OptionRules,
} from "../../base/arguments/check_options.ts";
import { durationOf } from "../../base/arguments/duration.ts";
import { isCode, TEMPORARY_PREFIX } from "../../base/disk/files.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { INSTANT, type InstantInput, toInstant } from "../../client/verb/instant_input.ts";
import { assertDatasetPath } from "./open_dataset.ts";
import { parseState } from "./state.ts";
import { EXPIRED_FILE, readStateAt, STATE_FILE, stateFolder, stateNumbers } from "./states.ts";

/** Options of {@link expireStates}. */
export interface ExpireStatesOptions {
  /** The instant; the state in force at it is the first one that stays. */
  readonly before: InstantInput;
  /**
   * Changes nothing, and returns what would be changed.
   *
   * @default true
   */
  readonly dryRun?: boolean;
}

/** Options of {@link cleanDataset}. */
export interface CleanDatasetOptions {
  /**
   * Age of an expired state and of a file without a state at which they are deleted, in milliseconds. It must be longer than
   * any job that reads or writes the dataset.
   *
   * @default 7 days
   */
  readonly graceMs?: number;
  /**
   * Deletes nothing, and returns what would be deleted.
   *
   * @default true
   */
  readonly dryRun?: boolean;
}

/** What {@link cleanDataset} deleted. */
export interface CleanedDataset {
  /** Numbers of the states. */
  readonly states: readonly number[];
  /** Paths of the files in the dataset, with slashes. */
  readonly files: readonly string[];
  /** Size of these files together. */
  readonly bytes: number;
}

const DAY_MS = 86_400_000;
const EXPIRE_RULES: OptionRules<ExpireStatesOptions> = {
  before: needed(INSTANT, '"2026-11-01T00:00:00Z"'),
  dryRun: FLAG,
};
const CLEAN_RULES: OptionRules<CleanDatasetOptions> = {
  graceMs: durationOf({ least: 60_000, most: 3650 * DAY_MS, example: "30 * 86_400_000" }),
  dryRun: FLAG,
};

/**
 * Withdraws earlier states of a dataset: they can no longer be opened, while jobs that read them go on. Deletes no row;
 * {@link cleanDataset} does so later.
 *
 * @param folder Folder of the dataset
 * @param options The instant from which on the dataset can still be opened, and whether to do it
 * @returns Numbers of the states; with `dryRun` those that would be withdrawn
 * @throws {StorageError} If the dataset began later than that instant
 *
 * @example
 * ```ts
 * import { cleanDataset, expireStates, exportDataset } from "scoreframe/dataset";
 * import pl from "nodejs-polars";
 *
 * const folder = await Deno.makeTempDir();
 * for (const date of ["2026-01-02", "2026-01-05"]) {
 *   const prices = pl.DataFrame({ date: [date], ticker: ["AAA"], close: [101] });
 *   await exportDataset(prices, folder, { append: true });
 * }
 * const expired = await expireStates(folder, { before: new Date(Date.now() + 1), dryRun: false });
 * console.assert(expired.join() === "1");
 * const { files } = await cleanDataset(folder); // a dry run: nothing is a week old
 * console.assert(files.length === 0);
 * ```
 */
export async function expireStates(
  folder: string,
  options: ExpireStatesOptions,
): Promise<readonly number[]> {
  checkOptions("call expireStates()", options, EXPIRE_RULES);
  assertDatasetPath("expire states", folder);
  return await onDisk(`expire states of ${folder}`, async () => {
    const first = await readStateAt(folder, toInstant(options.before, "before"));
    const expired = [];
    for (const number of (await stateNumbers(folder)).filter((one) => one < first.number)) {
      const place = stateFolder(folder, number);
      if (await statusOf(join(place, STATE_FILE)) === null) continue;
      expired.push(number);
      if (options.dryRun ?? true) continue;
      await utimes(join(place, STATE_FILE), new Date(), new Date());
      // The folder keeps the number taken: a job that read an old state must not commit it again.
      await rename(join(place, STATE_FILE), join(place, EXPIRED_FILE));
    }
    return expired;
  });
}

/**
 * Deletes the states that {@link expireStates} withdrew some time ago, and the files that no other state names: those of
 * deleted states, and those of jobs that were killed.
 *
 * @param folder Folder of the dataset
 * @param options How long ago, and whether to do it
 * @returns What was deleted; with `dryRun` what would be
 * @throws {IntegrityError} If a state is damaged; nothing is deleted then
 *
 * @example
 * ```ts
 * import { cleanDataset, exportDataset } from "scoreframe/dataset";
 * import pl from "nodejs-polars";
 *
 * const folder = await Deno.makeTempDir();
 * await exportDataset(pl.DataFrame({ date: ["2026-01-02"], ticker: ["AAA"], close: [101] }), folder);
 * const { files, bytes } = await cleanDataset(folder, { graceMs: 30 * 86_400_000, dryRun: false });
 * console.assert(files.length === 0 && bytes === 0);
 * ```
 */
export async function cleanDataset(
  folder: string,
  { graceMs = 7 * DAY_MS, dryRun = true }: CleanDatasetOptions = {},
): Promise<CleanedDataset> {
  checkOptions("call cleanDataset()", { graceMs, dryRun }, CLEAN_RULES);
  assertDatasetPath("clean a dataset", folder);
  return await onDisk(`clean the dataset ${folder}`, async () => {
    const until = Date.now() - graceMs;
    const { states, named } = await agedStates(folder, until);
    const files = [];
    let bytes = 0;
    if (!dryRun) { for (const number of states) await remove(stateFolder(folder, number)); }
    for (const path of await filesOf(folder)) {
      const place = join(folder, path);
      const status = await statusOf(place);
      if (status === null || status.mtimeMs > until || named.has(path)) continue;
      // Windows refuses while a reader holds the file: the next cleaning takes it.
      if (!dryRun && !await remove(place)) continue;
      files.push(path);
      bytes += status.size;
    }
    return { states, files, bytes };
  });
}

/** States that were expired before a time, and the files that all others name. */
async function agedStates(folder: string, until: number) {
  const states = [];
  const named = new Set<string>();
  for (const number of await stateNumbers(folder)) {
    const expired = join(stateFolder(folder, number), EXPIRED_FILE);
    const status = await statusOf(expired);
    if (status !== null && status.mtimeMs <= until) {
      states.push(number);
      continue;
    }
    const path = status === null ? join(stateFolder(folder, number), STATE_FILE) : expired;
    const { partitions } = parseState(await readFile(path, "utf8"), path);
    for (const partition of partitions) named.add(partition.path);
  }
  return { states, named };
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(join(folder, "data"), { recursive: true, withFileTypes: true });
  const unfinished = (await readdir(folder)).filter((name) => name.startsWith(TEMPORARY_PREFIX));
  const files = entries.filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
  return [...unfinished, ...files].toSorted();
}

async function statusOf(path: string): Promise<Stats | null> {
  return await stat(path).catch((error) => {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  });
}

async function remove(path: string): Promise<boolean> {
  return await rm(path, { recursive: true, force: true }).then(() => true, (error) => {
    if (["EPERM", "EACCES", "EBUSY"].some((code) => isCode(error, code))) return false;
    throw error;
  });
}
