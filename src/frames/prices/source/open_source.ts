import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pl, { type DataFrame, type Series } from "nodejs-polars";
import { describe } from "../../../base/contract/violation.ts";
import { nearestName } from "../../../base/arguments/nearest_name.ts";
import { refuseAddress } from "../../../base/arguments/refuse_address.ts";
import { onDisk } from "../../../base/disk/on_disk.ts";
import { openTemporaryFolder } from "../../../base/disk/temporary_folder.ts";
import { IntegrityError, StorageError } from "../../../base/errors.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { assertFrame } from "../../frame/assert_frame.ts";
import type { ReadPricesOptions } from "../prices_options.ts";
import { type PriceFile, readEdges, shortLines, writeTable } from "./text_file.ts";
import { refuseOtherText } from "./text_head.ts";

const LONGEST = 200;
const SAMPLE_ROWS = 50;
const MOST_BYTES = 4_000_000_000;
const ENDING = /\.((csv|txt|tsv)(\.gz)?|zip|parquet|pq|feather|arrow|ipc)$/i;
const ENDINGS = ".csv, .txt, .tsv, .csv.gz, .zip, .parquet, .feather or .arrow";
// Folders of a table that is split by the values of a column: ticker=AZQ/part.parquet.
const PART = /^([^=]+)=(.*)$/;

/** A source whose rows are not read yet. */
export interface OpenedSource {
  /** Such as `the prices of closes.csv`. */
  readonly title: string;
  /** The first rows, with all columns. */
  readonly rows: DataFrame;
  /** Name of the file without its ending; `null` for a frame. */
  readonly stem: string | null;
  /** `false` if the last line of a text has no end. */
  readonly isEnded: boolean;
  /** Reads columns, and only the rows with given texts or numbers in other columns. */
  read(
    columns: readonly string[],
    only: Readonly<Record<string, string | number>>,
  ): Promise<DataFrame>;
  /** Refuses a text if a row that was read is of a line that lacks fields, whose others may stand under the wrong names. */
  refuseShort(): Promise<void>;
}

/**
 * The files that a path names: one, those of a folder and its folders, or those that match a pattern with asterisks in its last part.
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
  const names = await readdir(folder, { recursive: !isPattern }).catch(() => [] as string[]);
  const files = names.filter((name) => isPattern ? pattern.test(name) : ENDING.test(name))
    .filter((name) => !/(^|[/\\])[._]/.test(name)).toSorted();
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
        `Cannot read prices: expected a frame or the path of a file, got ${describe(source)}; ` +
          'use, for example, readPrices("closes.csv")',
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
  await assertReadable(source, title);
  const facts = { title, stem: name.replace(ENDING, ""), isEnded: true };
  const isParquet = /\.(parquet|pq)$/i.test(source);
  if (isParquet || /\.(feather|arrow|ipc)$/i.test(source)) {
    const lazy = isParquet
      ? pl.scanParquet(source, { glob: false })
      : pl.scanIPC(source, { glob: false } as object);
    return await opened(withParts(lazy, source), facts)
      .catch((error) => damaged(title, isParquet ? "Parquet" : "Arrow", error));
  }
  return await openText({ path: source, title }, facts.stem, options)
    .catch((error) => damaged(title, "CSV", error));
}

async function assertReadable(path: string, title: string): Promise<void> {
  try {
    const { size } = await stat(path);
    if (size > 0) return;
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

type Scanned = ReturnType<typeof pl.scanCSV>;

/** The rows with the columns whose values are names of folders. */
function withParts(lazy: Scanned, path: string): Scanned {
  const parts = dirname(path).split(/[/\\]/).flatMap((part) => {
    const [, name, value] = PART.exec(part) ?? [];
    return name === undefined ? [] : [pl.lit(decodeURIComponent(value!)).alias(name)];
  });
  return parts.length === 0 ? lazy : lazy.withColumns(...parts);
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
  const csv = { inferSchemaLength: 0, glob: false, sep: separator } as object;
  const { lines, isEnded, isOfReturns } = await readEdges(file, maxInflatedBytes);
  refuseOtherText(lines, given, file.title);
  const table = async (path: string, above: number, isWhole: boolean) => {
    const facts = { title: file.title, stem, isEnded: isWhole };
    const rows = withParts(pl.scanCSV(path, csv), file.path);
    return await opened(rows, facts, [path, separator, above]);
  };
  const isAsIs = skip === 0 && footer === 0 && header === 1 && !isOfReturns &&
    !/\.zip$/i.test(file.path);
  if (isAsIs) return await table(file.path, 0, isEnded);
  const folder = await openTemporaryFolder("prices");
  try {
    const path = join(folder.path, "table.csv");
    const form = { ...given, footer, isOfReturns };
    await onDisk(`write ${path}`, () => writeTable(file.path, path, form));
    return await table(path, skip + header - 1, footer > 0 || isEnded);
  } catch (error) {
    folder.remove();
    throw error;
  }
}

/** A table in text form: its path, its separator, and the lines above those of the table. */
type Lines = readonly [path: string, separator: string, above: number];

async function refuseShortLines(title: string, [path, separator, above]: Lines): Promise<void> {
  const found = await shortLines(path, separator);
  if (found === null) return;
  const { line, fields, names, count } = found;
  const [others, them] = count === 1
    ? ["", "it"]
    : [`, the first of ${groupThousands(count)} such lines`, "them"];
  throw new IntegrityError(
    `Cannot read ${title}: expected ${names} fields in every line, got ${fields} in line ` +
      `${line + above}${others}; complete ${them} in the source, or delete ${them}`,
  );
}

async function opened(
  scanned: Scanned,
  facts: Pick<OpenedSource, "title" | "stem" | "isEnded">,
  lines: Lines | null = null,
): Promise<OpenedSource> {
  // Some writers store text as bytes, and prices as decimals, which JavaScript cannot have.
  const casts = (await scanned.head(0).collect()).getColumns().flatMap((column) => {
    const type = typeName(column);
    if (type === "Binary") return [pl.col(column.name).cast(pl.Utf8)];
    return type === "Decimal" ? [pl.col(column.name).cast(pl.Float64)] : [];
  });
  const lazy = casts.length === 0 ? scanned : scanned.withColumns(...casts);
  const rows = await lazy.head(SAMPLE_ROWS).collect();
  // A line that lacks fields has none in the last column, so that few files are looked through.
  const last = lines === null ? [] : rows.columns.slice(-1);
  let mayLack = false;
  return {
    ...facts,
    rows,
    refuseShort: async () => {
      if (mayLack) await refuseShortLines(facts.title, lines!);
    },
    read: async (columns, only) => {
      const kept = Object.entries(only)
        .reduce((some, [name, value]) => some.filter(isValue(name, value)), lazy);
      const read = await kept.select(...new Set([...columns, ...last])).collect()
        .catch((error) => damaged(facts.title, "CSV or Parquet", error));
      mayLack ||= last.some((name) => read.getColumn(name).nullCount() > 0);
      return read.select(...new Set(columns));
    },
  };
}

function isValue(name: string, value: string | number) {
  const column = pl.col(name);
  const isText = column.cast(pl.Utf8).eq(pl.lit(String(value)));
  if (!Number.isFinite(Number(value))) return isText;
  const isNumber = column.cast(pl.Float64, false).eq(pl.lit(Number(value)));
  return isText.or(isNumber.and(pl.lit(typeof value === "number")));
}

/** Name of a column's type, also of one that the package cannot name. */
function typeName(column: Series): string {
  const found = (text: string) => /Binary|Decimal/.exec(text)?.[0] ?? "";
  try {
    return found(String(column.dtype));
  } catch (error) {
    return found((error as Error).message);
  }
}

function damaged(title: string, form: string, error: unknown): never {
  const isTold = [TypeError, IntegrityError, StorageError].some((kind) => error instanceof kind);
  if (isTold) throw error;
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
