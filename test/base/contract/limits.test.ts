import { expect, test } from "vitest";
import { LIMITS } from "../../../src/base/contract/limits.ts";

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
