import { describe, expect, test } from "vitest";
import { CONTRACT_VERSION } from "../../../src/server/mod.ts";
import { KEY, useServers, WAYS } from "../_harness.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each(WAYS)("routes, methods and errors (sections 4, 4.1 and 7), %s", (way) => {
  const { start } = useServers();

  // @rule 1 base/contract/factor.ts: The API delivers two research factors, ecpnd and ecqdi
  // @rule 2.1 server/pipeline/serve_factors.ts: A factor entry has factor, score_name and factor_version
  // @rule 2.1 server/catalogue/catalogue.ts: factor_version has the form <factor>-v<n>
  // @rule 2.1 server/pipeline/serve_factors.ts: scores and history are relative paths that include ?factor=
  // @rule 4.2 base/contract/factor_list.ts: The factor list is JSON with one field, factors
  test("lists the factors of the account with version and relative paths", async () => {
    const { get } = await start(way);
    const response = await get("/v1/factors");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      factors: [
        {
          factor: "ecpnd",
          score_name: "ecpnd_score",
          factor_version: "ecpnd-v1",
          scores: "/v1/scores?factor=ecpnd",
          history: "/v1/scores/history?factor=ecpnd",
        },
        {
          factor: "ecqdi",
          score_name: "ecqdi_score",
          factor_version: "ecqdi-v1",
          scores: "/v1/scores?factor=ecqdi",
          history: "/v1/scores/history?factor=ecqdi",
        },
      ],
    });
  });

  // @rule 2.1 server/account/accounts.ts: The list holds only factors that are licensed now
  test("lists licensed factors only", async () => {
    const { get } = await start(way);
    const { factors } = await (await get("/v1/factors", { key: "svc_test_licensed_ecqdi" })).json();
    expect(factors.map((entry: { factor: string }) => entry.factor)).toEqual(["ecqdi"]);
  });

  // @rule 4.2 base/contract/http/query.ts: GET /v1/factors takes no parameters
  test("refuses any parameter of the factor list", async () => {
    const { get } = await start(way);
    const response = await get("/v1/factors?factor=ecpnd");
    expect([response.status, (await response.json()).error]).toEqual([400, "invalid_request"]);
  });

  // @rule 1 base/contract/http/endpoint.ts: All endpoints are under /v1
  // @rule 7 server/pipeline/route.ts: 404 is the answer to unknown routes
  // @rule 9 base/contract/http/endpoint.ts: The path prefix is /v1
  // @silent 7 server/pipeline/route.ts: An unknown path has the code score_snapshot_not_available, as in the description of 404, and needs no key; the message says that the path is unknown
  // @silent 6 base/contract/http/endpoint.ts: There are no events
  test.each([
    "/",
    "/v1",
    "/v1/",
    "/v2/scores",
    "/v1/scores/",
    "/v1/Scores",
    "/V1/scores",
    "/v1/scores/history.csv",
    "/v1//scores",
    "/v1/%73cores",
    "/v1/factors/ecpnd",
  ])("answers 404 for the unknown route %s, with or without a key", async (path) => {
    const { get } = await start(way);
    for (const options of [{}, { key: null }]) {
      const response = await get(path, options);
      expect(response.status).toBe(404);
      const { error, message } = await response.json();
      expect(error).toBe("score_snapshot_not_available");
      expect(message).toContain(`Unknown path ${JSON.stringify(path)}; `);
    }
  });

  test("shows no key that somebody put into an unknown path", async () => {
    const { get } = await start(way);
    const { message } = await (await get(`/v1/svc_test_in_a_path_0123?key=${KEY}`)).json();
    expect(message).toMatch(/^Unknown path "\/v1\/svc_/);
    expect(message).not.toMatch(/in_a_path_0123|full_access/);
  });

  // @silent 9 server/pipeline/route.ts: /openapi.json, outside of /v1, gives the OpenAPI document without a key and spends nothing; only the transport limits precede it
  test("gives its OpenAPI document to anybody, and spends nothing for it", async () => {
    const { server, get } = await start(way);
    const response = await get("/openapi.json", { key: null });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-ratelimit-limit")).toBeNull();
    const document = await response.json();
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe("1.2.0");
    expect(Object.keys(document.paths).toSorted()).toEqual([
      "/v1/factors",
      "/v1/scores",
      "/v1/scores/history",
      "/v1/scores/history.csv.gz",
    ]);
    expect((await get("/openapi.json", { key: "svc_test_nobody_has_this" })).status).toBe(200);
    const refused = await get("/openapi.json", { method: "POST", key: null });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET"]);
    expect((await get(`/openapi.json?${"a".repeat(2100)}`, { key: null })).status).toBe(414);
    expect(server.journal.entries.map(({ spentRequests }) => spentRequests)).toEqual(
      server.journal.entries.map(() => 0),
    );
  });

  // @rule 1 server/pipeline/route.ts: The service is read-only: no method but GET, and HEAD of the file
  // @rule 4.1 server/pipeline/route.ts: Allow is sent on 405
  // @rule 7 server/pipeline/route.ts: 405 method_not_allowed with Allow
  test.each([
    ["/v1/factors", "GET"],
    ["/v1/scores", "GET"],
    ["/v1/scores/history", "GET"],
    ["/v1/scores/history.csv.gz", "GET, HEAD"],
  ])("answers 405 for other methods on %s and allows %s", async (path, allow) => {
    const { get } = await start(way);
    const methods = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    if (allow === "GET") methods.push("HEAD");
    for (const method of methods) {
      const response = await get(path, { method, key: null });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe(allow);
      const text = await response.text();
      if (method === "HEAD") expect(text).toBe("");
      else {expect(JSON.parse(text)).toMatchObject({
          error: "method_not_allowed",
          retryable: false,
        });}
    }
  });

  // @rule 7 server/message/refusal.ts: An error body has error, message, request_id and retryable
  // @rule 7 server/message/refusal.ts: request_id equals X-Request-Id
  test("sends an error object with code, message, request id and retryable", async () => {
    const { get } = await start(way);
    const response = await get("/v1/scores?ticker=NOPE");
    expect(response.headers.get("content-type")).toBe("application/json");
    const body = await response.json();
    expect(Object.keys(body)).toEqual(["error", "message", "request_id", "retryable", "details"]);
    expect(typeof body.message).toBe("string");
    expect(body.request_id).toBe(response.headers.get("x-request-id"));
    expect(body.retryable).toBe(false);
  });

  test("tells no more than 100 characters of a parameter's name back", async () => {
    const { get } = await start(way);
    const body = await (await get(`/v1/scores?${"x".repeat(300)}=1`)).json();
    expect(body.details.field).toBe("x".repeat(100));
    expect(body.message).toMatch(/^x{100} is not/);
  });

  // @silent 7 server/message/refusal.ts: A message suggests the probable value or lists the choices; the message for a refused key does neither
  test.each([
    [
      "/v1/scores?at=2026-11-20T03:00:00Z",
      "No ecpnd score set was published by 2026-11-20T03:00:00.000Z; " +
      "there are ecpnd checks from 2026-11-20T10:00:00.000Z to 2026-11-20T14:00:00.000Z",
    ],
    [
      "/v1/scores?at=2026-11-20T12:00:00+01:00",
      "at must be an RFC 3339 date-time with Z or an offset; a plus sign means a space in a URL; write %2B",
    ],
    ["/v1/scores?ticker=BRKB", "BRKB is not in the ecpnd score set; the set has BRK.B"],
    ["/v1/Scores", 'Unknown path "/v1/Scores"; paths are exact: /v1/scores'],
    [
      "/v1/scores?Ticker=A",
      "Ticker is not a parameter of this endpoint; parameter names are case-sensitive: ticker",
    ],
  ])("tells the client what %s probably meant, or what there is", async (path, message) => {
    const { server, get } = await start(way, {
      timeline: [{ kind: "outage", from: "2026-11-20T15:00:00Z", until: "2026-11-20T16:00:00Z" }],
    });
    server.clock.set("2026-11-20T15:00:00Z");
    expect((await (await get(path)).json()).message).toBe(message);
  });

  // @rule 4.1 server/pipeline/dispatcher.ts: X-Request-Id is a UUID of the service on every response
  test("gives every response a request id of its own, and never the client's", async () => {
    const { get } = await start(way);
    const sent = "00000000-0000-4000-8000-000000000000";
    const ids = [];
    for (const path of ["/v1/scores", "/v1/factors", "/v1/none", "/v1/scores?x=1"]) {
      const response = await get(path, { headers: { "X-Request-Id": sent } });
      ids.push(response.headers.get("x-request-id"));
      await response.arrayBuffer();
    }
    for (const id of ids) expect(id).toMatch(UUID);
    expect(new Set([...ids, sent]).size).toBe(5);
  });

  // @rule 4.1 server/pipeline/reply_writer.ts: Caching is private
  // @rule 4.1 server/catalogue/score_representations.ts: Snapshots and files are revalidated
  // @rule 4.1 server/message/message.ts: Factor access and release metadata are not stored
  // @rule 4.1 server/pipeline/reply_writer.ts: Vary names the authentication context
  test("lets the client alone cache: snapshots and files revalidate, the rest is not stored", async () => {
    const { get } = await start(way);
    const cases = [
      ["/v1/scores", "private, no-cache"],
      ["/v1/scores?format=csv", "private, no-cache"],
      ["/v1/scores/history.csv.gz", "private, no-cache"],
      ["/v1/factors", "private, no-store"],
      ["/v1/scores/history", "private, no-store"],
      ["/v1/scores?x=1", "private, no-store"],
      ["/v1/none", "private, no-store"],
    ] as const;
    for (const [path, cacheControl] of cases) {
      const response = await get(path);
      expect(response.headers.get("cache-control"), path).toBe(cacheControl);
      expect(response.headers.get("vary")).toBe("Authorization");
      await response.arrayBuffer();
    }
  });

  // @silent 9 server/pipeline/reply_writer.ts: Nothing is deprecated: no answer mentions deprecation or sunset
  test("says nothing of deprecation or sunset, which the contract does not have", async () => {
    const { get } = await start(way);
    const { headers } = await get("/v1/scores");
    expect([headers.get("deprecation"), headers.get("sunset")]).toEqual([null, null]);
  });

  // @silent 4.1 server/pipeline/reply_writer.ts: The Date header follows the server's clock
  test("tells the time by its own clock", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-07-04T12:34:56.789Z");
    expect((await get("/v1/none")).headers.get("date")).toBe("Sat, 04 Jul 2026 12:34:56 GMT");
  });

  // @silent 4.1 server/pipeline/reply_writer.ts: The Server header is scoreframe/<version>; X-Scoreframe-Synthetic: true marks synthetic numbers
  test("says who it is, and that its numbers are synthetic", async () => {
    const { get } = await start(way);
    const { headers } = await get("/v1/scores?format=csv");
    expect(headers.get("server")).toMatch(/^scoreframe\/\d+\.\d+\.\d+$/);
    expect(headers.get("x-scoreframe-synthetic")).toBe("true");
  });

  // @silent 4.2 server/pipeline/serve_factors.ts: X-Scoreframe-World names the world that is played, with its parameters, beside the list of factors
  test("names the world that it plays", async () => {
    const { get } = await start(way);
    const { headers } = await get("/v1/factors");
    expect(JSON.parse(headers.get("x-scoreframe-world")!)).toEqual({ name: "fixture" });
    expect((await get("/v1/scores?factor=ecpnd")).headers.get("x-scoreframe-world")).toBeNull();
  });

  // @silent 4.1 server/pipeline/reply_writer.ts: X-Scoreframe-Clock: stopped marks an answer of a server whose clock stands still
  test("says that its clock stands still, and nothing of one that runs", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-11-20T15:00:00Z");
    expect((await get("/v1/none")).headers.get("x-scoreframe-clock")).toBe("stopped");
    server.clock.run(60);
    expect((await get("/v1/none")).headers.get("x-scoreframe-clock")).toBeNull();
  });

  // @silent 9 server/pipeline/reply_writer.ts: X-Scoreframe-Contract names the edition of the API document on every answer
  test("says on every answer which edition of the API document it implements", async () => {
    const { get } = await start(way);
    for (const path of ["/v1/factors", "/v1/scores?x=1", "/v1/none"]) {
      expect((await get(path)).headers.get("x-scoreframe-contract")).toBe("1.2.0");
    }
    expect(CONTRACT_VERSION).toBe("1.2.0");
  });

  // @rule 4.1 server/pipeline/reply_writer.ts: Retry-After is sent with no other status
  test("sends Retry-After with 429 and 503 alone", async () => {
    const { get } = await start(way);
    for (const path of ["/v1/scores", "/v1/none", "/v1/scores?x=1", "/v1/scores?ticker=NOPE"]) {
      expect((await get(path)).headers.get("retry-after")).toBeNull();
    }
  });

  // @silent 8 server/pipeline/pipeline.ts: One fixed order of checks: limits, route, method, key, scope and subscription, quota, query, licence, handler
  test("checks in one order: limits, route, method, key, scope, quota, query, licence", async () => {
    const { server, get } = await start(way);
    const long = "a".repeat(2100);
    const status = async (path: string, options = {}) => (await get(path, options)).status;
    expect(await status(`/v1/none?${long}`, { method: "POST", key: null })).toBe(414);
    expect(await status("/v1/none", { method: "POST", key: null })).toBe(404);
    expect(await status("/v1/scores?x=1", { method: "POST", key: null })).toBe(405);
    expect(await status("/v1/scores?x=1", { key: null })).toBe(401);
    expect(await status("/v1/scores?x=1", { key: "svc_test_only_factors_5" })).toBe(403);
    expect(await status("/v1/scores?x=1&factor=ecqdi", { key: "svc_test_licensed_ecpnd" }))
      .toBe(400);
    expect(await status("/v1/scores?ticker=NOPE&factor=ecqdi", { key: "svc_test_licensed_ecpnd" }))
      .toBe(403);
    for (let i = 2; i < 120; i++) await get("/v1/factors", { key: "svc_test_licensed_ecpnd" });
    expect(await status("/v1/scores?x=1", { key: "svc_test_licensed_ecpnd" })).toBe(429);
    // The account of the wrong scope has spent everything as well.
    for (let i = 0; i < 120; i++) await get("/v1/factors");
    expect(await status("/v1/factors")).toBe(429);
    expect(await status("/v1/scores", { key: "svc_test_only_factors_5" })).toBe(403);
    server.clock.set("2026-11-20T15:01:00Z");
    expect(await status("/v1/factors")).toBe(200);
  });

  // @rule 7 server/pipeline/pipeline.ts: 500 internal_error carries the request id and no other information
  // @silent 7 base/contract/http/error_body.ts: 500 is not retryable: keep the request id instead
  test("answers 500 internal_error without a path, a stack or a name of what broke", async () => {
    const { server, get } = await start(way, {
      checks: () => {
        throw new Error("disk on fire at /var/lib/secret");
      },
    });
    server.clock.set("2026-11-20T16:00:00Z");
    const response = await get("/v1/scores");
    expect(response.status).toBe(500);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: "internal_error", retryable: false });
    expect(text).not.toMatch(/secret|disk|\.ts|at /);
    expect(server.journal.entries.at(-1)?.note).toContain("disk on fire");
  });
});
