import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { KEY_LIKE } from "../../contract/key.ts";
import { IntegrityError } from "../../errors.ts";
import { LAYOUT } from "../../store/layout.ts";
import { LOCK_FILE, type StudyLock } from "../lock/lock.ts";

/** What of a study is shared. */
export interface StudyFilesOptions {
  /** Whether the store is left out, because its scores are licensed. */
  readonly withoutData: boolean;
}

/** The files of a study that are shared: paths in the archive with their bytes, sorted by path. */
export type StudyFiles = ReadonlyMap<string, Uint8Array>;

// What a notebook's imports rest on; without them another version of a package may be loaded.
const PINS = ["deno.json", "deno.lock", "package.json"];
// Made again from the originals, and larger.
const DERIVED = /(^|\/)history\.parquet(\.json)?$/;

/**
 * Reads what of a study is shared: its lock, what the lock names of its store, its notebooks, and the pins of the project.
 *
 * @throws {IntegrityError} If a file holds something that looks like an API key
 */
export async function readStudyFiles(
  folder: string,
  lock: StudyLock,
  { withoutData }: StudyFilesOptions,
): Promise<StudyFiles> {
  const files = new Map<string, string>([[LOCK_FILE, join(folder, LOCK_FILE)]]);
  for (const path of await findNotebooks(folder)) files.set(path, join(folder, path));
  for (const name of PINS) {
    const path = await findUpwards(folder, name);
    if (path !== null) files.set(name, path);
  }
  if (!withoutData) {
    for (const path of await storeFiles(join(folder, "store"), lock)) {
      files.set(`store/${path}`, join(folder, "store", path));
    }
  }
  const read = new Map<string, Uint8Array>();
  for (const path of [...files.keys()].sort()) {
    read.set(path, await readWithoutKey(files.get(path)!, path));
  }
  return read;
}

async function findNotebooks(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.map(toSlashes).filter((name) =>
    name.endsWith(".ipynb") && !name.startsWith("store/") &&
    !/(^|\/)(\.|node_modules\/)/.test(name)
  );
}

async function findUpwards(folder: string, name: string): Promise<string | null> {
  for (let place = folder;; place = dirname(place)) {
    const path = join(place, name);
    if (await stat(path).then((found) => found.isFile(), () => false)) return path;
    // A repository ends where git says.
    const isRoot = await stat(join(place, ".git")).then(() => true, () => false);
    if (isRoot || dirname(place) === place) return null;
  }
}

async function storeFiles(store: string, lock: StudyLock): Promise<readonly string[]> {
  const sets = lock.sets.map(({ factor, snapshotId }) => toSlashes(LAYOUT.set(factor, snapshotId)));
  const releases = lock.releases.map(({ factor, downloadSha256 }) =>
    toSlashes(LAYOUT.release(factor, downloadSha256))
  );
  const names = (await readdir(store, { recursive: true })).map(toSlashes);
  const isWanted = (name: string) =>
    name === LAYOUT.info || sets.includes(name) || /^\w+\/(checks|views)\/[^.][^/]*$/.test(name) ||
    releases.some((release) => name.startsWith(`${release}/`));
  const wanted = names.filter((name) =>
    isWanted(name) && !DERIVED.test(name) && !/(^|\/)\./.test(name)
  );
  const isFile = await Promise.all(
    wanted.map((name) => stat(join(store, name)).then((found) => found.isFile())),
  );
  return wanted.filter((_, i) => isFile[i]);
}

async function readWithoutKey(source: string, path: string): Promise<Uint8Array> {
  const bytes = await readFile(source);
  const isText = !path.endsWith(".gz");
  if (!isText || !KEY_LIKE.test(bytes.toString("latin1"))) return bytes;
  throw new IntegrityError(
    `Cannot export ${path}: expected a file without an API key, got something that looks like one; remove it, clear ` +
      "the outputs of the cell, and revoke the key if it is real",
  );
}

function toSlashes(path: string): string {
  return sep === "/" ? path : relative(".", path).replaceAll(sep, "/");
}
