import { describe, expect, test } from "vitest";
import { FACTORS, failureOf, KEY, start } from "../_exchange.ts";

describe("a service that echoes the key", () => {
  // As a JSON escape, which only parsing turns into the key.
  const spelled = KEY.replace("s", "\\u0073");
  const echo = `{"error":"${spelled}","message":"${spelled}","retryable":false,` +
    `"request_id":"${spelled}","details":{"${spelled}":"${spelled}"}}`;

  test.each([
    [
      "in an error object",
      'the service says "svc_test_…6789"',
      () => new Response(echo, { status: 400, headers: { "Content-Type": "application/json" } }),
    ],
    [
      "in its request id",
      "svc_test_…",
      () => new Response("{}", { status: 404, headers: { "X-Request-Id": KEY } }),
    ],
    [
      "in its media type",
      "text/svc_test_...6789",
      () => new Response("x", { headers: { "Content-Type": `text/${KEY}` } }),
    ],
    [
      "in its encoding",
      "svc_test_...6789",
      () => new Response("x", { headers: { "Content-Encoding": KEY, "X-Request-Id": KEY } }),
    ],
    [
      "in a redirect",
      "svc_test_...6789",
      () => new Response(null, { status: 302, headers: { "X-Request-Id": KEY } }),
    ],
  ])("%s gets it into no error, event or log", async (_where, seen, answer) => {
    const heard: string[] = [];
    const { exchange, log, ledger } = start(answer, {
      logger: { debug: (message) => heard.push(message), warn: (message) => heard.push(message) },
    });
    const error = await failureOf(exchange.send(FACTORS));
    const shown = [String(error), JSON.stringify(error), log.list(), heard, ledger.read()];
    expect(JSON.stringify(shown)).not.toMatch(/exchange0123/i);
    expect(error.message).toContain("Cannot list the");
    expect(String(error)).toContain(seen);
  });

  test("in the validator of a good answer gets it neither to the caller nor into the ledger", async () => {
    const { exchange, ledger } = start(() => Response.json({}, { headers: { ETag: `"${KEY}"` } }));
    const { headers } = await exchange.send(FACTORS);
    expect(headers.get("ETag")).toBe('"svc_test_...6789"');
    ledger.writeValidator("u", { etag: `"${KEY}"`, check: "c", snapshotId: "s" });
    expect(ledger.readValidator("u")).toBeNull();
  });
});
