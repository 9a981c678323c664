/**
 * Datasets: what was loaded as Parquet in hive layout, for engines that run on more than one machine.
 *
 * {@link exportDataset} writes releases, panels, prices and studies; {@link openDataset} reads what is finished.
 *
 * @module
 */

import "../runtime/require_deno.ts";
import "../runtime/require_permissions.ts";
import "../runtime/require_polars.ts";

export { type DatasetExport, exportDataset, type ExportDatasetOptions } from "./export_dataset.ts";
export type { Manifest, Partition } from "./manifest.ts";
export { Dataset, openDataset } from "./open_dataset.ts";
export type { TableName } from "./table.ts";
