import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import pl, { type DataFrame, type Expr, type LazyDataFrame } from "nodejs-polars";
import { FACTORS, scoreNameOf } from "../contract/factor.ts";
import { assertFolderPath } from "../arguments/assert_folder_path.ts";
import { checkOptions } from "../arguments/check_options.ts";
import { StorageError } from "../errors.ts";
import { distinctRows } from "./_distinct_rows.ts";
import { assertFrame } from "../frame/assert_frame.ts";
import { PROVENANCE_COLUMNS } from "../frame/provenance/provenance_schema.ts";
import { isWholeRelease } from "../frame/release/whole_release.ts";
import { provenanceNames } from "./provenance.ts";
import { writeParquet } from "./write_parquet.ts";

/** Options of an export. */
export interface ExportOptions {
  /**
   * Compression of the files.
   *
   * @default "zstd", the smallest
   */
  readonly compression?: "zstd" | "lz4" | "snappy" | "uncompressed";
  /**
   * Exports even a frame that is not the whole release of `history()`: a selection of its rows, or rows with further
   * columns. A reader of the dataset cannot tell it from a whole one.
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

/**
 * Writes a release as a Parquet dataset in hive layout, `factor=<factor>/year=<year>/part-0.parquet`, which DuckDB, Spark,
 * Polars and pandas read as one table and of which they open only the years that a filter needs.
 *
 * Columns of the files: `date`, `ticker` (text), the score, and the provenance columns that the frame carries; `factor`
 * and `year` are in the paths. A factor's part of the dataset is complete or not there: it is written aside and renamed.
 *
 * @param release A release of one factor, as `history()` gives it
 * @param folder Folder of the dataset, which is made; it may hold other factors
 * @param options Compression, and whether a part of the release will do
 * @returns The files that were written
 * @throws {TypeError} If the frame is no release, has no rows, is lazy, or is not the very frame that `history()` gave
 *   and `partial` does not allow it, if no folder is given or the name of a file, if it holds the factor already, or if there is no such
 *   option
 * @throws {StorageError} If the folder cannot be written
 */
export async function exportRelease(
  release: DataFrame,
  folder: string,
  options: ExportOptions = {},
): Promise<ExportedDataset> {
  assertFrame(ACTION, release);
  assertFolderPath(ACTION, folder, "release.writeParquet(path) or release.writeCSV(path)");
  checkOptions(ACTION, options, ["compression", "partial"]);
  const { compression = "zstd", partial = false } = options;
  const factor = factorOf(release);
  if (!partial && !isWholeRelease(release)) {
    throw new TypeError(
      `Cannot export the ${factor} release: expected the frame that history() gave, got one derived from it, so rows may be missing; ` +
        "export the original frame, or pass partial: true",
    );
  }
  const years = yearsOf(release);
  if (years.length === 0) {
    throw new TypeError(`Cannot export the ${factor} release: expected rows, got none`);
  }
  const target = join(folder, `factor=${factor}`);
  if (await isThere(target)) {
    throw new StorageError(
      `Cannot export the ${factor} release: expected no file at ${target}, got an earlier export; ` +
        "remove it or choose another folder",
    );
  }
  await writeAside(release, target, { years, compression });
  return { path: folder, files: years.map((year) => join(target, fileOf(year))) };
}

interface Writing {
  readonly years: readonly number[];
  readonly compression: NonNullable<ExportOptions["compression"]>;
}

async function writeAside(release: DataFrame, target: string, writing: Writing): Promise<void> {
  const folder = dirname(target);
  const aside = join(folder, `.tmp-${crypto.randomUUID()}`);
  try {
    await writeYears(release, aside, writing);
    await rename(aside, target);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `Cannot ${ACTION} to ${folder}: expected a folder that can be written, got ` +
      `"${reason}"; export to another folder`;
    throw new StorageError(message, { cause });
  } finally {
    await rm(aside, { recursive: true, force: true }).catch(() => {});
  }
}

async function writeYears(
  release: DataFrame,
  folder: string,
  { years, compression }: Writing,
): Promise<void> {
  const rows = plainColumns(release);
  for (const year of years) {
    const path = join(folder, fileOf(year));
    await mkdir(dirname(path), { recursive: true });
    await writeParquet(rows.filter(isIn(year)), path, { compression });
  }
}

function fileOf(year: number): string {
  return join(`year=${year}`, "part-0.parquet");
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

function isIn(year: number): Expr {
  const first = (y: number) => pl.lit(new Date(Date.UTC(y, 0, 1))).cast(pl.Date);
  return pl.col("date").gtEq(first(year)).and(pl.col("date").lt(first(year + 1)));
}

// Dictionaries become text, which every reader takes for what it is; the factor is in the path. A provenance column
// of one value is written as that value: casting it row by row takes longer than everything else.
function plainColumns(release: DataFrame): LazyDataFrame {
  const names = provenanceNames(release);
  const [origin, another] = names.length === 0 ? [] : distinctRows(release, names).toRecords();
  const text = PROVENANCE_COLUMNS
    .filter(({ name, type }) => type === "text" && release.columns.includes(name))
    .map(({ name }) =>
      another === undefined && origin !== undefined
        ? pl.lit(origin[name] as string | null).cast(pl.Utf8).alias(name)
        : pl.col(name).cast(pl.Utf8)
    );
  return release.lazy()
    .withColumns(pl.col("ticker").cast(pl.Utf8), ...text)
    .select(...release.columns.filter((name) => name !== "factor"));
}

async function isThere(folder: string): Promise<boolean> {
  return await readdir(folder).then(() => true, () => false);
}
