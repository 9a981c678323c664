import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { KEY, useServers } from "../_harness.ts";
import type { ListenOptions } from "../../../src/server/http/front.ts";
import { sendRaw } from "../_raw_socket.ts";

const HEAD = `Host: localhost\r\nAuthorization: Bearer ${KEY}\r\n`;
const FILE = `GET /v1/scores/history.csv.gz HTTP/1.1\r\n${HEAD}\r\n`;

describe("a connection", () => {
  const { start } = useServers();
  const listen = async (options: ListenOptions = {}) => {
    const { server } = await start("in process");
    return { server, listener: await server.listen(options) };
  };

  // @silent 8 server/http/http_server.ts: Closing ends idle connections at once and lets answers finish
  test.each([
    ["no request", ""],
    ["half a request", "GET /v1/scores HTTP/1.1\r\nHo"],
    ["half a body", `POST /v1/scores HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\na`],
  ])("with %s does not keep the server from closing", async (_, text) => {
    // Nothing but closing ends these connections, and the test with them.
    const times = { headTimeoutMs: 1e8, requestTimeoutMs: 1e8, keepAliveMs: 1e8 };
    const { server } = await start("in process", { times });
    const { port } = await server.listen();
    const socket = await open(port, text);
    await server.close();
    socket.destroy();
  });

  const hasIpv6 = Object.values(networkInterfaces()).flat()
    .some((entry) => entry?.address === "::1");
  test.skipIf(!hasIpv6)("is made to an IPv6 address by the URL of the listener", async () => {
    const { server } = await start("in process");
    const { port, url } = await server.listen({ hostname: "::1" });
    expect(url).toBe(`http://[::1]:${port}`);
    expect((await fetch(`${url}/v1/factors`)).status).toBe(401);
  });

  // @silent 8 server/http/http_server.ts: Bytes behind a request that cannot be parsed do not change its answer; the connection ends after it
  test("delivers the answer to a request although garbage follows it, and then ends", async () => {
    const { server, listener } = await listen();
    const { text } = await sendRaw(listener.port, `${FILE}garbage\r\n\r\n`);
    expect(text.match(/HTTP\/1\.1 \d{3}/g)).toEqual(["HTTP/1.1 200"]);
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    expect(text.length - text.indexOf("\r\n\r\n") - 4).toBe(length);
    const outcomes = server.journal.entries.map((entry) => [entry.status, entry.complete]);
    expect(outcomes.toSorted()).toEqual([[200, true], [400, false]]);
  });

  // @silent 8 server/http/_connections.ts: Blanks around a header value count, as far as they can be told from bytes that are pipelined behind the request
  test("counts blanks around a header's value against the 16 KiB", async () => {
    const { listener } = await listen();
    const answer = await sendRaw(
      listener.port,
      `GET /v1/factors HTTP/1.1\r\n${HEAD}X-P:${" ".repeat(60_000)}a\r\n\r\n`,
    );
    expect(answer.status).toBe(431);
  });

  // @silent 8 server/http/http_server.ts: A head beyond 256 KiB is 431, even if its URL alone is that long; none of it is shown
  test("gets 431 for a header of 300,000 bytes", async () => {
    const { listener } = await listen();
    const text = `GET /v1/factors HTTP/1.1\r\n${HEAD}X: ${"a".repeat(300_000)}\r\n\r\n`;
    expect((await sendRaw(listener.port, text)).status).toBe(431);
  });

  test.each([
    ["a bad header line", `HEAD /v1/scores HTTP/1.1\r\n${HEAD}bad line\r\n\r\n`],
    [
      "a huge length",
      `HEAD /v1/scores HTTP/1.1\r\n${HEAD}Content-Length: 99999999999999999999\r\n\r\n`,
    ],
  ])("gets no body with the 400 to a HEAD with %s", async (_, text) => {
    const { listener } = await listen();
    const answer = await sendRaw(listener.port, text);
    expect([answer.status, answer.body]).toEqual([400, ""]);
  });

  test("gets no body with the 400 to a HEAD whose bad line comes in a later packet", async () => {
    const { listener } = await listen();
    const socket = await open(listener.port, `HEAD /v1/scores HTTP/1.1\r\n${HEAD}`);
    socket.write("bad line\r\n\r\n");
    const { text } = await read(socket);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.endsWith("\r\n\r\n")).toBe(true);
  });

  // @silent 8 server/http/_connections.ts: The rest of a refused request is read for 2 seconds, so that its client can read the answer
  test.each([
    [
      "a body of 8 MB",
      "POST /v1/scores HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8388608\r\n\r\n",
      413,
    ],
    [
      "chunks of 8 MB",
      "POST /v1/scores HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n800000\r\n",
      413,
    ],
    ["a header of 8 MB", "GET /v1/scores HTTP/1.1\r\nHost: localhost\r\nX: ", 431],
    [
      "8 MB behind a bad line",
      "GET /v1/scores HTTP/1.1\r\nHost: localhost\r\nbad line\r\n\r\n",
      400,
    ],
  ])("lets a client send %s to the end before it reads the answer", async (_, head, status) => {
    const { listener } = await listen();
    const socket = await open(listener.port, head);
    socket.pause();
    await new Promise((resolve) => socket.write("a".repeat(8 << 20), resolve));
    const { text, errors } = await read(socket);
    expect(Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])).toBe(status);
    expect(errors).toEqual([]);
  });

  // @silent 8 server/http/http_server.ts: Nothing after a refused body is served, because only the client says where the body ends
  test.each([
    ["a refused body", "POST /v1/scores HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\na"],
    [
      "an empty chunked body",
      "GET /v1/none HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a repeated header", "GET /v1/scores HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n"],
  ])("serves nothing behind %s, and spends nothing for it", async (_, first) => {
    const { server, listener } = await listen();
    const behind = `GET /v1/factors HTTP/1.1\r\n${HEAD}\r\n`;
    const answer = await sendRaw(listener.port, first + behind);
    expect(answer.text.match(/HTTP\/1\.1 \d{3}/g)).toHaveLength(1);
    expect(answer.headers.connection).toBe("close");
    expect(server.journal.entries.map((entry) => entry.spentRequests)).toEqual([0]);
  });

  // @silent 8 server/http/_read_request.ts: Only HTTP/1.0 and HTTP/1.1 are supported
  test.each(["HTTP/2.0", "HTTP/0.9", "HTTP/1.2"])("is refused for %s", async (version) => {
    const { listener } = await listen();
    const answer = await sendRaw(listener.port, `GET /v1/factors ${version}\r\n${HEAD}\r\n`);
    expect(answer.status).toBe(400);
  });

  // @silent 8 server/http/_read_request.ts: On a loopback address, a Host that is neither a loopback name nor one that the server was given is 400
  test.each([
    ["", 400],
    ["a b", 400],
    ["x@y", 400],
    ["x/y", 400],
    ["x:y", 400],
    ["[::1", 400],
    ["scores.test:80", 400],
    ["127.0.0.1.scores.test", 400],
    ["localhost.scores.test", 400],
    ["10.0.0.1", 400],
    ["my_host", 400],
    ["Scores.Desk.example:443", 200],
    ["LOCALHOST", 200],
    ["scores.localhost:80", 200],
    ["127.0.0.1:8080", 200],
    ["[::1]:80", 200],
  ])("with the Host %o is answered %d", async (host, status) => {
    const { listener } = await listen({ hosts: ["scores.desk.example"] });
    const answer = await sendRaw(
      listener.port,
      `GET /v1/factors HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\n\r\n`,
    );
    expect(answer.status).toBe(status);
  });

  test("may have any Host beyond this machine", async () => {
    const { listener } = await listen({ hostname: "0.0.0.0" });
    const answer = await sendRaw(
      listener.port,
      `GET /v1/factors HTTP/1.1\r\nHost: scores.test\r\nAuthorization: Bearer ${KEY}\r\n\r\n`,
    );
    expect(answer.status).toBe(200);
  });

  // @silent 8 server/http/http_server.ts: A request to upgrade is answered as an ordinary one, and its connection ends
  test("ends after a request to upgrade, which is answered as it is", async () => {
    const { listener } = await listen();
    const answer = await sendRaw(
      listener.port,
      `GET /v1/factors HTTP/1.1\r\n${HEAD}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    );
    expect([answer.status, answer.headers.connection]).toEqual([200, "close"]);
  });

  // @silent 8 server/http/http_server.ts: A client that ends its side of the connection is answered
  test.each([
    ["a request", `GET /v1/factors HTTP/1.1\r\n${HEAD}\r\n`, 200],
    [
      "an empty chunked body",
      `GET /v1/factors HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      200,
    ],
    ["a refused body", `GET /v1/factors HTTP/1.1\r\n${HEAD}Content-Length: 1\r\n\r\na`, 400],
    ["half a refused body", `GET /v1/factors HTTP/1.1\r\n${HEAD}Content-Length: 2\r\n\r\na`, 400],
    [
      "half a chunk",
      `GET /v1/factors HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n3\r\na`,
      400,
    ],
  ])("is answered although its client ends its side behind %s", async (_, text, status) => {
    const { listener } = await listen();
    const answer = await sendRaw(listener.port, text, { end: true });
    expect(answer.status).toBe(status);
    expect(answer.body.length).toBe(Number(answer.headers["content-length"]));
  });

  // @silent 8 server/http/http_server.ts: The server never asks for the body that Expect announces
  test("is not kept waiting for a body that it asks to send", async () => {
    const { listener } = await listen();
    const answer = await sendRaw(
      listener.port,
      `POST /v1/scores HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n`,
    );
    expect(answer.status).toBe(405);
  });
});

function read(socket: Socket): Promise<{ readonly text: string; readonly errors: unknown[] }> {
  return new Promise((resolve) => {
    let text = "";
    const errors: unknown[] = [];
    socket.on("error", (error) => errors.push(error));
    socket.on("data", (data) => text += data.toString("latin1"));
    socket.on("close", () => resolve({ text, errors }));
    socket.resume();
  });
}

function open(port: number, text: string): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(text);
      setTimeout(() => resolve(socket), 50);
    });
    socket.on("error", () => {});
  });
}
