import { setTimeout } from "node:timers/promises";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import type { Factor } from "../../contract/factor.ts";
import {
  readParquetRows,
  scanParquetRows,
  tickerCodes,
  writeParquetRows,
} from "../../frame/release/parquet_rows.ts";
import type { VerificationStep } from "../../frame/release_file/verification_step.ts";
import {
  type DerivedRelease,
  findDerived,
  isAsWritten,
  putDerived,
} from "../../store/release/derived_release.ts";
import type { StoredRelease } from "../../store/release/release_file.ts";
import { notDerived } from "./release_errors.ts";
import { ReleaseReport } from "./release_report.ts";

/** A verified release and its rows. */
export interface ReleaseRows {
  /** The rows. */
  readonly rows: DataFrame;
  /** Every check that the release passed. */
  readonly report: ReleaseReport;
}

/** Rows that were just parsed and verified. */
export interface VerifiedRows extends ReleaseRows {
  /** Distinct tickers. */
  readonly tickers: readonly string[];
}

/** A release of a factor in a store. */
export interface KeptRelease {
  /** Factor of the release. */
  readonly factor: Factor;
  /** The release. */
  readonly stored: StoredRelease;
}

// Smaller releases are parsed faster than a derived file is checked.
const DERIVING_PAYS_ROWS = 100_000;

// Long enough for the frame to reach the caller.
const WRITING_LATER_MS = 20;

/** Rows of verified releases; after the first time from a derived Parquet file beside the original. */
export class ReleaseRowsReader {
  readonly #writing = new Map<string, Promise<unknown>>();

  /** The rows of a release from its derived file; `null` if there is none, or it is not what was written. */
  async fromDerived({ factor, stored }: KeptRelease): Promise<ReleaseRows | null> {
    const derived = await this.#find(stored);
    if (derived === null) return null;
    const rows = await readParquetRows(derived.path, factor, derived).catch(() => null);
    if (rows === null) return null;
    return { rows, report: reportOf({ factor, stored }, derived) };
  }

  /** The rows as a lazy frame over the derived file; `null` as in {@link fromDerived}. */
  async lazyFromDerived(
    { factor, stored }: KeptRelease,
  ): Promise<{ readonly rows: LazyDataFrame; readonly report: ReleaseReport } | null> {
    const derived = await this.#find(stored);
    if (derived === null) return null;
    const rows = scanParquetRows(derived.path, factor);
    return { rows, report: reportOf({ factor, stored }, derived) };
  }

  /**
   * Keeps the rows of a release as a derived file. That of a large release is written behind the caller's back; `now`
   * writes it for a small one too, and waits for it.
   */
  async keep(kept: KeptRelease, verified: VerifiedRows, now: boolean): Promise<void> {
    const { rows, tickers, report } = verified;
    if (!now && rows.height < DERIVING_PAYS_ROWS) return;
    const write = async () => {
      // First the caller gets the rows: Polars would take all cores for the writing.
      if (!now) await setTimeout(WRITING_LATER_MS);
      const facts = { ...tickerCodes(tickers), checks: report.checks };
      await putDerived(kept.stored, facts, (path) => writeParquetRows(rows, path));
    };
    const writing = write();
    // A derived file is a convenience: without it the next load takes longer.
    this.#writing.set(kept.stored.path, writing.catch(() => undefined));
    if (!now) return;
    await writing.catch((error: unknown) => {
      throw notDerived(kept.factor, kept.stored.path, error);
    });
  }

  /** Waits until nothing is being written any more. */
  async settle(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  async #find(stored: StoredRelease): Promise<DerivedRelease | null> {
    await this.#writing.get(stored.path);
    const derived = await findDerived(stored);
    if (derived === null) return null;
    // Before Polars sees a byte of it: some damaged files end the process.
    return await isAsWritten(derived).catch(() => false) ? derived : null;
  }
}

function reportOf({ factor, stored }: KeptRelease, derived: DerivedRelease): ReleaseReport {
  const { downloadSha256 } = stored.release;
  return new ReleaseReport(
    { factor, downloadSha256 },
    derived.checks as readonly VerificationStep[],
  );
}
