import { setTimeout } from "node:timers/promises";
import pl, { type DataFrame, type Series } from "nodejs-polars";
import { type Factor, scoreNameOf } from "../contract/factor.ts";
import type { Release } from "../contract/release.ts";
import { IntegrityError } from "../errors.ts";
import type { HistoryColumns } from "./_history_columns.ts";
import { chooseProvenance, type ProvenanceChoice, RELEASE_PROVENANCE } from "./column.ts";
import type { Receipt } from "./origin.ts";
import { provenanceColumns } from "./provenance_columns.ts";

/** How tickers of a release are laid out: dictionary-encoded with 4 bytes a row, or as text with 16. */
export type TickerLayout = "categorical" | "text";

/** How a release becomes a frame. */
export interface ReleaseFrameOptions {
  /**
   * Which provenance columns the frame carries.
   *
   * @default true
   */
  readonly provenance?: ProvenanceChoice;
  /**
   * How the tickers are laid out. Polars joins a Categorical column only with another one.
   *
   * @default "categorical"
   */
  readonly tickers?: TickerLayout;
}

/** Where the rows of a release come from. */
export interface ReleaseOrigin {
  /** Factor of the release. */
  readonly factor: Factor;
  /** Metadata of the release. */
  readonly release: Release;
  /** How it came to this machine. */
  readonly receipt: Receipt;
}

/**
 * The columns of a verified file as a frame: `date` (Date), `ticker`, the score (Float64), in the order of the file.
 *
 * The columns are taken over one by one and are empty afterwards, so that the rows are never in memory twice; the
 * event loop gets its turn after each.
 */
export async function takeReleaseRows(columns: HistoryColumns, factor: Factor): Promise<DataFrame> {
  const score = scoreNameOf(factor);
  const scores = await taken(columns.scores, (values) => pl.Series(score, values));
  const days = await taken(columns.days, (values) => pl.Series("date", values));
  await encodeTickers(columns);
  const tickers = await taken(columns.numbers, (values) => pl.Series("ticker", values));
  // Float64 has no null of its own: NaN, which no line of the file can hold, stood for a missing score.
  return await pl.DataFrame([days, tickers, scores]).lazy().withColumns(
    pl.col("date").cast(pl.Date),
    pl.col("ticker").cast(pl.Categorical),
    pl.col(score).fillNan(pl.lit(null)),
  ).collect();
}

/** A frame of release rows with the provenance columns that are asked for. */
export function withReleaseProvenance(
  rows: DataFrame,
  origin: ReleaseOrigin,
  options: ReleaseFrameOptions = {},
): DataFrame {
  const columns = releaseProvenance(origin, options.provenance);
  const frame = columns.length === 0 ? rows : rows.withColumns(...columns);
  return options.tickers === "text" ? frame.withColumn(pl.col("ticker").cast(pl.Utf8)) : frame;
}

/** The provenance columns of a release, for a frame or a lazy one. */
export function releaseProvenance(origin: ReleaseOrigin, choice?: ProvenanceChoice): pl.Expr[] {
  const { factor, release, receipt } = origin;
  const values = {
    factor,
    factor_version: release.factorVersion,
    universe: release.universe,
    download_sha256: release.downloadSha256,
    availability: release.availability,
    source: receipt.source,
    retrieved_at: receipt.retrievedAt,
  };
  const columns = chooseProvenance(choice, RELEASE_PROVENANCE);
  return provenanceColumns(columns, values, { categorical: true });
}

/**
 * Turns the numbers of the tickers into what Polars casts to Categorical, without making a string of any row.
 *
 * Polars keeps one table of categories for the process, and reads unsigned integers that are cast to Categorical as
 * places in it. Casting the distinct tickers first tells their places, and the result is compared with them.
 */
async function encodeTickers(columns: HistoryColumns): Promise<void> {
  const { names } = columns.tickers;
  const dictionary = pl.Series("ticker", names, pl.Utf8).cast(pl.Categorical);
  const places = Uint32Array.from(dictionary.cast(pl.UInt32).toArray() as number[]);
  const back = pl.Series("ticker", places).cast(pl.Categorical).cast(pl.Utf8).toArray();
  if (!names.every((name, i) => name === back[i])) {
    throw new IntegrityError(
      "Cannot encode the tickers: this version of Polars keeps categories in another way; " +
        "install the version of nodejs-polars that this package names",
    );
  }
  await setTimeout(0);
  const { numbers } = columns;
  for (let row = 0; row < numbers.length; row++) numbers[row] = places[numbers[row]!]!;
}

// Lets other work of the event loop pass, hands the values over, and gives their memory back.
async function taken<Values extends Int32Array | Uint32Array | Float64Array>(
  values: Values,
  toSeries: (values: Values) => Series,
): Promise<Series> {
  await setTimeout(0);
  const series = toSeries(values);
  (values.buffer as ArrayBuffer).transfer(0);
  return series;
}
