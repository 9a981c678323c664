import { mkdir, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { IntegrityError, StorageError } from "../../base/errors.ts";
import { isCode, readTextFile, removeIfThere } from "../../base/disk/files.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { withFolder } from "../../base/disk/with_folder.ts";
import { writeWhole } from "../../base/disk/write_whole.ts";
import {
  encodeManifest,
  type Manifest,
  MANIFEST_FILE,
  parseManifest,
  type Partition,
  type RowFacts,
} from "./manifest.ts";
import { refuseOtherRelease } from "./refuse_other_release.ts";
import { SCHEMA_FILE, schemaPage } from "./schema_page.ts";

/** The manifest of a dataset; empty if no file is finished. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE);
  const text = await readTextFile(path);
  return text === null ? [] : parseManifest(text, path);
}

/**
 * Renames a finished file and adds it to the manifest, one job at a time.
 *
 * The line of the manifest is written before the rename, so that a job that was killed in between is finished by the next one.
 *
 * @param file Path of the finished file, on the same file system; and the SHA-256 of the file that it replaces, `null` for none
 * @returns `true` if the file was taken; `false` if another job finished the partition first
 * @throws {IntegrityError} If the partition exists with other rows, or others exist with another release
 * @throws {StorageError} If rows were added to a file that another job has replaced since
 */
export async function publishPartition(
  folder: string,
  partition: Partition,
  { temporary, replaces, isAppended }: {
    readonly temporary: string;
    readonly replaces: string | null;
    /** True if the rows were added to those of the file that is replaced. */
    readonly isAppended: boolean;
  },
): Promise<boolean> {
  return await withFolder(folder, async () => {
    await finishPending(folder);
    const manifest = await readManifest(folder);
    // Another job may have begun with another release before this one published anything.
    refuseOtherRelease(manifest, partition);
    const stored = manifest.find(({ path }) => path === partition.path);
    const isReplaced = replaces !== null && stored?.sha256 === replaces;
    const isOther = stored !== undefined && stored.numbers !== partition.numbers;
    if (isAppended && !isReplaced && isOther) throw replacedMeanwhile(folder, partition);
    if (!isReplaced && await findFinished(folder, manifest, partition) !== null) return false;
    const path = join(folder, partition.path);
    await mkdir(dirname(path), { recursive: true });
    await writeWhole(join(folder, PENDING_FILE), encodeManifest([partition]));
    await rename(temporary, path);
    await enter(folder, manifest, partition);
    return true;
  });
}

function replacedMeanwhile(folder: string, { path }: Partition): StorageError {
  return new StorageError(
    `Cannot append to ${path} in ${folder}: expected the file that was read, got one that another ` +
      "job has replaced since; export the same rows again",
  );
}

// A name of its own: files that begin with it are no data for any engine.
const PENDING_FILE = "_pending.json";

/** Finishes what a job that was killed had begun to publish. */
export async function recoverPending(folder: string): Promise<void> {
  await withFolder(folder, () => finishPending(folder));
}

async function finishPending(folder: string): Promise<void> {
  const path = join(folder, PENDING_FILE);
  const text = await readTextFile(path);
  if (text === null) return;
  const [partition] = parseManifest(text, path);
  // Before the rename nothing happened.
  if (partition !== undefined && await isWhole(folder, partition)) {
    await enter(folder, await readManifest(folder), partition);
  } else await removeIfThere(path);
}

async function enter(folder: string, manifest: Manifest, partition: Partition): Promise<void> {
  const others = manifest.filter((one) => one.path !== partition.path);
  const changed = [...others, partition];
  await writeWhole(join(folder, SCHEMA_FILE), schemaPage(changed));
  await writeWhole(join(folder, MANIFEST_FILE), encodeManifest(changed));
  await removeIfThere(join(folder, PENDING_FILE));
}

/**
 * The finished partition with the same rows; `null` if it is unfinished, missing or truncated.
 *
 * @throws {IntegrityError} If it exists with other rows, or with rows of another release
 */
export async function findFinished(
  folder: string,
  manifest: Manifest,
  given: RowFacts & Pick<Partition, "path">,
): Promise<Partition | null> {
  const known = manifest.find(({ path }) => path === given.path);
  if (known === undefined || !await isWhole(folder, known)) return null;
  if (known.numbers === given.numbers && sameOrigin(known, given)) return known;
  throw new IntegrityError(
    `Cannot export ${given.path} to ${folder}: expected the rows that the dataset has there ` +
      `(${describeRows(known)}), got others (${describeRows(given)}); ` +
      "remove that file, or export to another folder",
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

/** Tests if the file of a partition exists with the bytes in the manifest. */
export async function isWhole(folder: string, partition: Partition): Promise<boolean> {
  const path = join(folder, partition.path);
  const size = await stat(path).then((status) => status.size, (error) => {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return -1;
    throw error;
  });
  return size === partition.bytes && (await hashFile(path)).sha256 === partition.sha256;
}
