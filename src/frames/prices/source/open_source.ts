import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pl, { type DataFrame } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";
import { IntegrityError, StorageError } from "../../../base/errors.ts";
import { assertFrame } from "../../frame/assert_frame.ts";
import { assertInflatedSize } from "./assert_inflated_size.ts";
import { chooseColumns, toLong } from "./choose_columns.ts";
import type { PriceSource, SourceOptions } from "./price_source.ts";
import { refuseAddress } from "../../../base/arguments/refuse_address.ts";

const LONGEST = 200;

/** Reads the three columns; those of a CSV as text, because type inference would make the ticker 1E5 a number. */
export async function openSource(
  source: string | URL | DataFrame,
  options: SourceOptions,
): Promise<PriceSource> {
  if (typeof source !== "string" && !(source instanceof URL)) {
    if (source === undefined || source === null) throw noSource(source);
    assertFrame("read prices", source);
    const title = "the prices";
    const { columns, names } = chooseColumns(source, options, title);
    return { frame: toLong(source.select(...columns), names, options.layout), title };
  }
  const path = source instanceof URL ? fileURLToPath(source) : source;
  const title = `the prices of ${path.split(/[\\/]/).at(-1)}`;
  refuseAddress("read prices", path);
  if (!/\.(csv|csv\.gz|parquet)$/i.test(path)) {
    throw new TypeError(
      `Cannot read prices: expected a frame, or a path that ends in .csv, .csv.gz or .parquet, got ` +
        `${describe(path)}; save the table in one of these forms`,
    );
  }
  const size = await sizeOf(path, title);
  if (/\.gz$/i.test(path)) {
    await assertInflatedSize({ path, title, size }, options.maxInflatedBytes);
  }
  return { frame: await readFile(path, options, title), title };
}

function noSource(source: unknown): TypeError {
  return new TypeError(
    `Cannot read prices: expected a frame or the path of a file, got ${
      describe(source)
    }; use, for example, ` +
      'readPrices("closes.csv")',
  );
}

async function sizeOf(path: string, title: string): Promise<number> {
  let found: string;
  try {
    const { size, isFile } = await stat(path).then((at) => ({
      size: at.size,
      isFile: at.isFile(),
    }));
    if (isFile && size > 0) return size;
    found = isFile ? "an empty file" : "a folder; give one file in it";
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StorageError(
      `Cannot read ${title}: expected a file that can be read at ${resolve(path)}, got ` +
        `${code === "ENOENT" ? "none" : message}`,
      { cause: error },
    );
  }
  throw new StorageError(`Cannot read ${title}: expected rows in ${path}, got ${found}`);
}

async function readFile(
  path: string,
  options: SourceOptions,
  title: string,
): Promise<DataFrame> {
  const isParquet = /\.parquet$/i.test(path);
  // The type of these options lacks `glob`; without it, a bracket in a file name acts as a pattern.
  const csv = { inferSchemaLength: 0, glob: false, sep: options.separator };
  try {
    const lazy = isParquet
      ? pl.scanParquet(path, { glob: false })
      : pl.scanCSV(path, csv as Parameters<typeof pl.scanCSV>[1]);
    const { columns, names } = chooseColumns(lazy, options, title);
    const frame = await lazy.select(...columns).collect();
    return toLong(frame, names, options.layout);
  } catch (error) {
    if (error instanceof TypeError) throw error;
    const [reason = ""] = (error as Error).message.split("\n");
    throw new IntegrityError(
      `Cannot read ${title}: expected a whole ${isParquet ? "Parquet" : "CSV"} file, got ` +
        `${reason.slice(0, LONGEST)}${adviceOf(reason)}`,
      { cause: error },
    );
  }
}

function adviceOf(reason: string): string {
  if (/more fields/.test(reason)) {
    return '; a comma inside a number splits it into two fields, so set the separator, such as separator: ";"';
  }
  if (/utf-8/i.test(reason)) return '; save it as "CSV UTF-8"';
  return "";
}
