import { readdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pl, { type DataFrame, type Series } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";
import { nearestName } from "../../../base/arguments/nearest_name.ts";
import { refuseAddress } from "../../../base/arguments/refuse_address.ts";
import { onDisk } from "../../../base/disk/on_disk.ts";
import { openTemporaryFolder } from "../../../base/disk/temporary_folder.ts";
import { IntegrityError, StorageError } from "../../../base/errors.ts";
import { assertFrame } from "../../frame/assert_frame.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import type { SourceSample } from "./choose_columns.ts";
import { headLines, type PriceFile, readEdges, wholeText } from "./text_file.ts";
import { refuseOtherText } from "./text_head.ts";

const LONGEST = 200;
const SAMPLE_ROWS = 50;
const MOST_BYTES = 4_000_000_000;
const ENDING = /\.((csv|txt|tsv)(\.gz)?|zip|parquet)$/i;
const ENDINGS = ".csv, .txt, .tsv, .csv.gz, .zip or .parquet";

/** A source whose rows are not read yet. */
export interface OpenedSource extends SourceSample {
  /** `false` if the last line of a text has no end. */
  readonly isEnded: boolean;
  /** Reads columns, and only the rows with given texts in other columns. */
  read(columns: readonly string[], only: Readonly<Record<string, string>>): Promise<DataFrame>;
}

/**
 * The files that a path names: one, those of a folder, or those that match a pattern with asterisks in its last part.
 *
 * @throws {StorageError} If there is none
 */
export async function priceFiles(source: string | URL): Promise<readonly string[]> {
  const path = source instanceof URL ? fileURLToPath(source) : source;
  refuseAddress("read prices", path);
  const found = await stat(path).catch(() => null);
  const isPattern = found === null && basename(path).includes("*");
  if (!isPattern && found?.isDirectory() !== true) return [path];
  const folder = isPattern ? dirname(path) : path;
  const pattern = new RegExp(
    `^${basename(path).replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`,
  );
  const names = await readdir(folder).catch(() => [] as string[]);
  const files = names.filter((name) => isPattern ? pattern.test(name) : ENDING.test(name))
    .filter((name) => !name.startsWith(".")).toSorted();
  if (files.length > 0) return files.map((name) => join(folder, name));
  throw new StorageError(
    `Cannot read prices: expected files that end in ${ENDINGS} at ${resolve(path)}, got none`,
  );
}

/**
 * Opens a frame or a file; the columns of a text stay text, because type inference would make the ticker 1E5 a number.
 *
 * @throws {TypeError} If it is another thing, or a text of another form, with the option that reads it
 */
export async function openSource(
  source: string | DataFrame,
  options: ReadPricesOptions,
): Promise<OpenedSource> {
  if (typeof source !== "string") {
    if (source === undefined || source === null) {
      throw new TypeError(
        `Cannot read prices: expected a frame or the path of a file, got ${
          describe(source)
        }; use, ` +
          'for example, readPrices("closes.csv")',
      );
    }
    assertFrame("read prices", source);
    return opened(source.lazy(), { title: "the prices", stem: null, isEnded: true });
  }
  const name = basename(source);
  const title = `the prices of ${name}`;
  if (!ENDING.test(source)) {
    throw new TypeError(
      `Cannot read prices: expected a frame, or a path that ends in ${ENDINGS}, got ` +
        `${describe(source)}; save the table in one of these forms`,
    );
  }
  const file = { path: source, title, size: await sizeOf(source, title) };
  const stem = name.replace(ENDING, "");
  if (/\.parquet$/i.test(source)) {
    const lazy = pl.scanParquet(source, { glob: false });
    return await opened(lazy, { title, stem, isEnded: true }).catch((error) =>
      damaged(title, "Parquet", error)
    );
  }
  return await openText(file, stem, options).catch((error) => damaged(title, "CSV", error));
}

async function sizeOf(path: string, title: string): Promise<number> {
  try {
    const { size } = await stat(path);
    if (size > 0) return size;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const others = await readdir(dirname(path)).catch(() => []);
    const near = nearestName(basename(path), others);
    const hint = near === null ? "check the path" : `did you mean ${near}?`;
    throw new StorageError(
      `Cannot read ${title}: expected a file that can be read at ${resolve(path)}, got ` +
        `${code === "ENOENT" ? `none; ${hint}` : message}`,
      { cause: error },
    );
  }
  throw new StorageError(`Cannot read ${title}: expected rows in ${path}, got an empty file`);
}

async function openText(
  file: PriceFile,
  stem: string,
  options: ReadPricesOptions,
): Promise<OpenedSource> {
  const { skip = 0, footer = 0, header = 1, maxInflatedBytes = MOST_BYTES } = options;
  const separator = options.separator ?? (/\.tsv(\.gz)?$/i.test(file.path) ? "\t" : ",");
  const given = { skip, header, separator };
  // The type of these options lacks `glob`; without it, a bracket in a file name acts as a pattern.
  const csv = { inferSchemaLength: 0, glob: false, sep: separator } as Parameters<
    typeof pl.scanCSV
  >[1];
  const isZip = /\.zip$/i.test(file.path);
  const edges = isZip ? null : await readEdges(file, maxInflatedBytes);
  if (edges !== null && skip === 0 && footer === 0 && header === 1) {
    refuseOtherText(edges.lines, given, file.title);
    const { isEnded } = edges;
    return await opened(pl.scanCSV(file.path, csv), { title: file.title, stem, isEnded });
  }
  const text = await wholeText(file, maxInflatedBytes);
  refuseOtherText(headLines(text), given, file.title);
  const lines = text.replace(/\r?\n$/, "").split(/\r?\n/);
  const names = joinedNames(lines.slice(skip, skip + header), separator);
  const rows = lines.slice(skip + header, lines.length - footer);
  const frame = await framesOf([names, ...rows, ""].join("\n"), csv);
  const isEnded = footer > 0 || /\n$/.test(text);
  return await opened(frame.lazy(), { title: file.title, stem, isEnded });
}

// Of the readers of Polars, only the one of files refuses fields that are too many.
async function framesOf(text: string, csv: Parameters<typeof pl.scanCSV>[1]): Promise<DataFrame> {
  const folder = await openTemporaryFolder("prices");
  try {
    const path = join(folder.path, "cut.csv");
    await onDisk(`write ${path}`, () => writeFile(path, text));
    return await pl.scanCSV(path, csv).collect();
  } finally {
    folder.remove();
  }
}

/** One line of names from several: the parts of a column with a space between them; the lowest for the first one. */
function joinedNames(lines: readonly string[], separator: string): string {
  if (lines.length === 1) return lines[0]!;
  const parts = lines.map((line) =>
    line.split(separator).map((part) => part.trim().replaceAll('"', ""))
  );
  return parts[0]!.map((_, i) => {
    const levels = parts.map((line) => line[i] ?? "").filter((part) => part !== "");
    return i === 0 ? levels.at(-1) ?? "" : levels.join(" ");
  }).join(separator);
}

async function opened(
  scanned: ReturnType<typeof pl.scanCSV>,
  facts: Pick<OpenedSource, "title" | "stem" | "isEnded">,
): Promise<OpenedSource> {
  // Some writers store text as bytes, which JavaScript cannot have.
  const bytes = (await scanned.head(0).collect()).getColumns()
    .filter(areBytes).map(({ name }) => name);
  const lazy = bytes.length === 0
    ? scanned
    : scanned.withColumns(...bytes.map((name) => pl.col(name).cast(pl.Utf8)));
  const rows = await lazy.head(SAMPLE_ROWS).collect();
  return {
    ...facts,
    rows,
    read: async (columns, only) => {
      const conditions = Object.entries(only).map(([name, text]) =>
        pl.col(name).cast(pl.Utf8).eq(pl.lit(text))
      );
      const kept = conditions.reduce((some, condition) => some.filter(condition), lazy);
      return await kept.select(...columns).collect()
        .catch((error) => damaged(facts.title, "CSV or Parquet", error));
    },
  };
}

/** `true` for a column whose type the package cannot even name. */
function areBytes(column: Series): boolean {
  try {
    return String(column.dtype) === "Binary";
  } catch (error) {
    return /Binary/.test((error as Error).message);
  }
}

function damaged(title: string, form: string, error: unknown): never {
  if (error instanceof TypeError || error instanceof IntegrityError) throw error;
  const [reason = ""] = (error as Error).message.split("\n");
  throw new IntegrityError(
    `Cannot read ${title}: expected a whole ${form} file, got ` +
      `${reason.slice(0, LONGEST)}${adviceOf(reason)}`,
    { cause: error },
  );
}

function adviceOf(reason: string): string {
  if (/more fields/.test(reason)) {
    return '; a comma inside a number splits it into two fields, so set the separator, such as separator: ";"';
  }
  if (/utf-8/i.test(reason)) return '; save it as "CSV UTF-8"';
  return "";
}
