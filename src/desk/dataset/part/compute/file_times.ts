import pl, { type DataFrame, type Expr } from "nodejs-polars";
import type { Partition } from "../../state.ts";
import type { Dataset } from "../../open_dataset.ts";

const MAX_FILES = 1000;

// Every partition asks for the times of all years: of 48 years, reading them again took two thirds of the work.
const known = new Map<string, DataFrame>();

/**
 * Times of the sets in a file of scores: at most two rows per time, one with a score and one without. A file is read once
 * in a program, as long as its bytes stay the same.
 *
 * @param columns Columns of times to read
 * @throws {IntegrityError} If the file is read, and is missing or has other bytes than the state says
 */
export async function readFileTimes(
  dataset: Dataset,
  file: Partition,
  columns: readonly Expr[],
): Promise<DataFrame> {
  const key = `${file.sha256} ${file.path}`;
  const times = known.get(key) ?? await readTimes(dataset, file, columns);
  known.delete(key);
  known.set(key, times);
  if (known.size > MAX_FILES) known.delete(known.keys().next().value!);
  return times;
}

async function readTimes(
  dataset: Dataset,
  file: Partition,
  columns: readonly Expr[],
): Promise<DataFrame> {
  const rows = await dataset.scan(file);
  return await rows.select(...columns, pl.col("score").mul(pl.lit(0)).alias("score")).unique()
    .collect();
}
