import type { LazyDataFrame } from "nodejs-polars";

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
