import { describe, expect, test } from "vitest";
import { useServers, WAYS } from "../_harness.ts";

describe.each(WAYS)("conditional requests (sections 4.3, 4.5, 8), %s", (way) => {
  const { start } = useServers();

  async function etagOf(
    get: (path: string, options?: { key?: string; method?: string }) => Promise<Response>,
    path: string,
    options: { key?: string; method?: string } = {},
  ): Promise<string> {
    const response = await get(path, options);
    await response.arrayBuffer();
    return response.headers.get("etag") ?? "";
  }

  // @rule 4.3 server/catalogue/score_representations.ts: ETag is a weak validator
  // @rule 4.5 server/pipeline/serve_history.ts: The file has an ETag
  test("sends a weak ETag with JSON, CSV and the file", async () => {
    const { get } = await start(way);
    const paths = ["/v1/scores", "/v1/scores?format=csv", "/v1/scores/history.csv.gz"];
    for (const path of paths) expect(await etagOf(get, path)).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
  });

  test("sends no ETag with factor access and release metadata", async () => {
    const { get } = await start(way);
    expect((await get("/v1/factors")).headers.get("etag")).toBeNull();
    expect((await get("/v1/scores/history")).headers.get("etag")).toBeNull();
  });

  // @rule 4.3 server/catalogue/entity_tag.ts: If-None-Match that matches gives 304 without a body
  test("answers 304 without a body when If-None-Match matches", async () => {
    const { get } = await start(way);
    const etag = await etagOf(get, "/v1/scores");
    const response = await get("/v1/scores", { headers: { "If-None-Match": etag } });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
  });

  // @rule 4.3 base/contract/http/header.ts: X-ECPND aliases carry the same values
  // @rule 4.3 server/pipeline/serve_scores.ts: A 304 carries ETag, X-Factor headers, aliases and budgets
  test("sends with a 304 every header that section 4.3 asks for", async () => {
    const { get } = await start(way);
    const etag = await etagOf(get, "/v1/scores");
    const { headers } = await get("/v1/scores", { headers: { "If-None-Match": etag } });
    expect(headers.get("etag")).toBe(etag);
    for (
      const name of [
        "x-request-id",
        "x-factor-name",
        "x-factor-status",
        "x-factor-snapshot",
        "x-factor-calculated-at",
        "x-factor-last-checked-at",
        "x-factor-data-through",
        "x-ecpnd-status",
        "x-ecpnd-snapshot",
        "x-ecpnd-calculated-at",
        "x-ecpnd-last-checked-at",
        "x-ecpnd-data-through",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "x-dailylimit-limit",
        "x-dailylimit-remaining",
        "x-dailylimit-reset",
      ]
    ) expect(headers.get(name), name).not.toBeNull();
    expect(headers.get("cache-control")).toBe("private, no-cache");
    expect(headers.get("vary")).toBe("Authorization");
    expect(headers.get("content-disposition")).toBeNull();
  });

  // @silent 4.3 server/catalogue/entity_tag.ts: If-None-Match follows RFC 9110: lists, the star, weak comparison
  test.each([
    ["in a list", (etag: string) => `"other", ${etag}, W/"third"`],
    ["in a list without blanks", (etag: string) => `"a,b",${etag}`],
    ["by weak comparison with its strong form", (etag: string) => etag.replace("W/", "")],
    ["as a star", () => "*"],
  ])("finds the ETag %s", async (_, headerOf) => {
    const { get } = await start(way);
    const etag = await etagOf(get, "/v1/scores");
    const response = await get("/v1/scores", { headers: { "If-None-Match": headerOf(etag) } });
    expect(response.status).toBe(304);
  });

  // @silent 4.3 server/catalogue/entity_tag.ts: A text that is no entity tag never matches
  test.each([
    ["another tag", () => 'W/"0123456789abcdef"'],
    ["the tag without quotes", (etag: string) => etag.replaceAll('"', "")],
    ["a part of the tag", (etag: string) => `${etag.slice(0, -4)}"`],
    ["the tag with text behind it", (etag: string) => `${etag}x`],
    ["the tag with text before it", (etag: string) => `x${etag}`],
    ["a quoted star", () => '"*"'],
    ["nothing", () => ""],
  ])("answers 200 for %s", async (_, headerOf) => {
    const { get } = await start(way);
    const etag = await etagOf(get, "/v1/scores");
    const response = await get("/v1/scores", { headers: { "If-None-Match": headerOf(etag) } });
    expect(response.status).toBe(200);
  });

  test("has another ETag for each representation, ticker, factor and account", async () => {
    const { get } = await start(way);
    const etags = [
      await etagOf(get, "/v1/scores"),
      await etagOf(get, "/v1/scores?format=csv"),
      await etagOf(get, "/v1/scores?ticker=A"),
      await etagOf(get, "/v1/scores?ticker=NA"),
      await etagOf(get, "/v1/scores?factor=ecqdi"),
      await etagOf(get, "/v1/scores", { key: "svc_test_licensed_ecpnd" }),
      await etagOf(get, "/v1/scores/history.csv.gz"),
      await etagOf(get, "/v1/scores/history.csv.gz?factor=ecqdi"),
      await etagOf(get, "/v1/scores/history.csv.gz", { key: "svc_test_licensed_ecpnd" }),
    ];
    expect(new Set(etags).size).toBe(etags.length);
  });

  test("keeps the ETag for other keys of the account", async () => {
    const { get } = await start(way);
    const key = "svc_test_second_key_0002";
    expect(await etagOf(get, "/v1/scores", { key })).toBe(await etagOf(get, "/v1/scores"));
  });

  // @rule 8.4 server/catalogue/score_representations.ts: A validator belongs to one account
  test("answers 200 to another account's ETag and to that of another representation", async () => {
    const { get } = await start(way);
    const strangers = [
      await etagOf(get, "/v1/scores", { key: "svc_test_licensed_ecpnd" }),
      await etagOf(get, "/v1/scores?format=csv"),
      await etagOf(get, "/v1/scores?ticker=A"),
    ];
    for (const etag of strangers) {
      expect((await get("/v1/scores", { headers: { "If-None-Match": etag } })).status).toBe(200);
    }
  });

  // @rule 8.4 server/catalogue/score_representations.ts: A validator comes back unchanged for the same URL and account
  test("sends the same ETag for the same URL as long as nothing changes", async () => {
    const { get } = await start(way);
    expect(await etagOf(get, "/v1/scores")).toBe(await etagOf(get, "/v1/scores"));
  });

  // @rule 4.3 server/catalogue/score_representations.ts: ETag covers check metadata: each check changes it
  test("changes the ETag with every check, although the set is the same", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-11-20T13:30:00Z");
    const before = await get("/v1/scores");
    server.clock.set("2026-11-20T14:30:00Z");
    const after = await get("/v1/scores");
    expect(after.headers.get("x-factor-snapshot")).toBe(before.headers.get("x-factor-snapshot"));
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  });

  // @rule 4.3 server/catalogue/score_representations.ts: ETag covers the freshness status
  test("changes the ETag when a latest request becomes stale", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-11-20T16:10:00Z");
    const fresh = await etagOf(get, "/v1/scores");
    server.clock.set("2026-11-20T16:10:00.001Z");
    expect(await etagOf(get, "/v1/scores")).not.toBe(fresh);
  });

  // @rule 4.3 server/pipeline/pipeline.ts: Authentication and access apply to conditional requests
  test("authorizes before it compares: another account's tag and no licence give 403", async () => {
    const { get } = await start(way);
    const etag = await etagOf(get, "/v1/scores");
    const headers = { "If-None-Match": etag };
    const response = await get("/v1/scores", { headers, key: "svc_test_licensed_ecqdi" });
    expect(response.status).toBe(403);
  });

  // @silent 4.3 server/pipeline/serve_scores.ts: A request that fails is never a 304
  test("never answers 304 for a request that fails", async () => {
    const { get } = await start(way);
    const headers = { "If-None-Match": "*" };
    expect((await get("/v1/scores?ticker=NOPE", { headers })).status).toBe(404);
    expect((await get("/v1/scores?at=2026-11-20T01:00:00Z", { headers })).status).toBe(404);
  });

  // @rule 4.5 server/pipeline/serve_history.ts: A matching If-None-Match gives 304 without a body
  // @rule 4.6 server/pipeline/serve_history.ts: HEAD 304 gives ETag and Content-Disposition
  test("answers 304 for the file, GET and HEAD, with ETag and Content-Disposition", async () => {
    const { get } = await start(way);
    const path = "/v1/scores/history.csv.gz";
    const etag = await etagOf(get, path, { method: "HEAD" });
    for (const method of ["GET", "HEAD"]) {
      const response = await get(path, { method, headers: { "If-None-Match": etag } });
      expect(response.status).toBe(304);
      expect(response.headers.get("etag")).toBe(etag);
      expect(response.headers.get("content-disposition")).toBe(
        'attachment; filename="ecpnd_history.csv.gz"',
      );
      expect(await response.text()).toBe("");
    }
  });
});
