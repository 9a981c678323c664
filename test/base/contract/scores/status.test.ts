import { expect, test } from "vitest";
import {
  isKnownStatus,
  isStale,
  selectStatus,
  STATUS_PRIORITY,
} from "../../../../src/base/contract/scores/status.ts";

test("selectStatus() reports the first condition in the order of section 3", () => {
  expect(STATUS_PRIORITY).toEqual([
    "stale",
    "call_source_delayed",
    "call_updates_pending",
    "partial_market_data",
    "current",
  ]);
  const all = { callSourceDelayed: true, callUpdatesPending: true, partialMarketData: true };
  expect(selectStatus(all)).toBe("call_source_delayed");
  expect(selectStatus({ ...all, callSourceDelayed: false })).toBe("call_updates_pending");
  expect(selectStatus({ ...all, callSourceDelayed: false, callUpdatesPending: false }))
    .toBe("partial_market_data");
  expect(
    selectStatus({ callSourceDelayed: false, callUpdatesPending: false, partialMarketData: false }),
  )
    .toBe("current");
});

test("a cutoff is stale when it is more than 75 minutes old, not at 75 minutes", () => {
  const minute = 60_000;
  expect(isStale(0, 75 * minute)).toBe(false);
  expect(isStale(0, 75 * minute + 1)).toBe(true);
});

test("isKnownStatus() does not know what a later edition adds", () => {
  expect(["stale", "current", "paused", "Current", ""].map(isKnownStatus)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
