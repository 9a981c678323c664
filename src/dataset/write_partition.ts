import { rm, stat } from "node:fs/promises";
import pl, { type Expr } from "nodejs-polars";
import { temporaryPath } from "../store/disk/files.ts";
import { type ParquetOptions, writeParquet } from "../vintage/write_parquet.ts";
import { inspectRows } from "./inspect_rows.ts";
import { type Partition, pathOf } from "./manifest.ts";
import { findFinished, publishPartition, readManifest, sha256OfFile } from "./manifest_file.ts";
import { TABLES } from "./table.ts";
import { DAY, type TableRows } from "./table_rows.ts";

/** A partition of the dataset, and whether this call wrote it. */
export interface WrittenPartition {
  /** The partition. */
  readonly partition: Partition;
  /** Whether it was written; `false` if it was finished before. */
  readonly isNew: boolean;
}

/**
 * Writes the rows of one year aside and gives the file its name; a year that is finished with the same rows is left alone.
 *
 * @throws {IntegrityError} If the partition is finished with other rows, or another release
 */
export async function writePartition(
  folder: string,
  source: TableRows & { readonly year: number },
  options: ParquetOptions,
): Promise<WrittenPartition> {
  const { table, factor, year } = source;
  const rows = await source.rows.filter(isIn(year)).collect();
  const sorted = await rows.lazy().sort([...TABLES[table].key]).collect();
  const facts = inspectRows(sorted, source);
  const path = pathOf({ table, factor, year });
  const manifest = await readManifest(folder);
  const known = await findFinished(folder, manifest, { path, ...facts });
  if (known !== null) return { partition: known, isNew: false };
  const temporary = temporaryPath(folder);
  try {
    // Not flushed to the disk: what a power loss cuts off has another hash, and is written again.
    await writeParquet(sorted.lazy().drop(DAY), temporary, options);
    const { size } = await stat(temporary);
    const sha256 = await sha256OfFile(temporary);
    const partition = { table, factor, year, path, bytes: size, sha256, ...facts };
    const isNew = await publishPartition(folder, partition, temporary);
    return { partition, isNew };
  } finally {
    await rm(temporary, { force: true });
  }
}

function isIn(year: number): Expr {
  const first = (y: number) => pl.lit(new Date(Date.UTC(y, 0, 1))).cast(pl.Date);
  return pl.col(DAY).gtEq(first(year)).and(pl.col(DAY).lt(first(year + 1)));
}
