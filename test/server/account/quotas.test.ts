import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AccountLimits, AccountSpec } from "../../../src/server/account/accounts.ts";
import { KEY, useServers, WAYS } from "../_harness.ts";

const SECOND_KEY = "svc_test_second_key_0002";

function limited(limits: Partial<AccountLimits>): { accounts: readonly AccountSpec[] } {
  const keys = [{ key: KEY }, { key: SECOND_KEY }];
  return { accounts: [{ id: "main", factors: ["ecpnd", "ecqdi"], keys, limits }] };
}

function budget(response: Response, prefix: string): (number | null)[] {
  return ["limit", "remaining", "reset"].map((part) => {
    const value = response.headers.get(`x-${prefix}-${part}`);
    return value === null ? null : Number(value);
  });
}

describe.each(WAYS)("quotas (sections 4.1 and 8), %s", (way) => {
  const { start } = useServers();

  // @rule 4 server/account/quota_gate.ts: Every authenticated request admitted to a handler spends allowance
  // @rule 4.1 server/account/quota_gate.ts: X-RateLimit headers give the minute budget
  // @rule 4.1 server/account/quota_gate.ts: Reset is the end of the fixed UTC window in Unix seconds
  // @rule 4.1 server/account/quota_gate.ts: X-DailyLimit headers give the UTC day budget
  test("tells the minute and the day budget on every admitted request", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-11-20T15:00:20Z");
    const response = await get("/v1/scores");
    // 2026-11-20T15:01:00Z and 2026-11-21T00:00:00Z in Unix seconds.
    expect(budget(response, "ratelimit")).toEqual([120, 119, 1795186860]);
    expect(budget(response, "dailylimit")).toEqual([10000, 9999, 1795219200]);
    expect(budget(response, "downloadlimit")).toEqual([null, null, null]);
  });

  // @rule 4.1 server/account/quota_gate.ts: X-DownloadLimit headers give the download budget where it is checked
  test("tells the download budget on a file GET, and not on HEAD or metadata", async () => {
    const { get } = await start(way);
    const file = await get("/v1/scores/history.csv.gz");
    expect(budget(file, "downloadlimit")).toEqual([10, 9, 1795219200]);
    await file.arrayBuffer();
    const head = await get("/v1/scores/history.csv.gz", { method: "HEAD" });
    expect(budget(head, "downloadlimit")).toEqual([null, null, null]);
    expect(budget(await get("/v1/scores/history"), "downloadlimit")).toEqual([null, null, null]);
  });

  // @rule 7 server/message/refusal.ts: retry_after_seconds is present on rate-limit errors
  // @rule 7 server/account/quota_gate.ts: 429 rate_limit_exceeded for the minute
  // @rule 8 server/account/quota_gate.ts: 120 requests per UTC clock minute
  // @silent 7 server/account/quota_gate.ts: Limits against abuse are not imitated: the document gives neither their code nor their value
  test("allows 120 requests in a UTC clock minute and refuses the next with 429", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-11-20T15:00:18.500Z");
    for (let i = 0; i < 120; i++) expect((await get("/v1/scores?ticker=A")).status).toBe(200);
    const refused = await get("/v1/scores?ticker=A");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("42");
    expect(budget(refused, "ratelimit")).toEqual([120, 0, 1795186860]);
    expect(await refused.json()).toMatchObject({
      error: "rate_limit_exceeded",
      retryable: true,
      retry_after_seconds: 42,
    });
    server.clock.set("2026-11-20T15:01:00Z");
    const next = await get("/v1/scores?ticker=A");
    expect(next.status).toBe(200);
    expect(budget(next, "ratelimit")).toEqual([120, 119, 1795186920]);
  });

  // @rule 4.1 server/account/quota_gate.ts: Retry-After is a whole number of at least 1
  test("asks to wait at least one second, even at the very end of a minute", async () => {
    const { server, get } = await start(way, limited({ requestsPerMinute: 1 }));
    server.clock.set("2026-11-20T15:00:59.999Z");
    await get("/v1/factors");
    expect((await get("/v1/factors")).headers.get("retry-after")).toBe("1");
  });

  // @rule 7 server/account/quota_gate.ts: 429 daily_limit_exceeded for the UTC day
  // @rule 8 server/account/quota_gate.ts: 10,000 requests per UTC day, reset at 00:00 UTC
  test("refuses beyond the day budget until 00:00 UTC", async () => {
    const { server, get } = await start(way, limited({ requestsPerDay: 2 }));
    server.clock.set("2026-11-20T23:00:00Z");
    await get("/v1/factors");
    server.clock.set("2026-11-20T23:50:00Z");
    await get("/v1/factors");
    const refused = await get("/v1/factors");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("600");
    expect(budget(refused, "dailylimit")).toEqual([2, 0, 1795219200]);
    expect((await refused.json()).error).toBe("daily_limit_exceeded");
    server.clock.set("2026-11-21T00:00:00Z");
    expect((await get("/v1/factors")).status).toBe(200);
  });

  test("counts the first minute of the UTC day, and nothing of the day before", async () => {
    const { server, get } = await start(way);
    for (const time of ["2026-11-20T23:59:59.999Z", "2026-11-21T00:00:00Z"]) {
      server.clock.set(time);
      await get("/v1/factors");
    }
    server.clock.set("2026-11-21T00:01:00Z");
    expect(budget(await get("/v1/factors"), "dailylimit")).toEqual([10000, 9998, 1795305600]);
  });

  // @rule 4.1 server/account/quota_gate.ts: Budgets are shared across keys and factors
  // @rule 5.4 server/account/quota_gate.ts: All keys share the account's limits
  test("shares the budgets between the keys and the factors of an account", async () => {
    const { get } = await start(way);
    await get("/v1/scores?factor=ecpnd");
    const other = await get("/v1/scores?factor=ecqdi", { key: SECOND_KEY });
    expect(budget(other, "ratelimit")[1]).toBe(118);
    const stranger = await get("/v1/scores", { key: "svc_test_licensed_ecpnd" });
    expect(budget(stranger, "ratelimit")[1]).toBe(119);
  });

  // @rule 4.3 server/account/quota_gate.ts: A 304 spends request allowance
  // @rule 8.1 server/account/quota_gate.ts: Requests that fail after admission have spent
  test("spends a request for a conditional request and for one that then fails", async () => {
    const { get } = await start(way);
    const etag = (await get("/v1/scores")).headers.get("etag") ?? "";
    const remaining = [];
    for (
      const [path, headers] of [
        ["/v1/scores", { "If-None-Match": etag }],
        ["/v1/scores?ticker=NOPE", {}],
        ["/v1/scores?limit=1", {}],
        ["/v1/scores?factor=other", {}],
      ] as const
    ) {
      remaining.push(budget(await get(path, { headers }), "ratelimit")[1]);
    }
    expect(remaining).toEqual([118, 117, 116, 115]);
  });

  // @rule 4.3 server/account/quota_gate.ts: Request limits apply to conditional requests
  test("refuses a conditional request beyond the budget with 429, not 304", async () => {
    const { get } = await start(way, limited({ requestsPerMinute: 1, downloadsPerDay: 0 }));
    const headers = { "If-None-Match": "*" };
    expect((await get("/v1/scores", { headers })).status).toBe(304);
    expect((await get("/v1/scores", { headers })).status).toBe(429);
    expect((await get("/v1/scores/history.csv.gz", { headers })).status).toBe(429);
  });

  // @rule 8.1 server/pipeline/pipeline.ts: Requests refused before admission have not
  test("spends nothing before admission: unknown route, method, key, scope, subscription", async () => {
    const { get } = await start(way);
    await get("/v1/none");
    await get("/v1/scores", { method: "POST" });
    await get("/v1/scores", { key: "svc_test_nobody_has_this" });
    await get("/v1/scores", { key: "svc_test_only_factors_5" });
    expect(budget(await get("/v1/scores"), "ratelimit")[1]).toBe(119);
  });

  // @rule 4.1 server/pipeline/reply_writer.ts: Budget headers are absent where a quota was not checked
  test("leaves budget headers out where no quota was checked", async () => {
    const { get } = await start(way);
    const response = await get("/v1/scores", { key: null });
    expect(budget(response, "ratelimit")).toEqual([null, null, null]);
    expect(budget(response, "dailylimit")).toEqual([null, null, null]);
  });

  // @rule 7.4 server/account/quota_gate.ts: Rejected quota checks consume nothing
  // @silent 8 server/account/quota_gate.ts: Quotas are checked in the order: concurrency, concurrent download, day, downloads, minute; a refusal spends none of them
  test("spends nothing for a refused quota check", async () => {
    const { server, get } = await start(way, limited({ requestsPerMinute: 1 }));
    await get("/v1/factors");
    for (let i = 0; i < 3; i++) await get("/v1/factors");
    server.clock.set("2026-11-20T15:01:00Z");
    expect(budget(await get("/v1/factors"), "dailylimit")[1]).toBe(9998);
  });

  // @rule 4.5 server/account/quota_gate.ts: A started GET spends one download
  // @rule 4.5 server/account/quota_gate.ts: 429 may be download_limit_exceeded
  // @rule 7 server/account/quota_gate.ts: 429 download_limit_exceeded for the day
  // @rule 8 server/account/quota_gate.ts: 10 downloads per UTC day
  // @silent 8 server/account/quota_gate.ts: There is no website here whose downloads could spend allowances
  test("allows 10 started downloads a day and refuses the next with 429", async () => {
    const { get } = await start(way);
    for (let i = 0; i < 10; i++) {
      await (await get("/v1/scores/history.csv.gz")).arrayBuffer();
    }
    const refused = await get("/v1/scores/history.csv.gz");
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("32400");
    expect(budget(refused, "downloadlimit")).toEqual([10, 0, 1795219200]);
    expect(await refused.json()).toMatchObject({
      error: "download_limit_exceeded",
      retry_after_seconds: 32400,
    });
    expect((await get("/v1/scores/history.csv.gz", { method: "HEAD" })).status).toBe(200);
    expect(budget(await get("/v1/factors"), "ratelimit")[1]).toBe(120 - 12);
  });

  // @rule 8 server/account/quota_gate.ts: Downloads are shared between factors
  test("shares the downloads between the factors", async () => {
    const { get } = await start(way);
    await (await get("/v1/scores/history.csv.gz?factor=ecpnd")).arrayBuffer();
    const other = await get("/v1/scores/history.csv.gz?factor=ecqdi");
    expect(budget(other, "downloadlimit")[1]).toBe(8);
    await other.arrayBuffer();
  });

  // @rule 4.1 server/account/quota_gate.ts: Errors of the file endpoint have X-DownloadLimit headers, too
  // @rule 4.5 server/pipeline/serve_history.ts: A 304 spends a download
  // @rule 4.6 server/pipeline/pipeline.ts: HEAD spends request allowance and no download
  // @rule 8.2 server/pipeline/pipeline.ts: HEAD spends no download
  // @silent 8 server/pipeline/serve_history.ts: A download is checked at admission and spent when there is a file to start: a 400, 403 or 503 of the file endpoint spends none
  test("spends a download for a 304, and none for HEAD or a refused query", async () => {
    const { get } = await start(way);
    const path = "/v1/scores/history.csv.gz";
    const etag = (await get(path, { method: "HEAD" })).headers.get("etag") ?? "";
    expect((await get(`${path}?limit=1`)).headers.get("x-downloadlimit-remaining")).toBe("10");
    const unchanged = await get(path, { headers: { "If-None-Match": etag } });
    expect(unchanged.status).toBe(304);
    expect(budget(unchanged, "downloadlimit")[1]).toBe(9);
  });

  // @silent 8 server/account/usage_ledger.ts: After the clock is moved back, the requests spent in that minute and day still count
  test("finds what was spent again when the clock is moved back", async () => {
    const { server, get } = await start(way);
    await get("/v1/factors");
    server.clock.set("2026-11-20T15:07:00Z");
    await get("/v1/factors");
    server.clock.set("2026-11-20T15:00:30Z");
    const response = await get("/v1/factors");
    expect(budget(response, "ratelimit")[1]).toBe(118);
    expect(budget(response, "dailylimit")[1]).toBe(9997);
  });
});

describe.each(WAYS)("what was spent, %s", (way) => {
  const { start } = useServers();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-state-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  // @rule 8.3 server/account/usage_ledger.ts: Limits persist across restarts
  test("survives a restart: minute, day and downloads", async () => {
    const state = join(folder, "restart");
    const first = await start(way, { state });
    await first.get("/v1/scores");
    await (await first.get("/v1/scores/history.csv.gz")).arrayBuffer();
    await first.server.close();
    const second = await start(way, { state });
    const response = await second.get("/v1/scores/history.csv.gz");
    expect(budget(response, "ratelimit")[1]).toBe(117);
    expect(budget(response, "dailylimit")[1]).toBe(9997);
    expect(budget(response, "downloadlimit")[1]).toBe(8);
    await response.arrayBuffer();
  });

  // @silent 8 server/account/usage_ledger.ts: One server owns a state directory
  test("belongs to one server at a time", async () => {
    const state = join(folder, "owned");
    await start(way, { state });
    await expect(start(way, { state })).rejects.toMatchObject({
      name: "StorageError",
      message: expect.stringContaining("got one that another server is using; stop that one"),
    });
  });
});
