import { join } from "node:path";
import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { describe } from "../../base/contract/violation.ts";
import { IntegrityError, StorageError } from "../../base/errors.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { markHeldOut } from "../../frames/frame/provenance/held_out.ts";
import type { Manifest, Partition } from "./manifest.ts";
import { MANIFEST_FILE } from "./manifest.ts";
import { isWhole, readManifest } from "./manifest_file.ts";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";

/** A dataset on the disk: its finished partitions and their rows. */
export class Dataset {
  /** Its folder. */
  readonly folder: string;
  /** Its finished files, sorted by path. */
  readonly partitions: Manifest;

  /**
   * Made by {@link openDataset}.
   *
   * @param folder Its folder
   * @param partitions Its finished files
   * @ignore
   */
  constructor(folder: string, partitions: Manifest) {
    this.folder = folder;
    this.partitions = partitions;
  }

  /**
   * Reads the rows of one partition, after comparing its bytes with the manifest.
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
   * Opens the rows of one partition lazily, after comparing its bytes with the manifest: only rows and columns that are
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
   * Compares the file of a partition with the manifest.
   *
   * @param partition One of {@link Dataset.partitions}
   * @throws {IntegrityError} If the file is missing or has other bytes
   */
  async assertWhole(partition: Partition): Promise<void> {
    const path = join(this.folder, partition.path);
    if (await onDisk(`read ${path}`, () => isWhole(this.folder, partition))) return;
    throw new IntegrityError(
      `Cannot read ${path}: expected the ${partition.bytes} bytes that the manifest states, got another size or no file; ` +
        "export it again, which writes missing files",
    );
  }
}

/**
 * Opens a dataset that {@link exportDataset} wrote. Cost: its manifest; rows are read on demand.
 *
 * @param folder Folder of the dataset
 * @throws {StorageError} If there is no dataset
 * @throws {IntegrityError} If its manifest is damaged or has another format
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
export async function openDataset(folder: string): Promise<Dataset> {
  if (typeof folder !== "string" || folder === "") {
    throw new TypeError(
      `Cannot open a dataset: expected the path of a folder, got ${describe(folder)}`,
    );
  }
  refuseAddress("open a dataset", folder);
  const manifest = await onDisk(`open the dataset ${folder}`, () => readManifest(folder));
  if (manifest.length > 0) return new Dataset(folder, manifest);
  throw new StorageError(
    `Cannot open the dataset ${folder}: expected a ${MANIFEST_FILE} with partitions, got none; ` +
      "export to it first, with exportDataset()",
  );
}
