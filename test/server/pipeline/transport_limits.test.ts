import { expect, test } from "vitest";
import type { ApiRequest } from "../../../src/server/message/message.ts";
import { Refusal } from "../../../src/server/message/refusal.ts";
import { assertTransportLimits } from "../../../src/server/pipeline/route.ts";

function statusOf(change: Partial<ApiRequest>): number {
  const request = {
    method: "GET",
    target: "/v1/factors",
    headerBytes: 100,
    remote: null,
    body: "none",
  } as const;
  try {
    assertTransportLimits({ ...request, header: () => null, ...change });
    return 200;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.status;
  }
}

test.each<[string, Partial<ApiRequest>, number]>([
  ["a URL of 2,048 bytes", { target: `/${"a".repeat(2_047)}` }, 200],
  ["a URL of 2,049 bytes", { target: `/${"a".repeat(2_048)}` }, 414],
  ["a URL of 1,025 characters and 2,049 bytes", { target: `/${"é".repeat(1_024)}` }, 414],
  ["headers of 16,384 bytes", { headerBytes: 16_384 }, 200],
  ["headers of 16,385 bytes", { headerBytes: 16_385 }, 431],
  ["a GET with a body", { body: "present" }, 400],
  ["a HEAD with a body", { method: "HEAD", body: "present" }, 400],
  ["a POST with a body", { method: "POST", body: "present" }, 200],
  ["a GET with a body that is too large", { body: "too_large" }, 413],
  ["a POST with a body that is too large", { method: "POST", body: "too_large" }, 413],
])("%s: %j", (_, change, status) => {
  expect(statusOf(change)).toBe(status);
});
