import type { ColumnTable } from "arquero";
import pl, { type DataFrame, type Series } from "nodejs-polars";
import { assertFrame, FRAME } from "../frames/frame/assert_frame.ts";
import { checkOptions } from "../base/arguments/check_options.ts";
import { describe } from "../base/contract/violation.ts";
import { columnType } from "../frames/frame/times/column_type.ts";

/**
 * A frame as an Arquero table, through Arrow: for rolling means, pivots and bins of small results. Arquero is loaded
 * on the first call.
 *
 * Text stays text, categories too; dates become JavaScript dates at midnight UTC, instants JavaScript dates; null stays
 * null.
 *
 * @param frame Any frame
 * @returns A table with the same rows and columns
 * @throws {TypeError} If the argument is not a frame
 * @throws {RangeError} If a whole number is beyond 2^53, which a JavaScript number cannot hold exactly
 *
 * @example Usage
 * ```ts
 * import { toArquero } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const frame = pl.DataFrame({ ticker: ["NA", "BRK.B"], score: [0.5, null] });
 * const table = await toArquero(frame);
 * console.assert(table.get("ticker", 0) === "NA" && table.get("score", 1) === null);
 * ```
 */
export async function toArquero(frame: DataFrame): Promise<ColumnTable> {
  assertFrame("make an Arquero table", frame);
  for (const name of frame.columns) refuseHugeNumbers(frame, name);
  const { fromArrow } = await loadArquero();
  // A category column in several chunks, each with a dictionary, would lose most of its texts.
  const bytes = frame.rechunk().writeIPCStream();
  return fromArrow(new Uint8Array(bytes), { useDate: true });
}

function refuseHugeNumbers(frame: DataFrame, name: string): void {
  const column = frame.getColumn(name);
  if (!/^U?Int64$/.test(String((column.dtype as { variant?: string }).variant))) return;
  const numbers = column.cast(pl.Float64);
  const [low, high] = [numbers.min(), numbers.max()];
  const huge = [low, high].find((value) => Math.abs(Number(value)) > Number.MAX_SAFE_INTEGER);
  if (huge === undefined) return;
  throw new RangeError(
    `Cannot make an Arquero table: expected whole numbers up to 2^53 in the column ${name}, ` +
      `got ${huge}; cast it to text`,
  );
}

/**
 * Loads Arquero, which nothing else needs.
 *
 * @throws {Error} If it is not installed, with what to do
 */
async function loadArquero(): Promise<typeof import("arquero")> {
  try {
    return await import("arquero");
  } catch (cause) {
    throw new Error(
      "Cannot load Arquero: expected arquero 8.0.3 with @uwdata/flechette 2.6.0 (2.7.0 depends on " +
        'a package that does not exist), got neither; put "overrides": { "@uwdata/flechette": "2.6.0" } in ' +
        "package.json and install again",
      { cause },
    );
  }
}

/**
 * An Arquero table as a frame, through Arrow.
 *
 * Rows stand in the order of the table, filtered ones are left out. Missing values are null, NaN too.
 *
 * @param table A table of Arquero
 * @param options The wanted types
 * @returns A frame with the rows and columns of the table
 * @throws {TypeError} If the argument is not an Arquero table, or an option is unknown
 *
 * @example Usage
 * ```ts
 * import { fromArquero, toArquero } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const frame = pl.DataFrame({ ticker: ["NA", "BRK.B"], score: [0.5, null] });
 * const table = (await toArquero(frame)).orderby("ticker");
 * const back = await fromArquero(table);
 * console.assert(back.getColumn("ticker").toArray().join() === "BRK.B,NA");
 * ```
 */
export async function fromArquero(
  table: ColumnTable,
  options: {
    /** A frame whose columns have the wanted types: a column of the same name gets that type. Arquero does not tell 1 from 1.0, nor an instant at midnight from a date. @default numbers become Float64, texts Utf8, dates at midnight UTC Date, other dates Datetime in milliseconds, UTC */
    readonly like?: DataFrame;
  } = {},
): Promise<DataFrame> {
  checkOptions("make a frame of an Arquero table", options, { like: FRAME });
  if (typeof (table as { columnNames?: unknown } | null)?.columnNames !== "function") {
    throw new TypeError(`Cannot make a frame: expected a table of Arquero, got ${describe(table)}`);
  }
  const { toArrowIPC } = await loadArquero();
  const bytes = toArrowIPC(table.reify(), { format: "stream" });
  const read = pl.readIPCStream(Buffer.from(bytes));
  return pl.DataFrame(read.getColumns().map((column) => toSeries(column, options.like)));
}

function toSeries(column: Series, like: DataFrame | undefined): Series {
  const wanted = like?.columns.includes(column.name) ? like.getColumn(column.name).dtype : null;
  return plain(column).cast(wanted ?? defaultType(column));
}

// Arquero has NaN for a number that it could not compute.
function plain(column: Series): Series {
  if (!/^Float/.test(columnType(column).name)) return column;
  const { name } = column;
  return pl.DataFrame([column])
    .select(pl.when(pl.col(name).isNan()).then(pl.lit(null)).otherwise(pl.col(name)).alias(name))
    .getColumn(name);
}

function defaultType(column: Series) {
  const name = columnType(column).name;
  if (/^(Float|U?Int|Null)/.test(name)) return pl.Float64;
  if (name === "Categorical") return pl.Utf8;
  if (name === "Datetime") return pl.Datetime("ms", "UTC");
  return column.dtype;
}
