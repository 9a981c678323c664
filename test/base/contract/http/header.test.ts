import { expect, test } from "vitest";
import type { Check } from "../../../../src/base/contract/scores/check.ts";
import {
  assertAliases,
  encodeBudgets,
  encodeFactorHeaders,
  parseBudgets,
  parseFactorHeaders,
  parseRetryAfter,
} from "../../../../src/base/contract/http/header.ts";

const CHECK: Check = {
  factor: "ecqdi",
  scoreName: "ecqdi_score",
  universe: "US research universe",
  factorVersion: "ecqdi-v1",
  snapshotId: "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01",
  calculatedAt: "2026-11-19T14:00:00.000Z",
  lastCheckedAt: "2026-11-19T15:00:00.000Z",
  dataThrough: "2026-11-19T14:55:00.000Z",
  status: "partial_market_data",
  pricesThrough: "2026-11-18",
  coverage: {
    tickers: 1,
    priceTickersCurrent: null,
    priceTickersTracked: null,
    pendingCalls: 0,
    failedCalls: 0,
    scoredTickers: 1,
    pendingFactorCalls: 0,
    extra: {},
  },
  extra: {},
};

test("encodeFactorHeaders() writes the X-Factor headers and the selected factor's aliases only", () => {
  expect(encodeFactorHeaders(CHECK)).toEqual([
    ["X-Factor-Name", "ecqdi"],
    ["X-Factor-Status", "partial_market_data"],
    ["X-Factor-Snapshot", "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01"],
    ["X-Factor-Calculated-At", "2026-11-19T14:00:00.000Z"],
    ["X-Factor-Last-Checked-At", "2026-11-19T15:00:00.000Z"],
    ["X-Factor-Data-Through", "2026-11-19T14:55:00.000Z"],
    ["X-ECQDI-Status", "partial_market_data"],
    ["X-ECQDI-Snapshot", "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01"],
    ["X-ECQDI-Calculated-At", "2026-11-19T14:00:00.000Z"],
    ["X-ECQDI-Last-Checked-At", "2026-11-19T15:00:00.000Z"],
    ["X-ECQDI-Data-Through", "2026-11-19T14:55:00.000Z"],
  ]);
});

test.each(["Status", "Snapshot", "Calculated-At", "Last-Checked-At", "Data-Through"])(
  "assertAliases() refuses an alias of %s with another value",
  (name) => {
    const headers = new Headers(encodeFactorHeaders(CHECK));
    const told = headers.get(`X-Factor-${name}`);
    headers.set(`X-ECQDI-${name}`, "complete");
    expect(() => assertAliases(headers, "ecqdi")).toThrow(
      `Cannot read X-ECQDI-${name}: expected "${told}" as in X-Factor-${name}, got "complete"`,
    );
    headers.delete(`X-ECQDI-${name}`);
    assertAliases(headers, "ecqdi");
  },
);

test("parseFactorHeaders() reads them back, and names the header that is missing", () => {
  const headers = new Headers(encodeFactorHeaders(CHECK));
  expect(parseFactorHeaders(headers)).toEqual({
    factor: "ecqdi",
    status: "partial_market_data",
    snapshotId: "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01",
    calculatedAt: "2026-11-19T14:00:00.000Z",
    lastCheckedAt: "2026-11-19T15:00:00.000Z",
    dataThrough: "2026-11-19T14:55:00.000Z",
  });
  headers.delete("X-Factor-Status");
  expect(() => parseFactorHeaders(headers)).toThrow(
    "X-Factor-Status: expected a value, got nothing",
  );
});

test.each([
  ["X-Factor-Snapshot", "370760d0", "expected a UUID"],
  ["X-Factor-Status", "", "expected a value, got nothing"],
  ["X-Factor-Name", "other", 'expected "ecpnd" or "ecqdi"'],
  ["X-Factor-Calculated-At", "2026-11-19", "an RFC 3339 date-time"],
  ["X-Factor-Last-Checked-At", "yesterday", "an RFC 3339 date-time"],
  ["X-Factor-Data-Through", "2026-11-19T14:55:00", "an RFC 3339 date-time"],
])("parseFactorHeaders() refuses %s: %s", (name, value, message) => {
  const headers = new Headers(encodeFactorHeaders(CHECK));
  headers.set(name, value);
  expect(() => parseFactorHeaders(headers)).toThrow(`Cannot read ${name}: `);
  expect(() => parseFactorHeaders(headers)).toThrow(message);
});

test("parseFactorHeaders() reads a set id in upper case as the same", () => {
  const headers = new Headers(encodeFactorHeaders(CHECK));
  headers.set("X-Factor-Snapshot", "3F2B7C1E-9A4D-4C8B-8F10-2D6E5A7B9C01");
  expect(parseFactorHeaders(headers).snapshotId).toBe("3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01");
});

test.each(["Limit", "Remaining", "Reset"])("a budget without its %s counts as absent", (part) => {
  const headers = new Headers(encodeBudgets({ day: { limit: 10000, remaining: 1, reset: 1 } }));
  expect(parseBudgets(headers)).toHaveProperty("day");
  headers.delete(`X-DailyLimit-${part}`);
  expect(parseBudgets(headers)).toEqual({});
});

test("budgets go by the three header families, and an incomplete family counts as absent", () => {
  expect(encodeBudgets({ minute: { limit: 120, remaining: 119, reset: 1795100460 } })).toEqual([
    ["X-RateLimit-Limit", "120"],
    ["X-RateLimit-Remaining", "119"],
    ["X-RateLimit-Reset", "1795100460"],
  ]);
  const headers = new Headers({
    "X-DailyLimit-Limit": "10000",
    "X-DailyLimit-Remaining": "9999",
    "X-DailyLimit-Reset": "1795132800",
    "X-DownloadLimit-Limit": "10",
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "-1",
    "X-RateLimit-Reset": "1795100460",
  });
  expect(parseBudgets(headers)).toEqual({
    day: { limit: 10000, remaining: 9999, reset: 1795132800 },
  });
});

test("parseRetryAfter() reads seconds and HTTP dates, and nothing else", () => {
  const at = (value: string) => parseRetryAfter(new Headers({ "Retry-After": value }), 1_000_000);
  expect(at("55")).toBe(1_055_000);
  expect(at("40000")).toBe(41_000_000);
  expect(at("Thu, 19 Nov 2026 15:00:00 GMT")).toBe(1_795_100_400_000);
  expect(at("soon")).toBeNull();
  expect(at("-5")).toBeNull();
  expect(at("1.5")).toBeNull();
  expect(parseRetryAfter(new Headers(), 0)).toBeNull();
});
