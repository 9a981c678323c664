import { stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { kindOf } from "../../base/disk/files.ts";
import { isFile } from "../../base/disk/is_file.ts";
import { IntegrityError } from "../../base/errors.ts";
import { LAYOUT } from "../../base/store/layout.ts";
import { LOCK_FILE, type StudyLock } from "../lock/lock.ts";
import type { ReadLock } from "../lock/lock_text.ts";
import { CELLS_FILE } from "../run/cell_record.ts";
import { clearOutputs } from "./notebooks/clear_outputs.ts";
import { listFiles } from "./list_files.ts";
import { MANIFEST, SIGNATURE } from "./manifest.ts";
import { matchFiles } from "./match_files.ts";
import { PACKED_LIBRARY, portablePin } from "./portable_pins.ts";
import { assertShareable, madeFile, readStudyFile, type StudyFile } from "./study_file.ts";

/** Options for the choice of shared files. */
export interface StudyFilesOptions {
  /** Leaves out the store, because its scores are licensed. */
  readonly withoutData: boolean;
  /**
   * Leaves out the inputs of the lock, because they are licensed.
   *
   * @default false
   */
  readonly withoutInputs?: boolean;
  /**
   * More files of the folder: paths, folders, or patterns with `*` and `**`.
   *
   * @default none
   */
  readonly include?: readonly string[];
  /**
   * Shares notebooks without outputs; the originals are not changed.
   *
   * @default false
   */
  readonly clearOutputs?: boolean;
  /** Called after each file. */
  readonly onRead?: (done: number, total: number) => void;
}

/** Shared files of a study, and those left out. */
export interface FoundFiles {
  /** The files, by their paths in the archive. */
  readonly files: StudyFiles;
  /** Files in the folder that are left out; inputs of the lock come first. */
  readonly leftOut: readonly string[];
  /** Settings that work only on this machine. */
  readonly notes: readonly string[];
}

/** Shared files of a study by their paths in the archive. */
export type StudyFiles = ReadonlyMap<string, StudyFile>;

// Configuration of a notebook's imports; without it another version of a package may be loaded.
const PINS = ["deno.json", "deno.lock", "package.json"];
// Small files are kept in memory up to this limit, about ninety thousand checks.
const MOST_KEPT_BYTES = 64 << 20;
// Other work, such as a progress display, gets a turn after this many files.
const TURN_FILES = 200;
// Files that each export writes anew.
const MADE: ReadonlySet<string> = new Set([
  LOCK_FILE,
  CELLS_FILE,
  "ro-crate-metadata.json",
  MANIFEST,
  `${LOCK_FILE}${SIGNATURE}`,
  `${MANIFEST}${SIGNATURE}`,
]);
// Derived from the originals, and larger.
const DERIVED = /(^|\/)history\.parquet(\.json)?$/;

/**
 * Finds the shared files of a study and reads each once: its lock, the files of the store that the lock names, its
 * notebooks, and the configuration of the project.
 *
 * @param read Its lock as read before, because a notebook may add to it meanwhile
 * @throws {IntegrityError} If a file holds something that looks like an API key
 */
export async function findStudyFiles(
  folder: string,
  { lock, text }: Pick<ReadLock, "lock" | "text">,
  options: StudyFilesOptions,
): Promise<FoundFiles> {
  assertShareable(LOCK_FILE, text);
  const { withoutData, withoutInputs = false, include = [] } = options;
  const files = new Map<string, string>();
  const others = listFiles(folder, "store");
  const pinned = lock.inputs.map(({ path }) => path);
  const notebooks = others.filter((path) => path.endsWith(".ipynb"));
  const inputs = withoutInputs ? [] : pinned;
  for (const path of [...notebooks, ...inputs, ...matchFiles(others, include)]) {
    files.set(path, join(folder, path));
  }
  if (!withoutData) {
    for (const path of storeFiles(join(folder, "store"), lock)) {
      files.set(`store/${path}`, join(folder, "store", path));
    }
  }
  assertOwnFolders(folder, [...files.keys()]);
  const pins = await findPins(folder);
  for (const [name, path] of pins.files) files.set(name, path);
  const found = new Map([[LOCK_FILE, madeFile(text)], ...await readAll(files, { lock, options })]);
  for (const [path, file] of pins.made) found.set(path, file);
  const leftOut = [...pinned, ...others].filter((path) => !found.has(path) && !MADE.has(path));
  return { files: found, leftOut: [...new Set(leftOut)], notes: pins.notes };
}

// A linked folder leads out of the study like a linked file.
function assertOwnFolders(folder: string, paths: readonly string[]): void {
  const folders = paths.flatMap((path) =>
    path.split("/").slice(0, -1).map((_, i, parts) => parts.slice(0, i + 1).join("/"))
  );
  for (const path of new Set(folders)) {
    if (kindOf(join(folder, path)) !== "a link") continue;
    throw new IntegrityError(
      `Cannot export ${path}: expected a folder of the study, got a link; put the folder itself there`,
    );
  }
}

async function readAll(
  files: ReadonlyMap<string, string>,
  { lock, options: { clearOutputs: isCleared = false, onRead } }: {
    readonly lock: StudyLock;
    readonly options: StudyFilesOptions;
  },
): Promise<StudyFiles> {
  const found = new Map<string, StudyFile>();
  const hashes = new Map(lock.inputs.map(({ path, sha256 }) => [path, sha256]));
  const room = { bytes: MOST_KEPT_BYTES };
  for (const path of [...files.keys()].sort()) {
    const change = isCleared && path.endsWith(".ipynb") && !hashes.has(path)
      ? (bytes: Uint8Array) => clearOutputs(path, bytes)
      : null;
    const file = await readStudyFile(files.get(path)!, { path, room, ...change && { change } });
    assertPinned(path, file.sha256, hashes.get(path));
    found.set(path, file);
    onRead?.(found.size, files.size);
    if (found.size % TURN_FILES === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return found;
}

// Configuration of a notebook's imports, in a form that works elsewhere.
async function findPins(folder: string) {
  const files = new Map<string, string>();
  const made = new Map<string, StudyFile>();
  const notes: string[] = [];
  for (const name of PINS) {
    const path = await findUpwards(folder, name);
    if (path === null) continue;
    if (name.endsWith(".lock")) {
      files.set(name, path);
      continue;
    }
    const { text, archive, note } = await portablePin(path, name);
    assertShareable(name, text);
    made.set(name, madeFile(text));
    if (archive !== null) files.set(PACKED_LIBRARY, archive);
    if (note !== null) notes.push(note);
  }
  return { files, made, notes };
}

function assertPinned(path: string, sha256: string, pinned: string | undefined): void {
  if (pinned === undefined || pinned === sha256) return;
  throw new IntegrityError(
    `Cannot export ${path}: expected the input as it is pinned, SHA-256 ` +
      `${pinned.slice(0, 16)}…, got ${sha256.slice(0, 16)}…; restore the pinned file, or pin ` +
      `this one with study.input("${path}", { repin: true })`,
  );
}

async function findUpwards(folder: string, name: string): Promise<string | null> {
  for (let place = folder;; place = dirname(place)) {
    const path = join(place, name);
    if (await isFile(path)) return path;
    // The search ends at the root of a git repository.
    const isRoot = await stat(join(place, ".git")).then(() => true, () => false);
    if (isRoot || dirname(place) === place) return null;
  }
}

function storeFiles(store: string, lock: StudyLock): readonly string[] {
  const sets = new Set(
    lock.sets.flatMap(({ factor, snapshotId }) =>
      LAYOUT.eitherSet(factor, snapshotId).map(toSlashes)
    ),
  );
  const releases = lock.releases.map(({ factor, downloadSha256 }) =>
    toSlashes(LAYOUT.release(factor, downloadSha256))
  );
  const isWanted = (name: string) =>
    name === LAYOUT.info || sets.has(name) || /^\w+\/(checks|views)\/[^.][^/]*$/.test(name) ||
    releases.some((release) => name.startsWith(`${release}/`));
  return listFiles(store).filter((name) => isWanted(name) && !DERIVED.test(name));
}

function toSlashes(path: string): string {
  return path.replaceAll(sep, "/");
}
