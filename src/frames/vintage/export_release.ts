import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../../base/contract/factor.ts";
import { assertFolderPath } from "../../base/arguments/refuse_address.ts";
import { checkOptions, FLAG, oneOf, type OptionRules } from "../../base/arguments/check_options.ts";
import { StorageError } from "../../base/errors.ts";
import { assertFrame } from "../frame/assert_frame.ts";
import { isWholeRelease } from "../frame/release/release_frame.ts";

/** Options of an export. */
export interface ExportOptions {
  /**
   * Compression of the files.
   *
   * @default "zstd", the smallest
   */
  readonly compression?: "zstd" | "lz4" | "snappy" | "uncompressed";
  /**
   * Also exports a frame that is not the whole release of `history()`: a selection of its rows, or rows with further columns.
   * Readers of the dataset cannot distinguish it from a whole release.
   *
   * @default false
   */
  readonly partial?: boolean;
}

/** Files of an export. */
export interface ExportedDataset {
  /** Folder of the dataset. */
  readonly path: string;
  /** Paths of its files, one for each year. */
  readonly files: readonly string[];
}

const ACTION = "export a release";
const RULES: OptionRules<ExportOptions> = {
  compression: oneOf("zstd", "lz4", "snappy", "uncompressed"),
  partial: FLAG,
};

/**
 * Writes a release as a Parquet dataset in hive layout, `factor=<factor>/year=<year>/part-0.parquet`, which DuckDB, Spark,
 * Polars and pandas read as one table, opening only the years that a filter needs.
 *
 * Columns of the files: `date`, `ticker` (text), the score, and the frame's provenance columns; `factor` and `year` are in the
 * paths. A factor's part of the dataset is either complete or missing: it is written under a temporary name and renamed.
 *
 * @param release A release of one factor from `history()`
 * @param folder Folder of the dataset, which is created if needed and may contain other factors
 * @param options Compression, and permission to export a part of the release
 * @returns Written files
 * @throws {TypeError} If the frame is not a release, has no rows, is lazy, or is not the very frame that `history()` gave and
 *   `partial` does not allow it, if no folder is given or the name of a file, if it holds the factor already, or if there is no
 *   such option
 * @throws {StorageError} If the folder cannot be written
 */
export async function exportRelease(
  release: DataFrame,
  folder: string,
  options: ExportOptions = {},
): Promise<ExportedDataset> {
  assertFrame(ACTION, release);
  assertFolderPath(ACTION, folder, "release.writeParquet(path) or release.writeCSV(path)");
  checkOptions(ACTION, options, RULES);
  const { compression = "zstd", partial = false } = options;
  const factor = factorOf(release);
  if (!partial && !isWholeRelease(release)) {
    throw new TypeError(
      `Cannot export the ${factor} release: expected the frame that history() returned, got one derived from it, which may lack rows; ` +
        "export the original frame, or pass partial: true",
    );
  }
  const years = yearsOf(release);
  if (years.length === 0) {
    throw new TypeError(`Cannot export the ${factor} release: expected rows, got none`);
  }
  // Loading the file system's module would take a fifth of this library's import time.
  const { isFolder, writeAside, yearFile } = await import("./write_years.ts");
  const target = join(folder, `factor=${factor}`);
  if (await isFolder(target)) {
    throw new StorageError(
      `Cannot export the ${factor} release: expected no file at ${target}, got an earlier export; ` +
        "remove it or choose another folder",
    );
  }
  await writeAside(release, target, { years, compression });
  return { path: folder, files: years.map((year) => join(target, yearFile(year))) };
}

function factorOf(release: DataFrame): string {
  const found = FACTORS.filter((factor) => release.columns.includes(scoreNameOf(factor)));
  const isRelease = release.columns.includes("date") && release.columns.includes("ticker");
  if (found.length === 1 && isRelease) return found[0]!;
  throw new TypeError(
    "Cannot export: expected a release with date, ticker and the score of one factor, " +
      `got ${release.columns.join(", ")}`,
  );
}

function yearsOf(release: DataFrame): readonly number[] {
  const days: readonly { readonly date?: unknown }[] = release.select(pl.col("date").unique())
    .toRecords();
  const years = days.flatMap(({ date }) => date instanceof Date ? [date.getUTCFullYear()] : []);
  return [...new Set(years)].toSorted((a, b) => a - b);
}
