import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

// Hidden, so that nobody who lists the ledgers takes it for one.
const LOCK = ".lock";

/**
 * Runs a step in which no other process opens or removes a ledger of the folder: between the look at a ledger and its
 * removal, a process that opened it would go on with a file that the next one does not find.
 *
 * The system frees the lock of a process that ends in any way. The step is no promise: one that waited would block
 * another of the same process, which could then never go on.
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
