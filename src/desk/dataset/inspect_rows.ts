import { createHash, type Hash } from "node:crypto";
import pl, { type DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import {
  readDayColumn,
  readInstantColumn,
  readNumbers,
  readTexts,
} from "../../analysis/table/read_columns.ts";
import type { RowFacts } from "./state.ts";
import { type Table, TABLES } from "./table/table.ts";
import { DAY } from "./table/lay.ts";
import type { TableRows } from "./table/table_rows.ts";

const ACTION = "export a dataset";

/**
 * Reads the facts of a state about the sorted rows of a partition.
 *
 * `numbers` is the SHA-256 of the key columns and the numbers, little endian, column after column: texts as sorted distinct
 * values and codes, dates as epoch days, instants as milliseconds, missing values as NaN, negative zero as zero.
 *
 * @param frame Rows with the columns of the table and {@link DAY}, sorted by its key
 * @throws {TypeError} If a key column is null, or two rows have the same key
 */
export function inspectRows(frame: DataFrame, { table, factor }: TableRows): RowFacts {
  const schema = TABLES[table];
  const days = readDayColumn(ACTION, frame, DAY);
  const keys = schema.key.map((name) => readKey(frame, schema, name));
  refuseRepeated(keys, factor === null ? table : `${table} of ${factor}`);
  const hash = createHash("sha256").update(`${table}\n${factor ?? ""}\n`);
  for (const { names, values } of keys) addColumn(hash, values, names);
  for (const { name, type, isValue = false } of schema.columns) {
    if (isValue) {
      const { names, codes } = readTexts(ACTION, frame, name);
      addColumn(hash, codes, names);
    }
    if (schema.key.includes(name) || (type !== "number" && type !== "date")) continue;
    const column = type === "number"
      ? frame
      : frame.select(pl.col(name).cast(pl.Int32).cast(pl.Float64));
    addColumn(hash, canonical(readNumbers(ACTION, column, name)), []);
  }
  return {
    rows: days.length,
    first: fromEpochDay(days.reduce((a, b) => Math.min(a, b))),
    last: fromEpochDay(days.reduce((a, b) => Math.max(a, b))),
    numbers: hash.digest("hex"),
    releases: distinct(frame, "download_sha256"),
    sets: distinct(frame, "snapshot_id"),
    versions: distinct(frame, "factor_version"),
    synthetic: distinct(frame, "source").some((source) => source.includes("synthetic")),
  };
}

interface Key {
  readonly names: readonly string[];
  readonly values: Int32Array | Float64Array;
}

function readKey(frame: DataFrame, { columns }: Table, name: string): Key {
  const { type } = columns.find((column) => column.name === name)!;
  if (frame.getColumn(name).nullCount() > 0) {
    throw new TypeError(
      `Cannot ${ACTION}: expected a ${name} in every row, got ` +
        `${frame.getColumn(name).nullCount()} rows without one; drop them`,
    );
  }
  if (type === "text") {
    const { names, codes } = readTexts(ACTION, frame, name);
    return { names, values: codes };
  }
  const read = type === "date" ? readDayColumn : readInstantColumn;
  return { names: [], values: read(ACTION, frame, name) };
}

function refuseRepeated(keys: readonly Key[], what: string): void {
  // A frame's height is a call into Polars: asked for each row, it took half of an export.
  const rows = keys[0]!.values.length;
  for (let row = 1; row < rows; row++) {
    if (!keys.every(({ values }) => values[row] === values[row - 1])) continue;
    const texts = keys.map(({ names, values }) => names[values[row]!] ?? dateText(values, row));
    throw new TypeError(
      `Cannot ${ACTION}: expected each row of ${what} once, got ${texts.join(" ")} twice; ` +
        "keep one of them",
    );
  }
}

function dateText(values: Int32Array | Float64Array, row: number): string {
  return values instanceof Int32Array
    ? fromEpochDay(values[row]!)
    : new Date(values[row]!).toISOString();
}

function addColumn(hash: Hash, values: Int32Array | Float64Array, names: readonly string[]): void {
  hash.update(`${names.length} ${names.join("\0")}\n`);
  hash.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

function canonical(values: Float64Array): Float64Array {
  for (let i = 0; i < values.length; i++) if (values[i] !== values[i]) values[i] = NaN;
  return values;
}

function distinct(frame: DataFrame, name: string): readonly string[] {
  if (!frame.columns.includes(name)) return [];
  return (frame.getColumn(name).unique().cast(pl.Utf8).dropNulls().toArray() as string[])
    .toSorted();
}
