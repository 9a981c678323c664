import pl, { type DataFrame, type LazyDataFrame } from "nodejs-polars";
import { type Factor, scoreNameOf } from "../contract/factor.ts";
import { type CategoryPlaces, placesOf } from "./_category_places.ts";

// One row group for releases of this size: a frame of one piece, read a column per thread. Filters skip pages.
const ROW_GROUP_SIZE = 1 << 23;
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
export async function writeParquetRows(rows: DataFrame, path: string): Promise<void> {
  await rows.lazy()
    .withColumns(pl.col("ticker").cast(pl.UInt32).alias(CODE), pl.col("ticker").cast(pl.Utf8))
    .sinkParquet(path, { compression: "lz4", rowGroupSize: ROW_GROUP_SIZE, statistics: true })
    .collect();
}

/** The rows of a release from a Parquet file, as {@link takeReleaseRows} makes them. */
export async function readParquetRows(
  path: string,
  factor: Factor,
  known: TickerCodes,
): Promise<DataFrame> {
  const dictionary = placesOf(known.tickers);
  const shift = shiftOf(known.codes, dictionary.places);
  const code = pl.col(CODE);
  const ticker = shift === null
    ? code
    : (shift === 0 ? code : code.cast(pl.Int64).plus(shift).cast(pl.UInt32)).cast(pl.Categorical);
  const rows = await pl.scanParquet(path, { glob: false })
    .select(pl.col("date"), ticker.alias("ticker"), pl.col(scoreNameOf(factor))).collect();
  return shift === null ? recode(rows, known, dictionary) : rows;
}

/** The rows of a release as a lazy frame over a Parquet file; the ticker is text, so that filters reach the file. */
export function scanParquetRows(path: string, factor: Factor): LazyDataFrame {
  return pl.scanParquet(path, { glob: false }).select("date", "ticker", scoreNameOf(factor));
}

// How far all codes are from the places of this process; null if they differ in more than that.
function shiftOf(codes: readonly number[], places: Uint32Array): number | null {
  const shift = codes.length === 0 ? 0 : places[0]! - codes[0]!;
  return codes.every((code, i) => places[i] === code + shift) ? shift : null;
}

function recode(rows: DataFrame, known: TickerCodes, dictionary: CategoryPlaces): DataFrame {
  const placeOf = new Uint32Array(Math.max(...known.codes) + 1);
  for (const [i, code] of known.codes.entries()) placeOf[code] = dictionary.places[i]!;
  const codes = rows.getColumn("ticker").toTypedArray() as Uint32Array;
  for (let row = 0; row < codes.length; row++) codes[row] = placeOf[codes[row]!]!;
  return rows.withColumn(pl.Series("ticker", codes).cast(pl.Categorical));
}
