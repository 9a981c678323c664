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
import { onDisk } from "../../base/disk/on_disk.ts";
import { Study } from "../../study/study.ts";
import { IntegrityError } from "../../base/errors.ts";
import { type Partition, placeOf, type State } from "./state.ts";
import { commitState, readNewest } from "./states.ts";
import { Dataset } from "./open_dataset.ts";
import { freeFrames } from "../../base/runtime/free_frames.ts";
import { mergeChecks, publicationTables } from "./table/set_tables.ts";
import { studyRows } from "./table/study_rows.ts";
import { asWritten, DAY, lay, rowsInYear } from "./table/lay.ts";
import { type TableName, TABLES } from "./table/table.ts";
import { besideOthers, type TableRows, toTableRows } from "./table/table_rows.ts";
import { writePartition, type WrittenPartition } from "./write_partition.ts";

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
   * Adds the rows to those of a stored year, by their key: further score sets, decision times or sessions of prices. Rows that are
   * stored already are taken once. The year gets a new file, and the earlier state keeps the earlier one; after a kill at any
   * moment, repeat the call.
   *
   * @default false: rows that differ from the stored ones are refused
   */
  readonly append?: boolean;
  /**
   * Puts a release into the table `releases` instead of `scores`, in a folder of its checksum, beside other releases of the
   * factor; of a study all of its releases.
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
  sideBySide: FLAG,
};
const ACTION = "export a dataset";

/**
 * Writes scores, prices or a study as Parquet in hive layout, which Polars, DuckDB, pyarrow and Spark read as tables.
 *
 * Tables of a dataset are `scores` (a release, or your own scores by date), `panel` (scores by instant) and `prices`; a
 * study has `scores` (its releases), `sets` and `views`. With sets come `publications`, and `checks` as far as the frame
 * names them, so that SQL can ask what was in force at a time; the frame of `publications()` gives both as well. Their files
 * are in `data/scores/year=2024` and `data/prices/year=2024`; the year is that of the session. The score is the
 * column `score`, whatever the factor; provenance is in columns. Rows are sorted by session and ticker. With the prices come
 * `sessions` and `listings`, which an analysis of one year needs from the others.
 *
 * Each call commits a state: `states/00000042/state.json` lists the files with their rows, sessions, SHA-256 and release or
 * sets, and `schema.md` beside it describes all columns. A file and a state are never changed; readers need no lock, and of two
 * jobs that export at once one repeats what the other has changed. A file with the same rows is not written again. Memory: the
 * frame, and the rows of one year at a time; a study is read one release, or the sets of one year, at a time.
 *
 * @param what A release, a panel, score sets, prices, scores with `date`, `ticker` and a score, or a study
 * @param folder Folder of the dataset; it may hold other factors and tables
 * @param options Compression, row groups, the name of the factor
 * @returns The folder as `path`, the partitions of the exported rows, and the number of those that this call has `written`
 * @throws {TypeError} If the frame is none of these, repeats a row, or is a selection of a release
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
 * console.assert(partitions[0]!.path.startsWith("data/prices/year=2025/"));
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
  const { append = false, sideBySide = false } = options;
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
  if (sideBySide) return await write(() => besideOthers(sources), folder, options);
  return await write(
    (base) => append ? withStored(sources, new Dataset(folder, base)) : sources,
    folder,
    options,
  );
}

/** The rows of each year together with those that are stored. */
async function* withStored(
  sources: readonly TableRows[],
  dataset: Dataset,
): AsyncGenerator<TableRows> {
  if (dataset.partitions.length === 0) {
    yield* sources;
    return;
  }
  // These are recomputed from all rows, so they include those of a job that was killed.
  const made = new Set<TableName>(["sessions", "listings"]);
  if (sources.some(({ table }) => table === "sets")) made.add("publications");
  for (const source of sources.filter(({ table }) => !made.has(table))) {
    const { table, factor } = source;
    for (const year of await yearsOf(source.rows)) {
      const place = { table, factor, year };
      const all = await grown(dataset, place, rowsInYear(source, year));
      if (table === "prices") yield* toTableRows(all);
      else yield { table, factor, rows: lay(all, table) };
      if (table !== "sets") continue;
      const [published] = publicationTables(all);
      const known = await grown(
        dataset,
        { ...place, table: "publications" },
        rowsInYear(published!, year),
      );
      yield { table: "publications", factor, rows: lay(known, "publications") };
    }
  }
}

/** Stored rows of a year and those that are added. */
async function grown(
  dataset: Dataset,
  place: Pick<Partition, "table" | "factor" | "year">,
  rows: LazyDataFrame,
): Promise<DataFrame> {
  const added = await asWritten(rows, place.table).collect();
  const known = dataset.partitions.find((partition) => placeOf(partition) === placeOf(place));
  if (known === undefined) return added;
  if (known.releases.length > 0) throw ofRelease(known);
  const stored = await dataset.read(known);
  if (place.table !== "checks") return await appendRows(stored, added, place);
  return await mergeChecks(lay(pl.concat([stored, added]), "checks")).drop(DAY).collect();
}

function ofRelease(partition: Partition): IntegrityError {
  return new IntegrityError(
    `Cannot ${ACTION}: expected to append to sets, panels, prices or scores of your own, got ` +
      `${placeOf(partition)} of a release, which is frozen; export another release to another ` +
      "folder",
  );
}

type Sources = Iterable<TableRows> | AsyncIterable<TableRows>;

/** Writes files for the newest state and commits the next one; repeats what another job changed in between. */
async function write(
  sourcesOf: (base: State) => Sources,
  folder: string,
  options: ExportDatasetOptions,
): ReturnType<typeof exportDataset> {
  return await onDisk(`export to ${folder}`, async () => {
    await mkdir(folder, { recursive: true });
    await removeLeftBehind(folder);
    for (let base = await readNewest(folder);;) {
      const done = await writeFiles(sourcesOf(base), base, { folder, ...options });
      const partitions = done.map(({ partition }) => partition);
      for (let isSame = true; isSame;) {
        const changed = partitions.filter((one) => one.path !== inState(base, one)?.path);
        if (changed.length === 0 || await commitState(folder, base, changed)) {
          return { path: folder, partitions, written: done.filter(({ isNew }) => isNew).length };
        }
        const newest = await readNewest(folder);
        for (const one of partitions) refuseOtherRelease(newest.partitions, one);
        isSame = partitions.every((one) => inState(base, one)?.path === inState(newest, one)?.path);
        base = newest;
      }
    }
  });
}

function inState({ partitions }: State, partition: Partition): Partition | undefined {
  return partitions.find((one) => placeOf(one) === placeOf(partition));
}

async function writeFiles(
  sources: Sources,
  base: State,
  { folder, compression = "zstd", rowGroupSize, append = false, sideBySide = false }:
    & ExportDatasetOptions
    & { readonly folder: string },
): Promise<readonly WrittenPartition[]> {
  const done: WrittenPartition[] = [];
  const files = {
    base,
    compression,
    // A release is frozen.
    append: append && !sideBySide,
    ...rowGroupSize === undefined ? {} : { rowGroupSize },
  };
  for await (const source of sources) {
    const releases = await releasesOf(source);
    if (source.table === "releases") assertOneRelease(releases);
    refuseOtherRelease(base.partitions, { ...source, releases });
    for (const year of await yearsOf(source.rows)) {
      const written = await writePartition(folder, { ...source, year }, files);
      done.push(written);
      // Selecting, sorting and inspecting separately would hold the rows in memory three times.
      freeFrames(3 * written.partition.rows * written.partition.columns.length);
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
 * Adds rows to a stored partition by the key of their table; a row that is already stored is kept once.
 *
 * @param stored Rows of the partition's file
 * @param added Rows with the same columns
 * @throws {IntegrityError} If a stored row has other numbers or dates under the same key
 */
async function appendRows(
  stored: DataFrame,
  added: DataFrame,
  { table, factor }: Pick<TableRows, "table" | "factor">,
): Promise<DataFrame> {
  const { key, columns } = TABLES[table];
  const compared = columns.filter(({ name, type }) =>
    !key.includes(name) && (type === "number" || type === "date")
  ).map(({ name }) => name);
  const theirs = stored.select(...key, ...compared)
    .rename(Object.fromEntries(compared.map((name) => [name, `stored ${name}`])));
  const both = await added.lazy().join(theirs.lazy(), { on: [...key], how: "inner" }).collect();
  for (const name of compared) {
    const [one, other] = [pl.col(name), pl.col(`stored ${name}`)];
    const isOther = one.neq(other).fillNull(pl.lit(false)).or(one.isNull().neq(other.isNull()));
    const others = both.filter(isOther);
    if (others.height > 0) throw changed(others, { key, name, what: factor ?? table });
  }
  const isNew = both.height === 0 ? added : await added.lazy().join(
    stored.select(...key).lazy(),
    { on: [...key], how: "anti" },
  ).collect();
  return pl.concat([stored, isNew.select(...stored.columns)]);
}

function changed(
  rows: DataFrame,
  { key, name, what }: {
    readonly key: readonly string[];
    readonly name: string;
    readonly what: string;
  },
): IntegrityError {
  const row = rows.head(1).select(...key.map((column) => pl.col(column).cast(pl.Utf8))).row(0);
  const values = rows.head(1).select(`stored ${name}`, name).row(0);
  return new IntegrityError(
    `Cannot append to ${what}: expected the ${name} that is stored for ${row.join(" ")}, ${
      values[0] ?? "null"
    }, got ${values[1] ?? "null"}; leave that row out, or export everything to another folder`,
  );
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
