import { rmSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Factor } from "../../../base/contract/factor.ts";
import type { Instant } from "../../../base/contract/instant.ts";
import { KEY_LIKE } from "../../../base/contract/key.ts";
import { ScoreframeError, StorageError, TransportError } from "../../../base/errors.ts";
import { missingPermission } from "../../../base/disk/missing_permission.ts";
import { type AccountState, BUDGET_KINDS, localResetMs, UNKNOWN_ACCOUNT } from "./account_state.ts";

// FULL: a commit survives a power loss, so spending is never forgotten. It waits for the disk, which is most of the cost of a
// ledger; NORMAL does not wait, and keeps the order of the commits.
const SETUP = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS account (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS validator (url TEXT PRIMARY KEY, content TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS unfinished (factor TEXT PRIMARY KEY, begun_at TEXT);
`;

const MAX_FOUND = 300;
// Hidden, so that it is not listed as a ledger.
const LOCK = ".lock";

/** Validator of the last good answer of a URL, and the stored check with its body. */
export interface StoredValidator {
  /** The `ETag`, to send back unchanged. */
  readonly etag: string;
  /** File name of the check in the store. */
  readonly check: string;
  /** The set that the check refers to. */
  readonly snapshotId: string;
}

/** Options of changing the ledger. */
export interface WriteOptions {
  /**
   * Flushes the change to the disk, so that it survives a power loss. Every change survives the end of its process and is
   * visible to others at once; one that is not durable is flushed with the next durable one.
   *
   * @default true
   */
  readonly durable?: boolean;
}

/** Spending and limits of one account, shared by every process that opens the same file. */
export interface Ledger {
  /** Replaces the state by the result of `change` in one transaction, and returns its result. */
  update<Result>(
    change: (state: AccountState) => { state: AccountState; result: Result },
    options?: WriteOptions,
  ): Result;
  /** Current state. */
  read(): AccountState;
  /** Validator of a URL. */
  readValidator(url: string): StoredValidator | null;
  /** Keeps the validator of a URL, unless it looks like a key. */
  writeValidator(url: string, validator: StoredValidator): void;
  /** Forgets the validator of a URL. */
  dropValidator(url: string): void;
  /** Start of a download of the factor's release that has not reached a store; `null` if there is none. */
  readUnfinished(factor: Factor): Instant | null;
  /** Records the start of a download, or with `null` its end. */
  writeUnfinished(factor: Factor, begunAt: Instant | null): void;
  /** Closes the file; later calls throw. */
  close(): void;
}

/** Opens a ledger in memory, for an embedded server. */
export function openMemoryLedger(): Ledger {
  let state: AccountState = UNKNOWN_ACCOUNT;
  const validators = new Map<string, StoredValidator>();
  const unfinished = new Map<Factor, Instant | null>();
  return guardLedger({
    update(change) {
      const changed = change(state);
      state = changed.state;
      return changed.result;
    },
    read: () => state,
    readValidator: (url) => validators.get(url) ?? null,
    writeValidator: (url, validator) => void validators.set(url, validator),
    dropValidator: (url) => void validators.delete(url),
    readUnfinished: (factor) => unfinished.get(factor) ?? null,
    writeUnfinished: (factor, begunAt) => void unfinished.set(factor, begunAt),
    close: () => {},
  });
}

/**
 * Opens the ledger of one account in a SQLite file, which is created if it does not exist.
 *
 * @throws {StorageError} If the file is damaged or cannot be written
 */
export async function openLedger(path: string): Promise<Ledger> {
  const database = await openDatabase(path);
  try {
    return guardLedger(ledgerOf(database), path);
  } catch (error) {
    database.close();
    throw unusable("open", path, error);
  }
}

function ledgerOf(database: DatabaseSync): Ledger {
  const readState = database.prepare("SELECT state FROM account WHERE id = 1");
  const writeState = database.prepare("INSERT OR REPLACE INTO account VALUES (1, ?)");
  const readEtag = database.prepare("SELECT content FROM validator WHERE url = ?");
  const writeEtag = database.prepare("INSERT OR REPLACE INTO validator VALUES (?, ?)");
  const dropEtag = database.prepare("DELETE FROM validator WHERE url = ?");
  const readBegun = database.prepare("SELECT begun_at FROM unfinished WHERE factor = ?");
  const writeBegun = database.prepare("INSERT OR REPLACE INTO unfinished VALUES (?, ?)");
  const read = () => stateOf(readState.get() as { readonly state: string } | undefined);
  const setDurable = durabilityOf(database);
  const write = (durable: boolean, statement: StatementSync, values: (string | null)[]): void => {
    setDurable(durable);
    statement.run(...values);
  };
  return {
    read,
    update(change, { durable = true } = {}) {
      setDurable(durable);
      return inTransaction(database, () => {
        const known = read();
        const { state, result } = change(known);
        if (state !== known) writeState.run(JSON.stringify(state));
        return result;
      });
    },
    readValidator(url) {
      const row = readEtag.get(url) as { content: string } | undefined;
      return row === undefined ? null : JSON.parse(row.content);
    },
    // A lost validator costs a full answer instead of a 304.
    writeValidator: (url, validator) => write(false, writeEtag, [url, JSON.stringify(validator)]),
    dropValidator: (url) => write(false, dropEtag, [url]),
    readUnfinished: (factor) =>
      (readBegun.get(factor) as { begun_at: Instant | null } | undefined)?.begun_at ?? null,
    writeUnfinished: (factor, begunAt) => write(true, writeBegun, [factor, begunAt]),
    close: () => database.close(),
  };
}

function stateOf(row: { readonly state: string } | undefined): AccountState {
  if (row === undefined) return UNKNOWN_ACCOUNT;
  const state: Partial<AccountState> | null = JSON.parse(row.state);
  const isState = typeof state?.windows === "object" && Array.isArray(state.flights) &&
    Array.isArray(state.holds);
  if (isState) return state as AccountState;
  throw new SyntaxError("a row that is not the state of an account");
}

// Sets if the next commits wait for the disk; repeating the current setting costs nothing.
function durabilityOf(database: DatabaseSync): (durable: boolean) => void {
  let isDurable = true;
  return (durable) => {
    if (durable === isDurable) return;
    database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    isDurable = durable;
  };
}

function inTransaction<Result>(database: DatabaseSync, run: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = run();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // A failed database may have ended the transaction itself.
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

async function openDatabase(path: string): Promise<DatabaseSync> {
  try {
    const folder = dirname(path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return withLedgersLocked(folder, () => {
      const database = new DatabaseSync(path, { timeout: 10_000 });
      database.exec(SETUP);
      return database;
    });
  } catch (error) {
    throw unusable("open", path, error);
  }
}

function isOfFile(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return String(code).startsWith("ERR_SQLITE") || error instanceof SyntaxError ||
    missingPermission(error) !== null;
}

// A later error of the file, such as a full disk, must not be reported as a network error.
function unusable(action: string, path: string, error: unknown): Error {
  if (error instanceof ScoreframeError) return error;
  const found = error instanceof Error ? error.message : String(error);
  const expected = missingPermission(error) ??
    `expected a SQLite file that can be written, got "${found.slice(0, MAX_FOUND)}"; ` +
      `${remedyOf(found, path)}`;
  return new StorageError(`Cannot ${action} the allowance ledger ${path}: ${expected}`);
}

function remedyOf(found: string, path: string): string {
  if (/full|ENOSPC|EDQUOT/.test(found)) return "make room on the disk";
  if (/unable to open|readonly|read-only|EROFS|EACCES|EPERM/.test(found)) {
    return `allow this user to write to ${dirname(path)}, or set XDG_CACHE_HOME or cacheDir to a ` +
      "folder that can be written";
  }
  return /malformed|not a database|JSON|a row that/.test(found)
    ? "remove the file: the service reports the remaining allowance again"
    : "check the disk; remove the file if it is damaged: the service reports the remaining allowance again";
}

// Adds advice after closing, allows closing twice, and refuses texts that look like a key.
function guardLedger(ledger: Ledger, path = "in memory"): Ledger {
  let isClosed = false;
  const use = <Result>(work: () => Result): Result => {
    if (isClosed) {
      throw new TransportError(
        "Cannot use the connection: expected an open one, got a closed one; connect() again",
      );
    }
    try {
      return work();
    } catch (error) {
      throw isOfFile(error) ? unusable("use", path, error) : error;
    }
  };
  const guarded = Object.entries(ledger).map(([name, method]) => [
    name,
    (...given: unknown[]) => use(() => method(...given)),
  ]);
  return {
    ...Object.fromEntries(guarded) as Ledger,
    writeValidator(url, validator) {
      const hasKey = KEY_LIKE.test(url) || KEY_LIKE.test(JSON.stringify(validator));
      if (!hasKey) use(() => ledger.writeValidator(url, validator));
    },
    close() {
      if (!isClosed) ledger.close();
      isClosed = true;
    },
  };
}

/**
 * Runs a step during which no other process opens or removes a ledger of the folder: a process that opened a ledger between its
 * check and its removal would use a file that the next one does not find.
 *
 * The system releases the lock when its process ends, for whatever reason. The step is synchronous: one that waited would block
 * another step of the same process forever.
 */
function withLedgersLocked<Result>(folder: string, step: () => Result): Result {
  const lock = new DatabaseSync(join(folder, LOCK), { timeout: 10_000 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return step();
  } finally {
    lock.close();
  }
}

/**
 * Removes the ledgers of a folder that are no longer needed: their budgets are renewed, and no request waits or is in flight. A
 * ledger that another connection has open stays, and so does one that cannot be read.
 *
 * @param isRemovable Tests if a file of the folder may be removed, by its name
 * @param nowMs Time of this machine, epoch milliseconds
 */
export async function removeEndedLedgers(
  folder: string,
  isRemovable: (name: string) => boolean,
  nowMs: number,
): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((entry) => entry.endsWith(".sqlite") && isRemovable(entry))) {
    const path = join(folder, name);
    try {
      withLedgersLocked(folder, () => {
        if (!hasEnded(path, nowMs)) return;
        for (const part of ["", "-wal", "-shm"]) rmSync(path + part, { force: true });
      });
    } catch {
      // A folder that cannot be written is left as it is.
    }
  }
}

function hasEnded(path: string, nowMs: number): boolean {
  try {
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      const row = database.prepare("SELECT state FROM account WHERE id = 1").get();
      const state: AccountState = row === undefined
        ? UNKNOWN_ACCOUNT
        : JSON.parse(String(row["state"]));
      // SQLite leaves WAL mode only if no other connection has the file open.
      return protectsNothing(state, nowMs) &&
        database.prepare("PRAGMA journal_mode = DELETE").get()?.["journal_mode"] === "delete";
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
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
