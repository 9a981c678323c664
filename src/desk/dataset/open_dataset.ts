import { join } from "node:path";
import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { checkOptions, numbers, type OptionRules } from "../../base/arguments/check_options.ts";
import { exists } from "../../base/disk/files.ts";
import { IntegrityError, StorageError } from "../../base/errors.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { markHeldOut } from "../../frames/frame/provenance/held_out.ts";
import type { Partition, State } from "./state.ts";
import {
  damageOf,
  folderOfState,
  readNewest,
  readState,
  readStateAt,
  STATE_FILE,
} from "./states.ts";
import { assertFolder } from "../../base/arguments/refuse_address.ts";
import { INSTANT, type InstantInput, toInstant } from "../../client/verb/instant_input.ts";

/** A state of a dataset on the disk: its finished partitions and their rows. Later exports do not change it. */
export class Dataset {
  /** Its folder. */
  readonly folder: string;
  /** Number of the state, counted from 1. */
  readonly state: number;
  /** The time when the state was committed, in UTC. */
  readonly committedAt: string;
  /** Its finished files, sorted by path. */
  readonly partitions: readonly Partition[];

  /**
   * Made by {@link openDataset}.
   *
   * @param folder Its folder
   * @param state The state
   * @ignore
   */
  constructor(folder: string, { number, committedAt, partitions }: State) {
    this.folder = folder;
    this.state = number;
    this.committedAt = committedAt;
    this.partitions = partitions;
  }

  /**
   * Reads the rows of one partition, after comparing its bytes with the state.
   *
   * @param partition One of {@link Dataset.partitions}
   * @param columns The columns to read; all if empty
   * @throws {IntegrityError} If the file is missing or has other bytes
   */
  async read(partition: Partition, columns: readonly string[] = []): Promise<DataFrame> {
    const rows = await this.scan(partition);
    return await (columns.length === 0 ? rows : rows.select(...columns)).collect();
  }

  /**
   * Opens the rows of one partition lazily, after comparing its bytes with the state: only rows and columns that are
   * selected before `collect()` are read into memory.
   *
   * @param partition One of {@link Dataset.partitions}
   * @throws {IntegrityError} If the file is missing or has other bytes
   */
  async scan(partition: Partition): Promise<LazyDataFrame> {
    await this.assertWhole(partition);
    const rows = pl.scanParquet(join(this.folder, partition.path), {
      glob: false,
      hivePartitioning: false,
    });
    return markHeldOut(rows, partition.heldOut ?? null);
  }

  /**
   * Compares the file of a partition with the state.
   *
   * @param partition One of {@link Dataset.partitions}
   * @throws {IntegrityError} If the file is missing or has other bytes
   */
  async assertWhole(partition: Partition): Promise<void> {
    const path = join(this.folder, partition.path);
    const damage = await onDisk(`read ${path}`, () => damageOf(this.folder, partition));
    if (damage === null) return;
    const isKept = await exists(join(folderOfState(this.folder, this.state), STATE_FILE));
    throw new IntegrityError(
      `Cannot read ${path}: expected ${damage}; ` +
        (isKept
          ? "export it again, which writes missing files"
          : `the state ${this.state} was withdrawn: open the newest one`),
    );
  }
}

/** Options of {@link openDataset}. */
export interface OpenDatasetOptions {
  /**
   * Number of a state.
   *
   * @default the newest state
   */
  readonly state?: number;
  /**
   * Opens the state that was the newest one at this instant.
   *
   * @default the newest state
   */
  readonly at?: InstantInput;
}

const RULES: OptionRules<OpenDatasetOptions> = {
  state: numbers("a whole number of at least 1", (value) => Number.isInteger(value) && value > 0),
  at: INSTANT,
};
const ACTION = "open a dataset";

/**
 * Opens a dataset that {@link exportDataset} wrote, in its newest state or an earlier one. Cost: the list of its files; rows
 * are read on demand, from the same files whatever is exported meanwhile.
 *
 * @param folder Folder of the dataset
 * @param options The state; the newest one if left out
 * @throws {StorageError} If there is no dataset, or no such state
 * @throws {IntegrityError} If the state is damaged or has another format
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
 * const rows = await dataset.read(dataset.partitions[0]!);
 * console.assert(rows.height === 1);
 * ```
 */
export async function openDataset(
  folder: string,
  options: OpenDatasetOptions = {},
): Promise<Dataset> {
  assertFolder(ACTION, folder);
  checkOptions("call openDataset()", options, RULES);
  const state = await onDisk(`open the dataset ${folder}`, () => readAsked(folder, options));
  if (state.number > 0) return new Dataset(folder, state);
  throw new StorageError(
    `Cannot open the dataset ${folder}: expected a state with files, got none; ` +
      "export to it first, with exportDataset()",
  );
}

async function readAsked(folder: string, { state, at }: OpenDatasetOptions): Promise<State> {
  if (state !== undefined && at !== undefined) {
    throw new TypeError(`Cannot ${ACTION}: expected state or at, got both; leave one out`);
  }
  if (state !== undefined) return await readState(folder, state);
  return at === undefined ? await readNewest(folder) : await readStateAt(folder, toInstant(at));
}
