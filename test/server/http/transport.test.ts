import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ScoreServerOptions } from "../../../src/server/mod.ts";
import { KEY, useServers, WAYS } from "../_harness.ts";
import { type RawAnswer, sendRaw } from "../_raw_socket.ts";

const HOST = "Host: localhost\r\n";
const AUTHORIZATION = `Authorization: Bearer ${KEY}\r\n`;

describe.each(WAYS)("transport limits (section 8), %s", (way) => {
  const { start } = useServers();

  // @rule 8 server/pipeline/route.ts: URL of 2,048 bytes, 414 beyond
  // @silent 7 server/pipeline/route.ts: 408, 413, 414, 415 and 431 carry an error object with the code request_timeout (408) or invalid_request, unless the request may be a HEAD; half a head does not show it
  test("takes a URL of 2,048 bytes and refuses 2,049 with 414", async () => {
    const { get } = await start(way);
    const pathOf = (bytes: number) => `/v1/scores?${"x".repeat(bytes - "/v1/scores?".length)}`;
    expect((await get(pathOf(2048))).status).toBe(400);
    const response = await get(pathOf(2049));
    expect(response.status).toBe(414);
    expect(await response.json()).toMatchObject({ error: "invalid_request", retryable: false });
  });

  // @rule 8 server/pipeline/route.ts: Headers of 16,384 bytes, 431 beyond
  test("refuses headers beyond 16,384 bytes with 431", async () => {
    const { get } = await start(way);
    expect((await get("/v1/factors", { headers: { X: "a".repeat(15_800) } })).status).toBe(200);
    const response = await get("/v1/factors", { headers: { X: "a".repeat(16_384) } });
    expect(response.status).toBe(431);
    expect((await response.json()).error).toBe("invalid_request");
  });

  // @rule 8 server/pipeline/route.ts: Body of 65,536 bytes, 413 beyond
  test("refuses a body beyond 65,536 bytes with 413, whatever the route", async () => {
    const { get } = await start(way);
    const send = (bytes: number) =>
      get("/v1/scores", { method: "POST", body: new Uint8Array(bytes) });
    expect((await send(65_536)).status).toBe(405);
    expect((await send(65_537)).status).toBe(413);
  });
});

describe("a raw connection", () => {
  const { start } = useServers();
  let send: (text: string | Uint8Array) => Promise<RawAnswer>;
  let listen: (options?: Partial<ScoreServerOptions>) => Promise<number>;
  const open: { close(): Promise<void> }[] = [];
  beforeEach(async () => {
    listen = async (options = {}) => {
      const { server } = await start("in process", options);
      const listener = await server.listen();
      open.push(listener);
      return listener.port;
    };
    const port = await listen();
    send = (text) => sendRaw(port, text);
  });
  afterEach(() => {
    open.length = 0;
  });

  test("gets a whole answer for a plain request", async () => {
    const answer = await send(`GET /v1/scores HTTP/1.1\r\n${HOST}${AUTHORIZATION}\r\n`);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).factor).toBe("ecpnd");
    expect(Number(answer.headers["content-length"])).toBe(answer.body.length);
  });

  // @silent 8 server/http/_read_request.ts: HTTP/1.0 requests are answered, and need no Host
  test("may speak HTTP/1.0, which needs no Host and ends with the answer", async () => {
    const answer = await send(`GET /v1/factors HTTP/1.0\r\n${AUTHORIZATION}\r\n`);
    expect(answer.status).toBe(200);
    expect(answer.headers.connection).toBe("close");
  });

  test("may carry several requests, one after the other", async () => {
    const one = `GET /v1/factors HTTP/1.1\r\n${HOST}${AUTHORIZATION}\r\n`;
    const answer = await send(one + one + one);
    expect(answer.text.match(/HTTP\/1\.1 200/g)).toHaveLength(3);
  });

  test("may name the whole address in the request line", async () => {
    const answer = await send(
      `GET http://scores.test/v1/factors HTTP/1.1\r\n${HOST}${AUTHORIZATION}\r\n`,
    );
    expect(answer.status).toBe(200);
  });

  // @silent 8 server/pipeline/route.ts: The target is not normalised: dots, doubled slashes and percent-encoded letters are other routes
  test("is judged by the target as sent: dots and doubled slashes are not resolved", async () => {
    for (const target of ["/v1/../v1/scores", "/./v1/scores", "//v1/scores", "*"]) {
      const answer = await send(`GET ${target} HTTP/1.1\r\n${HOST}${AUTHORIZATION}\r\n`);
      expect(answer.status).toBe(404);
    }
  });

  const refused: [string, string][] = [
    ["a missing Host", `GET /v1/scores HTTP/1.1\r\n${AUTHORIZATION}\r\n`],
    ["two Hosts", `GET /v1/scores HTTP/1.1\r\n${HOST}Host: other\r\n${AUTHORIZATION}\r\n`],
    [
      "two Authorizations",
      `GET /v1/scores HTTP/1.1\r\n${HOST}${AUTHORIZATION}${AUTHORIZATION}\r\n`,
    ],
    [
      "a Content-Length and a Transfer-Encoding",
      `POST /v1/scores HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "two Content-Lengths",
      `POST /v1/scores HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`,
    ],
    [
      "the same Content-Length twice",
      `POST /v1/scores HTTP/1.1\r\n${HOST}Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc`,
    ],
    ["a Content-Length list", `POST / HTTP/1.1\r\n${HOST}Content-Length: 3, 3\r\n\r\nabc`],
    ["a negative Content-Length", `POST / HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
    [
      "an unknown Transfer-Encoding",
      `POST /v1/scores HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      "a folded header line",
      `GET /v1/scores HTTP/1.1\r\n${HOST}X: a\r\n b\r\n${AUTHORIZATION}\r\n`,
    ],
    ["bare line feeds", `GET /v1/scores HTTP/1.1\nHost: localhost\n${AUTHORIZATION}\n`],
    ["a blank before the colon", `GET /v1/scores HTTP/1.1\r\n${HOST}X : a\r\n${AUTHORIZATION}\r\n`],
    ["a NUL in a header", `GET /v1/scores HTTP/1.1\r\n${HOST}X: a\0b\r\n${AUTHORIZATION}\r\n`],
    ["another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 hello\r\n\r\n"],
    ["the HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown HTTP version", `GET /v1/scores HTTP/3.7\r\n${HOST}\r\n`],
  ];
  // @silent 8 server/http/_read_request.ts: Ambiguous framing is 400 and ends the connection: two lengths, a length with an encoding, folded lines, bare line feeds, a missing or second Host, a second Authorization
  test.each(refused)("is refused with 400 for %s, and ends", async (_, text) => {
    const answer = await send(text);
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("application/json");
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: "invalid_request",
      retryable: false,
      request_id: answer.headers["x-request-id"],
    });
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  // @rule 1 server/pipeline/route.ts: GET and HEAD must not carry a body
  test.each([
    ["a length", "Content-Length: 3\r\n\r\nabc", 400],
    ["chunks", "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 400],
    ["a length beyond the limit", "Content-Length: 65537\r\n\r\nabc", 413],
    [
      "a length as the first sign of a later one",
      "Expect: 100-continue\r\nContent-Length: 9\r\n\r\n",
      400,
    ],
  ])("is refused for a GET body with %s", async (_, rest, status) => {
    const answer = await send(`GET /v1/scores HTTP/1.1\r\n${HOST}${AUTHORIZATION}${rest}`);
    expect(answer.status).toBe(status);
    expect(answer.headers.connection).toBe("close");
    expect(JSON.parse(answer.body).error).toBe("invalid_request");
  });

  // @rule 8 server/http/_read_request.ts: A chunked body is counted as it arrives
  test("is refused for chunks beyond 65,536 bytes in all", async () => {
    const chunk = `4000\r\n${"a".repeat(0x4000)}\r\n`;
    const answer = await send(
      `POST /v1/scores HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${
        chunk.repeat(5)
      }0\r\n\r\n`,
    );
    expect(answer.status).toBe(413);
  });

  // @silent 8 server/http/_read_request.ts: Content-Length: 0 and an empty chunked body are no body; a connection ends with the answer to any body
  test("treats Content-Length: 0 and an empty chunked body as no body", async () => {
    for (
      const rest of ["Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"]
    ) {
      const answer = await send(`GET /v1/factors HTTP/1.1\r\n${HOST}${AUTHORIZATION}${rest}`);
      expect(answer.status).toBe(200);
    }
  });

  test("gets 414 for a URL of 70,000 bytes and 431 for headers of 70,000", async () => {
    const url = await send(`GET /v1/scores?${"a".repeat(70_000)} HTTP/1.1\r\n${HOST}\r\n`);
    expect(url.status).toBe(414);
    const headers = await send(
      `GET /v1/scores HTTP/1.1\r\n${HOST}X: ${"a".repeat(70_000)}\r\n\r\n`,
    );
    expect(headers.status).toBe(431);
  });

  // @rule 8 server/http/_read_request.ts: All header lines count
  // @silent 8 server/http/_read_request.ts: The URL limit counts the request target as sent; the header limit counts name, value and four bytes of each line
  test("counts every header line: 200 small ones pass, 16 KiB of them do not", async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, i) => `X-${i}: 1\r\n`).join("");
    const head = `GET /v1/factors HTTP/1.1\r\n${HOST}${AUTHORIZATION}`;
    expect((await send(`${head}${lines(200)}\r\n`)).status).toBe(200);
    expect((await send(`${head}${lines(2000)}\r\n`)).status).toBe(431);
  });

  test("counts 2,800 lines of six bytes, of which none is dropped unseen", async () => {
    const answer = await send(
      `GET /v1/factors HTTP/1.1\r\n${HOST}${AUTHORIZATION}${"a:1\r\n".repeat(2800)}\r\n`,
    );
    expect(answer.status).toBe(431);
  });

  // @rule 8 server/http/http_server.ts: A slow head: 408
  // @silent 8 server/server_times.ts: A head has 10 seconds to arrive, a request 15, an idle connection is kept for 15
  test("gets 408 when the head does not arrive in time", async () => {
    const port = await listen({ times: { headTimeoutMs: 150 } });
    const answer = await sendRaw(port, "GET /v1/scores HTTP/1.1\r\nHo", { idleMs: 1000 });
    expect([answer.status, answer.headers.connection]).toEqual([408, "close"]);
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("gets that 408 without a body, for the half head may be a HEAD's", async () => {
    const port = await listen({ times: { headTimeoutMs: 150 } });
    const text = "HEAD /v1/scores/history.csv.gz HTTP/1.1\r\nHo";
    const answer = await sendRaw(port, text, { idleMs: 1000 });
    expect([answer.status, answer.headers["content-length"], answer.body]).toEqual([408, "0", ""]);
  });

  // @silent 8 server/server_times.ts: Half a head after a complete request is refused with 408, too
  test("gets 408 for half a head that came in one packet with a whole request", async () => {
    const port = await listen({ times: { headTimeoutMs: 150 } });
    const whole = `GET /v1/factors HTTP/1.1\r\n${HOST}${AUTHORIZATION}\r\n`;
    const answer = await sendRaw(port, `${whole}GET /v1/scores HTTP/1.1\r\nHo`, { idleMs: 1500 });
    expect(answer.text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 408"]);
  });

  // @rule 8 server/http/http_server.ts: A slow body: 408
  test("gets 408 when a body does not arrive in time", async () => {
    const port = await listen({ times: { headTimeoutMs: 100, requestTimeoutMs: 200 } });
    const text = `POST /v1/scores HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n3\r\nab`;
    const answer = await sendRaw(port, text, { idleMs: 1500 });
    expect(answer.status).toBe(408);
    expect(JSON.parse(answer.body)).toMatchObject({ error: "request_timeout", retryable: true });
    const head = await sendRaw(port, text.replace("POST", "HEAD"), { idleMs: 1500 });
    expect([head.status, head.body]).toEqual([408, ""]);
  });

  // @rule 4.6 server/pipeline/reply_writer.ts: HEAD never returns a body, errors included
  test("answers HEAD without a body, errors included", async () => {
    for (
      const [target, status] of [
        ["/v1/scores/history.csv.gz", 200],
        ["/v1/scores/history.csv.gz?x=1", 400],
        ["/v1/scores", 405],
        ["/v1/none", 404],
      ] as const
    ) {
      const answer = await send(`HEAD ${target} HTTP/1.1\r\n${HOST}${AUTHORIZATION}\r\n`);
      expect(answer.status).toBe(status);
      expect(answer.body).toBe("");
    }
  });

  test("sees each header once in an answer", async () => {
    const answer = await send(`GET /v1/scores HTTP/1.1\r\n${HOST}${AUTHORIZATION}\r\n`);
    const head = answer.text.slice(0, answer.text.indexOf("\r\n\r\n")).toLowerCase();
    const names = head.split("\r\n").slice(1).map((line) => line.split(":")[0]);
    expect(new Set(names).size).toBe(names.length);
  });
});
