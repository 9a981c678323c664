/**
 * Datasets: loaded data as Parquet in hive layout, for engines that run on more than one machine.
 *
 * {@link exportDataset} writes releases, panels, prices and studies; {@link openDataset} reads finished files, and
 * {@link cleanDataset} removes earlier ones.
 * {@link analyzePartition} analyses a factor partition by partition; {@link mergePartitions} gives the analysis of the whole.
 *
 * @module
 */

import "../../base/runtime/require_deno.ts";
import "../../base/runtime/require_polars.ts";
import "../../frames/frame/polars/refuse_operators.ts";

export { cleanDataset, type CleanDatasetOptions } from "./clean_dataset.ts";
export { exportDataset, type ExportDatasetOptions } from "./export_dataset.ts";
export type { Partition } from "./state.ts";
export { Dataset, openDataset, type OpenDatasetOptions } from "./open_dataset.ts";
export {
  analyzePartition,
  type AnalyzePartitionOptions,
  type WrittenPart,
} from "./part/analyze_partition.ts";
export { listPartitions, type ListPartitionsOptions } from "./part/list_partitions.ts";
export { mergePartitions, type MergePartitionsOptions } from "./part/merge_partitions.ts";
export { saveTables } from "./part/save_tables.ts";
export type { PartOptions } from "./part/part_facts.ts";
export type { TableName } from "./table/table.ts";
