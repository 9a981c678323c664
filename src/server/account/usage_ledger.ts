import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { storageErrorOf } from "../../base/disk/on_disk.ts";
import { StorageError } from "../../base/errors.ts";
import { minuteOf, minutesOfDay } from "./utc_windows.ts";

/** Spending of an account in a UTC clock minute and on its UTC day. */
export interface Usage {
  /** Requests of the minute. */
  readonly minuteRequests: number;
  /** Requests of the day. */
  readonly dayRequests: number;
  /** Downloads of the day. */
  readonly dayDownloads: number;
}

/**
 * Spending of every account, kept across restarts (section 8, rule 3).
 *
 * One row per account and UTC minute; the day is their sum, so the two always agree. A row is committed before its request is
 * answered. SQLite's WAL with synchronous=NORMAL passes each commit to the operating system: `kill -9` loses nothing, and a
 * power failure may lose the last moments.
 */
export class UsageLedger {
  readonly #database: DatabaseSync;
  readonly #spend: StatementSync;
  readonly #minute: StatementSync;
  readonly #day: StatementSync;

  /**
   * @param folder State directory, created if missing; `null` keeps the ledger in memory
   * @throws {StorageError} If the directory cannot be written, or another server uses it
   */
  constructor(folder: string | null) {
    this.#database = openDatabase(folder === null ? ":memory:" : prepareFile(folder));
    this.#spend = this.#database.prepare(
      "INSERT INTO usage (account, minute, requests, downloads) VALUES (?, ?, ?, ?) " +
        "ON CONFLICT DO UPDATE SET requests = excluded.requests, downloads = excluded.downloads",
    );
    this.#minute = this.#database.prepare(
      "SELECT requests, downloads FROM usage WHERE account = ? AND minute = ?",
    );
    this.#day = this.#database.prepare(
      "SELECT TOTAL(requests) AS requests, TOTAL(downloads) AS downloads FROM usage " +
        "WHERE account = ? AND minute >= ? AND minute < ?",
    );
  }

  /** Spending of a minute and its day, read when the minute begins and counted in memory from then on. */
  open(account: string, nowMs: number): OpenMinute {
    const minute = minuteOf(nowMs);
    const { first, end } = minutesOfDay(nowMs);
    const own = countsOf(this.#minute.get(account, minute));
    const day = countsOf(this.#day.get(account, first, end));
    const count = (what: keyof Counts, by: 1 | -1) => {
      own[what] += by;
      day[what] += by;
      this.#spend.run(account, minute, own.requests, own.downloads);
    };
    return {
      minute,
      get usage() {
        return {
          minuteRequests: own.requests,
          dayRequests: day.requests,
          dayDownloads: day.downloads,
        };
      },
      spend: (what) => count(what, 1),
      giveBack: (what) => count(what, -1),
    };
  }

  /** Spending by account and minute, for a span of minutes that excludes its end. */
  list(span: { readonly first: number; readonly end: number }): readonly SpentMinute[] {
    const rows = this.#database.prepare(
      "SELECT account, minute, requests, downloads FROM usage WHERE minute >= ? AND minute < ?",
    ).all(span.first, span.end);
    return rows.map((row) => ({
      account: String(row["account"]),
      minute: Number(row["minute"]),
      ...countsOf(row),
    }));
  }

  /** Closes the file. */
  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }
}

/** Spending of an account in a minute. */
export interface SpentMinute extends Readonly<Counts> {
  /** Name of the account. */
  readonly account: string;
  /** Minutes since 1970-01-01T00:00Z. */
  readonly minute: number;
}

interface Counts {
  requests: number;
  downloads: number;
}

/** Current minute of one account, counted in memory and written on every change. */
export interface OpenMinute {
  /** Minutes since 1970-01-01T00:00Z. */
  readonly minute: number;
  /** Spending so far. */
  readonly usage: Usage;
  /** Spends durably, before the answer. */
  spend(what: keyof Counts): void;
  /** Takes back what turned out not to be spent. */
  giveBack(what: keyof Counts): void;
}

function prepareFile(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw storageErrorOf(`use the state "${folder}"`, cause);
  }
  return join(folder, "usage.sqlite");
}

function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    // One server owns a state directory; the exclusive lock also avoids the shared-memory file.
    database.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE");
    // Each request writes one page: small pages and rare checkpoints halve what that costs (12 to 7 microseconds).
    database.exec("PRAGMA page_size = 512; PRAGMA wal_autocheckpoint = 8000");
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    database.exec(
      "CREATE TABLE IF NOT EXISTS usage (account TEXT, minute INTEGER, requests INTEGER NOT NULL, " +
        "downloads INTEGER NOT NULL, PRIMARY KEY (account, minute)) WITHOUT ROWID",
    );
    return database;
  } catch (error) {
    database.close();
    const isUsed = /locked/.test(String(error));
    throw new StorageError(
      `Cannot use the state "${path}": expected a file that no other server uses, got ` +
        (isUsed
          ? "one that another server is using; stop that one, or choose another folder"
          : `"${(error as Error).message}"; choose another folder`),
      { cause: error },
    );
  }
}

function countsOf(row: Record<string, unknown> | undefined): Counts {
  return { requests: Number(row?.requests ?? 0), downloads: Number(row?.downloads ?? 0) };
}
