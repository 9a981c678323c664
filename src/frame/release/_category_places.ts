import pl, { type Series } from "nodejs-polars";
import { IntegrityError } from "../../errors.ts";

/** Places of texts in the table of categories that Polars keeps for the process. */
export interface CategoryPlaces {
  /** Place of each text. */
  readonly places: Uint32Array;
  /** The texts as Categorical; the places hold as long as this is referenced. */
  readonly dictionary: Series;
}

/**
 * The places of texts in the table of categories, which unsigned integers that are cast to Categorical are read as.
 *
 * Encoding millions of tickers by place makes no text of any row. That Polars reads them so is not documented, hence
 * the places are cast back and compared every time.
 *
 * @throws {IntegrityError} If this version of Polars keeps categories in another way
 */
export function placesOf(texts: readonly string[]): CategoryPlaces {
  const dictionary = pl.Series("ticker", [...texts], pl.Utf8).cast(pl.Categorical);
  const places = Uint32Array.from(dictionary.cast(pl.UInt32).toArray() as number[]);
  const back = pl.Series("ticker", places).cast(pl.Categorical).cast(pl.Utf8).toArray();
  if (texts.every((text, i) => text === back[i])) return { places, dictionary };
  throw new IntegrityError(
    "Cannot encode the tickers: expected categories by place, got another order from this version of " +
      "Polars; install the version of nodejs-polars that this package names",
  );
}

/**
 * Compares the first ticker of encoded rows with their dictionary, which keeps the places in force until here.
 *
 * @throws {IntegrityError} If it is another one
 */
export function assertPlaced(tickers: Series, dictionary: Series): void {
  const [first] = tickers.head(1).toArray();
  if (first === undefined || dictionary.toArray().includes(first)) return;
  throw new IntegrityError(
    `Cannot encode the tickers: expected a ticker of the file, got ${first}`,
  );
}
