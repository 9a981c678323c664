import { describe, expect, test } from "vitest";
import type { Obstacle } from "../../../../src/client/transport/allowance/admission.ts";
import { obstacleError } from "../../../../src/client/transport/allowance/obstacle_error.ts";

const ALLOWED = { maxWaitMs: 60_000, reserve: 3 };
const UNTIL = { untilMs: Date.parse("2026-11-20T15:01:00.000Z") - 0.5, limit: 10, remaining: 0 };

function shown(obstacle: Obstacle) {
  const { message, status, code, retryAtMs } = obstacleError("load it", obstacle, ALLOWED);
  return { message, status, code, retryAtMs };
}

describe("a request that was not sent", () => {
  test.each(
    [
      ["minute", "rate_limit_exceeded", "all of the account's 10 requests of the minute are spent"],
      ["day", "daily_limit_exceeded", "all of the account's 10 requests of the day are spent"],
      [
        "download",
        "download_limit_exceeded",
        "all of the account's 10 file downloads of the day are spent",
      ],
      [
        "reserve",
        "daily_limit_exceeded",
        "0 of the day's 10 requests are left, and 3 are reserved for others",
      ],
    ] as const,
  )("for the budget %s says %s, what is spent, and until when", (kind, code, words) => {
    const error = shown({ kind, ...UNTIL });
    expect(error).toMatchObject({ status: 429, code, retryAtMs: 1795186860000 });
    expect(error.message).toContain(
      `Cannot load it: ${words} until 2026-11-20T15:01:00.000Z; nothing was sent; `,
    );
  });

  test.each(
    [
      [
        "slot",
        "concurrent_request_limit",
        "all 5 concurrent requests of the account are in flight, here or",
      ],
      [
        "download-slot",
        "download_limit_exceeded",
        "the account's only concurrent download is running",
      ],
    ] as const,
  )("for want of a %s says %s, and no time", (kind, code, words) => {
    const error = shown({ kind });
    expect(error).toMatchObject({ status: 429, code, retryAtMs: null });
    expect(error.message).toContain(words);
    expect(error.message).toContain("try again when one has ended, or raise maxWaitMs above");
  });

  test("because the service asked to wait says with what", () => {
    const { untilMs } = UNTIL;
    const hold = { scope: "*", status: 503, code: "service_unavailable", untilMs };
    expect(shown({ kind: "hold", untilMs, hold })).toEqual({
      message:
        "Cannot load it: the service answered 503 service_unavailable and asked to wait until " +
        "2026-11-20T15:01:00.000Z; nothing was sent; try again then, or raise maxWaitMs " +
        "above 60000",
      status: 503,
      code: "service_unavailable",
      retryAtMs: 1795186860000,
    });
  });
});
