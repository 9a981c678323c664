import { DAY_MS } from "../../base/calendar/civil_date.ts";
import type { Stats } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { checkOptions, FLAG } from "../../base/arguments/check_options.ts";
import { durationOf } from "../../base/arguments/time_input.ts";
import { isCode, TEMPORARY_PREFIX } from "../../base/disk/files.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { instantOf } from "../../base/contract/instant.ts";
import { INSTANT, type InstantInput, toInstant } from "../../client/verb/instant_input.ts";
import { assertFolder } from "../../base/arguments/refuse_address.ts";
import type { TableChange } from "./delta_log.ts";
import { Dataset, openDataset } from "./open_dataset.ts";
import { type Partition, placeOf } from "./partition.ts";
import { type TableName, TABLES } from "./table/table.ts";
import { commitVersion, numberAt, readNewest, readVersionFile, type Version } from "./versions.ts";
import { writeRows } from "./write_partition.ts";

const RULES = {
  before: INSTANT,
  graceMs: durationOf({ least: 60_000, most: 3650 * DAY_MS, example: "30 * 86_400_000" }),
  dryRun: FLAG,
};
const ACTION = "clean a dataset";
/** A year of more files is compacted: a month of days. */
const MANY = 30;

/**
 * Cleans a dataset as it grows: the files of a year that has more than 30 become one, versions before an instant are withdrawn,
 * and files that no other version names are deleted once they are a week old, with those of jobs that were killed.
 *
 * @param folder Folder of the dataset
 * @param options `before`: the versions that were no longer in force at this instant are withdrawn, and can no longer be opened,
 *   while jobs that have opened them go on; `graceMs`: time from the withdrawal of its last version, or of a file without a version
 *   its age, after which a file is deleted (by default 7 days), longer than any job that reads or writes the dataset; without
 *   `dryRun: false` nothing is changed
 * @returns Numbers of the versions `withdrawn`, the `compacted` years, the deleted `files` as paths in the dataset, and the
 *   `bytes` of these; with `dryRun` those that would be
 * @throws {StorageError} If there is no dataset
 * @throws {IntegrityError} If a log or a file is damaged; nothing is deleted then
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
  options: {
    readonly before?: InstantInput;
    readonly graceMs?: number;
    readonly dryRun?: boolean;
  } = {},
): Promise<{
  readonly withdrawn: readonly number[];
  readonly compacted: readonly string[];
  readonly files: readonly string[];
  readonly bytes: number;
}> {
  checkOptions("call cleanDataset()", options, RULES);
  assertFolder(ACTION, folder);
  const { before, graceMs = 7 * DAY_MS, dryRun = true } = options;
  return await onDisk(`clean the dataset ${folder}`, async () => {
    await openDataset(folder);
    const first = before === undefined ? 1 : await numberAt(folder, toInstant(before));
    for (;;) {
      const base = await readNewest(folder);
      const { changes, compacted } = await compact(folder, base, dryRun);
      const firstKept = Math.max(first, base.firstKept);
      const isSame = firstKept === base.firstKept && compacted.length === 0;
      if (!isSame && !dryRun && !await commitVersion(folder, base, changes, firstKept)) continue;
      const withdrawn = Array.from(
        { length: firstKept - base.firstKept },
        (_, i) => base.firstKept + i,
      );
      return {
        withdrawn,
        compacted,
        ...await removeOld(folder, { until: Date.now() - graceMs, dryRun }),
      };
    }
  });
}

/** Writes the rows of each year of many files to one. */
async function compact(folder: string, base: Version, dryRun: boolean) {
  const changes = new Map<TableName, TableChange>();
  const places = Map.groupBy(base.partitions, placeOf);
  const compacted = [...places.keys()].filter((place) => places.get(place)!.length > MANY);
  for (const place of dryRun ? [] : compacted) {
    const removed = places.get(place)!;
    const [source] = removed as [Partition];
    const rows = await new Dataset(folder, base).read(removed);
    const heldOut = removed.findLast((file) => file.heldOut !== undefined)?.heldOut ?? null;
    const written = await writeRows(folder, rows, {
      source,
      heldOut,
      options: { compression: "zstd" },
    });
    const before = changes.get(source.table);
    changes.set(source.table, {
      added: [...before?.added ?? [], written],
      removed: [...before?.removed ?? [], ...removed],
      dataChange: false,
    });
  }
  return { changes, compacted };
}

/** Deletes the files that had no version that can be opened at a time, and were old then. */
async function removeOld(
  folder: string,
  { until, dryRun }: { readonly until: number; readonly dryRun: boolean },
) {
  const newest = await readNewest(folder);
  const then = await numberAt(folder, instantOf(until));
  // A version that was withdrawn since then keeps its files.
  const kept = then === 0 ? 1 : (await readVersionFile(folder, then)).firstKept;
  const { tables } = await readVersionFile(folder, kept);
  const named = new Set(
    newest.logged.filter(({ partition: { table }, removedAt }) =>
      removedAt === null || removedAt > (tables[table]?.version ?? -1)
    ).map(({ partition }) => partition.path),
  );
  const files = [];
  let bytes = 0;
  for (const path of await filesOf(folder)) {
    const place = join(folder, path);
    const status = await statusOf(place);
    if (status === null || status.mtimeMs > until || named.has(path)) continue;
    // Windows refuses while a reader holds the file: the next cleaning takes it.
    if (!dryRun && !await remove(place)) continue;
    files.push(path);
    bytes += status.size;
  }
  return { files, bytes };
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).replaceAll(sep, "/"))
    .filter((path) =>
      basename(path).startsWith(TEMPORARY_PREFIX) ||
      (dirname(path) in TABLES && path.endsWith(".parquet"))
    ).toSorted();
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
