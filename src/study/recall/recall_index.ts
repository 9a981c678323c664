import { mkdir } from "node:fs/promises";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { PACKAGE_VERSION } from "../../base/contract/limits.ts";
import { LOCK_FILE } from "../lock/lock.ts";
import { type ListedFile, readStudyFacts, type StudyFacts, TELLS } from "./study_facts.ts";

/** A folder with what it tells. */
export interface FoundStudy extends StudyFacts {
  /** Its path. */
  readonly folder: string;
}

interface Kept {
  /** Names, sizes and times of the files that were read. */
  readonly stamp: string;
  /** Their content. */
  readonly facts: StudyFacts;
}

/** The studies below a folder, and how many of them were read anew. */
export interface IndexedStudies {
  /** The studies, sorted by path. */
  readonly studies: readonly FoundStudy[];
  /** Marked exports beside studies. */
  readonly exports: StudyFacts["exports"];
  /** Number of folders that were read; the index told the others. */
  readonly read: number;
}

const SKIPPED = /^(?:\.|node_modules$)/;

/**
 * Finds the studies below a folder and what each stands on. A study is read again when the time or size of one of its files has
 * changed; else a file in the cache tells. Without it everything is read, and nothing is lost.
 *
 * @param root The folder
 * @param path The file
 */
export async function indexStudies(root: string, path: string): Promise<IndexedStudies> {
  const found = new Map<string, ListedFile[]>([[root, []]]);
  listFolder(root, root, found);
  const known = readIndex(path);
  const kept = new Map<string, Kept>();
  let read = 0;
  for (const [folder, files] of found) {
    const stamp = files.map(({ path, size, mtimeMs }) => `${path} ${size} ${mtimeMs}`).join("\n");
    const before = known.get(folder);
    const isSame = before?.stamp === stamp;
    kept.set(folder, isSame ? before : { stamp, facts: await readStudyFacts(folder, files) });
    if (!isSame) read++;
  }
  const isWithin = (folder: string) => folder === root || folder.startsWith(root + sep);
  const gone = [...known.keys()].some((folder) => isWithin(folder) && !found.has(folder));
  if (read > 0 || gone) {
    const others = [...known].filter(([folder]) => !isWithin(folder));
    await writeIndex(path, [...others, ...kept]);
  }
  const hasLock = (folder: string) => found.get(folder)!.some(({ path }) => path === LOCK_FILE);
  const studies = [...kept].filter(([folder]) => hasLock(folder))
    .map(([folder, { facts }]) => ({ folder, ...facts }));
  const exports = hasLock(root) ? [] : kept.get(root)!.facts.exports;
  return { studies: studies.toSorted((a, b) => a.folder < b.folder ? -1 : 1), exports, read };
}

// Synchronous: a thread for each of thousands of small answers takes longer than they do.
function listFolder(folder: string, study: string, found: Map<string, ListedFile[]>): void {
  const entries = entriesOf(folder);
  const names = entries.map(({ name }) => name);
  if (names.includes("store.json")) return;
  const own = names.includes(LOCK_FILE) ? folder : study;
  if (!found.has(own)) found.set(own, []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== LOCK_FILE) {
      if (!SKIPPED.test(entry.name)) listFolder(path, own, found);
    } else if (TELLS.test(entry.name)) {
      const stats = statSync(path, { throwIfNoEntry: false });
      const { size = 0, mtimeMs = 0 } = stats ?? {};
      found.get(own)!.push({ path: relative(own, path), size, mtimeMs });
    }
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function readIndex(path: string): ReadonlyMap<string, Kept> {
  try {
    const { version, kept } = JSON.parse(readFileSync(path, "utf8"));
    return new Map(version === PACKAGE_VERSION ? kept : []);
  } catch {
    return new Map();
  }
}

// A full disk costs time at the next question, not this answer.
async function writeIndex(path: string, kept: readonly (readonly [string, Kept])[]): Promise<void> {
  const text = JSON.stringify({ version: PACKAGE_VERSION, kept });
  await mkdir(dirname(path), { recursive: true }).then(() => writeWhole(path, text)).catch(
    () => {},
  );
}
