import { setTimeout } from "node:timers/promises";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import { Buffer } from "node:buffer";
import { open } from "node:fs/promises";
import type { Factor } from "../../base/contract/factor.ts";
import {
  readParquetRows,
  readTextRows,
  scanParquetRows,
  writeParquetRows,
} from "../../frames/frame/release/parquet_rows.ts";
import type { BuiltRows } from "../../frames/frame/release/release_builder.ts";
import type { TickerLayout } from "../../frames/frame/release/release_frame.ts";
import type { VerificationStep } from "../../frames/frame/release_file/offence.ts";
import {
  type DerivedRelease,
  findDerived,
  isAsWritten,
  putDerived,
} from "../../base/store/release/derived_release.ts";
import type { StoredRelease } from "../../base/store/release/release_file.ts";
import { notDerived } from "./release_errors.ts";
import { ReleaseReport } from "./release_report.ts";
import { IntegrityError } from "../../base/errors.ts";

const ARROW_SCHEMA = "ARROW:schema";

const HIDDEN_SCHEMA = "arrow:schema";

// A length in four bytes, and "PAR1".
const TAIL_BYTES = 8;

/** A verified release and its rows. */
export interface ReleaseRows<Rows = DataFrame | LazyDataFrame> {
  /** The rows. */
  readonly rows: Rows;
  /** Checks that the release passed. */
  readonly report: ReleaseReport;
}

/** Rows that were parsed and verified. */
export interface VerifiedRows extends ReleaseRows<DataFrame> {
  /** The rows with the codes of their tickers. */
  readonly built: BuiltRows;
}

/** A release of a factor in a store. */
export interface KeptRelease {
  /** Factor of the release. */
  readonly factor: Factor;
  /** The release. */
  readonly stored: StoredRelease;
}

// Parsing a smaller release is faster than checking a derived file.
const DERIVING_PAYS_ROWS = 100_000;

// Lets the frame reach the caller first.
const WRITING_LATER_MS = 20;

// A score before its missing value was marked, and as much again for the other columns of the pieces.
const ROW_GARBAGE_BYTES = 16;

/** Rows of verified releases, read from a derived Parquet file beside the original after the first load. */
export class ReleaseRowsReader {
  readonly #writing = new Map<string, Promise<unknown>>();

  /**
   * Rows of a release from its derived file, with tickers in a layout or as a lazy frame over the file; `null` if there is
   * none, or it has changed since it was written.
   */
  async fromDerived(
    { factor, stored }: KeptRelease,
    layout: TickerLayout | "lazy",
  ): Promise<ReleaseRows | null> {
    const derived = await this.#find(stored);
    if (derived === null) return null;
    const { path, checks } = derived;
    const report = reportOf({ factor, stored }, checks);
    if (layout === "lazy") return { rows: scanParquetRows(path, factor), report };
    const reading = layout === "text"
      ? readTextRows(path, factor)
      : readParquetRows(path, factor, derived);
    return await reading.then((rows) => ({ rows, report }), () => null);
  }

  /**
   * Keeps the rows of a large release as a derived file, written in the background. With `now` it is also written for a small
   * one, and awaited.
   */
  async keep(kept: KeptRelease, verified: VerifiedRows, now: boolean): Promise<void> {
    const { rows, report, built } = verified;
    const { tickers, codeOf: codes } = built;
    if (!now && rows.height < DERIVING_PAYS_ROWS) return;
    const write = async () => {
      if (!now) {
        askForCollection(rows.height * ROW_GARBAGE_BYTES);
        // The caller gets the rows first: writing takes all cores.
        await setTimeout(WRITING_LATER_MS);
      }
      const facts = { tickers, codes, checks: report.checks };
      await putDerived(kept.stored, facts, async (path) => {
        await writeParquetRows(built, path);
        await hideCategories(path);
      });
    };
    const writing = write();
    // A failure is harmless: without a derived file the next load takes longer.
    this.#writing.set(kept.stored.path, writing.catch(() => undefined));
    if (!now) return;
    await writing.catch((error: unknown) => {
      throw notDerived(kept.factor, kept.stored.path, error);
    });
  }

  /** Waits for writes in progress. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  async #find(stored: StoredRelease): Promise<DerivedRelease | null> {
    await this.#writing.get(stored.path);
    const derived = await findDerived(stored);
    if (derived === null) return null;
    // Checked before Polars reads it: some damaged files end the process.
    return await isAsWritten(derived).catch(() => false) ? derived : null;
  }
}

// V8 does not see the memory that Polars holds for objects nobody uses any more. It counts the bytes of a buffer and collects
// for them, although the system gives no memory to a buffer that is never written to.
function askForCollection(bytes: number): void {
  void new ArrayBuffer(bytes);
}

/** Report of a release whose checks the store has. */
export function reportOf(
  { factor, stored: { release: { downloadSha256 } } }: KeptRelease,
  checks: readonly unknown[],
): ReleaseReport {
  return new ReleaseReport({ factor, downloadSha256 }, checks as readonly VerificationStep[]);
}

/**
 * Makes readers of a Parquet file read its categories as text, which the file holds: renames the key of the Arrow schema in its
 * footer, the only place that calls them categories. Polars decodes text faster than it converts categories.
 *
 * @throws {IntegrityError} If the footer does not have the form that this version of Polars writes
 */
async function hideCategories(path: string): Promise<void> {
  await using file = await open(path, "r+");
  const { size } = await file.stat();
  const tail = Buffer.alloc(TAIL_BYTES);
  await file.read(tail, 0, TAIL_BYTES, size - TAIL_BYTES);
  const footer = Buffer.alloc(Math.min(tail.readUInt32LE(0), size - TAIL_BYTES));
  const start = size - TAIL_BYTES - footer.length;
  await file.read(footer, 0, footer.length, start);
  const place = footer.indexOf(ARROW_SCHEMA);
  if (place === -1 || footer.indexOf(ARROW_SCHEMA, place + 1) !== -1) {
    throw new IntegrityError(
      `Cannot write ${path}: expected one Arrow schema in the footer of the Parquet file, got another number from this ` +
        "version of Polars; install the version of nodejs-polars that this package pins",
    );
  }
  await file.write(Buffer.from(HIDDEN_SCHEMA), 0, HIDDEN_SCHEMA.length, start + place);
}
