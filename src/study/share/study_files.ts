import { stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { hashFile } from "../../base/disk/hash_file.ts";
import { isFile, kindOf, readTextFile } from "../../base/disk/files.ts";
import { describe } from "../../base/contract/violation.ts";
import { IntegrityError, ScoreframeError } from "../../base/errors.ts";
import { LAYOUT } from "../../base/store/layout.ts";
import { LOCK_FILE, type StudyLock } from "../lock/lock.ts";
import type { ReadLock } from "../lock/lock_text.ts";
import { MANIFEST, SIGNATURE } from "./manifest.ts";
import { assertShareable, madeFile, readStudyFile, type StudyFile } from "./study_file.ts";
import { clearOutputs } from "../run/notebook_file.ts";

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
  /**
   * Takes configuration of the project from folders above that of the study.
   *
   * @default false
   */
  readonly outside?: boolean;
  /**
   * SHA-256 of the packed library that the configuration names, which is then exported.
   *
   * @default null
   */
  readonly library?: string | null;
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
  /** Configuration and packed library outside of the folder. */
  readonly outside: readonly OutsideFile[];
}

/** A file outside of the folder of a study. */
export interface OutsideFile {
  /** Its path in the archive. */
  readonly path: string;
  /** Its path on this machine. */
  readonly from: string;
  /** `true` if it is exported. */
  readonly isTaken: boolean;
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
  "ro-crate-metadata.json",
  MANIFEST,
  `${LOCK_FILE}${SIGNATURE}`,
  `${MANIFEST}${SIGNATURE}`,
]);
// Derived from the originals, and larger.
const DERIVED = /(^|\/)history\.parquet(\.json)?$/;

/** Name of the packed library in an archive. */
const PACKED_LIBRARY = "scoreframe.tgz";

const GLOB: Readonly<Record<string, string>> = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*" };

const ENTRY = /("(?:@\w+\/)?scoreframe"\s*:\s*")([^"]+)(")/;

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
  const pins = await findPins(folder, options);
  for (const [name, path] of pins.files) files.set(name, path);
  const found = new Map([[LOCK_FILE, madeFile(text)], ...await readAll(files, lock, options)]);
  for (const [path, file] of pins.made) found.set(path, file);
  const leftOut = [...pinned, ...others].filter((path) => !found.has(path) && !MADE.has(path));
  const links = listFiles(folder, "store", true).map((path) => `${path} (a link)`);
  return {
    files: found,
    leftOut: [...new Set([...leftOut, ...links])],
    notes: pins.notes,
    outside: pins.outside,
  };
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
  lock: StudyLock,
  { clearOutputs: isCleared = false, onRead }: StudyFilesOptions,
): Promise<StudyFiles> {
  const found = new Map<string, StudyFile>();
  const hashes = new Map(lock.inputs.map(({ path, sha256 }) => [path, sha256]));
  const room = { bytes: MOST_KEPT_BYTES };
  for (const path of [...files.keys()].sort()) {
    const change = isCleared && path.endsWith(".ipynb") && !hashes.has(path)
      ? (bytes: Uint8Array) => clearOutputs(`export ${path}`, bytes)
      : null;
    const file = await readStudyFile(files.get(path)!, { path, room, ...change && { change } });
    const pinned = hashes.get(path) ?? file.sha256;
    if (pinned !== file.sha256) {
      throw new IntegrityError(
        `Cannot export ${path}: expected the input as it is pinned, SHA-256 ` +
          `${pinned.slice(0, 16)}…, got ${file.sha256.slice(0, 16)}…; restore the pinned file, ` +
          `or pin this one with study.input("${path}", { repin: true })`,
      );
    }
    found.set(path, file);
    onRead?.(found.size, files.size);
    if (found.size % TURN_FILES === 0) await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return found;
}

// Configuration of a notebook's imports, in a form that works elsewhere.
async function findPins(folder: string, { outside = false, library = null }: StudyFilesOptions) {
  const files = new Map<string, string>();
  const made = new Map<string, StudyFile>();
  const notes: string[] = [];
  const beyond: OutsideFile[] = [];
  const isTaken = (path: string, from: string, isMeant: boolean) => {
    const isInside = dirname(from) === resolve(folder);
    if (!isInside) beyond.push({ path, from, isTaken: isMeant });
    return isInside || isMeant;
  };
  for (const name of PINS) {
    const path = await findUpwards(resolve(folder), name);
    if (path === null || !isTaken(name, path, outside)) continue;
    if (name.endsWith(".lock")) {
      files.set(name, path);
      continue;
    }
    const { text, archive, note } = await portablePin(path, folder, library);
    assertShareable(name, text);
    if (archive !== null && isTaken(PACKED_LIBRARY, archive, true)) {
      files.set(PACKED_LIBRARY, archive);
    }
    made.set(name, madeFile(text));
    if (note !== null) notes.push(note);
  }
  if (library === null || files.has(PACKED_LIBRARY)) {
    return { files, made, notes, outside: beyond };
  }
  throw new ScoreframeError(
    `Cannot export with the packed library: expected a file with the SHA-256 ${
      describe(library)
    } that deno.json or ` +
      "package.json name, got none; check the hash with sha256sum",
  );
}

/** A `deno.json` or `package.json` whose entry for this library is no path of this machine, if it is packed and known. */
async function portablePin(path: string, folder: string, library: string | null) {
  const text = await readTextFile(path) ?? "";
  const target = ENTRY.exec(text)?.[2] ?? "";
  const place = placeOf(target, dirname(path));
  if (place === null) return { text, archive: null, note: null };
  // Whatever the configuration calls the library may be any file of the machine: only its hash tells.
  const isOwn = place === join(resolve(folder), PACKED_LIBRARY) && kindOf(place) === "a file";
  const sha256 = library === null ? null : (await hashFile(place).catch(() => null))?.sha256;
  if (isOwn || library !== null && sha256 === library) {
    const moved = text.replace(ENTRY, `$1file:./${PACKED_LIBRARY}$3`);
    return { text: moved, archive: place, note: null };
  }
  const note = `${basename(path)} imports scoreframe from ${target}, a path of this machine; ` +
    "on others, verify --run uses the copy of scoreframe that runs it; --library SHA256 adds a packed one";
  return { text, archive: null, note };
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
    lock.sets.flatMap(({ factor, snapshotId }) => LAYOUT.eitherSet(factor, snapshotId))
      .map(toSlashes),
  );
  const releases = lock.releases.map(({ factor, downloadSha256 }) =>
    `${toSlashes(LAYOUT.release(factor, downloadSha256))}/`
  );
  return listFiles(store).filter((name) =>
    !DERIVED.test(name) &&
    (name === LAYOUT.info || sets.has(name) || /^\w+\/(checks|views)\/[^.][^/]*$/.test(name) ||
      releases.some((release) => name.startsWith(release)))
  );
}

function toSlashes(path: string): string {
  return path.replaceAll(sep, "/");
}

/**
 * Finds files that match patterns: a path, a folder with its contents, `*` for part of a name and `**` for any path.
 *
 * @throws {ScoreframeError} If a pattern matches no file
 */
function matchFiles(files: readonly string[], patterns: readonly string[]) {
  const matched = new Set<string>();
  for (const pattern of patterns) {
    const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
    const form = formOf(plain);
    const found = files.filter((file) => form.test(file) || file.startsWith(`${plain}/`));
    if (found.length === 0) {
      throw new ScoreframeError(
        `Cannot include ${JSON.stringify(pattern.slice(0, 100))}: expected a file in the folder ` +
          "of the study, got none; paths are relative to it, such as data/sectors.csv or " +
          `"scripts/*.py"`,
      );
    }
    for (const file of found) matched.add(file);
  }
  return [...matched].sort();
}

function formOf(pattern: string): RegExp {
  const form = pattern.split(/(\*\*\/|\*\*|\*)/).map((part) =>
    GLOB[part] ?? part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
  );
  return new RegExp(`^${form.join("")}$`);
}

function placeOf(target: string, folder: string): string | null {
  if (target.startsWith("file://")) return URL.canParse(target) ? new URL(target).pathname : null;
  if (target.startsWith("file:")) return resolve(folder, target.slice("file:".length));
  return target.startsWith(".") || isAbsolute(target) ? resolve(folder, target) : null;
}

/**
 * Sorted paths, with slashes, of the files below a folder. Links, which may lead out of it, are left out, as are hidden files
 * and installed packages.
 *
 * @param without Path of a folder that is left out
 * @param isLinks Lists the links instead
 */
export function listFiles(folder: string, without?: string, isLinks = false): readonly string[] {
  const found: string[] = [];
  const waiting = [""];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    // A quarter of the time of Node's, which makes an object with methods for each entry.
    for (const entry of Deno.readDirSync(join(folder, at))) {
      const { name } = entry;
      const path = `${at}${name}`;
      if (name.startsWith(".")) continue;
      if (entry.isDirectory) {
        if (name !== "node_modules" && name !== "__pycache__" && path !== without) {
          waiting.push(`${path}/`);
        }
      } else if (isLinks ? entry.isSymlink : entry.isFile) {
        found.push(path);
      }
    }
  }
  return found.sort();
}
