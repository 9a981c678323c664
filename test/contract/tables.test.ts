import { expect, test } from "vitest";
import { endpointOf, ENDPOINTS } from "../../src/contract/endpoint.ts";
import { ERROR_CODES } from "../../src/contract/error_code.ts";
import { keyEnvironmentOf, maskKey } from "../../src/contract/key.ts";
import { LIMITS } from "../../src/contract/limits.ts";
import { isStale, selectStatus, STATUS_PRIORITY } from "../../src/contract/status.ts";

test("the endpoints are the five of section 4, with the methods of their Allow header", () => {
  const table = Object.values(ENDPOINTS).map(({ path, methods }) => [path, methods.join(", ")]);
  expect(table).toEqual([
    ["/v1/factors", "GET"],
    ["/v1/scores", "GET"],
    ["/v1/scores/history", "GET"],
    ["/v1/scores/history.csv.gz", "GET, HEAD"],
  ]);
  expect(endpointOf("/v1/Scores")).toBeUndefined();
  expect(endpointOf("/v1/scores/")).toBeUndefined();
});

test("the error codes carry the statuses of section 7", () => {
  const byStatus = Object.groupBy(Object.entries(ERROR_CODES), ([, entry]) => String(entry.status));
  const codes = Object.entries(byStatus).map(([status, entries]) => [
    Number(status),
    entries?.map(([code]) => code),
  ]);
  expect(codes).toEqual([
    [400, [
      "invalid_request",
      "invalid_factor",
      "use_at_or_snapshot_id",
      "future_observation_requested",
    ]],
    [401, ["unauthorized"]],
    [403, [
      "factor_subscription_required",
      "subscription_required",
      "insufficient_scope",
      "research_admin_only",
    ]],
    [404, ["ticker_not_found", "score_snapshot_not_available"]],
    [405, ["method_not_allowed"]],
    [429, [
      "rate_limit_exceeded",
      "daily_limit_exceeded",
      "download_limit_exceeded",
      "concurrent_request_limit",
    ]],
    [500, ["internal_error"]],
    [503, [
      "service_unavailable",
      "request_timeout",
      "score_snapshot_preparing",
      "historical_export_preparing",
    ]],
  ]);
});

test("the limits are those of section 8", () => {
  expect(LIMITS).toEqual({
    requestsPerMinute: 120,
    requestsPerDay: 10000,
    concurrentRequests: 5,
    downloadsPerDay: 10,
    concurrentDownloads: 1,
    requestDeadlineMs: 15000,
    transferDeadlineMs: 120000,
    transferIdleMs: 30000,
    urlBytes: 2048,
    headerBytes: 16384,
    bodyBytes: 65536,
    activeKeys: 10,
  });
});

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

test("keyEnvironmentOf() knows the two prefixes and refuses what a header cannot carry", () => {
  expect(keyEnvironmentOf("svc_live_abcdefgh")).toBe("production");
  expect(keyEnvironmentOf("svc_test_abcdefgh")).toBe("sandbox");
  for (
    const key of [
      "",
      "svc_live_",
      "SVC_LIVE_abc",
      "sk_live_abc",
      "svc_test_a b",
      "svc_test_a\n",
      "svc_test_ä",
    ]
  ) {
    expect(keyEnvironmentOf(key)).toBeNull();
  }
});

test("maskKey() shows no more than the prefix and four characters of a long key", () => {
  expect(maskKey("svc_test_0123456789abcdef")).toBe("svc_test_…cdef");
  expect(maskKey("svc_test_short")).toBe("svc_test_…");
  expect(maskKey("hunter2")).toBe("(not a key)");
});
