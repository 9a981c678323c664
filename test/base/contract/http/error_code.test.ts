import { expect, test } from "vitest";
import { ERROR_CODES, isErrorCode } from "../../../../src/base/contract/http/error_body.ts";

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

test("what can succeed later is what is limited or temporary, and nothing else", () => {
  const retryable = Object.entries(ERROR_CODES).filter(([, entry]) => entry.retryable);
  expect(retryable.map(([code]) => code)).toEqual([
    "rate_limit_exceeded",
    "daily_limit_exceeded",
    "download_limit_exceeded",
    "concurrent_request_limit",
    "service_unavailable",
    "request_timeout",
    "score_snapshot_preparing",
    "historical_export_preparing",
  ]);
});

test("isErrorCode() knows the codes, and no property that every object has", () => {
  expect(isErrorCode("ticker_not_found")).toBe(true);
  expect(isErrorCode("toString")).toBe(false);
  expect(isErrorCode(404)).toBe(false);
});
