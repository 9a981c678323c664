import { join } from "node:path";
import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { checkOptions, numbers } from "../../base/arguments/check_options.ts";
import { IntegrityError, StorageError } from "../../base/errors.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { markHeldOut } from "../../frames/frame/provenance/held_out.ts";
import { damageOf, type Partition } from "./partition.ts";
import { readNewest, readVersion, readVersionAt, type Version } from "./versions.ts";
import { asWritten } from "./table/lay.ts";
import { TABLES } from "./table/table.ts";
import { assertFolder } from "../../base/arguments/refuse_address.ts";
import { INSTANT, type InstantInput, toInstant } from "../../client/verb/instant_input.ts";

/** A version of a dataset on the disk: its finished files and their rows. Later exports do not change it. */
export class Dataset {
  /** Its folder. */
  readonly folder: string;
  /** Number of the version, counted from 1. */
  readonly version: number;
  /** The time when the version was committed, in UTC. */
  readonly committedAt: string;
  /** Its finished files, sorted by table, factor and first row. */
  readonly partitions: readonly Partition[];

  /**
   * Made by {@link openDataset}.
   *
   * @param folder Its folder
   * @param version The version
   * @ignore
   */
  constructor(folder: string, { version, committedAt, partitions }: Version) {
    this.folder = folder;
    this.version = version;
    this.committedAt = committedAt;
    this.partitions = partitions;
  }

  /**
   * Reads the rows of a table or of files of one table, sorted by its key, after comparing the bytes with the log.
   *
   * @param what The name of a table, one of {@link Dataset.partitions}, or some of one table
   * @param columns The columns to read; all if empty
   * @throws {IntegrityError} If a file is missing or has other bytes
   */
  async read(
    what: Partition["table"] | Partition | readonly Partition[],
    columns: readonly string[] = [],
  ): Promise<DataFrame> {
    const files = this.#filesOf(what);
    const rows = await this.scan(files);
    const { key } = TABLES[files[0]!.table];
    // One file is sorted as it is.
    const sorted = files.length === 1 ? rows : rows.sort([...key]);
    return await (columns.length === 0 ? sorted : sorted.select(...columns)).collect();
  }

  /**
   * Opens the rows of a table or of files of one table lazily, after comparing the bytes with the log: only rows and columns
   * that are selected before `collect()` are read into memory.
   *
   * @param what The name of a table, one of {@link Dataset.partitions}, or some of one table
   * @throws {IntegrityError} If a file is missing or has other bytes
   */
  async scan(what: Partition["table"] | Partition | readonly Partition[]): Promise<LazyDataFrame> {
    const files = this.#filesOf(what);
    const parts = [];
    for (const file of files) {
      await this.assertWhole(file);
      const path = join(this.folder, file.path);
      const rows = pl.scanParquet(path, { glob: false, hivePartitioning: false });
      parts.push(asWritten(rows, file.table));
    }
    const all = parts.length === 1 ? parts[0]! : pl.concat(parts);
    return markHeldOut(
      all,
      files.findLast(({ heldOut }) => heldOut !== undefined)?.heldOut ?? null,
    );
  }

  /**
   * Compares a file with the log.
   *
   * @param partition One of {@link Dataset.partitions}
   * @throws {IntegrityError} If the file is missing or has other bytes
   */
  async assertWhole(partition: Partition): Promise<void> {
    const path = join(this.folder, partition.path);
    const damage = await onDisk(`read ${path}`, () => damageOf(this.folder, partition));
    if (damage === null) return;
    const { firstKept } = await readNewest(this.folder);
    throw new IntegrityError(
      `Cannot read ${path}: expected ${damage}; ` +
        (this.version >= firstKept
          ? "export it again, which writes missing files"
          : `the version ${this.version} was withdrawn: open the newest one`),
    );
  }

  #filesOf(what: Partition["table"] | Partition | readonly Partition[]): readonly Partition[] {
    if (typeof what === "object") return [what].flat() as readonly Partition[];
    const files = this.partitions.filter(({ table }) => table === what);
    if (files.length > 0) return files;
    const tables = [...new Set(this.partitions.map(({ table }) => table))];
    throw new TypeError(
      `Cannot read the dataset ${this.folder}: expected one of its tables, ${
        tables.join(", ")
      }, got ` +
        `${String(what)}; export it first`,
    );
  }
}

const RULES = {
  version: numbers("a whole number of at least 1", (value) => Number.isInteger(value) && value > 0),
  at: INSTANT,
};
const ACTION = "open a dataset";

/**
 * Opens a dataset that {@link exportDataset} wrote, in its newest version or an earlier one. Cost: the logs of its tables; rows
 * are read on demand, from the same files whatever is exported meanwhile.
 *
 * @param folder Folder of the dataset
 * @param options Number of the version, or the instant `at` which it was the newest one; the newest one if left out
 * @throws {StorageError} If there is no dataset, or no such version
 * @throws {IntegrityError} If a log is damaged, or the dataset has another format
 *
 * @example
 * ```ts
 * import { exportDataset, openDataset } from "scoreframe/dataset";
 * import pl from "nodejs-polars";
 *
 * const folder = await Deno.makeTempDir();
 * const prices = pl.DataFrame({ date: ["2026-01-02"], ticker: ["AAA"], close: [101] });
 * await exportDataset(prices, folder);
 * const dataset = await openDataset(folder);
 * const rows = await dataset.read("prices");
 * console.assert(rows.height === 1);
 * ```
 */
export async function openDataset(
  folder: string,
  options: { readonly version?: number; readonly at?: InstantInput } = {},
): Promise<Dataset> {
  assertFolder(ACTION, folder);
  checkOptions("call openDataset()", options, RULES);
  const found = await onDisk(`open the dataset ${folder}`, () => readAsked(folder, options));
  if (found.version > 0) return new Dataset(folder, found);
  throw new StorageError(
    `Cannot open the dataset ${folder}: expected a version with files, got none; ` +
      "export to it first, with exportDataset()",
  );
}

async function readAsked(
  folder: string,
  { version, at }: NonNullable<Parameters<typeof openDataset>[1]>,
): Promise<Version> {
  if (version !== undefined && at !== undefined) {
    throw new TypeError(`Cannot ${ACTION}: expected version or at, got both; leave one out`);
  }
  if (version !== undefined) return await readVersion(folder, version);
  return at === undefined ? await readNewest(folder) : await readVersionAt(folder, toInstant(at));
}
