import { describe, expect, test } from "vitest";
import { FACTORS, failureOf, FILE, ok, refusal, start } from "../_exchange.ts";

const page = (status: number) =>
  new Response("<html>", { status, headers: { "Content-Type": "text/html" } });
const failing = (answer: () => Response) =>
  failureOf(start(answer).exchange.send(FACTORS, { maxRetries: 0 }));

describe("an error status", () => {
  test.each([
    [400, "invalid_request", "ApiError"],
    [401, "unauthorized", "AccessError"],
    [403, "insufficient_scope", "AccessError"],
    [404, "ticker_not_found", "NotFoundError"],
    [405, "method_not_allowed", "ApiError"],
    [429, "rate_limit_exceeded", "WaitError"],
    [500, "internal_error", "ApiError"],
    [503, "service_unavailable", "WaitError"],
    [507, "a_code_of_tomorrow", "ApiError"],
  ])("%i %s with an error object is a(n) %s", async (status, code, name) => {
    const error = await failing(() => refusal(status, code));
    expect(error).toMatchObject({ name, status, code });
    expect(error.message).toContain(
      `Cannot list the factors: ${status} ${code}; the service says "no"`,
    );
  });

  test.each([
    [403, "AccessError"],
    [404, "NotFoundError"],
    [408, "WaitError"],
    [413, "ApiError"],
    [431, "ApiError"],
    [503, "WaitError"],
  ])("%i of section 4 is one without an error object as well", async (status, name) => {
    expect(await failing(() => page(status))).toMatchObject({ name, status, code: null });
  });

  test.each([402, 418, 502, 504, 511])(
    "%i is none of the API's without an error object",
    async (status) => {
      const error = await failing(() => page(status));
      expect(error.name).toBe("TransportError");
      expect(error.message).toBe(
        `Cannot list the factors: ${status}; expected an error object, got text/html, ` +
          "perhaps from a proxy",
      );
    },
  );

  test("carries the details that the service added", async () => {
    const details = { parameter: "ticker", rule: "too long" };
    const error = await failing(() =>
      Response.json(
        { error: "invalid_request", message: "no", request_id: "r", retryable: false, details },
        { status: 400 },
      )
    );
    expect(error).toMatchObject({ details });
    expect(error.message).toContain(JSON.stringify(details));
  });
});

describe("the message of a refusal", () => {
  const object = { error: "invalid_request", message: "no", request_id: "r", retryable: true };

  test("cuts what a service writes at length, and keeps it in its line", async () => {
    const { message } = await failing(() =>
      Response.json({ ...object, message: `a\u0000\r\nb${"x".repeat(300)}` }, { status: 400 })
    );
    expect(message).toContain(`says "a b${"x".repeat(197)}";`);
    const details = { rule: "y".repeat(300) };
    const { message: long } = await failing(() =>
      Response.json({ ...object, details }, { status: 400 })
    );
    expect(long).toContain(` {"rule":"${"y".repeat(191)};`);
    const strange = new Response("?", { status: 502, headers: { "Content-Type": "z".repeat(50) } });
    expect((await failing(() => strange)).message).toContain(`got ${"z".repeat(40)}, perhaps`);
  });

  test("keeps a code and a factor in the line and short, also in the log", async () => {
    const error = `a\u0000\r\n\u001b[31m\u009b\u2028b\u202e${"x".repeat(5_000)}`;
    const factor = `ec\r\n\u0007${"y".repeat(5_000)}`;
    const { exchange, log } = start(() =>
      Response.json({ ...object, error, factor }, { status: 403 })
    );
    const failure = await failureOf(exchange.send(FACTORS));
    expect(failure).toMatchObject({ name: "AccessError", code: `a [31m b ${"x".repeat(55)}` });
    expect(failure.message).toBe(
      `Cannot list the factors: 403 a [31m b ${"x".repeat(55)}; the service says "no"; ` +
        `subscribe (refused: ec ${"y".repeat(61)}); request "r"`,
    );
    expect(log.list()[0]!.problem).toBe(`a [31m b ${"x".repeat(55)}`);
  });

  test("does not repeat as details what the service says already", async () => {
    const message = "at must not be in the future";
    const bodyOf = (details: unknown) =>
      Response.json(
        {
          error: "future_observation_requested",
          message,
          request_id: "r",
          retryable: false,
          details,
        },
        { status: 400 },
      );
    const twice = await failing(() => bodyOf({ field: "at", rule: "must not be in the future" }));
    expect(twice.message).toBe(
      "Cannot list the factors: 400 future_observation_requested; " +
        'the service says "at must not be in the future"; ' +
        'use a time in the past, and check this machine\'s clock; request "r"',
    );
    const more = await failing(() => bodyOf({ field: "at", latest: "2026-11-20T15:00:00Z" }));
    expect(more.message).toContain('{"field":"at","latest":"2026-11-20T15:00:00Z"}');
  });

  test("says until when, rounded up, and which wait was not allowed", async () => {
    const answer = () => refusal(503, "service_unavailable", { "Retry-After": "9" });
    const { exchange, clock } = start(answer);
    clock.ms += 0.5;
    const error = await failureOf(exchange.send(FACTORS, { maxWaitMs: 1_000 }));
    expect(error.message).toContain(
      "the next attempt is allowed at 2026-11-20T15:00:14.001Z, which is beyond maxWaitMs 1000;",
    );
  });

  test("says why a download is not repeated", async () => {
    const answer = () => refusal(503, "service_unavailable", { "Retry-After": "9" });
    expect((await failureOf(start(answer).exchange.open(FILE))).message).toContain(
      "the next attempt is allowed at 2026-11-20T15:00:14.000Z; a download is not repeated automatically " +
        "because each start is charged;",
    );
  });

  test("suspects the address first, until it has given a good answer", async () => {
    const answers = [refusal(404, "score_snapshot_not_available"), ok()];
    const { exchange } = start(() =>
      answers.shift() ?? refusal(404, "score_snapshot_not_available")
    );
    expect((await failureOf(exchange.send(FACTORS))).message).toContain(
      '"no"; check the base address, to which /v1 is added; if it is right, use a later time or ' +
        "another set; request",
    );
    await exchange.send(FACTORS);
    expect((await failureOf(exchange.send(FACTORS))).message).toContain(
      '"no"; use a later time or another set; request',
    );
  });

  test("names the factor that was refused", async () => {
    const error = { ...object, error: "factor_subscription_required", factor: "ecqdi" };
    const { message } = await failing(() => Response.json(error, { status: 403 }));
    expect(message).toContain(
      "; load a factor that factors() lists, or subscribe to it (refused: ecqdi); request",
    );
  });
});
