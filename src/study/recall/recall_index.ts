import { Buffer } from "node:buffer";
import { mkdir } from "node:fs/promises";
import { closeSync, type Dirent, openSync, readdirSync, readFileSync } from "node:fs";
import { readSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { PACKAGE_VERSION } from "../../base/contract/limits.ts";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { type ExportMark, readExportMark } from "../../base/runtime/export_mark.ts";
import { sha256Hex } from "../../base/store/layout.ts";
import { type CodeCall, codeCalls } from "../../client/uses/code_calls.ts";
import { isKnownName } from "../../client/uses/reach.ts";
import { LOCK_FILE, type StudyLock } from "../lock/lock.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { joined, readNotebook } from "../run/notebook_file.ts";

/** A folder of a study with what its files tell; without a lock, only exports. */
export interface FoundStudy {
  /** Its path. */
  readonly folder: string;
  /** Why its lock is not readable; `null` if it is. */
  readonly trouble: string | null;
  /** SHA-256 of its lock. */
  readonly seal: string | null;
  /** Sets, releases, inputs and versions of its lock. */
  readonly lock:
    | Pick<StudyLock, "environment" | "inputs"> & {
      readonly sets: readonly string[];
      readonly releases: readonly string[];
    }
    | null;
  /** Number of its notebooks. */
  readonly notebooks: number;
  /** Number of trials in its trial logs. */
  readonly trials: number;
  /** Calls of this library in its code, and of its registered tests that have a result. */
  readonly calls: readonly CodeCall[];
  /** Code that is not readable. */
  readonly unread: readonly string[];
  /** Exported files with a mark, by their paths in the folder. */
  readonly exports: readonly { readonly path: string; readonly mark: ExportMark }[];
  /** Hashes of locks that a report of `study verify` found sound, with the date of the report. */
  readonly verified: readonly (readonly [seal: string, date: string])[];
}

/** The studies below a folder, and how many of them were read anew. */
export interface IndexedStudies {
  /** The studies, sorted by path. */
  readonly studies: readonly FoundStudy[];
  /** Marked exports beside studies. */
  readonly exports: FoundStudy["exports"];
  /** Number of folders that were read; the index told the others. */
  readonly read: number;
}

interface ListedFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

// Names, sizes and times of the files of a folder, and what they tell.
type Kept = readonly [stamp: string, facts: FoundStudy];

const SKIPPED = /^(?:\.|node_modules$)/;
const CODE = /\.(?:ipynb|[mc]?[jt]sx?)$/;
const EXPORT = /\.(?:html?|svg|png|pdf|json)$/;
const TRIALS = /(?:^|\/)trial_log\.jsonl$/;
const TELLS = new RegExp(`${CODE.source}|${EXPORT.source}|${TRIALS.source}`);
// Marks stand at the beginning or at the end of a file.
const MARK_BYTES = 65_536;

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
  const { version, kept: told = [] } = tried(() => JSON.parse(readFileSync(path, "utf8")), {});
  const known = new Map<string, Kept>(version === PACKAGE_VERSION ? told : []);
  const kept = new Map<string, Kept>();
  let read = 0;
  for (const [folder, files] of found) {
    const stamp = files.map(({ path, size, mtimeMs }) => `${path} ${size} ${mtimeMs}`).join("\n");
    const before = known.get(folder);
    const isSame = before?.[0] === stamp;
    kept.set(folder, isSame ? before : [stamp, await readFacts(folder, files)]);
    if (!isSame) read++;
  }
  const isWithin = (folder: string) => folder === root || folder.startsWith(root + sep);
  const others = [...known].filter(([folder]) => !isWithin(folder));
  if (read > 0 || others.length + kept.size < known.size) {
    const text = JSON.stringify({ version: PACKAGE_VERSION, kept: [...others, ...kept] });
    // A full disk costs time at the next question, not this answer.
    await mkdir(dirname(path), { recursive: true }).then(() => writeWhole(path, text))
      .catch(() => {});
  }
  const facts = [...kept.values()].map(([, facts]) => facts);
  const studies = facts.filter(({ trouble, lock }) => trouble !== null || lock !== null);
  const { exports } = kept.get(root)![1];
  return {
    studies: studies.toSorted((a, b) => a.folder < b.folder ? -1 : 1),
    exports: studies.some(({ folder }) => folder === root) ? [] : exports,
    read,
  };
}

// Synchronous: a thread for each of thousands of small answers takes longer than they do.
function listFolder(folder: string, study: string, found: Map<string, ListedFile[]>): void {
  const entries = tried<Dirent[]>(() => readdirSync(folder, { withFileTypes: true }), []);
  const names = entries.map(({ name }) => name);
  if (names.includes("store.json")) return;
  const own = names.includes(LOCK_FILE) ? folder : study;
  if (!found.has(own)) found.set(own, []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== LOCK_FILE) {
      if (!SKIPPED.test(entry.name)) listFolder(path, own, found);
    } else if (TELLS.test(entry.name)) {
      const { size = 0, mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      found.get(own)!.push({ path: relative(own, path), size, mtimeMs });
    }
  }
}

async function readFacts(folder: string, files: readonly ListedFile[]): Promise<FoundStudy> {
  const hasLock = files.some(({ path }) => path === LOCK_FILE);
  const { calls: tests, ...lock } = hasLock ? await readLock(folder) : NO_LOCK;
  const of = (kind: RegExp) => files.filter(({ path }) => kind.test(path) && path !== LOCK_FILE);
  const code = of(CODE).map(({ path }) => readCode(folder, path));
  const told = of(EXPORT).map((file) => ({ ...file, text: endsOf(join(folder, file.path), file) }));
  const calls = [...code.flatMap((one) => one.calls), ...tests]
    .filter(({ name }) => isKnownName(name));
  const trials = of(TRIALS).flatMap(({ path }) =>
    tried(() => readFileSync(join(folder, path), "utf8"), "").split("\n").filter((it) => it !== "")
  );
  return {
    folder,
    ...lock,
    notebooks: of(/\.ipynb$/).length,
    trials: trials.length,
    calls: [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()],
    unread: code.flatMap((one) => one.unread),
    exports: told.flatMap(({ path, text }) => {
      const mark = readExportMark(text);
      return mark === null ? [] : [{ path, mark }];
    }),
    verified: told.flatMap(({ path, text, mtimeMs }) => {
      const seal = soundSeal(join(folder, path), text);
      return seal === null ? [] : [[seal, new Date(mtimeMs).toISOString().slice(0, 10)] as const];
    }),
  };
}

const NO_LOCK = { trouble: null, seal: null, lock: null, calls: [] };

async function readLock(folder: string) {
  try {
    const { lock, text, broken } = (await readLockFile(folder))!;
    const { environment, inputs, sets, releases, registered } = lock;
    // A look computes its numbers itself.
    const isRun = registered.some(({ kind }) => kind === "result");
    return {
      trouble: broken.length === 0 ? null : "the lock was edited by hand or merged",
      seal: sha256Hex(text),
      lock: {
        environment,
        inputs,
        sets: sets.map(({ snapshotId }) => snapshotId),
        releases: releases.map(({ downloadSha256 }) => downloadSha256),
      },
      calls: isRun ? [{ name: ".openHoldOut", options: {} }] : [],
    };
  } catch (error) {
    return { ...NO_LOCK, trouble: (error as Error).message };
  }
}

function readCode(folder: string, path: string) {
  return tried(() => {
    const text = readFileSync(join(folder, path), "utf8");
    const isNotebook = path.endsWith(".ipynb");
    const { calls, unread } = codeCalls(isNotebook ? cellsOf(path, text) : [text]);
    return { calls, unread: unread.map((i) => isNotebook ? `${path}, code cell ${i}` : path) };
  }, { calls: [], unread: [path] });
}

function cellsOf(path: string, text: string): readonly string[] {
  const { cells, metadata } = readNotebook(`read ${path}`, text);
  const language = metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? "typescript";
  if (!/^(?:type|java)script$/i.test(language)) return [];
  return cells.filter(({ cell_type: kind }) => kind === "code").map(({ source }) => joined(source));
}

function endsOf(path: string, { size }: ListedFile): string {
  return tried(() => {
    const bytes = Buffer.alloc(Math.min(size, 2 * MARK_BYTES));
    const [first, last] = [bytes.subarray(0, MARK_BYTES), bytes.subarray(MARK_BYTES)];
    const file = openSync(path, "r");
    readSync(file, first, 0, first.length, 0);
    readSync(file, last, 0, last.length, size - last.length);
    closeSync(file);
    return bytes.toString("latin1");
  }, "");
}

/** The hash of the lock that a report of `study verify` found sound. */
function soundSeal(path: string, start: string): string | null {
  const [, seal = null] = /^\{\s*"lock_sha256": "([0-9a-f]{64})"/.exec(start) ?? [];
  const isSound = () => JSON.parse(readFileSync(path, "utf8")).problems.length === 0;
  return seal !== null && tried(isSound, false) ? seal : null;
}

function tried<Result>(work: () => Result, otherwise: Result): Result {
  try {
    return work();
  } catch {
    return otherwise;
  }
}
