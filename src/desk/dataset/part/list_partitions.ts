import {
  checkOptions,
  needed,
  oneOf,
  type OptionRules,
  TEXT,
} from "../../../base/arguments/check_options.ts";
import { type Dataset, openDataset } from "../open_dataset.ts";
import { partitionsOf } from "./partition_name.ts";
import { Sample } from "./compute/sample.ts";

/** Options of {@link listPartitions}. */
export interface ListPartitionsOptions {
  /** The factor. */
  readonly factor: string;
  /**
   * `scores`, `panel` or `sets`.
   *
   * @default the only table with the factor
   */
  readonly table?: "scores" | "panel" | "sets";
  /**
   * Calendar period of a partition.
   *
   * @default "year"
   */
  readonly by?: "year" | "quarter" | "month";
}

const RULES: OptionRules<ListPartitionsOptions> = {
  factor: needed(TEXT, '"ecpnd"'),
  table: oneOf("scores", "panel", "sets"),
  by: oneOf("year", "quarter", "month"),
};

/**
 * Lists the partitions of the analysis of a factor in order of time. Together they are the whole sample:
 * {@link mergePartitions} needs each of them.
 *
 * @param dataset Folder of a dataset with scores and prices, or an opened dataset
 * @param options Factor, and calendar period of a partition
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
  checkOptions("call listPartitions()", options, RULES);
  const { factor, table = null, by = "year" } = options;
  const opened = typeof dataset === "string" ? await openDataset(dataset) : dataset;
  return partitionsOf(new Sample(opened, factor, table).days, by).map(({ name }) => name);
}
