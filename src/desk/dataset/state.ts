import { parseJson } from "../../base/contract/json_text.ts";
import * as z from "zod/mini";
import {
  aCount,
  aDate,
  aFlag,
  anInstant,
  anyText,
  read,
  valueOf,
  type Wire,
} from "../../base/contract/schema.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import { IntegrityError } from "../../base/errors.ts";
import type { HeldOut } from "../../frames/frame/provenance/held_out.ts";
import { type TableName, TABLES } from "./table/table.ts";

/** A finished file of a dataset. Its name is that of its bytes: it is never changed. */
export interface Partition {
  /** Its table. */
  readonly table: TableName;
  /** Its factor; `null` in tables without one. */
  readonly factor: string | null;
  /** Its calendar year, of sessions. */
  readonly year: number;
  /** Its path in the dataset, with slashes. */
  readonly path: string;
  /** Number of its rows. */
  readonly rows: number;
  /** Its first session, or first day in New York. */
  readonly first: string;
  /** Its last session, or last day in New York. */
  readonly last: string;
  /** Its size. */
  readonly bytes: number;
  /** SHA-256 of the file. */
  readonly sha256: string;
  /** SHA-256 of its keys and numbers, independent of the program that wrote the file. */
  readonly numbers: string;
  /** Checksums of the releases of its rows. */
  readonly releases: readonly string[];
  /** Ids of the score sets of its rows. */
  readonly sets: readonly string[];
  /** Calculation definitions of its rows. */
  readonly versions: readonly string[];
  /** `true` if any row is synthetic. */
  readonly synthetic: boolean;
  /** Hold-out of the study that the rows come from, as it was when they were exported; left out if it has none. */
  readonly heldOut?: HeldOut;
  /** Columns of the file. */
  readonly columns: readonly string[];
  /** The program that wrote the file. */
  readonly maker: {
    /** Version of scoreframe. */
    readonly scoreframe: string;
    /** Hash of its sources that compute numbers. */
    readonly build: string;
    /** Runtime and its version. */
    readonly runtime: string;
    /** Version of Polars. */
    readonly polars: string;
  };
}

const aWhole = valueOf(
  "a whole number",
  (value): value is number => Number.isSafeInteger(value),
);
const TEXTS = z.array(anyText);
const PARTITIONS = z.array(z.looseObject({
  table: z.enum(Object.keys(TABLES) as TableName[]),
  factor: z.nullable(anyText),
  year: aWhole,
  path: anyText,
  bytes: aWhole,
  sha256: anyText,
  rows: aWhole,
  first: anyText,
  last: anyText,
  numbers: anyText,
  releases: TEXTS,
  sets: TEXTS,
  versions: TEXTS,
  synthetic: aFlag,
  heldOut: z.exactOptional(z.object({
    from: aDate,
    sessions: aCount,
    looks: aCount,
    isOpen: aFlag,
  })),
  columns: TEXTS,
  maker: z.looseObject({
    scoreframe: anyText,
    build: anyText,
    runtime: anyText,
    polars: anyText,
  }),
}));

/** Facts that the rows of a partition contain. */
export type RowFacts = Pick<
  Partition,
  "rows" | "first" | "last" | "numbers" | "releases" | "sets" | "versions" | "synthetic"
>;

/** The finished files of a dataset at one time. A state is never changed: a change of the dataset makes a new one. */
export interface State {
  /** Its number, counted from 1; 0 of a folder without a state. */
  readonly number: number;
  /** The time when it was committed, later than that of the state before; empty without a state. */
  readonly committedAt: string;
  /** Its files, sorted by path. */
  readonly partitions: readonly Partition[];
}

/** Version of the layout of folders and files, and of the columns. */
export const DATASET_FORMAT = 3;

/** The text of a state: one file per line. */
export function encodeState({ number, committedAt, partitions }: State): string {
  const facts = { kind: KIND, format: DATASET_FORMAT, state: number, committedAt };
  const lines = Object.entries(facts).map(([name, value]) =>
    ` "${name}": ${JSON.stringify(value)}`
  );
  const files = partitions.map((partition) => `  ${JSON.stringify(partition)}`);
  return `{\n${lines.join(",\n")},\n "files": [\n${files.join(",\n")}\n ]\n}\n`;
}

const KIND = "scoreframe dataset";

/**
 * Reads the text of a state.
 *
 * @throws {IntegrityError} If it is malformed, has another format, or repeats a partition
 */
export function parseState(text: string, path: string): State {
  const wire = readText(text, path);
  if (wire["kind"] !== KIND || wire["format"] !== DATASET_FORMAT) {
    throw new IntegrityError(
      `Cannot read ${path}: expected a scoreframe dataset of format ${DATASET_FORMAT}, got kind ` +
        `${JSON.stringify(wire["kind"])} and format ${JSON.stringify(wire["format"])}; ` +
        "use the version of scoreframe that wrote it",
    );
  }
  const state = readState(wire, path);
  for (const partition of state.partitions) refuseOtherColumns(partition, path);
  const places = state.partitions.map(placeOf);
  const doubled = places.find((one, i) => places.indexOf(one) !== i);
  if (doubled === undefined) return state;
  throw new IntegrityError(
    `Cannot read ${path}: expected each partition once, got ${doubled} twice; ` +
      "export the dataset again",
  );
}

/** Columns of the files of a table. */
export function tableColumns(table: TableName): readonly string[] {
  return TABLES[table].columns.map(({ name }) => name);
}

function refuseOtherColumns({ table, path: file, columns }: Partition, path: string): void {
  const expected = tableColumns(table);
  if (columns.join() === expected.join()) return;
  throw new IntegrityError(
    `Cannot read ${path}: expected ${file} to have the columns ${expected.join(", ")}, got ` +
      `${columns.join(", ").slice(0, 200)}; use the version of scoreframe that wrote it, or ` +
      "export the dataset again",
  );
}

type Place = Pick<Partition, "table" | "factor" | "year"> & Partial<Pick<Partition, "releases">>;

/** The name of a partition, which its files of all states have; `releases` are those of its rows, in a table of releases. */
export function placeOf({ table, factor, year, releases }: Place): string {
  const of = factor === null ? [] : [`factor=${factor}`];
  return [...foldersOf(table, releases), ...of, `year=${year}`].join("/");
}

/**
 * The path of the file of a partition in its dataset. Its name is the beginning of its SHA-256. Some engines refuse a column
 * of the file that is a folder as well, so the factor stands in the name.
 */
export function pathOf(
  { table, factor, year, releases, sha256 }: Place & { sha256: string },
): string {
  const name = [...factor === null ? [] : [factor], sha256.slice(0, 16)].join("-");
  return ["data", ...foldersOf(table, releases), `year=${year}`, `${name}.parquet`].join("/");
}

function foldersOf(table: TableName, releases: readonly string[] = []): readonly string[] {
  return table === "releases" ? [table, `release=${releases[0]}`] : [table];
}

function readText(text: string, path: string): Wire {
  try {
    const value = parseJson(text);
    if (typeof value === "object" && value !== null) return value as Wire;
  } catch {
    // Reported below.
  }
  throw new IntegrityError(
    `Cannot read ${path}: expected the state of a dataset, got ` +
      `${JSON.stringify(text.slice(0, 60))}; export the dataset again`,
  );
}

function readState(wire: Wire, path: string): State {
  try {
    const partitions = read(PARTITIONS, wire["files"], "$.files");
    for (const [i, partition] of partitions.entries()) {
      if (partition.path === pathOf(partition)) continue;
      throw new ContractViolation(`$.files[${i}].path`, pathOf(partition), partition.path);
    }
    const number = read(aWhole, wire["state"], "$.state");
    return {
      number,
      committedAt: read(anInstant, wire["committedAt"], "$.committedAt"),
      partitions,
    };
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    throw new IntegrityError(
      `Cannot read ${error.path} of ${path}: expected ${error.required}, got ${error.received}; ` +
        "export the dataset again",
      { cause: error },
    );
  }
}
