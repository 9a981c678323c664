import type { Stats } from "node:fs";
import { readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { checkOptions, FLAG, type OptionRules } from "../../base/arguments/check_options.ts";
import { durationOf } from "../../base/arguments/time_input.ts";
import { isCode, TEMPORARY_PREFIX } from "../../base/disk/files.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import type { Instant } from "../../base/contract/instant.ts";
import { INSTANT, type InstantInput, toInstant } from "../../client/verb/instant_input.ts";
import { assertFolder } from "../../base/arguments/refuse_address.ts";
import { parseState } from "./state.ts";
import { findStateAt, folderOfState, STATE_FILE, stateNumbers, WITHDRAWN_FILE } from "./states.ts";

/** Options of {@link cleanDataset}. */
export interface CleanDatasetOptions {
  /**
   * Withdraws the states that were no longer in force at this instant: they can no longer be opened, while jobs that have
   * opened them go on.
   *
   * @default withdraws none
   */
  readonly before?: InstantInput;
  /**
   * Age of a withdrawn state and of a file without a state at which they are deleted, in milliseconds. It must be longer than
   * any job that reads or writes the dataset.
   *
   * @default 7 days
   */
  readonly graceMs?: number;
  /**
   * Changes nothing, and returns what would be changed.
   *
   * @default true
   */
  readonly dryRun?: boolean;
}

const DAY_MS = 86_400_000;
const RULES: OptionRules<CleanDatasetOptions> = {
  before: INSTANT,
  graceMs: durationOf({ least: 60_000, most: 3650 * DAY_MS, example: "30 * 86_400_000" }),
  dryRun: FLAG,
};
const ACTION = "clean a dataset";

/**
 * Removes earlier states of a dataset, in two steps: the states before an instant are withdrawn, and those that were withdrawn
 * some time ago are deleted, with the files that no other state names and those of jobs that were killed.
 *
 * @param folder Folder of the dataset
 * @param options The instant and the time between the steps; does nothing without `dryRun: false`
 * @returns Numbers of the states `withdrawn` and `deleted`, the deleted `files` as paths in the dataset, and the `bytes` of
 *   these; with `dryRun` those that would be
 * @throws {StorageError} If there is no dataset
 * @throws {IntegrityError} If a state is damaged; nothing is deleted then
 *
 * @example
 * ```ts
 * import { cleanDataset, exportDataset } from "scoreframe/dataset";
 * import pl from "nodejs-polars";
 *
 * const folder = await Deno.makeTempDir();
 * for (const date of ["2026-01-02", "2026-01-05"]) {
 *   const prices = pl.DataFrame({ date: [date], ticker: ["AAA"], close: [101] });
 *   await exportDataset(prices, folder, { append: true });
 * }
 * const { withdrawn, files } = await cleanDataset(folder, { before: new Date(Date.now() + 1) });
 * console.assert(withdrawn.join() === "1" && files.length === 0); // a dry run; nothing is a week old
 * ```
 */
export async function cleanDataset(
  folder: string,
  options: CleanDatasetOptions = {},
): Promise<{
  readonly withdrawn: readonly number[];
  readonly deleted: readonly number[];
  readonly files: readonly string[];
  readonly bytes: number;
}> {
  checkOptions("call cleanDataset()", options, RULES);
  assertFolder(ACTION, folder);
  const { before, graceMs = 7 * DAY_MS, dryRun = true } = options;
  return await onDisk(`clean the dataset ${folder}`, async () => {
    const withdrawn = before === undefined ? [] : await withdraw(folder, toInstant(before), dryRun);
    const until = Date.now() - graceMs;
    const { deleted, named } = await agedStates(folder, until);
    const files = [];
    let bytes = 0;
    if (!dryRun) { for (const number of deleted) await remove(folderOfState(folder, number)); }
    for (const path of await filesOf(folder)) {
      const place = join(folder, path);
      const status = await statusOf(place);
      if (status === null || status.mtimeMs > until || named.has(path)) continue;
      // Windows refuses while a reader holds the file: the next cleaning takes it.
      if (!dryRun && !await remove(place)) continue;
      files.push(path);
      bytes += status.size;
    }
    return { withdrawn, deleted, files, bytes };
  });
}

async function withdraw(
  folder: string,
  before: Instant,
  dryRun: boolean,
): Promise<readonly number[]> {
  const first = (await findStateAt(folder, before))?.number ?? 0;
  const withdrawn = [];
  for (const number of (await stateNumbers(folder)).filter((one) => one < first)) {
    const [kept, hidden] = [STATE_FILE, WITHDRAWN_FILE]
      .map((name) => join(folderOfState(folder, number), name)) as [string, string];
    if (await statusOf(kept) === null) continue;
    withdrawn.push(number);
    if (dryRun) continue;
    await utimes(kept, new Date(), new Date());
    // The folder keeps the number taken: a job that read an old state must not commit it again.
    await rename(kept, hidden);
  }
  return withdrawn;
}

/** States that were withdrawn before a time, and the files that all others name. */
async function agedStates(folder: string, until: number) {
  const deleted = [];
  const named = new Set<string>();
  for (const number of await stateNumbers(folder)) {
    const hidden = join(folderOfState(folder, number), WITHDRAWN_FILE);
    const status = await statusOf(hidden);
    if (status !== null && status.mtimeMs <= until) {
      deleted.push(number);
      continue;
    }
    const path = status === null ? join(folderOfState(folder, number), STATE_FILE) : hidden;
    const { partitions } = parseState(await readFile(path, "utf8"), path);
    for (const partition of partitions) named.add(partition.path);
  }
  return { deleted, named };
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
