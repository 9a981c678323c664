import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { KEY_LIKE } from "../../contract/key.ts";
import { IntegrityError } from "../../errors.ts";
import { LAYOUT, PACKED, RELEASE_FILE } from "../../store/layout.ts";
import { unpackBytes } from "../../store/scores/set_text.ts";
import { LOCK_FILE, type StudyLock } from "../lock/lock.ts";
import type { ReadLock } from "../lock/lock_text.ts";

/** What of a study is shared. */
export interface StudyFilesOptions {
  /** Whether the store is left out, because its scores are licensed. */
  readonly withoutData: boolean;
}

/** One file that is shared. */
export interface StudyFile {
  /** Its length. */
  readonly sizeBytes: number;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly sha256: string;
  /** Its bytes, which are not kept in memory. */
  readonly read: () => Promise<Uint8Array>;
}

/** The files of a study that are shared, by their paths in the archive. */
export type StudyFiles = ReadonlyMap<string, StudyFile>;

// What a notebook's imports rest on; without them another version of a package may be loaded.
const PINS = ["deno.json", "deno.lock", "package.json"];
// Made again from the originals, and larger.
const DERIVED = /(^|\/)history\.parquet(\.json)?$/;

/** A file that is made for the archive. */
export function madeFile(text: string): StudyFile {
  const bytes = new TextEncoder().encode(text);
  return { sizeBytes: bytes.length, sha256: sha256Of(bytes), read: () => Promise.resolve(bytes) };
}

/**
 * Finds what of a study is shared, and reads each file once: its lock, what the lock names of its store, its notebooks, and the pins of the project.
 *
 * @param read Its lock, as it was read: a notebook may add to it meanwhile
 * @throws {IntegrityError} If a file holds something that looks like an API key
 */
export async function findStudyFiles(
  folder: string,
  { lock, text }: Pick<ReadLock, "lock" | "text">,
  { withoutData }: StudyFilesOptions,
): Promise<StudyFiles> {
  assertNoKey(LOCK_FILE, text);
  const files = new Map<string, string>();
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
  const found = new Map([[LOCK_FILE, madeFile(text)]]);
  for (const path of [...files.keys()].sort()) {
    found.set(path, await toStudyFile(files.get(path)!, path));
  }
  return found;
}

async function toStudyFile(source: string, path: string): Promise<StudyFile> {
  const first = await readWithoutKey(source, path);
  const sha256 = sha256Of(first);
  const read = async () => {
    const bytes = await readFile(source);
    if (sha256Of(bytes) === sha256) return bytes;
    throw new IntegrityError(
      `Cannot export ${path}: expected the file that was read a moment ago, got a changed one; ` +
        "export the study again",
    );
  };
  return { sizeBytes: first.length, sha256, read };
}

function sha256Of(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
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
  const sets = new Set(
    lock.sets.flatMap(({ factor, snapshotId }) =>
      LAYOUT.eitherSet(factor, snapshotId).map(toSlashes)
    ),
  );
  const releases = lock.releases.map(({ factor, downloadSha256 }) =>
    toSlashes(LAYOUT.release(factor, downloadSha256))
  );
  const names = (await readdir(store, { recursive: true })).map(toSlashes);
  const isWanted = (name: string) =>
    name === LAYOUT.info || sets.has(name) || /^\w+\/(checks|views)\/[^.][^/]*$/.test(name) ||
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
  assertNoKey(path, textOf(path, bytes));
  return bytes;
}

function assertNoKey(path: string, text: string): void {
  if (!KEY_LIKE.test(text)) return;
  throw new IntegrityError(
    `Cannot export ${path}: expected a file without an API key, got something that looks like one; remove it, clear ` +
      "the outputs of the cell, and revoke the key if it is real",
  );
}

// The file of a release is what the service gave: no text of anybody here is in it.
function textOf(path: string, bytes: Buffer): string {
  if (!path.endsWith(PACKED)) return bytes.toString("latin1");
  return path.endsWith(RELEASE_FILE) ? "" : new TextDecoder().decode(unpackBytes(bytes));
}

function toSlashes(path: string): string {
  return sep === "/" ? path : relative(".", path).replaceAll(sep, "/");
}
