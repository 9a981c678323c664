import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

// Hidden, so that it is not listed as a ledger.
const LOCK = ".lock";

/**
 * Runs a step during which no other process opens or removes a ledger of the folder: a process that opened a ledger between its
 * check and its removal would use a file that the next one does not find.
 *
 * The system releases the lock when its process ends, for whatever reason. The step is synchronous: one that waited would block
 * another step of the same process forever.
 */
export function withLedgersLocked<Result>(folder: string, step: () => Result): Result {
  const lock = new DatabaseSync(join(folder, LOCK), { timeout: 10_000 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return step();
  } finally {
    lock.close();
  }
}
