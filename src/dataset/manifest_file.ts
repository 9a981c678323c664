import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, rename, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { IntegrityError } from "../errors.ts";
import { isCode, readTextFile } from "../store/disk/files.ts";
import { withFolder } from "../study/lock/with_folder.ts";
import { writeWhole } from "../study/lock/write_whole.ts";
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

/** The manifest of a dataset; an empty one if nothing is finished. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST_FILE);
  const text = await readTextFile(path);
  return text === null ? [] : parseManifest(text, path);
}

/**
 * Gives a finished file its name and its line in the manifest, one job at a time.
 *
 * @param temporary Path of the finished file, on the same file system
 * @returns Whether it was taken; `false` if another job has finished the partition meanwhile, whose file then stays
 * @throws {IntegrityError} If the partition is finished with other rows, or others with another release
 */
export async function publishPartition(
  folder: string,
  partition: Partition,
  temporary: string,
): Promise<boolean> {
  return await withFolder(folder, async () => {
    const manifest = await readManifest(folder);
    // Another job may have begun with another release before this one had published anything.
    refuseOtherRelease(manifest, partition);
    if (await findFinished(folder, manifest, partition) !== null) return false;
    const path = join(folder, partition.path);
    await mkdir(dirname(path), { recursive: true });
    await rename(temporary, path);
    const others = manifest.filter((one) => one.path !== partition.path);
    const changed = [...others, partition];
    await writeWhole(join(folder, SCHEMA_FILE), schemaPage(changed));
    await writeWhole(join(folder, MANIFEST_FILE), encodeManifest(changed));
    return true;
  });
}

/**
 * The partition as it is finished with the same rows; `null` if it is not finished, gone, or was cut off.
 *
 * @throws {IntegrityError} If it is finished with other rows, or rows of another release
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

/** Whether rows come from the same releases, sets and calculation definitions. */
function sameOrigin(a: RowFacts, b: RowFacts): boolean {
  return [[a.releases, b.releases], [a.sets, b.sets], [a.versions, b.versions]]
    .every(([one, other]) => JSON.stringify(one) === JSON.stringify(other));
}

/** The rows of a partition in a few words. */
function describeRows(facts: RowFacts): string {
  const releases = facts.releases.map((sha256) => `release ${sha256.slice(0, 8)}…`);
  const sets = facts.sets.length === 0 ? [] : [`${facts.sets.length} sets`];
  const numbers = `numbers ${facts.numbers.slice(0, 8)}…`;
  return [`${facts.rows} rows`, ...releases, ...sets, ...facts.versions, numbers].join(", ");
}

/** Whether the file of a partition is there, with the bytes that the manifest says. */
export async function isWhole(folder: string, partition: Partition): Promise<boolean> {
  const path = join(folder, partition.path);
  const size = await stat(path).then((status) => status.size, (error) => {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return -1;
    throw error;
  });
  return size === partition.bytes && await sha256OfFile(path) === partition.sha256;
}

/** SHA-256 of a file, read in pieces. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}
