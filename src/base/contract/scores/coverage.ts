import { z } from "zod";
import { count, unknownFields } from "../schema.ts";
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

const BOTH = {
  tickers: count,
  price_tickers_current: count.nullable(),
  price_tickers_tracked: count.nullable(),
  pending_calls: count,
  failed_calls: count,
};
const ONLY_ECQDI = { scored_tickers: count, pending_factor_calls: count };

const SCHEMA = {
  ecpnd: z.looseObject(BOTH),
  ecqdi: z.looseObject({ ...BOTH, ...ONLY_ECQDI }),
};

/** The schema of a factor's coverage object: unknown fields are kept in `extra`. */
export function coverageSchema(factor: Factor): z.ZodType<Coverage> {
  return factor === "ecpnd"
    ? SCHEMA.ecpnd.transform((wire) => toCoverage(wire, null, Object.keys(BOTH)))
    : SCHEMA.ecqdi.transform((wire) =>
      toCoverage(wire, wire, [...Object.keys(BOTH), ...Object.keys(ONLY_ECQDI)])
    );
}

/** The wire form of a coverage object. */
export function encodeCoverage(coverage: Coverage): Record<string, unknown> {
  return {
    tickers: coverage.tickers,
    price_tickers_current: coverage.priceTickersCurrent,
    price_tickers_tracked: coverage.priceTickersTracked,
    pending_calls: coverage.pendingCalls,
    failed_calls: coverage.failedCalls,
    ...(coverage.scoredTickers === null ? {} : { scored_tickers: coverage.scoredTickers }),
    ...(coverage.pendingFactorCalls === null
      ? {}
      : { pending_factor_calls: coverage.pendingFactorCalls }),
    ...coverage.extra,
  };
}

function toCoverage(
  wire: z.infer<typeof SCHEMA.ecpnd>,
  ecqdi: { readonly scored_tickers: number; readonly pending_factor_calls: number } | null,
  known: readonly string[],
): Coverage {
  return {
    tickers: wire.tickers,
    priceTickersCurrent: wire.price_tickers_current,
    priceTickersTracked: wire.price_tickers_tracked,
    pendingCalls: wire.pending_calls,
    failedCalls: wire.failed_calls,
    scoredTickers: ecqdi?.scored_tickers ?? null,
    pendingFactorCalls: ecqdi?.pending_factor_calls ?? null,
    extra: unknownFields(wire, known),
  };
}
