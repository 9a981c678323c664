import { FRAME } from "../../frames/frame/assert_frame.ts";
import type { ColumnTable } from "arquero";
import pl, { type DataFrame, type Series } from "nodejs-polars";
import { checkOptions } from "../../base/arguments/check_options.ts";
import { describe } from "../../base/contract/violation.ts";
import { columnType } from "../../frames/frame/times/column_type.ts";
import { loadArquero } from "./load_arquero.ts";

/** Options of {@link fromArquero}. */
export interface FromArqueroOptions {
  /**
   * A frame whose columns have the wanted types: a column of the same name gets that type. Arquero does not tell 1 from
   * 1.0, nor an instant at midnight from a date.
   *
   * @default numbers become Float64, texts Utf8, dates at midnight UTC Date, other dates Datetime in milliseconds, UTC
   */
  readonly like?: DataFrame;
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
  options: FromArqueroOptions = {},
): Promise<DataFrame> {
  checkOptions("make a frame of an Arquero table", options, { like: FRAME });
  if (typeof (table as { columnNames?: unknown } | null)?.columnNames !== "function") {
    throw new TypeError(
      `Cannot make a frame: expected a table of Arquero, got ${describe(table)}`,
    );
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
