import { mkdir, open, rename, rm, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncFolder, temporaryPath } from "../../base/disk/files.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { IntegrityError } from "../../base/errors.ts";
import { heldOutOf } from "../../frames/frame/provenance/held_out.ts";
import { type ParquetOptions, writeParquet } from "../../frames/vintage/write_parquet.ts";
import { damageOf } from "./damage.ts";
import { inspectRows } from "./inspect_rows.ts";
import { currentMaker } from "./maker.ts";
import {
  type Partition,
  pathOf,
  placeOf,
  type RowFacts,
  type State,
  tableColumns,
} from "./state.ts";
import { asWritten, rowsInYear } from "./table/lay.ts";
import type { TableRows } from "./table/table_rows.ts";

/** A partition after a call to write it. */
export interface WrittenPartition {
  /** The partition. */
  readonly partition: Partition;
  /** `true` if this call wrote it; `false` if it existed already. */
  readonly isNew: boolean;
}

/**
 * Writes the rows of one year to a file of its own name, which no reader sees before a state names it; a year that the state
 * has with the same rows is not written again.
 *
 * @throws {IntegrityError} If the state has the partition with other rows
 */
export async function writePartition(
  folder: string,
  source: TableRows & { readonly year: number },
  { base, append, ...options }: ParquetOptions & {
    /** The state that the dataset has. */
    readonly base: State;
    /** True if the rows contain those of the state. */
    readonly append: boolean;
  },
): Promise<WrittenPartition> {
  const { table, factor, year } = source;
  const sorted = await rowsInYear(source, year).collect();
  const facts = inspectRows(sorted, source);
  const place = placeOf({ table, factor, year, releases: facts.releases });
  const known = base.partitions.find((one) => placeOf(one) === place);
  const isGrown = append && known?.numbers !== facts.numbers;
  if (known !== undefined && !isGrown && await damageOf(folder, known) === null) {
    refuseOtherRows(folder, known, facts);
    return { partition: known, isNew: false };
  }
  const temporary = temporaryPath(folder);
  try {
    await writeParquet(asWritten(sorted.lazy(), table), temporary, options);
    const { sha256, sizeBytes: bytes } = await hashFile(temporary);
    const heldOut = heldOutOf(sorted);
    const partition: Partition = {
      ...{ table, factor, year, bytes, sha256, ...facts },
      path: pathOf({ table, factor, year, releases: facts.releases, sha256 }),
      ...heldOut === null ? {} : { heldOut },
      ...{ columns: tableColumns(table), maker: await currentMaker() },
    };
    await keepFile(folder, temporary, partition);
    return { partition, isNew: true };
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** Flushes a file to the disk and gives it the name of its bytes. */
async function keepFile(folder: string, temporary: string, partition: Partition): Promise<void> {
  const path = join(folder, partition.path);
  if (await damageOf(folder, partition) === null) {
    // Written by a job that was killed or lost the race: as young as a new one, so that no cleaning takes it.
    await utimes(path, new Date(), new Date());
    return;
  }
  {
    await using file = await open(temporary, "r+");
    await file.sync();
  }
  await mkdir(dirname(path), { recursive: true });
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

function refuseOtherRows(folder: string, known: Partition, given: RowFacts): void {
  if (known.numbers === given.numbers && sameOrigin(known, given)) return;
  throw new IntegrityError(
    `Cannot export ${placeOf(known)} to ${folder}: expected the rows that the dataset has there ` +
      `(${describeRows(known)}), got other rows (${describeRows(given)}); export to another folder`,
  );
}

/** Tests if rows come from the same releases, sets and calculation definitions. */
function sameOrigin(a: RowFacts, b: RowFacts): boolean {
  return [[a.releases, b.releases], [a.sets, b.sets], [a.versions, b.versions]]
    .every(([one, other]) => JSON.stringify(one) === JSON.stringify(other));
}

/** A short description of the rows of a partition. */
function describeRows(facts: RowFacts): string {
  const releases = facts.releases.map((sha256) => `release ${sha256.slice(0, 8)}…`);
  const sets = facts.sets.length === 0 ? [] : [`${facts.sets.length} sets`];
  const numbers = `numbers ${facts.numbers.slice(0, 8)}…`;
  return [`${facts.rows} rows`, ...releases, ...sets, ...facts.versions, numbers].join(", ");
}
