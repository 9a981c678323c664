import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { storageErrorOf } from "../../base/disk/on_disk.ts";
import { PROVENANCE_COLUMNS } from "../frame/provenance/provenance_schema.ts";
import { distinctRows } from "./_origin_columns.ts";
import { provenanceNames } from "./provenance.ts";

/** Years of a release, and the compression of their files. */
export interface YearsOptions extends Pick<ParquetOptions, "compression"> {
  /** Years, with one file each. */
  readonly years: readonly number[];
}

/**
 * Writes the years of a release to a temporary folder, and renames it to that of the factor when all are complete.
 *
 * @throws {StorageError} If the folder cannot be written
 */
export async function writeAside(
  release: DataFrame,
  target: string,
  options: YearsOptions,
): Promise<void> {
  const folder = dirname(target);
  const aside = join(folder, `.tmp-${crypto.randomUUID()}`);
  try {
    await writeYears(release, aside, options);
    await rename(aside, target);
  } catch (cause) {
    throw storageErrorOf(`export a release to ${folder}`, cause);
  } finally {
    await rm(aside, { recursive: true, force: true }).catch(() => {});
  }
}

/** Tests if a path is a folder. */
export async function isFolder(path: string): Promise<boolean> {
  return await readdir(path).then(() => true, () => false);
}

/** Path of a year's file in the folder of its factor. */
export function yearFile(year: number): string {
  return join(`year=${year}`, "part-0.parquet");
}

async function writeYears(
  release: DataFrame,
  folder: string,
  { years, compression }: YearsOptions,
): Promise<void> {
  const rows = plainColumns(release);
  const firstOf = (year: number) => pl.lit(new Date(Date.UTC(year, 0, 1))).cast(pl.Date);
  for (const year of years) {
    const path = join(folder, yearFile(year));
    await mkdir(dirname(path), { recursive: true });
    const own = rows.filter(pl.col("date").gtEq(firstOf(year)))
      .filter(pl.col("date").lt(firstOf(year + 1)));
    await writeParquet(own, path, { compression });
  }
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
  return release.lazy().withColumns(pl.col("ticker").cast(pl.Utf8), ...text)
    .select(...release.columns.filter((name) => name !== "factor"));
}

/** Options of a Parquet file for other engines. */
export interface ParquetOptions {
  /** Compression of the columns. */
  readonly compression: "zstd" | "lz4" | "snappy" | "uncompressed";
  /**
   * Largest number of rows in a row group.
   *
   * @default 122,880, the unit of work of DuckDB; Spark reads several as one task
   */
  readonly rowGroupSize?: number;
}

/** Writes rows with column statistics, with which engines skip row groups. */
export async function writeParquet(
  rows: LazyDataFrame,
  path: string,
  { compression, rowGroupSize = 122_880 }: ParquetOptions,
): Promise<void> {
  await rows.sinkParquet(path, { compression, rowGroupSize, statistics: true }).collect();
}
