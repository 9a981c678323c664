import type { Check } from "../../../src/base/contract/scores/check.ts";
import type { StoredSet } from "../../../src/base/store/scores/set_file.ts";

/** Id of the set of these tests. */
export const ID = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01";
/** Another id. */
export const OTHER_ID = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02";
/** What the store of these tests says of itself. */
export const RECORDING = {
  format: 1,
  kind: "recording",
  description: "A recording",
  synthetic: false,
  complete: null,
  origin: {},
} as const;

/** A set with awkward tickers, a 0, a null and a number of all bits. */
export const SET: StoredSet = {
  factor: "ecpnd",
  snapshotId: ID,
  factorVersion: "ecpnd-v1",
  calculatedAt: "2026-11-19T14:00:00.000Z",
  rows: { tickers: ["1E5", "A", "NA", "TRUE"], scores: [0, 0.1 + 0.2, null, 1] },
};

/** A check of the set, completed at an instant. */
export function check(lastCheckedAt: string, change: Partial<Check> = {}): Check {
  return {
    factor: "ecpnd",
    scoreName: "ecpnd_score",
    universe: "US research universe",
    factorVersion: "ecpnd-v1",
    snapshotId: ID,
    calculatedAt: "2026-11-19T14:00:00.000Z",
    lastCheckedAt,
    dataThrough: lastCheckedAt,
    status: "current",
    pricesThrough: "2026-11-18",
    coverage: {
      tickers: 4,
      priceTickersCurrent: 4,
      priceTickersTracked: 4,
      pendingCalls: 0,
      failedCalls: 0,
      scoredTickers: null,
      pendingFactorCalls: null,
      extra: {},
    },
    extra: { note: "unknown fields are kept" },
    ...change,
  };
}

/** The same check as it is kept. */
export function stored(lastCheckedAt: string, change: Partial<Check> = {}) {
  return {
    check: check(lastCheckedAt, change),
    retrievedAt: "2026-11-20T08:00:00.000Z",
    origin: "https://service.example",
  };
}
