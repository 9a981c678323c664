import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import pl, { type DataFrame } from "nodejs-polars";
import { nearestName } from "../arguments/nearest_name.ts";
import { describe } from "../contract/violation.ts";
import { IntegrityError, StorageError } from "../errors.ts";
import { assertFrame } from "../frame/assert_frame.ts";

/** Which columns of the source hold what. */
export interface PriceNames {
  /** The date of a session. */
  readonly date: string;
  /** The ticker. */
  readonly ticker: string;
  /** The price at the close. */
  readonly close: string;
}

/** The three columns as the source has them, and how messages call it. */
export interface PriceSource {
  /** The columns, under the names that prices have here. */
  readonly frame: DataFrame;
  /** Such as `the prices of closes.csv`. */
  readonly title: string;
}

/** Reads the three columns; those of a CSV are text, because a guessed type makes a number of the ticker 1E5. */
export async function openSource(
  source: string | URL | DataFrame,
  names: PriceNames,
): Promise<PriceSource> {
  if (typeof source !== "string" && !(source instanceof URL)) {
    assertFrame("read prices", source);
    return { frame: choose(source, names, "the prices"), title: "the prices" };
  }
  const path = source instanceof URL ? fileURLToPath(source) : source;
  const title = `the prices of ${path.split(/[\\/]/).at(-1)}`;
  if (!/\.(csv|csv\.gz|parquet)$/i.test(path)) {
    throw new TypeError(
      `Cannot read prices: expected a frame, or a path that ends in .csv, .csv.gz or .parquet, got ` +
        describe(path),
    );
  }
  await assertFile(path, title);
  return { frame: await readFile(path, names, title), title };
}

async function assertFile(path: string, title: string): Promise<void> {
  try {
    const { size } = await stat(path);
    if (size > 0) return;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const found = code === "ENOENT" ? "none" : message;
    throw new StorageError(
      `Cannot read ${title}: expected a file that can be read at ${resolve(path)}, got ${found}`,
      { cause: error },
    );
  }
  throw new StorageError(`Cannot read ${title}: expected rows in ${path}, got an empty file`);
}

async function readFile(path: string, names: PriceNames, title: string): Promise<DataFrame> {
  const isParquet = /\.parquet$/i.test(path);
  // The type of these options lacks glob; without it a bracket in the name of a file selects others.
  const options = { inferSchemaLength: 0, glob: false } as Parameters<typeof pl.scanCSV>[1];
  try {
    const lazy = isParquet ? pl.scanParquet(path) : pl.scanCSV(path, options);
    assertNames(lazy.columns, names, title);
    const { date, ticker, close } = names;
    const frame = await lazy.select(...new Set([date, ticker, close])).collect();
    return choose(frame, names, title);
  } catch (error) {
    if (error instanceof TypeError) throw error;
    throw new IntegrityError(
      `Cannot read ${title}: expected a whole ${isParquet ? "Parquet" : "CSV"} file, got ` +
        `${(error as Error).message.split("\n")[0]}`,
      { cause: error },
    );
  }
}

function choose(frame: DataFrame, names: PriceNames, title: string): DataFrame {
  assertNames(frame.columns, names, title);
  return frame.select(
    pl.col(names.date).alias("date"),
    pl.col(names.ticker).alias("ticker"),
    pl.col(names.close).alias("close"),
  );
}

function assertNames(columns: readonly string[], names: PriceNames, title: string): void {
  for (const [option, name] of Object.entries(names)) {
    if (columns.includes(name)) continue;
    // A column that another option names already is not the one that is missing.
    const others = columns.filter((column) => !Object.values(names).includes(column));
    const meant = nearestName(name, others) ?? nearestName(option, others) ?? others[0];
    throw new TypeError(
      `Cannot read ${title}: expected a column ${describe(name)}, got the columns ` +
        `${columns.join(", ") || "(none)"}; name yours, such as { ${option}: ` +
        `${describe(meant ?? "Name")} }`,
    );
  }
}
