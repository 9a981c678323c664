import { epochMsOf, type Instant, instantOf } from "../../base/contract/instant.ts";
import {
  type CheckInput,
  type CheckSource,
  type CompletedCheck,
  readLastCheck,
} from "../../base/store/checks/complete_check.ts";
import type { StoreReader } from "../../base/store/store_reader.ts";

const CUTOFF_MS = 5 * 60_000;

/**
 * Creates a source that repeats the findings of the store's last check every hour, with all inputs current.
 *
 * It continues any store: only the time changes, unless a timeline or a publication changes more.
 *
 * @param store The store whose last check is repeated
 */
export function repeatLastCheck(store: StoreReader): CheckSource {
  return async (factor, hour) => {
    const last = await readLastCheck(store, factor);
    return last === null ? null : repeat(last, hour);
  };
}

function repeat(last: CompletedCheck, hour: Instant): CheckInput {
  const { check, set } = last;
  const { coverage } = check;
  return {
    factor: check.factor,
    universe: check.universe,
    factorVersion: check.factorVersion,
    checkedAt: hour,
    dataThrough: instantOf(epochMsOf(hour) - CUTOFF_MS),
    pricesThrough: check.pricesThrough,
    rows: set.rows,
    callSourceDelayed: false,
    benchmarkCurrent: true,
    priceTickersCurrent: coverage.priceTickersTracked,
    priceTickersTracked: coverage.priceTickersTracked,
    pendingCalls: 0,
    failedCalls: 0,
    pendingFactorCalls: 0,
    extra: check.extra,
  };
}
