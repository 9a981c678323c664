import { aCount, type Form, object, orNull, theRest } from "../schema.ts";
import type { Factor } from "../factor.ts";

/** The complete set's coverage at a check; a ticker filter does not change it (section 2.3). */
export interface Coverage {
  /** Number of rows in the complete set. */
  readonly tickers: number;
  /** Market-data coverage at the check; null means unavailable. */
  readonly priceTickersCurrent: number | null;
  /** Size of the tracked price panel, which can differ from the universe; null means unavailable. */
  readonly priceTickersTracked: number | null;
  /** Source-update queue; not a count of missing scores. */
  readonly pendingCalls: number;
  /** Source-update queue; not a count of missing scores. */
  readonly failedCalls: number;
  /** Non-null values in the full set; `ecqdi` only, null for `ecpnd`. */
  readonly scoredTickers: number | null;
  /** Call records awaiting factor processing; `ecqdi` only, null for `ecpnd`. */
  readonly pendingFactorCalls: number | null;
  /** Fields that the API document does not define, as received. */
  readonly extra: Readonly<Record<string, unknown>>;
}

// A field of the other factor is one that the API document does not define here.
const NOT_THERE: Form<number | null> = { flat: [], read: () => null, write: () => ({}) };

/** The form of a factor's coverage. */
export const COVERAGE: Readonly<Record<Factor, Form<Coverage>>> = {
  ecpnd: coverageOf(NOT_THERE),
  ecqdi: coverageOf(aCount as Form<number | null>),
};

function coverageOf(onlyEcqdi: Form<number | null>): Form<Coverage> {
  return object<Coverage>({
    tickers: aCount,
    priceTickersCurrent: orNull(aCount),
    priceTickersTracked: orNull(aCount),
    pendingCalls: aCount,
    failedCalls: aCount,
    scoredTickers: onlyEcqdi,
    pendingFactorCalls: onlyEcqdi,
    extra: theRest,
  });
}
