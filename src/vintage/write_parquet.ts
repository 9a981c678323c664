import type { LazyDataFrame } from "nodejs-polars";

/** Options of a Parquet file for other engines. */
export interface ParquetOptions {
  /** Compression of the columns. */
  readonly compression: "zstd" | "lz4" | "snappy" | "uncompressed";
  /**
   * Rows of a row group at most.
   *
   * @default 122,880, which is what DuckDB works on at a time; Spark reads several as one task
   */
  readonly rowGroupSize?: number;
}

/** Writes rows with statistics of each column, by which engines skip row groups. */
export async function writeParquet(
  rows: LazyDataFrame,
  path: string,
  { compression, rowGroupSize = 122_880 }: ParquetOptions,
): Promise<void> {
  await rows.sinkParquet(path, { compression, rowGroupSize, statistics: true }).collect();
}
