import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import type { AnalyzeFactorOptions } from "../../analysis/factor/analysis_options.ts";
import { analyzeFactor } from "../../analysis/factor/analyze_factor.ts";
import { trialLog } from "../../analysis/trial_log.ts";
import { isPlainObject } from "../../base/contract/json_text.ts";
import { hashFile } from "../../base/disk/hash_file.ts";
import { onDisk } from "../../base/disk/on_disk.ts";
import { StorageError } from "../../base/errors.ts";
import { buildHash } from "../../base/runtime/build_hash.ts";
import { saveTables } from "../dataset/save_tables.ts";
import { readVariantRow, ROW_FILE, type VariantRow, writeVariantRow } from "./variant_row.ts";

/** A variant: an analysis of two files with options of its own. */
export interface Variant {
  /** File with the scores. */
  readonly scores: string;
  /** File with the closes. */
  readonly prices: string;
  /** Options of the analysis. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Folder of the result. */
  readonly to: string;
  /** Reads the files, the closes with options of their own; `frames` are options in place of their hashes. */
  readonly read: () => Promise<{
    readonly scores: DataFrame;
    readonly prices: DataFrame;
    readonly frames: Readonly<Record<string, DataFrame>>;
  }>;
}

/**
 * Analyses one variant in this process, and puts its result into a folder: a table a file, the judgement, its trial log, and a row
 * with its options. The folder appears whole. An analysis that fails leaves a folder with the row and the reason.
 *
 * @returns The row, and whether it was computed: a folder with the finished result of the same variant is kept
 * @throws {StorageError} If the folder is that of another variant, or cannot be written
 */
export async function analyseVariant(
  variant: Variant,
): Promise<{ readonly row: VariantRow; readonly isNew: boolean }> {
  const to = resolve(variant.to);
  const asked = await identityOf(variant);
  const known = await readVariantRow(to);
  if (known !== null && !isSame(known, asked)) throw another(to);
  if (known?.status === "finished") return { row: known, isNew: false };
  const parent = dirname(to);
  const aside = join(parent, `.tmp-${crypto.randomUUID()}`);
  try {
    await onDisk(`make ${aside}`, () => mkdir(aside, { recursive: true }));
    const error = await compute(variant, aside);
    const tried = trialLog(aside);
    const facts = { trials: tried.count, trialsEnd: tried.end, error };
    const row = { ...asked, ...facts, status: error === null ? "finished" : "failed" } as const;
    await writeVariantRow(join(aside, ROW_FILE), row);
    await put(aside, to);
    return { row, isNew: true };
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

type Identity = Omit<VariantRow, "status" | "error" | "trials" | "trialsEnd">;

async function identityOf({ scores, prices, options, to }: Variant): Promise<Identity> {
  const [scoresFile, pricesFile] = await Promise.all(
    [scores, prices].map((path) => onDisk(`read ${path}`, () => hashFile(path))),
  );
  return {
    variant: basename(to),
    options: flatten(options),
    scoresSha256: scoresFile!.sha256,
    pricesSha256: pricesFile!.sha256,
    build: buildHash(),
  };
}

async function compute({ read, options: given }: Variant, aside: string): Promise<string | null> {
  try {
    const { scores, prices, frames } = await read();
    const { prices: _, ...options } = given;
    const own = { progress: false, ...options, ...frames, trialLog: trialLog(aside) };
    const asked: AnalyzeFactorOptions = own;
    await saveTables(await analyzeFactor(scores, prices, asked), aside);
    return null;
  } catch (error) {
    // A full disk is no result of the variant.
    if (error instanceof StorageError) throw error;
    return error instanceof Error ? error.message : String(error);
  }
}

// Another worker may have the same task: the first result stays, unless it is a failure.
async function put(aside: string, to: string): Promise<void> {
  const known = await readVariantRow(to);
  if (known?.status === "finished") return;
  if (known !== null) await rm(to, { recursive: true, force: true });
  await onDisk(`put the result into ${to}`, async () => {
    try {
      await rename(aside, to);
    } catch (error) {
      if ((await readVariantRow(to))?.status !== "finished") throw error;
    }
  });
}

function isSame(known: VariantRow, asked: Identity): boolean {
  const { status: _, error: __, trials: ___, trialsEnd: ____, ...identity } = known;
  return JSON.stringify(identity) === JSON.stringify(asked);
}

function another(to: string): StorageError {
  return new StorageError(
    `Cannot analyse a variant to ${to}: expected a new folder, or that of the same files, options and build of the library, ` +
      "got another one's result; name another folder, or remove this one",
  );
}

/** Options as columns: those of an object each under its path, lists as JSON. */
function flatten(value: Readonly<Record<string, unknown>>, before = ""): Record<string, string> {
  const entries = Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1);
  return Object.assign(
    {},
    ...entries.map(([name, item]) =>
      isPlainObject(item)
        ? flatten(item, `${before}${name}.`)
        : { [`${before}${name}`]: typeof item === "string" ? item : JSON.stringify(item) }
    ),
  );
}

/** Reads scores from a file: Parquet, or CSV whose columns beside `date`, `ticker` and other texts are numbers. */
export async function scoresOfFile(path: string): Promise<DataFrame> {
  if (path.endsWith(".parquet")) return await pl.scanParquet(path, { glob: false }).collect();
  // Everything is read as text first: as a number, the ticker 0012 would become 12.
  const texts = await pl.scanCSV(path, { inferSchemaLength: 0, glob: false }).collect();
  return texts.select(...texts.columns.map((name) => {
    if (name === "date" || name === "ticker") return pl.col(name);
    const numbers = texts.getColumn(name).cast(pl.Float64, false);
    return numbers.nullCount() === texts.getColumn(name).nullCount()
      ? pl.col(name).cast(pl.Float64)
      : pl.col(name);
  }));
}
