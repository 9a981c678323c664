import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { FaultRule } from "../../../src/server/mod.ts";
import { useServers, WAYS } from "../_harness.ts";
import { sendRaw } from "../_raw_socket.ts";

const FILE = "/v1/scores/history.csv.gz";

describe.each(WAYS)("faults, %s", (way) => {
  const { start } = useServers();
  const broken = async (...faults: FaultRule[]) => (await start(way, { faults })).get;

  // @rule 4.1 server/pipeline/reply_writer.ts: Retry-After is sent with 429 and 503
  // @rule 7 server/faults/spoil_reply.ts: 503 service_unavailable and every other code can be produced
  // @silent 5.7 server/faults/spoil_reply.ts: research_admin_only is never answered, except by an injected fault: the document does not give its condition
  // @silent 7 server/faults/spoil_reply.ts: 415 is never answered, except by an injected fault: a GET body is 400, and no other method is supported
  test.each([
    [400, "invalid_request"],
    [401, "unauthorized"],
    [403, "factor_subscription_required"],
    [403, "research_admin_only"],
    [404, "ticker_not_found"],
    [408, "request_timeout"],
    [415, "invalid_request"],
    [429, "rate_limit_exceeded"],
    [429, "concurrent_request_limit"],
    [500, "internal_error"],
    [503, "service_unavailable"],
    [503, "request_timeout"],
    [503, "score_snapshot_preparing"],
  ])("answer with %i %s in the form of section 7", async (status, code) => {
    const get = await broken({ kind: "status", status, code });
    const response = await get("/v1/scores");
    expect(response.status).toBe(status);
    const body = await response.json();
    expect(body).toMatchObject({ error: code, request_id: response.headers.get("x-request-id") });
    const waits = status === 429 || status === 503;
    expect(response.headers.get("retry-after")).toBe(waits ? "1" : null);
    expect(response.headers.has("www-authenticate")).toBe(status === 401);
    expect(response.headers.get("allow")).toBe(status === 405 ? "GET" : null);
  });

  test("spend a request or not as the imitated status would", async () => {
    const get = await broken(
      { kind: "status", status: 429, count: 1 },
      { kind: "status", status: 503, count: 1 },
    );
    await get("/v1/scores");
    await get("/v1/scores");
    expect((await get("/v1/scores")).headers.get("x-ratelimit-remaining")).toBe("118");
  });

  test("can ask for a long wait, or for none", async () => {
    const get = await broken(
      { kind: "status", status: 503, retryAfterSeconds: 86_400, count: 1 },
      { kind: "status", status: 503, retryAfterSeconds: 0, after: 1 },
    );
    expect((await get("/v1/scores")).headers.get("retry-after")).toBe("86400");
    expect((await get("/v1/scores")).headers.get("retry-after")).toBeNull();
  });

  // @rule 7.1 server/faults/spoil_reply.ts: Proxy failures can be non-JSON
  test("answer with a proxy's page instead of JSON", async () => {
    const get = await broken(
      { kind: "proxy_page", count: 1 },
      { kind: "proxy_page", status: 200, html: "<p>Sign in" },
    );
    const first = await get("/v1/scores");
    expect([first.status, first.headers.get("content-type")]).toEqual([
      502,
      "text/html; charset=utf-8",
    ]);
    const second = await get("/v1/scores");
    expect([second.status, await second.text()]).toEqual([200, "<p>Sign in"]);
  });

  test("redirect elsewhere, with any header", async () => {
    const get = await broken({
      kind: "status",
      status: 302,
      headers: { Location: "http://127.0.0.1:1/" },
    });
    const response = await get("/v1/scores").catch(() => null);
    if (way === "over a socket") expect(response).toBeNull();
    else expect(response?.headers.get("location")).toBe("http://127.0.0.1:1/");
  });

  test("strike after a count, and for a count", async () => {
    const get = await broken({ kind: "status", status: 500, after: 1, count: 2 });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await get("/v1/scores")).status);
    expect(statuses).toEqual([200, 500, 500, 200, 200]);
  });

  test.each<[string, readonly FaultRule[], readonly (number | string)[]]>([
    ["an answer", [
      { kind: "status", status: 500, count: 1 },
      { kind: "status", status: 503, count: 1 },
      { kind: "proxy_page", status: 502, count: 1 },
    ], [500, 503, 502, 200]],
    ["an early answer", [
      { kind: "status", status: 503, count: 1 },
      { kind: "status", status: 429, count: 1 },
    ], [503, 429, 200]],
    ["an answer that comes at once", [
      { kind: "status", status: 429, count: 1 },
      { kind: "latency", ms: 1, count: 1 },
      { kind: "latency", ms: 1, count: 1 },
      { kind: "status", status: 503, after: 2, count: 1 },
    ], [429, 200, 503]],
    ["a body that another fault replaces", [
      { kind: "missing_row", count: 1 },
      { kind: "status", status: 500, count: 1 },
    ], [500, "7 rows", 200]],
    ["the same change of the body", [
      { kind: "unknown_status", status: "first", count: 1 },
      { kind: "unknown_status", status: "second", count: 1 },
    ], ["first", "second", 200]],
    ["an answer that a permanent fault gives", [
      { kind: "status", status: 503, contains: "factor" },
      { kind: "status", status: 500, count: 1 },
    ], [503, 503]],
  ])("with a count wait their turn behind %s", async (_, faults, expected) => {
    const get = await broken(...faults);
    const seen = [];
    for (let i = 0; i < expected.length; i++) {
      const response = await get("/v1/scores?factor=ecpnd");
      const text = await response.text();
      const { status, scores } = response.status === 200 ? JSON.parse(text) : { status: null };
      if (scores?.length === 7) seen.push("7 rows");
      else seen.push(status === "first" || status === "second" ? status : response.status);
    }
    expect(seen).toEqual(expected);
  });

  test("of different kinds strike one request together", async () => {
    const get = await broken(
      { kind: "headers", set: { "X-Request-Id": null }, count: 1 },
      { kind: "missing_row", count: 1 },
      { kind: "status", status: 500, after: 1, count: 1 },
    );
    const first = await get("/v1/scores");
    expect(first.headers.get("x-request-id")).toBeNull();
    expect((await first.json()).scores).toHaveLength(7);
    expect((await get("/v1/scores")).status).toBe(500);
    expect((await get("/v1/scores")).status).toBe(200);
  });

  test("strike their endpoint, method and target alone", async () => {
    const get = await broken(
      { kind: "status", status: 500, endpoint: "historyFile", method: "HEAD" },
      { kind: "status", status: 500, contains: "format=csv" },
    );
    expect((await get(FILE)).status).toBe(200);
    expect((await get(FILE, { method: "HEAD" })).status).toBe(500);
    expect((await get("/v1/scores")).status).toBe(200);
    expect((await get("/v1/scores?format=csv")).status).toBe(500);
  });

  test("strike by a probability, the same way for the same seed", async () => {
    const runs = [];
    for (const seed of [1, 1, 2]) {
      const faults: FaultRule[] = [{ kind: "status", status: 500, probability: 0.2 }];
      const { get } = await start(way, { faults, seed });
      const statuses = [];
      for (let i = 0; i < 40; i++) statuses.push((await get("/v1/factors")).status);
      runs.push(statuses.join());
    }
    expect(runs[0]).toBe(runs[1]);
    expect(runs[0]).not.toBe(runs[2]);
    const struck = runs[0]?.split(",").filter((status) => status === "500").length ?? 0;
    expect(struck).toBeGreaterThan(0);
    expect(struck).toBeLessThan(20);
  });

  test("delay an answer", async () => {
    const get = await broken({ kind: "latency", ms: 120 });
    const started = performance.now();
    expect((await get("/v1/scores")).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(115);
  });

  test("dribble a body, which arrives whole in the end", async () => {
    const get = await broken({ kind: "dribble", chunkBytes: 100, intervalMs: 10 });
    const started = performance.now();
    const set = await (await get("/v1/scores")).json();
    expect(set.scores).toHaveLength(8);
    expect(performance.now() - started).toBeGreaterThan(60);
  });

  test("reset the connection before the head", async () => {
    const get = await broken({ kind: "reset" });
    await expect(get("/v1/scores")).rejects.toThrow(TypeError);
  });

  // @rule 7.5 server/http/_deliver_reply.ts: A failed or partial answer is recognisable: the length is not reached
  test("reset or cut the body in the middle", async () => {
    for (const kind of ["reset", "cut"] as const) {
      const get = await broken({ kind, afterBytes: 20 });
      await expect(get("/v1/scores").then((response) => response.text())).rejects.toThrow();
    }
  });

  test("flip one bit of the file", async () => {
    const get = await broken({ kind: "corrupt", endpoint: "historyFile" });
    const { download_sha256 } = await (await get("/v1/scores/history")).json();
    const response = await get(FILE);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(String(bytes.length)).toBe(response.headers.get("content-length"));
    expect(createHash("sha256").update(bytes).digest("hex")).not.toBe(download_sha256);
  });

  // @rule 4.5 server/faults/spoil_reply.ts: A release can change between metadata and download
  test("swap the release between metadata and download, once", async () => {
    const get = await broken({ kind: "release_swapped", endpoint: "history", count: 1 });
    const announced = (await (await get("/v1/scores/history")).json()).download_sha256;
    const bytes = new Uint8Array(await (await get(FILE)).arrayBuffer());
    const received = createHash("sha256").update(bytes).digest("hex");
    expect(received).not.toBe(announced);
    expect((await (await get("/v1/scores/history")).json()).download_sha256).toBe(received);
  });

  test.each(
    [
      ["duplicate_row", 9, "ZZZZZZZZZZZZZZZZ"],
      ["missing_row", 7, "TRUE"],
      ["unsorted_rows", 8, "ZZZZZZZZZZZZZZZZ"],
    ] as const,
  )("break the rows with %s, in JSON and CSV", async (kind, count, last) => {
    const get = await broken({ kind });
    const { scores } = await (await get("/v1/scores")).json();
    const lines = (await (await get("/v1/scores?format=csv")).text()).trimEnd().split("\n").slice(
      1,
    );
    expect([scores.length, lines.length]).toEqual([count, count]);
    expect([scores.at(-1).ticker, lines.at(-1)?.split(",")[0]]).toEqual([last, last]);
    if (kind === "unsorted_rows") expect(scores[0].ticker).toBe("1E5");
  });

  test("send a score out of range", async () => {
    const get = await broken({ kind: "score_out_of_range" });
    expect((await (await get("/v1/scores")).json()).scores[0].ecpnd_score).toBe(1.5);
    expect(await (await get("/v1/scores?format=csv")).text()).toContain("0012,1.5\n");
  });

  // @rule 3.5 server/faults/spoil_reply.ts: Clients must accept an unknown status, and the server can send one
  test("report a status that the document does not define, in body and headers", async () => {
    const get = await broken({ kind: "unknown_status", status: "recalculating" });
    const response = await get("/v1/scores");
    expect(response.headers.get("x-factor-status")).toBe("recalculating");
    expect(response.headers.get("x-ecpnd-status")).toBe("recalculating");
    expect((await response.json()).status).toBe("recalculating");
  });

  test("leave headers out, and send other ones", async () => {
    const get = await broken({
      kind: "headers",
      set: {
        "X-Request-Id": null,
        "x-factor-snapshot": null,
        "X-RateLimit-Remaining": "-1",
        Date: null,
      },
    });
    const { headers } = await get("/v1/scores");
    expect(headers.get("date")).toBeNull();
    expect(headers.get("x-request-id")).toBeNull();
    expect(headers.get("x-factor-snapshot")).toBeNull();
    expect(headers.get("x-ratelimit-remaining")).toBe("-1");
  });

  test("can be added and cleared while the server runs, and are written down", async () => {
    const { server, get } = await start(way);
    server.faults.add({ kind: "status", status: 500 });
    expect((await get("/v1/scores")).status).toBe(500);
    server.faults.clear();
    expect((await get("/v1/scores")).status).toBe(200);
    expect(server.journal.entries.map((entry) => entry.faults)).toEqual([["status"], []]);
  });
});

describe("faults on the wire", () => {
  const { start } = useServers();

  test.each([[10], [-10]])("announce a length that is wrong by %i", async (by) => {
    const { server } = await start("in process", { faults: [{ kind: "content_length", by }] });
    const { port } = await server.listen();
    const answer = await sendRaw(
      port,
      "GET /v1/scores HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer svc_test_full_access_0001\r\n\r\n",
    );
    expect(Number(answer.headers["content-length"])).toBe(answer.body.length + by);
    expect(answer.headers.connection).toBe("close");
  });

  test("cut the body at its half unless told where", async () => {
    const { server } = await start("in process", { faults: [{ kind: "cut" }] });
    const { port } = await server.listen();
    const { headers, body } = await sendRaw(
      port,
      "GET /v1/scores HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer svc_test_full_access_0001\r\n\r\n",
    );
    expect(body.length).toBe(Math.floor(Number(headers["content-length"]) / 2));
  });

  test("refuse a probability outside of 0 to 1", async () => {
    const fault = { kind: "latency", ms: 1, probability: 2 } as const;
    await expect(start("in process", { faults: [fault] })).rejects.toThrow("from 0 to 1");
  });

  test("refuse a status that is none, and send 204 and 304 without a body", async () => {
    const { server, get } = await start("in process");
    for (const status of [99, 101, 600, 200.5]) {
      expect(() => server.faults.add({ kind: "status", status })).toThrow("from 200 to 599");
    }
    for (const status of [204, 304]) {
      server.faults.clear();
      server.faults.add({ kind: "status", status });
      const response = await get("/v1/scores");
      expect([response.status, await response.text()]).toEqual([status, ""]);
    }
  });
});
