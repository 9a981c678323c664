import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";
import { DATASET_FORMAT, type Manifest } from "./manifest.ts";
import { type ColumnType, type Table, TABLES } from "./table/table.ts";

/** Name of the schema page in the folder of a dataset. */
export const SCHEMA_FILE = "schema.md";

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: "string",
  number: "double",
  date: "date",
  instant: "timestamp (ms, UTC)",
};

/** Description of the tables of a dataset, and of reading them with other engines, in Markdown. */
export function schemaPage(manifest: Manifest): string {
  const tables = Object.values(TABLES).filter(({ name }) =>
    manifest.some(({ table }) => table === name)
  );
  const synthetic = manifest.some((partition) => partition.synthetic)
    ? ["", "Some of its numbers are **synthetic**: `source` says which."]
    : [];
  return [
    "# Dataset of scoreframe",
    "",
    `Parquet in hive layout, format ${DATASET_FORMAT}. Each folder below is one table, whose files all have the same`,
    "columns; `year` is in the name of the folder alone. `manifest.json` has one line per file: its rows, first and",
    "last session, SHA-256, columns, the program that wrote it, and the release or sets that its rows come from. A",
    "file that the manifest does not name is not finished. Rows are sorted, and each column has statistics.",
    ...synthetic,
    ...heldOutLines(manifest),
    ...tables.flatMap((table) => describeTable(table, manifest)),
    "",
    "## How to read a table",
    "",
    "```python",
    'polars.scan_parquet("DATASET/scores", hive_partitioning=True)',
    'pyarrow.dataset.dataset("DATASET/scores") # without partitioning="hive": factor is in the files',
    'pandas.read_parquet("DATASET/scores", partitioning=None)',
    'spark.read.parquet("DATASET/scores")',
    "```",
    "",
    "```sql",
    "SELECT * FROM read_parquet('DATASET/scores/*/*/*.parquet', hive_partitioning = true) -- DuckDB",
    "```",
    "",
  ].join("\n");
}

/** Hold-outs of the studies that the files come from, each once. */
function heldOutLines(manifest: Manifest): readonly string[] {
  const said = manifest.flatMap(({ heldOut }) => heldOut === undefined ? [] : heldOutText(heldOut));
  return said.length === 0 ? [] : ["", [...new Set(said)].join(" ")];
}

function describeTable(table: Table, manifest: Manifest): readonly string[] {
  const partitions = manifest.filter((partition) => partition.table === table.name);
  const rows = partitions.reduce((sum, partition) => sum + partition.rows, 0);
  const folders = table.folders.map((name) => `${name}=…/`).join("");
  return [
    "",
    `## ${table.name}`,
    "",
    `\`${table.name}/${folders}part-0.parquet\`: ${partitions.length} files, ${rows} rows. One row is`,
    `${table.row}; sorted by ${table.key.join(", ")}.`,
    "",
    "| column | type | meaning |",
    "| --- | --- | --- |",
    ...table.columns.map(({ name, type, what }) => `| ${name} | ${TYPES[type]} | ${what} |`),
    "| year | integer | of the folder |",
  ];
}
