import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { planRetry } from "../../../../src/client/transport/call/retry.ts";

const NOW = 1_000_000;

const failed = {
  status: 503,
  code: "service_unavailable",
  retryable: true,
  retryAtMs: NOW + 2_000,
  downloadsLeft: null,
};
const circumstances = {
  spendsDownload: false,
  attempts: 1,
  maxRetries: 2,
  waitLeftMs: 60_000,
  nowMs: NOW,
  random: 0.5,
};

describe("planRetry()", () => {
  test("waits until the service allows it, and a little longer", () => {
    expect(planRetry(failed, circumstances)).toEqual({ retry: true, atMs: NOW + 2_125 });
  });

  test.each([
    ["429", { status: 429, code: "rate_limit_exceeded" }],
    ["408", { status: 408, code: null, retryable: null }],
    ["a connection that failed", { status: null, code: null, retryable: null, retryAtMs: null }],
  ])("repeats after %s", (_what, change) => {
    expect(planRetry({ ...failed, ...change }, circumstances)).toMatchObject({ retry: true });
  });

  test.each([400, 401, 403, 404, 405, 413, 414, 415, 431, 500, 502, 504])(
    "does not repeat after %i, whatever its Retry-After",
    (status) => {
      const plan = planRetry({ ...failed, status, code: null, retryable: null }, circumstances);
      expect(plan).toEqual({ retry: false, because: "final" });
    },
  );

  test("believes retryable: false", () => {
    expect(planRetry({ ...failed, retryable: false }, circumstances))
      .toEqual({ retry: false, because: "final" });
  });

  test.each(["daily_limit_exceeded", "download_limit_exceeded"])("never sleeps on %s", (code) => {
    const plan = planRetry({ ...failed, status: 429, code, retryAtMs: NOW + 1 }, circumstances);
    expect(plan).toEqual({ retry: false, because: "daily" });
  });

  test("waits while another download runs, slower each time, whatever was tried before", () => {
    const running = { ...failed, status: 429, code: "download_limit_exceeded", downloadsLeft: 3 };
    const plan = (attempts: number) =>
      planRetry(running, { ...circumstances, attempts, spendsDownload: true, random: 0 });
    expect([1, 3, 4, 9].map(plan)).toEqual([2_000, 2_000, 4_000, 8_000].map((waitMs) => ({
      retry: true,
      atMs: NOW + waitMs,
    })));
    expect(planRetry(running, { ...circumstances, waitLeftMs: 1_999 }))
      .toEqual({ retry: false, because: "wait" });
  });

  test("never repeats a file, of which each start is charged", () => {
    expect(planRetry(failed, { ...circumstances, spendsDownload: true }))
      .toEqual({ retry: false, because: "download" });
  });

  test("stops after the attempts that are allowed", () => {
    expect(planRetry(failed, { ...circumstances, attempts: 3 }))
      .toEqual({ retry: false, because: "attempts" });
  });

  test("makes as many attempts after the first as are allowed", () => {
    expect(planRetry(failed, { ...circumstances, attempts: 2 })).toMatchObject({ retry: true });
  });

  test("waits all that the caller allows, and no longer than the jitter says without a named time", () => {
    expect(planRetry({ ...failed, retryAtMs: NOW + 60_000 }, { ...circumstances, random: 0 }))
      .toEqual({ retry: true, atMs: NOW + 60_000 });
    expect(planRetry({ ...failed, retryAtMs: null }, circumstances))
      .toEqual({ retry: true, atMs: NOW + 1_250 });
  });

  test("does not wait longer than the caller allows", () => {
    expect(planRetry({ ...failed, retryAtMs: NOW + 60_001 }, circumstances))
      .toEqual({ retry: false, because: "wait" });
  });

  test("waits at least a second where no time is named, also with the lowest jitter", () => {
    for (const status of [null, 408, 429, 503]) {
      const unnamed = { ...failed, status, code: null, retryAtMs: null };
      expect(planRetry(unnamed, { ...circumstances, random: 0 }))
        .toEqual({ retry: true, atMs: NOW + 1_000 });
    }
  });

  test("spreads attempts without a named time over that second and a jitter that doubles up to 8 s", () => {
    const latest = (attempts: number) => {
      const unnamed = { ...failed, retryAtMs: null };
      const plan = planRetry(unnamed, {
        ...circumstances,
        attempts,
        maxRetries: 9,
        random: 0.999999,
      });
      return plan.retry ? Math.round(plan.atMs - NOW) : null;
    };
    expect([1, 2, 3, 4, 5, 6].map(latest)).toEqual([1500, 2000, 3000, 5000, 9000, 9000]);
  });

  test("never plans a time before Retry-After, nor one beyond the wait that is left", () => {
    fc.assert(fc.property(
      fc.record({
        status: fc.constantFrom(null, 408, 429, 500, 503),
        code: fc.constantFrom(
          null,
          "rate_limit_exceeded",
          "daily_limit_exceeded",
          "download_limit_exceeded",
          "other",
        ),
        retryable: fc.constantFrom(null, true, false),
        retryAtMs: fc.option(fc.integer({ min: -1e9, max: 1e15 })),
        downloadsLeft: fc.constantFrom(null, 0, 3),
      }),
      fc.record({
        spendsDownload: fc.boolean(),
        attempts: fc.integer({ min: 1, max: 10 }),
        maxRetries: fc.integer({ min: 0, max: 10 }),
        waitLeftMs: fc.integer({ min: 0, max: 1e7 }),
        nowMs: fc.integer({ min: 0, max: 2e12 }),
        random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      }),
      (attempt, given) => {
        const plan = planRetry(attempt, given);
        if (!plan.retry) return true;
        const isRunning = attempt.code === "download_limit_exceeded" && attempt.downloadsLeft === 3;
        return plan.atMs >= (attempt.retryAtMs ?? 0) && plan.atMs >= given.nowMs &&
          plan.atMs - given.nowMs <= given.waitLeftMs && (isRunning || !given.spendsDownload);
      },
    ));
  });
});
