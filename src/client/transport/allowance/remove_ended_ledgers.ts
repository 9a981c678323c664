import { rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type AccountState, BUDGET_KINDS, localResetMs, UNKNOWN_ACCOUNT } from "./account_state.ts";
import { withLedgersLocked } from "./ledger.ts";

/** Ledgers to check, and the time. */
export interface EndedLedgersOptions {
  /** Tests if a file of the folder may be removed, by its name. */
  readonly isRemovable: (name: string) => boolean;
  /** Time of this machine, epoch milliseconds. */
  readonly nowMs: number;
}

/**
 * Removes the ledgers of a folder that are no longer needed: their budgets are renewed, and no request waits or is in flight. A
 * ledger that another connection has open stays, and so does one that cannot be read.
 */
export async function removeEndedLedgers(
  folder: string,
  { isRemovable, nowMs }: EndedLedgersOptions,
): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((entry) => entry.endsWith(".sqlite") && isRemovable(entry))) {
    const path = join(folder, name);
    try {
      withLedgersLocked(folder, () => removeEnded(path, nowMs));
    } catch {
      // A folder that cannot be written is left as it is.
    }
  }
}

function removeEnded(path: string, nowMs: number): void {
  if (!hasEnded(path, nowMs)) return;
  for (const part of ["", "-wal", "-shm"]) rmSync(path + part, { force: true });
}

function hasEnded(path: string, nowMs: number): boolean {
  try {
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      return protectsNothing(readState(database), nowMs) && isAlone(database);
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

function readState(database: DatabaseSync): AccountState {
  const row = database.prepare("SELECT state FROM account WHERE id = 1").get();
  return row === undefined ? UNKNOWN_ACCOUNT : JSON.parse(String(row["state"]));
}

function protectsNothing(state: AccountState, nowMs: number): boolean {
  return state.flights.every((lease) => lease.leaseUntilMs <= nowMs) &&
    state.holds.every((hold) => hold.untilMs <= nowMs) &&
    BUDGET_KINDS.every((kind) => {
      const window = state.windows[kind];
      return window === undefined || window.remaining >= window.limit ||
        localResetMs(state, window) <= nowMs;
    });
}

// SQLite leaves WAL mode only if no other connection has the file open.
function isAlone(database: DatabaseSync): boolean {
  return database.prepare("PRAGMA journal_mode = DELETE").get()?.["journal_mode"] === "delete";
}
