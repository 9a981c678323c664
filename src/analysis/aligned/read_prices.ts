import pl, { type DataFrame } from "nodejs-polars";
import type { PriceColumns } from "./price_grid.ts";

/**
 * Reads prices from a CSV, a gzipped CSV or a Parquet file. The ticker of a CSV is read as text: 0012 and TRUE stay.
 *
 * @throws {TypeError} If the name of the file ends in something else
 */
export async function readPrices(path: string, columns: PriceColumns): Promise<DataFrame> {
  const wanted = [columns.date, columns.ticker, columns.price];
  if (path.endsWith(".parquet")) return await pl.scanParquet(path).select(...wanted).collect();
  if (!/\.csv(\.gz)?$/.test(path)) {
    throw new TypeError(
      `Cannot read prices: a path that ends in .csv, .csv.gz or .parquet is required, got ${path}`,
    );
  }
  // Without inference every field is text; a wrong number is then found where it stands.
  const text = await pl.scanCSV(path, { inferSchemaLength: 0 }).select(...wanted).collect();
  return text.withColumns(pl.col(columns.price).cast(pl.Float64, true));
}
