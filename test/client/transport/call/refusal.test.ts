import { describe, expect, test } from "vitest";
import {
  dateMsOf,
  readRefusal,
  retryTimeOf,
} from "../../../../src/client/transport/call/refusal.ts";
import { FACTORS, KEY, NOW, ok, refusal, start } from "../_exchange.ts";

const HEADER_ID = "0191e7c2-0000-4000-8000-00000000000a";
const OBJECT_ID = "0191e7c2-0000-4000-8000-00000000000b";
const OBJECT = { error: "internal_error", message: "no", retryable: false, request_id: OBJECT_ID };
const ARRIVAL = {
  receivedAtMs: NOW,
  serviceMs: NOW,
  redact: (text: string) => text.replaceAll(KEY, "(key)"),
};

function read(body: unknown, headers: Record<string, string> = {}, arrival: object = {}) {
  const bytes = body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));
  const all = new Headers({ "Content-Type": "application/json", ...headers });
  return readRefusal({ status: 500, headers: all }, bytes, { ...ARRIVAL, ...arrival });
}

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
    ["172800", NOW + 172_800_000],
    ["31622400", NOW + 31_622_400_000],
    ["Sun, 22 Nov 2026 15:00:05 GMT", NOW + 172_800_000],
  ])("of days (%s) is obeyed to the second, and holds the account", async (value, retryAtMs) => {
    const { exchange, ledger } = start(() =>
      refusal(503, "service_unavailable", {
        "Retry-After": value,
        Date: "Fri, 20 Nov 2026 15:00:05 GMT",
      })
    );
    await expect(exchange.send(FACTORS)).rejects.toMatchObject({ name: "WaitError", retryAtMs });
    expect(ledger.read().holds[0]!.untilMs).toBe(retryAtMs);
  });

  test.each([
    ["3", 3_000],
    [" 2 ", 2_000],
    ["1, 30", 30_000],
    ["30, soon", 30_000],
    ["soon", 1_000],
    ["0", 1_000],
    ["-3", 1_000],
    ["1.5", 1_000],
    ["1e3", 1_000],
    ["0x10", 1_000],
    ["0b11, 0o17, +9", 1_000],
    ["99 GMT", 1_000],
    ["2026-11-20T15:00:15 GMT", 1_000],
    ["Fri, 20 Nov 2026 15:00:15 GMT", 10_000],
    ["Friday, 20-Nov-26 15:00:15 GMT", 10_000],
    ["Fri Nov 20 15:00:15 2026", 10_000],
    ["Fri, 20 Nov 2026 14:00:00 GMT", 1_000],
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

describe("an error answer", () => {
  test("has the id of its header, or without one that of its object", () => {
    expect(read(OBJECT, { "X-Request-Id": HEADER_ID }).requestId).toBe(HEADER_ID);
    expect(read(OBJECT).requestId).toBe(OBJECT_ID);
    expect(read("no object").requestId).toBeNull();
  });

  test("with an id that is none shows it as what it is: a text of somebody else", () => {
    expect(read(OBJECT, { "X-Request-Id": 'say "hi"' }).requestId).toBe('"say \\"hi\\""');
  });

  test("is read as JSON only where its media type says so, in whatever case", () => {
    expect(read(OBJECT, { "Content-Type": "text/html" }).body).toBeNull();
    const given = read(OBJECT, { "Content-Type": " Application/JSON ; charset=utf-8" });
    expect([given.contentType, given.body?.error]).toEqual(["application/json", "internal_error"]);
  });

  test("with bytes that are no UTF-8 has no object", () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ ...OBJECT, message: "#" }));
    bytes[bytes.indexOf("#".charCodeAt(0))] = 0xff;
    expect(read(bytes).body).toBeNull();
  });

  test("tells the downloads that are left", () => {
    const headers = {
      "X-DownloadLimit-Limit": "10",
      "X-DownloadLimit-Remaining": "8",
      "X-DownloadLimit-Reset": "1795219200",
    };
    expect([read(OBJECT, headers).downloadsLeft, read(OBJECT).downloadsLeft]).toEqual([8, null]);
  });

  test("that echoes the key has it neither as a text nor as the name of a field", () => {
    const { body } = read({ ...OBJECT, message: `no ${KEY}`, details: { [KEY]: [KEY] } });
    expect(body).toMatchObject({ message: "no (key)", details: { "(key)": ["(key)"] } });
  });
});

describe("the end of a spent minute", () => {
  const minute = (reset: string) => ({
    "X-RateLimit-Limit": "120",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": String(Date.parse(reset) / 1000),
  });
  const spent = { ...OBJECT, error: "rate_limit_exceeded" };

  test("counts from the service's clock", () => {
    const serviceMs = NOW - 600_000;
    expect(read(spent, minute("2026-11-20T14:51:00Z"), { serviceMs }).retryAtMs).toBe(NOW + 55_000);
  });

  test("is a minute away at most, whatever the header says", () => {
    expect(read(spent, minute("2026-11-20T18:00:00Z")).retryAtMs).toBe(NOW + 60_000);
  });

  test("counts for no other refusal, and not beside a Retry-After", () => {
    expect(read(OBJECT, minute("2026-11-20T15:01:00Z")).retryAtMs).toBeNull();
    expect(read(spent, { ...minute("2026-11-20T15:01:00Z"), "Retry-After": "2" }).retryAtMs)
      .toBe(NOW + 2_000);
  });
});

test("a Retry-After of the past is a second after the answer, the shortest wait there is", () => {
  const headers = new Headers({ "Retry-After": "Fri, 20 Nov 2026 14:00:00 GMT" });
  expect(retryTimeOf(headers, { receivedAtMs: NOW, serviceMs: NOW })).toBe(NOW + 1_000);
});

test.each([
  ["Fri, 20 Nov 2026 14:50:05 GMT", Date.parse("2026-11-20T14:50:05Z")],
  ["2026-11-20T14:50:05Z", null],
  ["Fri, 20 Nov 2026 14:50:05", null],
  ["Friday, 20-Nov-26 14:50:05 GMT", Date.parse("2026-11-20T14:50:05Z")],
  ["Fri Nov 20 14:50:05 2026", Date.parse("2026-11-20T14:50:05Z")],
  ["Fri, 31 Feb 2026 14:50:05 GMT", null],
  ["yesterday GMT", null],
  ["1 GMT", null],
])("a Date of %j is a date only in the form of HTTP", (value, expected) => {
  expect(dateMsOf(new Headers({ Date: value }))).toBe(expected);
});
