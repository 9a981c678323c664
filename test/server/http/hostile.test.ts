import fc from "fast-check";
import { expect, test } from "vitest";
import { KEY, useServers } from "../_harness.ts";
import { type RawAnswer, sendRaw } from "../_raw_socket.ts";

const STATUSES = [200, 304, 400, 401, 403, 404, 405, 408, 413, 414, 429, 431, 503];
const LEAKS = /\.ts\b|node:|\bat [A-Za-z.<]+ \(|\/tmp\/|\/home|Error:|undefined|\[object/;
const { start } = useServers();

const piece = fc.constantFrom(
  "GET ",
  "HEAD ",
  "POST ",
  "get ",
  "CONNECT ",
  "/v1/scores",
  "/v1/scores?at=2026-11-20T15:00:00Z",
  "/v1/factors",
  "/v1/scores/history.csv.gz",
  "?factor=ecpnd&ticker=%00",
  "?snapshot_id=../../../etc/passwd",
  "/../../etc/passwd",
  "%2e%2e%2f",
  " HTTP/1.1\r\n",
  " HTTP/1.0\r\n",
  "\r\n",
  "\n",
  "\r",
  " ",
  ":",
  "Host: localhost\r\n",
  `Authorization: Bearer ${KEY}\r\n`,
  "Authorization: Bearer \r\n",
  "Content-Length: 5\r\n",
  "Content-Length: 99999999999999999999\r\n",
  "Content-Length: 0x5\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip, chunked\r\n",
  "Connection: upgrade\r\nUpgrade: h2c\r\n",
  "Expect: 100-continue\r\n",
  'If-None-Match: W/"\r\n',
  "0\r\n\r\n",
  "5\r\nhello\r\n",
  "ffffffffffffffff\r\n",
  "\0",
  "\x7f\xff",
  "a".repeat(3000),
);
const scrambled = fc.array(piece, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => String.fromCharCode(...array));
const almostRight = fc.tuple(
  fc.constantFrom("GET", "HEAD", "POST", "OPTIONS", "DELETE", "TRACE"),
  fc.constantFrom(
    "/v1/scores",
    "/v1/factors",
    "/v1/scores/history",
    "/v1/scores/history.csv.gz",
    "/",
  ),
  fc.oneof(
    fc.constant(""),
    fc.string({ maxLength: 60 }).map((text) => encodeURI(text.replaceAll(/[^\x21-\x7e]/g, ""))),
  ),
  fc.array(piece, { maxLength: 3 }),
).map(([method, path, query, lines]) =>
  `${method} ${path}?${query} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\n${
    lines.join("")
  }\r\n`
);

test(
  "1,200 hostile raw requests never crash it, never leak, and get answers in the contract's form",
  async () => {
    const { server } = await start("in process");
    const { port } = await server.listen();
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(scrambled, bytes, almostRight), { minLength: 12, maxLength: 12 }),
        async (texts) => {
          server.clock.advance(60_000);
          const sent = texts.map((text) =>
            sendRaw(port, latin1(text), { end: true, idleMs: 1000 })
          );
          for (const answer of await Promise.all(sent)) {
            expectContractForm(answer);
            seen.add(answer.status);
          }
        },
      ),
      { numRuns: 100, seed: 7 },
    );
    expect([...seen]).toEqual(expect.arrayContaining([200, 400, 404, 405]));
    const alive = await sendRaw(
      port,
      `GET /v1/factors HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${KEY}\r\n\r\n`,
    );
    expect(alive.status).toBe(200);
  },
);

const target = fc.oneof(
  fc.webPath(),
  fc.constantFrom("/v1/scores", "/v1/factors", "/v1/scores/history", "/v1/scores/history.csv.gz"),
);
const parameter = fc.tuple(
  fc.oneof(fc.constantFrom("factor", "ticker", "format", "at", "snapshot_id"), fc.string()),
  fc.oneof(
    fc.constantFrom("ecpnd", "csv", "A", "2026-11-20T15:00:00Z", "constructor", "__proto__"),
    fc.string(),
    fc.string({ unit: "binary" }),
  ),
);

test("1,200 hostile requests in process get answers in the contract's form", async () => {
  const { server, get } = await start("in process");
  const headerValue = fc.string().map((text) => text.replaceAll(/[^\x21-\x7e]/g, "x"));
  await fc.assert(
    fc.asyncProperty(
      target,
      fc.array(parameter, { maxLength: 4 }),
      fc.record({ "If-None-Match": headerValue, Accept: headerValue }, { requiredKeys: [] }),
      fc.oneof(fc.constant(KEY), headerValue),
      async (path, parameters, headers, key) => {
        server.clock.advance(60_000);
        const query = parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join(
          "&",
        );
        const response = await get(`${path}?${query}`, { headers, key });
        expect(STATUSES).toContain(response.status);
        const text = await response.text();
        if (response.status >= 400) expectErrorObject(text, response.headers.get("x-request-id"));
      },
    ),
    { numRuns: 1200, seed: 7 },
  );
});

function expectContractForm(answer: RawAnswer): void {
  // Nothing that could be a request arrived: the connection just ends.
  if (answer.text === "") return;
  const status = answer.text.startsWith("HTTP/1.1 100") ? 100 : answer.status;
  expect([100, ...STATUSES]).toContain(status);
  if (status < 400 || answer.body === "") return;
  const length = Number(answer.headers["content-length"]);
  expectErrorObject(answer.body.slice(0, length), answer.headers["x-request-id"] ?? null);
}

function expectErrorObject(text: string, requestId: string | null): void {
  if (text === "") return;
  const body = JSON.parse(text);
  expect(body.request_id).toBe(requestId);
  expect(body.error).toMatch(/^[a-z_]+$/);
  expect(typeof body.message).toBe("string");
  expect(typeof body.retryable).toBe("boolean");
  expect(text).not.toMatch(LEAKS);
  expect(text).not.toContain(KEY);
}

function encode(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return "%ED%A0%80";
  }
}

function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}
