import { heldOutText } from "../../base/wording/sentences/held_out_text.ts";
import { DATASET_FORMAT, type Partition, type State } from "./state.ts";
import { type ColumnType, type TableName, TABLES } from "./table/table.ts";

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: "string",
  number: "double",
  date: "date",
  instant: "timestamp (ms, UTC)",
};

/** Description of the tables of a state, and of reading them with other engines, in Markdown. */
export function schemaPage({ number, committedAt, partitions }: State): string {
  const tables = (Object.keys(TABLES) as TableName[])
    .filter((name) => partitions.some(({ table }) => table === name));
  const [first] = tables;
  const synthetic = partitions.some((partition) => partition.synthetic)
    ? ["", "Some of its numbers are **synthetic**: `source` says which."]
    : [];
  return [
    `# State ${number} of a dataset of scoreframe`,
    "",
    `Committed at ${committedAt}; format ${DATASET_FORMAT}. \`state.json\` has one line per file: its path in the dataset, rows,`,
    "first and last session, SHA-256, columns, the program that wrote it, and the release or sets that its rows come from.",
    "Below `data`, each folder is one table, whose files all have the same columns; `year` is in the name of the folder",
    "alone. Rows are sorted, and each column has statistics. Files of earlier states and of unfinished jobs are in the",
    "same folders: read those that the state names.",
    ...synthetic,
    ...heldOutLines(partitions),
    ...tables.flatMap((table) => describeTable(table, partitions)),
    "",
    "## How to read a table",
    "",
    "```python",
    "import json",
    `state = json.load(open("DATASET/states/${String(number).padStart(8, "0")}/state.json"))`,
    `files = ["DATASET/" + file["path"] for file in state["files"] if file["table"] == "${first}"]`,
    "polars.scan_parquet(files, hive_partitioning=True)",
    "duckdb.read_parquet(files, hive_partitioning=True)",
    "pyarrow.parquet.read_table(files)",
    "pandas.read_parquet(files)",
    `spark.read.option("basePath", "DATASET/data/${first}").parquet(*files)`,
    "```",
    "",
  ].join("\n");
}

/** Hold-outs of the studies that the files come from, each once. */
function heldOutLines(partitions: readonly Partition[]): readonly string[] {
  const said = partitions.flatMap(({ heldOut }) =>
    heldOut === undefined ? [] : heldOutText(heldOut)
  );
  return said.length === 0 ? [] : ["", [...new Set(said)].join(" ")];
}

function describeTable(name: TableName, all: readonly Partition[]): readonly string[] {
  const table = TABLES[name];
  const partitions = all.filter((partition) => partition.table === name);
  const rows = partitions.reduce((sum, partition) => sum + partition.rows, 0);
  const folders = `${name === "releases" ? "release=…/" : ""}year=…/`;
  return [
    "",
    `## ${name}`,
    "",
    `\`data/${name}/${folders}\`: ${partitions.length} files, ${rows} rows. One row is`,
    `${table.row}; sorted by ${table.key.join(", ")}.`,
    "",
    "| column | type | meaning |",
    "| --- | --- | --- |",
    ...table.columns.map(({ name, type, what }) => `| ${name} | ${TYPES[type]} | ${what} |`),
    "| year | integer | of the folder |",
  ];
}
