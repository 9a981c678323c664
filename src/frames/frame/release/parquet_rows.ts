import pl, { type DataFrame, type LazyDataFrame, type Series } from "nodejs-polars";
import { type Factor, scoreNameOf } from "../../../base/contract/factor.ts";
import { assertPlaced, type BuiltRows, CODE, placesOf } from "./release_builder.ts";

// Polars holds some row groups and what it makes of them while it writes: half a frame with groups of this size, four
// frames with one for a whole release, which would be read 35 ms faster. Filters on dates skip groups.
const ROW_GROUP_SIZE = 1 << 16;

/** Tickers and their codes in a file. */
export interface TickerCodes {
  /** Distinct tickers. */
  readonly tickers: readonly string[];
  /** Code of each ticker. */
  readonly codes: readonly number[];
}

/**
 * Writes the rows of a release to a Parquet file, with the ticker for pushed-down filters, and as a code, which becomes
 * Categorical without reading any text. Categories are written as categories: made text first, they took 35 MB more and half
 * as much time again. LZ4 takes 23 MB off the file, and does not slow down reading.
 */
export async function writeParquetRows({ rows, codes }: BuiltRows, path: string): Promise<void> {
  await rows.withColumn(codes).lazy()
    .sinkParquet(path, { compression: "lz4", rowGroupSize: ROW_GROUP_SIZE, statistics: true })
    .collect();
}

/**
 * Reads the rows of a release from a Parquet file with tickers as text, without categories: making text of categories
 * takes as long as reading all columns, and holds both.
 */
export async function readTextRows(path: string, factor: Factor): Promise<DataFrame> {
  const score = scoreNameOf(factor);
  const rows = await scanParquetRows(path, factor).collect();
  return pl.DataFrame([wholeDates(rows), rows.getColumn("ticker"), rows.getColumn(score)]);
}

/** Reads the rows of a release from a Parquet file with tickers as categories. */
export async function readParquetRows(
  path: string,
  factor: Factor,
  known: TickerCodes,
): Promise<DataFrame> {
  const score = scoreNameOf(factor);
  const { places, dictionary } = placesOf(known.tickers);
  // The process that wrote the file usually had the same positions.
  const arePlaces = known.codes.every((code, i) => code === places[i]);
  const code = pl.col(CODE).alias("ticker");
  const rows = await pl.scanParquet(path, { glob: false })
    .select(pl.col("date"), arePlaces ? code.cast(pl.Categorical) : code, pl.col(score))
    .collect();
  const dates = wholeDates(rows);
  const coded = rows.getColumn("ticker");
  const tickers = arePlaces ? coded : placed(coded, known, places).cast(pl.Categorical);
  assertPlaced(tickers, dictionary);
  return pl.DataFrame([dates, tickers, rows.getColumn(score)]);
}

// Polars adds constant columns value by value to a frame whose first column is in pieces, as columns of several row
// groups are: that would take as long as reading the file, and twice the memory.
function wholeDates(rows: DataFrame): Series {
  return rows.getColumn("date").rechunk();
}

/** Rows of a release as a lazy frame over a Parquet file; the ticker is text, so that filters are pushed down. */
export function scanParquetRows(path: string, factor: Factor): LazyDataFrame {
  return pl.scanParquet(path, { glob: false }).select("date", "ticker", scoreNameOf(factor));
}

/** True if a Parquet file has exactly these rows, with each ticker as text and as a code. */
export async function hasParquetRows(
  path: string,
  { factor, known, rows }: {
    readonly factor: Factor;
    readonly known: TickerCodes;
    readonly rows: DataFrame;
  },
): Promise<boolean> {
  const coded = await readParquetRows(path, factor, known);
  const written = await readTextRows(path, factor);
  // Two frames can have different categories for the same tickers.
  const texts = coded.withColumn(pl.col("ticker").cast(pl.Utf8));
  return [texts, written].every((found) => found.frameEqual(rows, true));
}

function placed(coded: Series, { codes }: TickerCodes, places: Uint32Array): Series {
  const placeOf = new Uint32Array(Math.max(...codes) + 1);
  for (const [i, code] of codes.entries()) placeOf[code] = places[i]!;
  const values = coded.toTypedArray() as Uint32Array;
  for (let row = 0; row < values.length; row++) values[row] = placeOf[values[row]!]!;
  return pl.Series("ticker", values);
}
