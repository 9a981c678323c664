import { checkOptions, oneOf, type OptionRules, TEXT } from "../../arguments/check_options.ts";
import { type Dataset, openDataset } from "../open_dataset.ts";
import { type PartitionKind, partitionsOf } from "./partition_name.ts";
import { Sample } from "./sample.ts";

/** Which partitions are listed. */
export interface ListPartitionsOptions {
  /** The factor. */
  readonly factor: string;
  /**
   * `scores`, `panel` or `sets`.
   *
   * @default the only one that has the factor
   */
  readonly table?: "scores" | "panel" | "sets";
  /**
   * By what the analysis is cut.
   *
   * @default "year"
   */
  readonly by?: PartitionKind;
}

const RULES: OptionRules<ListPartitionsOptions> = {
  factor: { ...TEXT, example: '"ecpnd"' },
  table: oneOf("scores", "panel", "sets"),
  by: oneOf("year", "quarter", "month"),
};

/**
 * The names of the partitions into which the analysis of a factor is cut, in the order of their days. Together they are the whole
 * sample: {@link mergePartitions} asks for each of them.
 *
 * @param dataset Folder of a dataset with scores and prices, or what `openDataset()` gave
 * @param options Which factor, and by what it is cut
 * @returns Names such as `year=2024`
 * @throws {TypeError} If an option is unknown or of another kind
 * @throws {RangeError} If the dataset has no such factor or no prices
 *
 * @example
 * ```ts
 * import { exportDataset, listPartitions } from "scoreframe/dataset";
 * import pl from "nodejs-polars";
 *
 * const folder = await Deno.makeTempDir();
 * const rows = { date: ["2025-12-31", "2026-01-02"], ticker: ["AAA", "AAA"] };
 * await exportDataset(pl.DataFrame({ ...rows, score: [0.1, 0.2] }), folder, { factor: "mine" });
 * await exportDataset(pl.DataFrame({ ...rows, close: [100, 101] }), folder);
 * const names = await listPartitions(folder, { factor: "mine" });
 * console.assert(names.join() === "year=2025,year=2026");
 * ```
 */
export async function listPartitions(
  dataset: Dataset | string,
  options: ListPartitionsOptions,
): Promise<readonly string[]> {
  checkOptions("listPartitions()", options, RULES);
  const { factor, table = null, by = "year" } = options;
  const opened = typeof dataset === "string" ? await openDataset(dataset) : dataset;
  return partitionsOf(new Sample(opened, factor, table).days, by).map(({ name }) => name);
}
