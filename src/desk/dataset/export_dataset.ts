import { mkdir } from "node:fs/promises";
import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { assertFolderPath } from "../../base/arguments/refuse_address.ts";
import {
  AMOUNT,
  checkOptions,
  FLAG,
  oneOf,
  type OptionRules,
  TEXT,
} from "../../base/arguments/check_options.ts";
import { assertFrame } from "../../frames/frame/assert_frame.ts";
import { isWholeRelease } from "../../frames/frame/release/release_frame.ts";
import { describe } from "../../base/contract/violation.ts";
import { removeLeftBehind } from "../../base/disk/files.ts";
import { markFolder } from "./mark_folder.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { Study } from "../../study/study.ts";
import { IntegrityError } from "../../base/errors.ts";
import type { TableChange } from "./delta_log.ts";
import { type Partition, placeOf } from "./partition.ts";
import { commitVersion, readNewest, type Version } from "./versions.ts";
import { freeFrames } from "../../base/runtime/free_frames.ts";
import { studyRows } from "./table/study_rows.ts";
import { DAY } from "./table/lay.ts";
import { type TableName, TABLES } from "./table/table.ts";
import { besideOthers, type TableRows, toTableRows } from "./table/table_rows.ts";
import { writePartition, type WrittenPlace } from "./write_partition.ts";

/** Options of {@link exportDataset}. */
export interface ExportDatasetOptions {
  /**
   * The factor, for scores that have neither a column `factor` nor a factor in the name of their score.
   *
   * @default the factor that the frame names
   */
  readonly factor?: string;
  /**
   * Compression of the files.
   *
   * @default "zstd", the smallest
   */
  readonly compression?: "zstd" | "lz4" | "snappy" | "uncompressed";
  /**
   * Largest number of rows in a row group.
   *
   * @default 122,880, DuckDB's own size; Spark reads several as one task
   */
  readonly rowGroupSize?: number;
  /**
   * Exports even a selection of the rows of a release.
   *
   * @default false
   */
  readonly partial?: boolean;
  /**
   * Adds the rows to those that are stored, by their key: further score sets, decision times or sessions of prices. Rows that
   * are stored already are taken once. The new rows get a file of their own; after a kill at any moment, repeat the call.
   *
   * @default false: rows that differ from the stored ones are refused
   */
  readonly append?: boolean;
  /**
   * Adds the rows, and lets them replace stored ones under the same keys: a correction. Earlier versions keep those.
   *
   * @default false: other numbers or dates under a stored key are refused
   */
  readonly correct?: boolean;
  /**
   * Puts a release into the table `releases` instead of `scores`, beside other releases of the factor; of a study all of its
   * releases.
   *
   * @default false: the table `scores` has one release of each factor
   */
  readonly sideBySide?: boolean;
}

const RULES: OptionRules<ExportDatasetOptions> = {
  factor: TEXT,
  compression: oneOf("zstd", "lz4", "snappy", "uncompressed"),
  rowGroupSize: AMOUNT,
  partial: FLAG,
  append: FLAG,
  correct: FLAG,
  sideBySide: FLAG,
};
const ACTION = "export a dataset";

/**
 * Writes scores, prices or a study as Delta tables, which Polars, DuckDB, pandas, Spark and delta-rs open by their path.
 *
 * Tables of a dataset are `scores` (a release, or your own scores by date), `panel` (scores by instant) and `prices`; a
 * study has `scores` (its releases), `sets` and `views`. With sets come `publications`, and `checks` as far as the frame
 * names them, so that SQL can ask what was in force at a time; the frame of `publications()` gives both as well. Each table
 * is a folder, such as `scores`, with `_delta_log` and its files. The score is the column `score`, whatever the factor; provenance is in columns. Rows of a file are sorted by session and ticker.
 *
 * Each call commits a version of the dataset: `versions/00000042.json` names the version of each table, so that all tables
 * change at once. The log of a table has the rows, statistics, SHA-256 and release or sets of each file, and describes the
 * columns. A file is never changed; readers need no lock, and of two jobs that export at once one repeats what the other has
 * changed. Rows that are stored are not written again. Memory: the frame, and the rows of one year at a time, or with
 * `append` those of the frame; a study is read one release, or the sets of one year, at a time.
 *
 * @param what A release, a panel, score sets, prices, scores with `date`, `ticker` and a score, or a study
 * @param folder Folder of the dataset; it may hold other factors and tables
 * @param options Compression, row groups, the name of the factor
 * @returns The folder as `path`, the files of the years of the exported rows, and the number of those that this call has `written`
 * @throws {TypeError} If the frame is none of these, repeats a row, or is a selection of a release
 * @throws {IntegrityError} If the dataset has other rows, or another release, of the same factor; or if its newest version
 *   lies in the future of this clock
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
 * console.assert(partitions[0]!.path.startsWith("prices/part-"));
 * const again = await exportDataset(prices, folder);
 * console.assert(again.written === 0);
 * ```
 */
export async function exportDataset(
  what: DataFrame | Study,
  folder: string,
  options: ExportDatasetOptions = {},
): Promise<{
  readonly path: string;
  readonly partitions: readonly Partition[];
  readonly written: number;
}> {
  checkOptions("call exportDataset()", options, RULES);
  assertFolderPath(ACTION, folder, "frame.writeParquet(path)");
  const { sideBySide = false } = options;
  if (what instanceof Study) {
    return await write(() => studyRows(what, { sideBySide }), folder, options);
  }
  assertFrame(ACTION, what);
  refuseSelection(what, options);
  if (what.height === 0) {
    throw new TypeError(
      `Cannot ${ACTION}: expected rows, got none; load others, or relax the filter`,
    );
  }
  const sources = toTableRows(what, options.factor);
  return await write(() => sideBySide ? besideOthers(sources) : sources, folder, options);
}

type Sources = Iterable<TableRows> | AsyncIterable<TableRows>;

/** Writes files for the newest version and commits the next one; repeats what another job changed in between. */
async function write(
  sourcesOf: () => Sources,
  folder: string,
  options: ExportDatasetOptions,
): ReturnType<typeof exportDataset> {
  return await onDisk(`export to ${folder}`, async () => {
    await mkdir(folder, { recursive: true });
    await removeLeftBehind(folder);
    for (;;) {
      const base = await readNewest(folder);
      const done = await writeFiles(sourcesOf(), base, { folder, ...options });
      const changes = changesOf(done);
      if (changes.size > 0 && !await commitVersion(folder, base, changes)) continue;
      await markFolder(folder);
      const partitions = done.flatMap((place) => place.partitions);
      return { path: folder, partitions, written: done.reduce((sum, one) => sum + one.written, 0) };
    }
  });
}

/** Changes by table. */
function changesOf(done: readonly WrittenPlace[]): ReadonlyMap<TableName, TableChange> {
  const changes = new Map<TableName, TableChange>();
  for (const { place, added, removed } of done) {
    if (added.length + removed.length === 0) continue;
    const table = place.split("/")[0] as TableName;
    const { added: before = [], removed: gone = [] } = changes.get(table) ?? {};
    changes.set(table, {
      added: [...before, ...added],
      removed: [...gone, ...removed],
      dataChange: true,
    });
  }
  return changes;
}

async function writeFiles(
  sources: Sources,
  base: Version,
  {
    folder,
    compression = "zstd",
    rowGroupSize,
    append = false,
    correct = false,
  }:
    & ExportDatasetOptions
    & { readonly folder: string },
): Promise<readonly WrittenPlace[]> {
  const done: WrittenPlace[] = [];
  const options = {
    base,
    compression,
    meeting: correct ? "correct" as const : append ? "append" as const : "all" as const,
    ...rowGroupSize === undefined ? {} : { rowGroupSize },
  };
  for await (const source of sources) {
    const releases = await releasesOf(source);
    if (source.table === "releases") assertOneRelease(releases);
    refuseOtherRelease(base.partitions, { ...source, releases });
    for (const year of await yearsOf(source.rows)) {
      const written = await writePartition(folder, { ...source, year }, options);
      done.push(written);
      const rows = written.added.reduce((sum, { partition }) => sum + partition.rows, 0);
      // Selecting, sorting and inspecting separately would hold the rows in memory three times.
      freeFrames(3 * rows * TABLES[source.table].columns.length);
    }
  }
  return done;
}

function refuseSelection(frame: DataFrame, { partial = false }: ExportDatasetOptions): void {
  if (partial || !frame.columns.includes("download_sha256") || isWholeRelease(frame)) return;
  throw new TypeError(
    `Cannot ${ACTION}: expected the frame that history() returned, got one derived from it, which may lack rows; ` +
      "export the original frame, or pass partial: true",
  );
}

async function releasesOf({ table, rows }: TableRows): Promise<readonly string[]> {
  if (table !== "scores" && table !== "releases") return [];
  const found = await rows.select("download_sha256").unique().collect();
  const releases = found.getColumn("download_sha256").cast(pl.Utf8).dropNulls();
  return (releases.toArray() as string[]).toSorted();
}

function assertOneRelease(releases: readonly string[]): void {
  // The checksum becomes the name of a folder.
  if (releases.length === 1 && /^[0-9A-Za-z]+$/.test(releases[0]!)) return;
  throw new TypeError(
    `Cannot ${ACTION}: expected the rows of one release with sideBySide, got ` +
      `${releases.length === 1 ? describe(releases[0]) : releases.length}; export the frame that ` +
      "history() returned",
  );
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

/**
 * Refuses a second release of the same factor, because readers would mix both.
 *
 * @throws {IntegrityError} If there are two
 */
function refuseOtherRelease(
  partitions: readonly Partition[],
  { table, factor, releases }: Pick<Partition, "table" | "factor" | "releases">,
): void {
  if (table !== "scores") return;
  const other = partitions.find((partition) =>
    partition.table === table && partition.factor === factor &&
    JSON.stringify(partition.releases) !== JSON.stringify(releases)
  );
  if (other === undefined) return;
  throw new IntegrityError(
    `Cannot export a dataset: expected the release of ${factor} that ${placeOf(other)} has ` +
      `(${shown(other.releases)}), got ${shown(releases)}; keep it beside that one with ` +
      "sideBySide: true, or export to another folder",
  );
}

function shown(releases: readonly string[]): string {
  return releases.map((sha256) => `${sha256.slice(0, 8)}…`).join(", ") || "scores of no release";
}
