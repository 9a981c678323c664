import pl, { type Series } from "nodejs-polars";
import { IntegrityError } from "../../../base/errors.ts";

/** Positions of texts in Polars' process-wide table of categories. */
export interface CategoryPlaces {
  /** Position of each text. */
  readonly places: Uint32Array;
  /** The texts as Categorical; positions are valid as long as this is referenced. */
  readonly dictionary: Series;
}

/**
 * Finds the positions of texts in the table of categories; unsigned integers cast to Categorical are read as such positions.
 *
 * Encoding millions of tickers by position creates no text for any row. Polars does not document this behaviour, so the
 * positions are cast back and compared every time.
 *
 * @throws {IntegrityError} If this version of Polars stores categories differently
 */
export function placesOf(texts: readonly string[]): CategoryPlaces {
  const dictionary = pl.Series("ticker", [...texts], pl.Utf8).cast(pl.Categorical);
  const places = Uint32Array.from(dictionary.cast(pl.UInt32).toArray() as number[]);
  const back = pl.Series("ticker", places).cast(pl.Categorical).cast(pl.Utf8).toArray();
  if (texts.every((text, i) => text === back[i])) return { places, dictionary };
  throw new IntegrityError(
    "Cannot encode the tickers: expected categories by position, got another order from this version of " +
      "Polars; install the version of nodejs-polars that this package pins",
  );
}

/**
 * Compares the first ticker of encoded rows with their dictionary, which keeps the positions valid until here.
 *
 * @throws {IntegrityError} If they differ
 */
export function assertPlaced(tickers: Series, dictionary: Series): void {
  const [first] = tickers.head(1).toArray();
  if (first === undefined || dictionary.toArray().includes(first)) return;
  throw new IntegrityError(
    `Cannot encode the tickers: expected a ticker of the file, got ${first}`,
  );
}
