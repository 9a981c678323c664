import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { type Factor, scoreNameOf } from "../contract/factor.ts";
import { type CategoryPlaces, placesOf } from "./_category_places.ts";

/** For what a file of rows is written: to be read whole as fast as possible, or in little memory, to be scanned. */
export type RowsUse = "read" | "scan";

// Polars holds a row group and its copies in memory while it writes it. One for a whole release (3.4 frames meanwhile)
// is read 20 ms faster and as a frame of one piece; small ones take half a frame, and filters on dates skip them.
const ROW_GROUP_SIZES: Readonly<Record<RowsUse, number>> = { read: 1 << 23, scan: 1 << 18 };
const CODE = "ticker_code";

/** Tickers and the codes that stand for them in a file. */
export interface TickerCodes {
  /** Distinct tickers. */
  readonly tickers: readonly string[];
  /** Code of each ticker. */
  readonly codes: readonly number[];
}

/** The codes under which {@link writeParquetRows} writes these tickers, in this process. */
export function tickerCodes(tickers: readonly string[]): TickerCodes {
  return { tickers, codes: [...placesOf(tickers).places] };
}

/**
 * Writes the rows of a release to a Parquet file: the ticker as text, for filters that are pushed down, and as a code,
 * which becomes Categorical without looking at any text. LZ4: half the bytes to hash, and nothing lost in reading.
 */
export async function writeParquetRows(
  rows: DataFrame,
  path: string,
  use: RowsUse,
): Promise<void> {
  const rowGroupSize = ROW_GROUP_SIZES[use];
  await rows.lazy()
    .withColumns(pl.col("ticker").cast(pl.UInt32).alias(CODE), pl.col("ticker").cast(pl.Utf8))
    .sinkParquet(path, { compression: "lz4", rowGroupSize, statistics: true })
    .collect();
}

/** The rows of a release from a Parquet file, as {@link takeReleaseRows} makes them. */
export async function readParquetRows(
  path: string,
  factor: Factor,
  known: TickerCodes,
): Promise<DataFrame> {
  const reading = pl.scanParquet(path, { glob: false })
    .select(pl.col("date"), pl.col(CODE).alias("ticker"), pl.col(scoreNameOf(factor))).collect();
  // Polars reads while the tickers get their places; it may fail before anybody waits for it.
  reading.catch(() => undefined);
  const dictionary = placesOf(known.tickers);
  const rows = placed(await reading, known, dictionary);
  const encoded = await rows.lazy().withColumn(pl.col("ticker").cast(pl.Categorical)).collect();
  return encoded.getColumn("ticker").nChunks() === 1 ? encoded : encoded.rechunk();
}

/** The rows of a release as a lazy frame over a Parquet file; the ticker is text, so that filters reach the file. */
export function scanParquetRows(path: string, factor: Factor): LazyDataFrame {
  return pl.scanParquet(path, { glob: false }).select("date", "ticker", scoreNameOf(factor));
}

// Codes of the process that wrote the file as places of this one; most often they are the same.
function placed(rows: DataFrame, { codes }: TickerCodes, { places }: CategoryPlaces): DataFrame {
  if (codes.every((code, i) => code === places[i])) return rows;
  const placeOf = new Uint32Array(Math.max(...codes) + 1);
  for (const [i, code] of codes.entries()) placeOf[code] = places[i]!;
  const values = rows.getColumn("ticker").toTypedArray() as Uint32Array;
  for (let row = 0; row < values.length; row++) values[row] = placeOf[values[row]!]!;
  return rows.withColumn(pl.Series("ticker", values));
}
