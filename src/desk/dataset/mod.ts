/**
 * Datasets: loaded data as Delta tables, for engines that run on more than one machine.
 *
 * {@link exportDataset} writes releases, panels, prices and studies; {@link openDataset} reads finished files, and
 * {@link cleanDataset} removes earlier ones.
 * {@link saveTables} writes the tables of an analysis.
 *
 * @module
 */

import "../../base/runtime/require_deno.ts";
import "../../base/runtime/require_polars.ts";
import "../../frames/frame/polars/refuse_operators.ts";

export { cleanDataset } from "./clean_dataset.ts";
export { exportDataset, type ExportDatasetOptions } from "./export_dataset.ts";
export type { Partition } from "./partition.ts";
export { Dataset, openDataset } from "./open_dataset.ts";
export { saveTables } from "./save_tables.ts";
