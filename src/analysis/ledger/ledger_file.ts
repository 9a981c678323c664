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

/** Name of the ledger in its folder. */
export const LEDGER_FILE = "ledger.jsonl";

/** A file of lines that is only ever added to, by several writers at once. */
export interface LedgerFile {
  /** All lines, oldest first, those of other writers too. */
  read(): readonly string[];
  /** Adds a line, and returns when it is on the disk. */
  append(line: string): void;
}

/** The ledger's file in a folder, which is made if it does not exist. */
export function openLedgerFile(folder: string): LedgerFile {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, LEDGER_FILE);
  return {
    read: () => readLines(path),
    append: (line) => appendLine(path, line),
  };
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
        `Cannot enter a test in "${path}": ${bytes.length} bytes must be written, ${written} were; ` +
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
