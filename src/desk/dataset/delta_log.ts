import { basename, join } from "node:path";
import { parseJson } from "../../base/contract/json_text.ts";
import { PACKAGE_VERSION } from "../../base/contract/limits.ts";
import { read } from "../../base/contract/schema.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import { readTextFile } from "../../base/disk/files.ts";
import { IntegrityError } from "../../base/errors.ts";
import { sha256Hex } from "../../base/store/layout.ts";
import { PARTITION, type Partition } from "./partition.ts";
import { type ColumnType, type TableName, TABLES } from "./table/table.ts";

/** A file that was written, with the statistics of its columns as Delta has them. */
export interface WrittenFile {
  /** The file. */
  readonly partition: Partition;
  /** Number of rows, and smallest value, largest value and number of nulls of columns, as JSON. */
  readonly stats: string;
}

/** A change of one table. */
export interface TableChange {
  /** Files that come in. */
  readonly added: readonly WrittenFile[];
  /** Files that go out. */
  readonly removed: readonly Partition[];
  /** False if the rows stay the same. */
  readonly dataChange: boolean;
}

/** The end of a table's log: the number of its last entry, and the hash of all entries so far. */
export interface LogEnd {
  /** Number of the entry, which is the version of the table in Delta. */
  readonly version: number;
  /** SHA-256 of the text of the entry after the hash of those before it. */
  readonly sha256: string;
}

/** A file of a table, with the entry that removed it. */
export interface LoggedFile {
  /** The file. */
  readonly partition: Partition;
  /** Number of the entry that removed it last; `null` if the table has it. */
  readonly removedAt: number | null;
}

const TYPES: Readonly<Record<ColumnType, string>> = {
  text: "string",
  number: "double",
  date: "date",
  instant: "timestamp",
};

/** Path of an entry in the log of a table. */
export function entryPath(folder: string, table: string, version: number): string {
  return join(folder, table, "_delta_log", `${String(version).padStart(20, "0")}.json`);
}

/** The end of a log after another entry. */
export function endAfter(end: LogEnd | undefined, text: string): LogEnd {
  return { version: (end?.version ?? -1) + 1, sha256: sha256Hex(`${end?.sha256 ?? ""}\n${text}`) };
}

/** The text of an entry, one action per line; the first one of a table describes its columns. */
export function logEntry(
  table: TableName,
  { added, removed, dataChange }: TableChange,
  { at, isFirst }: { readonly at: number; readonly isFirst: boolean },
): string {
  const engineInfo = `scoreframe/${PACKAGE_VERSION}`;
  const operation = dataChange ? "WRITE" : "OPTIMIZE";
  const actions = [
    { commitInfo: { timestamp: at, operation, operationParameters: {}, engineInfo } },
    ...isFirst
      ? [{ protocol: { minReaderVersion: 1, minWriterVersion: 2 } }, about(table, at)]
      : [],
    ...removed.map(({ path }) => ({
      remove: { path: basename(path), deletionTimestamp: at, dataChange },
    })),
    ...added.map(({ partition, stats }) => ({
      add: {
        path: basename(partition.path),
        // Polars takes the value of a partition from the name of a folder: statistics serve as well.
        partitionValues: {},
        size: partition.bytes,
        modificationTime: at,
        dataChange,
        stats,
        tags: { sha256: partition.sha256, scoreframe: JSON.stringify(partition) },
      },
    })),
  ];
  return actions.map((action) => `${JSON.stringify(action)}\n`).join("");
}

function about(table: TableName, at: number) {
  const { row, columns } = TABLES[table];
  return {
    metaData: {
      id: crypto.randomUUID(),
      name: table,
      description: `One row: ${row}.`,
      format: { provider: "parquet", options: {} },
      schemaString: schemaOf(columns),
      partitionColumns: [],
      configuration: {},
      createdTime: at,
    },
  };
}

function schemaOf(columns: readonly { name: string; type: ColumnType; what: string }[]): string {
  const fields = columns.map(({ name, type, what }) => ({
    name,
    type: TYPES[type],
    nullable: true,
    metadata: { comment: what },
  }));
  return JSON.stringify({ type: "struct", fields });
}

/**
 * Reads the log of a table up to one of its entries.
 *
 * @param newest The text of the last entry, in case the job that committed it was killed before it wrote the log
 * @throws {IntegrityError} If the log is not as it was committed, or has other columns
 */
export async function readLog(
  folder: string,
  table: TableName,
  { end, newest }: { readonly end: LogEnd; readonly newest: string | undefined },
): Promise<readonly LoggedFile[]> {
  const files = new Map<string, LoggedFile>();
  let at: LogEnd | undefined;
  for (let version = 0; version <= end.version; version++) {
    const path = entryPath(folder, table, version);
    const text = await readTextFile(path) ?? (version === end.version ? newest : undefined);
    if (text === undefined) throw damaged(path, "an entry of the log", "none");
    at = endAfter(at, text);
    for (const line of text.trim().split("\n")) readAction(line, { path, table, version, files });
  }
  if (at?.sha256 === end.sha256) return [...files.values()];
  throw damaged(
    entryPath(folder, table, end.version),
    "the log as scoreframe committed it",
    "another: it was damaged, or something else wrote to it",
  );
}

function readAction(
  line: string,
  { path, table, version, files }: {
    readonly path: string;
    readonly table: TableName;
    readonly version: number;
    readonly files: Map<string, LoggedFile>;
  },
): void {
  try {
    const { add, remove, metaData } = parseJson(line) as Readonly<Record<string, Fields>>;
    if (metaData !== undefined) refuseOtherColumns(table, path, metaData);
    if (add !== undefined) {
      const tags = add["tags"] as Fields;
      const partition: Partition = read(PARTITION, parseJson(String(tags["scoreframe"])));
      files.set(String(add["path"]), { partition, removedAt: null });
    }
    if (remove === undefined) return;
    const known = files.get(String(remove["path"]));
    if (known !== undefined) files.set(String(remove["path"]), { ...known, removedAt: version });
  } catch (error) {
    if (error instanceof ContractViolation) {
      throw damaged(`${error.path} of ${path}`, error.required, error.received);
    }
    if (error instanceof IntegrityError) throw error;
    throw damaged(path, "an entry of scoreframe in the log of a table", line.slice(0, 60));
  }
}

type Fields = Readonly<Record<string, unknown>>;

function refuseOtherColumns(table: TableName, path: string, { schemaString }: Fields): void {
  if (schemaString === schemaOf(TABLES[table].columns)) return;
  const names = TABLES[table].columns.map(({ name }) => name).join(", ");
  throw new IntegrityError(
    `Cannot read ${path}: expected the columns ${names}, got others; use the version of scoreframe that ` +
      "wrote it, or export the dataset again",
  );
}

function damaged(path: string, expected: string, got: string): IntegrityError {
  return new IntegrityError(
    `Cannot read ${path}: expected ${expected}, got ${got}; export the dataset again, to another folder`,
  );
}
