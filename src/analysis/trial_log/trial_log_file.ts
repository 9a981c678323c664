import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** Name of the trial log in its folder. */
const TRIAL_LOG_FILE = "trial_log.jsonl";

import { describe } from "../../base/contract/violation.ts";
import { StorageError } from "../../base/errors.ts";

/** A file of lines that is only ever added to, by several writers at once. */
export interface TrialLogFile {
  /** All lines, oldest first, those of other writers too. */
  read(): readonly string[];
  /** Adds a line, and returns when it is on the disk. */
  append(line: string): void;
}

/** The trial log's file in a folder, which is made if it does not exist. */
export function openTrialLogFile(folder: string): TrialLogFile {
  makeFolder(folder);
  const path = join(folder, TRIAL_LOG_FILE);
  return {
    read: () => readLines(path),
    append: (line) => appendLine(path, line),
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code = "an error" } = error as { code?: string };
    throw new StorageError(
      `Cannot open a trial log: expected a folder that can be written at ${describe(folder)}, ` +
        `got ${code}; choose another folder`,
    );
  }
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function appendLine(path: string, line: string): void {
  const file = openSync(path, "a+");
  try {
    // A line that was cut off must not swallow this one. One write to a file that is opened for appending is whole.
    const bytes = new TextEncoder().encode(`${endsInLine(file) ? "" : "\n"}${line}\n`);
    const written = writeSync(file, bytes);
    if (written < bytes.length) {
      throw new Error(
        `Cannot enter a test in "${path}": expected ${bytes.length} bytes to be written, got ${written}; ` +
          "make room on the disk",
      );
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function endsInLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = new Uint8Array(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === 0x0A;
}
