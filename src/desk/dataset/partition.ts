import { stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { aCount, aDate, aFlag, anyText, valueOf } from "../../base/contract/schema.ts";
import { isCode } from "../../base/disk/files.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import type { HeldOut } from "../../frames/frame/provenance/held_out.ts";
import { type TableName, TABLES } from "./table/table.ts";

/** A finished file of a dataset. Its name is that of its bytes: it is never changed. */
export interface Partition {
  /** Its table. */
  readonly table:
    | "scores"
    | "releases"
    | "panel"
    | "sets"
    | "publications"
    | "checks"
    | "views"
    | "prices";
  /** Its factor; `null` in tables without one. */
  readonly factor: string | null;
  /** Its calendar year, of sessions. */
  readonly year: number;
  /** Its path in the dataset, with slashes. */
  readonly path: string;
  /** Number of its rows. */
  readonly rows: number;
  /** The smallest value of the column by which its rows are sorted first: a session, or an instant in UTC. */
  readonly first: string;
  /** The largest value of that column. */
  readonly last: string;
  /** Its size. */
  readonly bytes: number;
  /** SHA-256 of the file. */
  readonly sha256: string;
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

const aWhole = valueOf("a whole number", (value): value is number => Number.isSafeInteger(value));
const TEXTS = z.array(anyText);

/** The form in which the log of a table has the facts about a file. */
export const PARTITION = z.looseObject({
  table: z.enum(Object.keys(TABLES) as TableName[]),
  factor: z.nullable(anyText),
  year: aWhole,
  path: anyText,
  bytes: aWhole,
  sha256: anyText,
  rows: aWhole,
  first: anyText,
  last: anyText,
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
  maker: z.looseObject({ scoreframe: anyText, build: anyText, runtime: anyText, polars: anyText }),
});

/** The place of rows in a dataset: they may be in several files; `releases` count in the table of releases alone. */
export function placeOf(
  { table, factor, year, releases }: Pick<Partition, "table" | "factor" | "year" | "releases">,
): string {
  const release = table === "releases" ? [`release=${releases[0]}`] : [];
  const of = factor === null ? [] : [`factor=${factor}`];
  return [table, ...release, ...of, `year=${year}`].join("/");
}

/** A difference between a file and its facts, worded to follow "expected"; `null` if there is none. */
export async function damageOf(
  folder: string,
  { path, bytes, sha256 }: Pick<Partition, "path" | "bytes" | "sha256">,
): Promise<string | null> {
  const file = join(folder, path);
  const size = await stat(file).then((status) => status.size, (error) => {
    if (isCode(error, "ENOENT") || isCode(error, "ENOTDIR")) return null;
    throw error;
  });
  if (size === null) return "a file, got none";
  if (size !== bytes) return `${bytes} bytes, got ${size}`;
  const found = (await hashFile(file)).sha256;
  return found === sha256 ? null : `the SHA-256 ${sha256}, got ${found}`;
}
