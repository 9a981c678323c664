import { parseJson } from "../../base/contract/json_text.ts";
import {
  aCount,
  aDate,
  aFlag,
  anyText,
  asReceived,
  listOf,
  named,
  object,
  oneOfTexts,
  optional,
  orNull,
  valueOf,
  type Wire,
} from "../../base/contract/schema.ts";
import { ContractViolation } from "../../base/contract/violation.ts";
import { IntegrityError } from "../../base/errors.ts";
import type { HeldOut } from "../../frames/frame/provenance/held_out.ts";
import type { Maker } from "./maker.ts";
import { type TableName, TABLES } from "./table/table.ts";

/** A finished file of a dataset. */
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
  readonly maker: Maker;
}

const aWhole = valueOf(
  "a whole number",
  (value): value is number => Number.isSafeInteger(value),
);
const TEXTS = listOf(anyText);
const PARTITIONS = listOf(asReceived(object<Partition>({
  table: oneOfTexts(...Object.keys(TABLES) as TableName[]),
  factor: orNull(anyText),
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
  heldOut: named(
    "heldOut",
    optional(object<HeldOut>({
      from: aDate,
      sessions: aCount,
      looks: aCount,
      isOpen: named("isOpen", aFlag),
    })),
  ),
  columns: TEXTS,
  maker: object<Maker>({ scoreframe: anyText, build: anyText, runtime: anyText, polars: anyText }),
})));

/** Facts that the rows of a partition contain. */
export type RowFacts = Pick<
  Partition,
  "rows" | "first" | "last" | "numbers" | "releases" | "sets" | "versions" | "synthetic"
>;

/** Finished partitions of a dataset, sorted by path. */
export type Manifest = readonly Partition[];

/** Name of the manifest in the folder of a dataset. */
export const MANIFEST_FILE = "manifest.json";

/** Version of the layout of folders and files, and of the columns. */
export const DATASET_FORMAT = 2;

/** The text of a manifest: one partition per line. Equal partitions give equal text. */
export function encodeManifest(manifest: Manifest): string {
  const lines = manifest.toSorted((a, b) => a.path < b.path ? -1 : 1)
    .map((partition) => `  ${JSON.stringify(partition)}`);
  return `{\n "kind": "scoreframe dataset",\n "format": ${DATASET_FORMAT},\n "partitions": [\n${
    lines.join(",\n")
  }\n ]\n}\n`;
}

/**
 * Reads the text of a manifest.
 *
 * @throws {IntegrityError} If it is malformed, has another format, or repeats a partition
 */
export function parseManifest(text: string, path: string): Manifest {
  const wire = read(text, path);
  if (wire["kind"] !== "scoreframe dataset" || wire["format"] !== DATASET_FORMAT) {
    throw new IntegrityError(
      `Cannot read ${path}: expected a scoreframe dataset of format ${DATASET_FORMAT}, got kind ` +
        `${JSON.stringify(wire["kind"])} and format ${JSON.stringify(wire["format"])}; ` +
        "use the version of scoreframe that wrote it",
    );
  }
  const partitions = readPartitions(wire["partitions"], path);
  for (const partition of partitions) refuseOtherColumns(partition, path);
  const paths = partitions.map((partition) => partition.path);
  const doubled = paths.find((one, i) => paths.indexOf(one) !== i);
  if (doubled === undefined) return partitions;
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
      `${
        columns.join(", ").slice(0, 200)
      }; use the version of scoreframe that wrote it, or export ` +
      "the dataset again",
  );
}

/** The path of a partition's file in its dataset; `releases` are those of its rows, in a table of releases. */
export function pathOf(
  { table, factor, year, releases = [] }:
    & Pick<Partition, "table" | "factor" | "year">
    & Partial<Pick<Partition, "releases">>,
): string {
  const values = { release: releases[0], factor, year };
  const folders = TABLES[table].folders.map((name) => `${name}=${values[name]}`);
  return [table, ...folders, "part-0.parquet"].join("/");
}

function read(text: string, path: string): Wire {
  try {
    const value = parseJson(text);
    if (typeof value === "object" && value !== null) return value as Wire;
  } catch {
    // Reported below.
  }
  throw new IntegrityError(
    `Cannot read ${path}: expected the manifest of a dataset, got ${
      JSON.stringify(text.slice(0, 60))
    }; export the dataset again`,
  );
}

function readPartitions(value: unknown, path: string): Manifest {
  try {
    const partitions = PARTITIONS.read(value, "$.partitions");
    for (const [i, partition] of partitions.entries()) {
      if (partition.path === pathOf(partition)) continue;
      throw new ContractViolation(`$.partitions[${i}].path`, pathOf(partition), partition.path);
    }
    return partitions;
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    throw new IntegrityError(
      `Cannot read ${error.path} of ${path}: expected ${error.required}, got ${error.received}; ` +
        "export the dataset again",
      { cause: error },
    );
  }
}
