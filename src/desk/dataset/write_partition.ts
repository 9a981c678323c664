import { rm } from "node:fs/promises";
import pl, { type Expr } from "nodejs-polars";
import { temporaryPath } from "../../base/disk/files.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { heldOutOf } from "../../frames/frame/provenance/held_out.ts";
import { type ParquetOptions, writeParquet } from "../../frames/vintage/write_parquet.ts";
import { inspectRows } from "./inspect_rows.ts";
import { currentMaker } from "./maker.ts";
import { type Manifest, type Partition, pathOf, tableColumns } from "./manifest.ts";
import { findFinished, publishPartition, readManifest } from "./manifest_file.ts";
import { TABLES } from "./table/table.ts";
import { DAY } from "./table/lay.ts";
import type { TableRows } from "./table/table_rows.ts";

/** Rows to write. */
export interface SourceRows extends TableRows {
  /** Manifest before the stored rows among these were read; `undefined` if there are none. */
  readonly base?: Manifest;
}

/** A partition after a call to write it. */
export interface WrittenPartition {
  /** The partition. */
  readonly partition: Partition;
  /** `true` if this call wrote it; `false` if it existed already. */
  readonly isNew: boolean;
}

/**
 * Writes the rows of one year to a temporary file and renames it; a year that exists with the same rows is not changed.
 *
 * @throws {IntegrityError} If the partition exists with other rows, or with another release
 */
export async function writePartition(
  folder: string,
  source: SourceRows & { readonly year: number },
  options: ParquetOptions & { readonly append: boolean },
): Promise<WrittenPartition> {
  const { table, factor, year } = source;
  const rows = await source.rows.filter(isInYear(year)).collect();
  const sorted = await rows.lazy().sort([...TABLES[table].key]).collect();
  const facts = inspectRows(sorted, source);
  const path = pathOf({ table, factor, year, releases: facts.releases });
  const manifest = await readManifest(folder);
  const stored = (source.base ?? manifest).find((one) => one.path === path);
  const known = options.append && stored?.numbers !== facts.numbers
    ? null
    : await findFinished(folder, manifest, { path, ...facts });
  if (known !== null) return { partition: known, isNew: false };
  const temporary = temporaryPath(folder);
  try {
    // Not flushed to the disk: a file that a power loss truncates fails its hash and is written again.
    await writeParquet(sorted.lazy().drop(DAY), temporary, options);
    const { sha256, sizeBytes } = await hashFile(temporary);
    const made = { columns: tableColumns(table), maker: await currentMaker() };
    const file = { path, bytes: sizeBytes, sha256 };
    const heldOut = heldOutOf(sorted);
    const origin = heldOut === null ? {} : { heldOut };
    const partition: Partition = { table, factor, year, ...file, ...facts, ...origin, ...made };
    const isNew = await publishPartition(
      folder,
      partition,
      {
        temporary,
        replaces: options.append ? stored?.sha256 ?? null : null,
        isAppended: options.append,
      },
    );
    return { partition, isNew };
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** Condition on {@link DAY}: a day of this year. */
export function isInYear(year: number): Expr {
  const first = (y: number) => pl.lit(new Date(Date.UTC(y, 0, 1))).cast(pl.Date);
  return pl.col(DAY).gtEq(first(year)).and(pl.col(DAY).lt(first(year + 1)));
}
