import { writeFullySync } from "./files.ts";
import { closeSync, fstatSync, fsyncSync, openSync, readSync } from "node:fs";

const TAIL_BYTES = 65_536;

/**
 * Appends a line to a file while no other process appends to it, and returns when it is on the disk.
 *
 * The system releases the lock when the process ends, for whatever reason. Where files cannot be locked, as on some network
 * shares, the line is appended anyway: one write to a file that is opened for appending is whole.
 *
 * @param lineAfter Makes the line from the last lines of the file, which end with its last one; the first may be cut off
 * @throws {StorageError} If the disk is full
 */
export function appendLine(path: string, lineAfter: (last: readonly string[]) => string): void {
  using lock = Deno.openSync(path, { create: true, write: true });
  try {
    lock.lockSync(true);
  } catch {
    // No locks here.
  }
  const file = openSync(path, "a+");
  try {
    const tail = readTail(file);
    // A line that was cut off must not swallow this one.
    const start = tail === "" || tail.endsWith("\n") ? "" : "\n";
    const line = lineAfter(tail.split("\n").filter((text) => text !== ""));
    writeFullySync(file, { path, bytes: new TextEncoder().encode(`${start}${line}\n`) });
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function readTail(file: number): string {
  const { size } = fstatSync(file);
  const bytes = new Uint8Array(Math.min(size, TAIL_BYTES));
  readSync(file, bytes, 0, bytes.length, size - bytes.length);
  return new TextDecoder().decode(bytes);
}
