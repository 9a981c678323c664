import { describe, expect, test } from "vitest";
import { FACTORS, NOW, ok, refusal, start } from "./_exchange.ts";

describe("a Retry-After", () => {
  test("as an HTTP date counts by the service's clock, also without a Date header", async () => {
    // The machine is ten minutes fast: what is 15:00:05 here is 14:50:05 there.
    const answers = [
      Response.json({}, { headers: { Date: "Fri, 20 Nov 2026 14:50:05 GMT" } }),
      refusal(503, "service_unavailable", { "Retry-After": "Fri, 20 Nov 2026 14:50:35 GMT" }),
      ok(),
    ];
    const { exchange, clock } = start(() => answers.shift()!);
    await exchange.send(FACTORS);
    await exchange.send(FACTORS);
    expect(clock.ms - NOW).toBe(30_000);
  });

  test("of centuries holds the account for a day at most", async () => {
    const { exchange, ledger } = start(() =>
      refusal(503, "service_unavailable", { "Retry-After": "99999999999999" })
    );
    await expect(exchange.send(FACTORS)).rejects.toMatchObject({
      name: "WaitError",
      retryAtMs: NOW + 86_400_000,
    });
    expect(ledger.read().holds[0]!.untilMs).toBe(NOW + 86_400_000);
  });

  test.each([
    ["3", 3_000],
    [" 2 ", 2_000],
    ["1.5", 1_500],
    ["1, 30", 30_000],
    ["soon", 1_000],
    ["-3", 1_000],
    ["Fri, 20 Nov 2026 15:00:15 GMT", 10_000],
    ["Fri, 20 Nov 2026 14:00:00 GMT", 0],
  ])("of %j is obeyed: the next request goes out after %i ms", async (value, waitMs) => {
    const answers = [
      refusal(503, "service_unavailable", {
        "Retry-After": value,
        Date: "Fri, 20 Nov 2026 15:00:05 GMT",
      }),
      ok(),
    ];
    const { exchange, clock } = start(() => answers.shift()!);
    await exchange.send(FACTORS);
    expect(clock.ms - NOW).toBe(waitMs);
  });

  test("that is missing from a spent minute is the end of that minute, by the service's clock", async () => {
    const answers = [
      refusal(429, "rate_limit_exceeded", {
        // The machine is ten minutes fast.
        Date: "Fri, 20 Nov 2026 14:50:05 GMT",
        "X-RateLimit-Limit": "120",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": String(Date.parse("2026-11-20T14:51:00Z") / 1000),
      }),
      ok(),
    ];
    const { exchange, clock } = start(() => answers.shift()!);
    await exchange.send(FACTORS);
    expect(clock.ms - NOW).toBe(55_000);
  });

  test.each([
    ["alone", undefined, 7_000],
    ["that is longer than the header", "3", 7_000],
    ["that is shorter than the header", "9", 9_000],
  ])("in the error object counts: one %s", async (_what, header, waitMs) => {
    const object = {
      error: "service_unavailable",
      message: "no",
      retryable: true,
      request_id: "r",
      retry_after_seconds: 7,
    };
    const headers = header === undefined ? {} : { "Retry-After": header };
    const answers = [Response.json(object, { status: 503, headers }), ok()];
    const { exchange, clock } = start(() => answers.shift()!);
    await exchange.send(FACTORS, { maxRetries: 1 });
    expect(clock.ms - NOW).toBe(waitMs);
  });
});
