import { mkdir } from "node:fs/promises";
import type { DataFrame, LazyDataFrame } from "nodejs-polars";
import {
  AMOUNT,
  checkOptions,
  FLAG,
  oneOf,
  type OptionRules,
  TEXT,
} from "../arguments/check_options.ts";
import { describe } from "../contract/violation.ts";
import { assertFrame } from "../frame/assert_frame.ts";
import { isWholeRelease } from "../frame/whole_release.ts";
import { removeLeftBehind } from "../store/disk/left_behind.ts";
import { onDisk } from "../store/disk/on_disk.ts";
import { Study } from "../study/study.ts";
import type { Partition } from "./manifest.ts";
import { readManifest } from "./manifest_file.ts";
import { refuseOtherRelease } from "./refuse_other_release.ts";
import { studyRows } from "./study_rows.ts";
import { DAY, type TableRows, toTableRows } from "./table_rows.ts";
import { writePartition, type WrittenPartition } from "./write_partition.ts";

/** How a dataset is exported. */
export interface ExportDatasetOptions {
  /**
   * The factor of scores that do not say it, neither in a column `factor` nor in the name of the score.
   *
   * @default what the frame says
   */
  readonly factor?: string;
  /**
   * Compression of the files.
   *
   * @default "zstd", the smallest
   */
  readonly compression?: "zstd" | "lz4" | "snappy" | "uncompressed";
  /**
   * Rows of a row group at most.
   *
   * @default 122,880, which is what DuckDB works on at a time; Spark reads several as one task
   */
  readonly rowGroupSize?: number;
  /**
   * Exports even a selection of the rows of a release.
   *
   * @default false
   */
  readonly partial?: boolean;
}

/** What an export left in a dataset. */
export interface DatasetExport {
  /** Folder of the dataset. */
  readonly path: string;
  /** The partitions of what was exported. */
  readonly partitions: readonly Partition[];
  /** How many of them this call wrote; the others were finished before. */
  readonly written: number;
}

const RULES: OptionRules<ExportDatasetOptions> = {
  factor: TEXT,
  compression: oneOf("zstd", "lz4", "snappy", "uncompressed"),
  rowGroupSize: AMOUNT,
  partial: FLAG,
};
const ACTION = "export a dataset";

/**
 * Writes scores, prices or a study as Parquet in hive layout, which Polars, DuckDB, pyarrow and Spark read as tables.
 *
 * Tables of a dataset: `scores` (a release, or scores of your own by date), `panel` (scores by instant), `prices`; of a
 * study `scores` (its releases), `sets` and `views`. Their files are `scores/factor=ecpnd/year=2024/part-0.parquet` and
 * `prices/year=2024/part-0.parquet`; the year is that of the session. The score is the column `score`, whatever the factor;
 * provenance are columns; `schema.md` in the folder describes them all. Rows are sorted by session and ticker. Beside prices
 * stand `sessions` and `listings`, which tell an analysis of one year what there is in the others.
 *
 * `manifest.json` names each finished file with its rows, sessions, SHA-256 and release or sets. A file is written
 * aside and renamed. A file that is finished with the same rows is not written again, so that an export that was
 * interrupted goes on, and two at once do no harm. Cost: the rows of one year at a time beside the frame; a study is read
 * one release, or the sets of one year, at a time.
 *
 * @param what A release, a panel, score sets, prices, or scores with `date`, `ticker` and a score; or a study
 * @param folder Folder of the dataset; it may hold other factors and tables
 * @param options Compression, row groups, the name of the factor
 * @returns The partitions, and how many were written
 * @throws {TypeError} If the frame is none of these, has a row twice, or is a selection of a release
 * @throws {IntegrityError} If the dataset has other rows, or another release, of the same factor
 * @throws {StorageError} If the folder cannot be written
 *
 * @example
 * ```ts
 * import { exportDataset } from "scoreframe/dataset";
 * import pl from "nodejs-polars";
 *
 * const prices = pl.DataFrame({
 *   date: ["2025-12-31", "2026-01-02"],
 *   ticker: ["AAA", "AAA"],
 *   close: [100, 101],
 * });
 * const folder = await Deno.makeTempDir();
 * const { partitions } = await exportDataset(prices, folder);
 * console.assert(partitions[0]!.path === "prices/year=2025/part-0.parquet");
 * const again = await exportDataset(prices, folder);
 * console.assert(again.written === 0);
 * ```
 */
export async function exportDataset(
  what: DataFrame | Study,
  folder: string,
  options: ExportDatasetOptions = {},
): Promise<DatasetExport> {
  checkOptions("exportDataset()", options, RULES);
  if (typeof folder !== "string" || folder === "") {
    throw new TypeError(`Cannot ${ACTION}: expected the path of a folder, got ${describe(folder)}`);
  }
  if (what instanceof Study) return await write(studyRows(what), folder, options);
  assertFrame(ACTION, what);
  refuseSelection(what, options);
  if (what.height === 0) throw new TypeError(`Cannot ${ACTION}: expected rows, got none`);
  return await write(toTableRows(what, options.factor), folder, options);
}

async function write(
  sources: Iterable<TableRows> | AsyncIterable<TableRows>,
  folder: string,
  { compression = "zstd", rowGroupSize }: ExportDatasetOptions,
): Promise<DatasetExport> {
  const done: WrittenPartition[] = [];
  const files = { compression, ...rowGroupSize === undefined ? {} : { rowGroupSize } };
  await onDisk(`export to ${folder}`, async () => {
    await mkdir(folder, { recursive: true });
    await removeLeftBehind(folder);
    for await (const source of sources) {
      const releases = await releasesOf(source);
      refuseOtherRelease(await readManifest(folder), { ...source, releases });
      for (const year of await yearsOf(source.rows)) {
        done.push(await writePartition(folder, { ...source, year }, files));
      }
    }
  });
  return {
    path: folder,
    partitions: done.map(({ partition }) => partition),
    written: done.filter(({ isNew }) => isNew).length,
  };
}

function refuseSelection(frame: DataFrame, { partial = false }: ExportDatasetOptions): void {
  if (partial || !frame.columns.includes("download_sha256") || isWholeRelease(frame)) return;
  throw new TypeError(
    `Cannot ${ACTION}: expected the frame that history() gave, got one that was made from another, so ` +
      "that rows may be missing; export that frame, or allow it with partial: true",
  );
}

async function releasesOf({ table, rows }: TableRows): Promise<readonly string[]> {
  if (table !== "scores") return [];
  const found = await rows.select("download_sha256").unique().collect();
  return (found.getColumn("download_sha256").dropNulls().toArray() as string[]).toSorted();
}

async function yearsOf(rows: LazyDataFrame): Promise<readonly number[]> {
  const days = (await rows.select(DAY).unique().collect()).getColumn(DAY);
  if (days.nullCount() > 0) {
    throw new TypeError(
      `Cannot ${ACTION}: expected a date or an instant in every row, got rows without one; ` +
        "drop those rows",
    );
  }
  const years = (days.toArray() as unknown as Date[]).map((day) => day.getUTCFullYear());
  return [...new Set(years)].toSorted((a, b) => a - b);
}
