import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { DataFrame } from "nodejs-polars";
import { type TrialLog, trialLog } from "../../analysis/trial_log.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { replaceFile } from "../../base/disk/replace_file.ts";
import { IntegrityError } from "../../base/errors.ts";
import { readVariantRow, rowsFrame, type VariantRow } from "./variant_row.ts";

/**
 * Collects the results of variants: a table with a row for each, and one trial log with the tests of all.
 *
 * @param folders Folders of `analyseVariant`
 * @param to Folder of `variants.parquet` and `trial_log.jsonl`
 * @throws {IntegrityError} If a folder has no result, or its trial log lacks a test
 */
export async function collectVariants(
  folders: readonly string[],
  to: string,
): Promise<{ readonly table: DataFrame; readonly tried: TrialLog }> {
  const rows = await Promise.all(folders.map(readRow));
  const logs = folders.map((folder, i) => readTrials(folder, rows[i]!));
  const table = rowsFrame(rows);
  await onDisk(`write to ${to}`, async () => {
    await mkdir(to, { recursive: true });
    await replaceFile(join(to, "variants.parquet"), (path) => {
      table.writeParquet(path, { compression: "zstd" });
      return Promise.resolve();
    });
  });
  const tried = trialLog(to);
  tried.unite(logs);
  return { table, tried };
}

async function readRow(folder: string): Promise<VariantRow> {
  const row = await readVariantRow(folder);
  if (row !== null) return row;
  throw new IntegrityError(
    `Cannot collect ${folder}: expected the result of a variant, got none; run that variant again`,
  );
}

// A test that was removed would make the others look better than they are.
function readTrials(folder: string, { trials, trialsEnd }: VariantRow): TrialLog {
  const tried = trialLog(folder);
  const problems = [
    ...tried.problems,
    ...tried.end === trialsEnd
      ? []
      : [`The log ends at ${tried.end}, and was written to ${trialsEnd}.`],
  ];
  if (problems.length === 0) return tried;
  throw new IntegrityError(
    `Cannot collect ${folder}: expected the ${trials} tests of its trial log, got ${tried.count}. ` +
      `${problems.join(" ")} Run that variant again`,
  );
}
