import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../base/store/layout.ts";
import { type ExportMark, readExportMark } from "../../base/runtime/export_mark.ts";
import { LOCK_FILE, type StudyLock } from "../lock/lock.ts";
import { readLockFile } from "../lock/lock_file.ts";
import { joined, readNotebook } from "../run/notebook_file.ts";
import { type CodeCall, codeCalls } from "../../client/uses/code_calls.ts";
import { isKnownName } from "../../client/uses/reach.ts";

/** A file of a study or beside studies, as the disk lists it. */
export interface ListedFile {
  /** Path, relative to the folder. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
  /** Time of its last change. */
  readonly mtimeMs: number;
}

/** An exported file with its mark. */
export interface MarkedExport {
  /** Path, relative to the folder in which it was found. */
  readonly path: string;
  /** Its mark. */
  readonly mark: ExportMark;
}

/** Facts on which a study stands, as its files say. */
export interface StudyFacts {
  /** Why its lock is not readable; `null` if it is. */
  readonly trouble: string | null;
  /** SHA-256 of its lock. */
  readonly seal: string | null;
  /** Sets, releases, inputs and versions of its lock. */
  readonly lock:
    | Pick<StudyLock, "asOf" | "environment" | "inputs"> & {
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
  /** Exported files with a mark. */
  readonly exports: readonly MarkedExport[];
  /** Hashes of locks that a report of `study verify` found sound, with the date of the report. */
  readonly verified: Readonly<Record<string, string>>;
}

/** Files of code that are read for calls of this library. */
const CODE = /\.(?:ipynb|[mc]?[jt]sx?)$/;
const EXPORT = /\.(?:html?|svg|png|pdf|json)$/;
const TRIALS = /(?:^|\/)trial_log\.jsonl$/;
/** Files that tell something about a study. */
export const TELLS: RegExp = new RegExp(`${CODE.source}|${EXPORT.source}|${TRIALS.source}`);
// Marks stand at the beginning or at the end of a file.
const MARK_BYTES = 65_536;

/** Reads the facts of a study; without a lock among its files, only exports. */
export async function readStudyFacts(
  folder: string,
  files: readonly ListedFile[],
): Promise<StudyFacts> {
  const hasLock = files.some(({ path }) => path === LOCK_FILE);
  const read = hasLock ? await readLock(folder) : { trouble: null, lock: null, seal: null };
  const code = files.filter(({ path }) => CODE.test(path)).map(({ path }) =>
    readCode(folder, path)
  );
  const others = files.filter(({ path }) => EXPORT.test(path) && path !== LOCK_FILE);
  const told = others.map((file) => ({ ...file, text: endsOf(join(folder, file.path)) }));
  const calls = [...code.flatMap((one) => one.calls), ...testCalls(read.lock)]
    .filter(({ name }) => isKnownName(name));
  return {
    ...read,
    lock: read.lock === null ? null : shortLock(read.lock),
    trials: files.filter(({ path }) => TRIALS.test(path))
      .reduce((sum, { path }) => sum + linesOf(join(folder, path)), 0),
    notebooks: files.filter(({ path }) => path.endsWith(".ipynb")).length,
    calls: [...new Set(calls.map((call) => JSON.stringify(call)))].map((text) => JSON.parse(text)),
    unread: code.flatMap((one) => one.unread),
    exports: told.flatMap(({ path, text }) => {
      const mark = readExportMark(text);
      return mark === null ? [] : [{ path, mark }];
    }),
    verified: Object.fromEntries(told.flatMap(({ path, text, mtimeMs }) => {
      const seal = text.startsWith("{") ? soundSeal(join(folder, path), text) : null;
      return seal === null ? [] : [[seal, new Date(mtimeMs).toISOString().slice(0, 10)]];
    })),
  };
}

async function readLock(folder: string) {
  try {
    const { lock, text, broken } = (await readLockFile(folder))!;
    const trouble = broken.length === 0 ? null : "the lock was edited by hand or merged";
    return { trouble, lock, seal: sha256Hex(text) };
  } catch (error) {
    return { trouble: (error as Error).message, lock: null, seal: null };
  }
}

function shortLock({ asOf, environment, inputs, sets, releases }: StudyLock) {
  return {
    asOf,
    environment,
    inputs,
    sets: sets.map(({ snapshotId }) => snapshotId),
    releases: releases.map(({ downloadSha256 }) => downloadSha256),
  };
}

// A look computes its numbers itself.
function testCalls(lock: StudyLock | null): readonly CodeCall[] {
  const isRun = lock?.registered.some(({ kind }) => kind === "result") === true;
  return isRun ? [{ name: ".openHoldOut", options: {} }] : [];
}

function readCode(folder: string, path: string) {
  try {
    const text = readFileSync(join(folder, path), "utf8");
    const pieces = path.endsWith(".ipynb") ? cellsOf(path, text) : [text];
    const { calls, unread } = codeCalls(pieces);
    const isNotebook = path.endsWith(".ipynb");
    return { calls, unread: unread.map((i) => isNotebook ? `${path}, code cell ${i}` : path) };
  } catch {
    return { calls: [], unread: [path] };
  }
}

function cellsOf(path: string, text: string): readonly string[] {
  const { cells, metadata } = readNotebook(`read ${path}`, text);
  const language = metadata?.language_info?.name ?? metadata?.kernelspec?.language ?? "typescript";
  if (!/^(?:type|java)script$/i.test(language)) return [];
  return cells.filter(({ cell_type: kind }) => kind === "code").map(({ source }) => joined(source));
}

function endsOf(path: string): string {
  try {
    const file = openSync(path, "r");
    const buffer = new Uint8Array(MARK_BYTES);
    const decode = (bytes: number) => new TextDecoder("latin1").decode(buffer.subarray(0, bytes));
    const { size } = fstatSync(file);
    const first = decode(readSync(file, buffer, 0, MARK_BYTES, 0));
    const from = Math.max(MARK_BYTES, size - MARK_BYTES);
    const last = from < size ? decode(readSync(file, buffer, 0, MARK_BYTES, from)) : "";
    closeSync(file);
    return first + last;
  } catch {
    return "";
  }
}

function linesOf(path: string): number {
  try {
    return readFileSync(path, "utf8").split("\n").filter((line) => line !== "").length;
  } catch {
    return 0;
  }
}

/** The hash of the lock that a report of `study verify` found sound. */
function soundSeal(path: string, start: string): string | null {
  const [, seal] = /^\{\s*"lock_sha256": "([0-9a-f]{64})"/.exec(start) ?? [];
  if (seal === undefined) return null;
  try {
    const { problems } = JSON.parse(readFileSync(path, "utf8"));
    return Array.isArray(problems) && problems.length === 0 ? seal : null;
  } catch {
    return null;
  }
}
