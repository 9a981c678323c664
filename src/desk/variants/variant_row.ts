import pl, { type DataFrame } from "nodejs-polars";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onDisk } from "../../base/disk/on_disk.ts";
import { readTextFile } from "../../base/disk/files.ts";
import * as z from "zod/mini";
import { aCount, aHash, anyText, object, readOrNull, write } from "../../base/contract/schema.ts";

/** The result of a variant in one row. */
export interface VariantRow {
  /** Name of its folder. */
  readonly variant: string;
  /** `finished` if it came to its end. */
  readonly status: "finished" | "failed";
  /** Reason of a failure. */
  readonly error: string | null;
  /** Options by their paths, as texts. */
  readonly options: Readonly<Record<string, string>>;
  /** SHA-256 of the file of scores. */
  readonly scoresSha256: string;
  /** SHA-256 of the file of closes. */
  readonly pricesSha256: string;
  /** Hash of the sources that computed it. */
  readonly build: string;
  /** Number of tests in its trial log. */
  readonly trials: number;
  /** End of its trial log; `null` without a test. */
  readonly trialsEnd: string | null;
}

/** Name of the row in a folder. */
export const ROW_FILE = "variant.json";

const ROW = object<VariantRow>({
  variant: anyText,
  status: z.enum(["finished", "failed"]),
  error: z.nullable(anyText),
  options: z.record(z.string(), anyText),
  scoresSha256: aHash,
  pricesSha256: aHash,
  build: anyText,
  trials: aCount,
  trialsEnd: z.nullable(anyText),
});

/** The row of a folder; `null` without one that is whole. */
export async function readVariantRow(folder: string): Promise<VariantRow | null> {
  const path = join(folder, ROW_FILE);
  const text = await onDisk(`read ${path}`, () => readTextFile(path));
  try {
    return text === null ? null : readOrNull(ROW, JSON.parse(text));
  } catch {
    return null;
  }
}

/** Writes a row beside its tables: as JSON, and as a table of one row. */
export async function writeVariantRow(path: string, row: VariantRow): Promise<void> {
  await onDisk(`write ${path}`, async () => {
    rowsFrame([row]).writeParquet(path.replace(/json$/, "parquet"), { compression: "zstd" });
    await writeFile(path, `${JSON.stringify(write(ROW, row), null, 2)}\n`);
  });
}

/** One row for each variant: `variant`, `status`, `error`, hashes and counts, and each option that any of them has (Utf8). */
export function rowsFrame(rows: readonly VariantRow[]): DataFrame {
  const options = [...new Set(rows.flatMap((row) => Object.keys(row.options)))].toSorted();
  const texts = (name: string, of: (row: VariantRow) => string | null) =>
    pl.Series(name, rows.map(of), pl.Utf8);
  return pl.DataFrame([
    texts("variant", (row) => row.variant),
    texts("status", (row) => row.status),
    texts("error", (row) => row.error),
    ...options.map((name) => texts(name, (row) => row.options[name] ?? null)),
    pl.Series("trials", rows.map((row) => row.trials), pl.Int32),
    texts("trials_end", (row) => row.trialsEnd),
    texts("scores_sha256", (row) => row.scoresSha256),
    texts("prices_sha256", (row) => row.pricesSha256),
    texts("build", (row) => row.build),
  ]);
}
