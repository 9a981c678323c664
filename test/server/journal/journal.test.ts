import { describe, expect, test } from "vitest";
import type { ScoreServer } from "../../../src/server/mod.ts";
import { KEY, useServers, WAYS } from "../_harness.ts";
import { until } from "../_until.ts";

const FILE = "/v1/scores/history.csv.gz";

describe.each(WAYS)("the journal, %s", (way) => {
  const { start } = useServers();

  test("says what was asked, by whom, what it spent and what was answered", async () => {
    const { server, get } = await start(way);
    const response = await get("/v1/scores?ticker=A");
    const size = (await response.arrayBuffer()).byteLength;
    await (await get(FILE)).arrayBuffer();
    await settled(server, 2);
    expect(server.journal.entries[0]).toEqual({
      requestId: response.headers.get("x-request-id"),
      at: "2026-11-20T15:00:00.000Z",
      method: "GET",
      target: "/v1/scores?ticker=A",
      account: "main",
      status: 200,
      code: null,
      spentRequests: 1,
      spentDownloads: 0,
      sentBytes: size,
      complete: true,
      durationMs: expect.any(Number),
      note: null,
      faults: [],
      complaints: [],
      serves: "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02",
    });
    expect(server.journal.entries[1]).toMatchObject({ spentRequests: 1, spentDownloads: 1 });
  });

  test.each([
    [
      "/v1/scores?at=2026-11-20T03:00:00Z",
      "there are ecpnd checks from 2026-11-20T10:00:00.000Z to 2026-11-20T15:00:00.000Z",
    ],
    [
      "/v1/scores?factor=ecqdi&snapshot_id=3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01",
      "the set belongs to ecpnd",
    ],
    ["/v1/scores?snapshot_id=3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c99", "no factor has this set"],
    [
      "/v1/scores?at=2026-11-20T15:00:01Z",
      "at 2026-11-20T15:00:01.000Z is after the server's time 2026-11-20T15:00:00.000Z",
    ],
    [
      "/v1/scors",
      "the paths are /v1/factors, /v1/scores, /v1/scores/history, /v1/scores/history.csv.gz, " +
      "and /openapi.json describes them",
    ],
    ["/v1/Scores/", "paths are exact: /v1/scores"],
    ["/v1/scores?ticker=BRKB", "the set has BRK.B"],
    ["/v1/scores?Factor=ecpnd", "parameter names are case-sensitive: factor"],
  ])("explains the near miss of %s", async (path, note) => {
    const { server, get } = await start(way);
    await (await get(path)).arrayBuffer();
    await settled(server, 1);
    expect(server.journal.entries[0]?.note).toBe(note);
  });

  // @silent 5 server/account/authenticate.ts: All refused keys get one and the same answer; the reason is in the journal only
  test.each([
    ["svc_test_revoked_00003", 'the key of "main" was revoked'],
    ["svc_test_nobody_has_this", "no account has this key"],
    ["svc_live_production_08", "a production key does not work with the sandbox environment"],
  ])("explains why the key %s was refused, without writing it down", async (key, note) => {
    const { server, get } = await start(way);
    await (await get("/v1/factors", { key })).arrayBuffer();
    await settled(server, 1);
    expect(server.journal.entries[0]).toMatchObject({ account: null, status: 401, note });
    expect(JSON.stringify(server.journal.entries)).not.toContain(key);
  });

  test("explains what an account is licensed for", async () => {
    const { server, get } = await start(way);
    await (await get("/v1/scores", { key: "svc_test_licensed_ecqdi" })).arrayBuffer();
    await settled(server, 1);
    expect(server.journal.entries[0]?.note).toBe('"qdi" is licensed for ecqdi');
  });

  test("masks a key that somebody put into a URL", async () => {
    const { server, get } = await start(way);
    await (await get(`/v1/factors?key=${KEY}`)).arrayBuffer();
    await settled(server, 1);
    expect(server.journal.entries[0]?.target).toBe("/v1/factors?key=svc_…");
  });

  // @rule 7.2 server/journal/conduct.ts: Clients never retry before Retry-After
  test("complains about a retry before Retry-After, and not about one after it", async () => {
    let now = 0;
    const { server, get } = await start(way, {
      now: () => now,
      faults: [{ kind: "status", status: 503, retryAfterSeconds: 10, count: 1 }],
    });
    await get("/v1/scores");
    await settled(server, 1);
    now += 4_000;
    await get("/v1/scores");
    await settled(server, 2);
    now += 6_000;
    await get("/v1/scores");
    await settled(server, 3);
    expect(server.journal.entries.map((entry) => entry.complaints)).toEqual([
      [],
      ["retried 6.0 s too early: Retry-After was 10 s"],
      [],
    ]);
  });

  test("does not blame a request that was under way when the refusal was delivered", async () => {
    let now = 0;
    const { server, get } = await start(way, {
      now: () => now,
      faults: [
        { kind: "latency", ms: 400, contains: "ticker=A", count: 1 },
        { kind: "status", status: 503, contains: "ticker=A", retryAfterSeconds: 9, count: 1 },
      ],
    });
    const refused = get("/v1/scores?ticker=A");
    await new Promise((resolve) => setTimeout(resolve, 20));
    now = 10;
    const parallel = get("/v1/scores?ticker=A");
    await new Promise((resolve) => setTimeout(resolve, 10));
    now = 20;
    expect([(await refused).status, (await parallel).status]).toEqual([503, 200]);
    await settled(server, 2);
    expect(server.journal.entries.map((entry) => entry.complaints)).toEqual([[], []]);
  });

  test("accepts a wait that passed on a moved clock", async () => {
    const { server, get } = await start(way, {
      now: () => 0,
      faults: [{ kind: "status", status: 429, retryAfterSeconds: 60, count: 1 }],
    });
    await get("/v1/scores");
    await settled(server, 1);
    server.clock.advance(60_000);
    await get("/v1/scores");
    await settled(server, 2);
    expect(server.journal.entries[1]?.complaints).toEqual([]);
  });

  test("complains about an early request anywhere when the account's budget was the reason", async () => {
    const { server, get } = await start(way, {
      now: () => 0,
      faults: [{ kind: "status", status: 429, retryAfterSeconds: 30, count: 1 }],
    });
    await get("/v1/scores");
    await get("/v1/factors");
    await settled(server, 2);
    expect(server.journal.entries[1]?.complaints).toEqual([
      "retried 30.0 s too early: Retry-After was 30 s",
    ]);
  });

  // @rule 5.6 server/journal/conduct.ts: A refused key is not to be sent again unchanged
  test("complains about a refused key that is sent again", async () => {
    const { server, get } = await start(way);
    const key = "svc_test_nobody_has_this";
    await get("/v1/factors", { key });
    await get("/v1/scores", { key });
    await get("/v1/scores", { key: "svc_test_revoked_00003" });
    await settled(server, 3);
    expect(server.journal.entries.map((entry) => entry.complaints.length)).toEqual([0, 1, 0]);
  });

  test("complains about polling that finds the same check again and again", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-11-20T13:10:00Z");
    for (let i = 0; i < 3; i++) await (await get("/v1/scores")).arrayBuffer();
    server.clock.set("2026-11-20T14:00:00Z");
    await (await get("/v1/scores")).arrayBuffer();
    await settled(server, 4);
    expect(server.journal.entries.map((entry) => entry.complaints)).toEqual([
      [],
      [],
      ["polled too often: 2 equal answers; checks are hourly"],
      [],
    ]);
  });

  test("complains at once about a set that never changes and a file downloaded twice", async () => {
    const { server, get } = await start(way);
    const paths = ["/v1/scores?at=2026-11-20T12:00:00Z", FILE];
    for (const path of [...paths, ...paths]) await (await get(path)).arrayBuffer();
    await settled(server, 4);
    expect(server.journal.entries.map((entry) => entry.complaints)).toEqual([
      [],
      [],
      ["requested an immutable set again"],
      ["downloaded the same file again; HEAD would have spent no download"],
    ]);
  });

  test("does not complain when an injected fault was the reason to ask again", async () => {
    const { server, get } = await start(way, {
      faults: [{ kind: "corrupt", endpoint: "historyFile", count: 1 }],
    });
    for (let i = 0; i < 2; i++) await (await get(FILE)).arrayBuffer();
    await settled(server, 2);
    expect(server.journal.entries.map((entry) => entry.complaints)).toEqual([[], []]);
  });

  test("keeps no entry at a capacity of 0, and still counts all and tells its listener", async () => {
    const heard: number[] = [];
    const onEntry = ({ status }: { readonly status: number }) => void heard.push(status);
    const { server, get } = await start(way, { journal: { capacity: 0, onEntry } });
    for (let i = 0; i < 3; i++) await (await get("/v1/factors")).text();
    await server.close();
    expect(server.journal.entries).toEqual([]);
    expect(server.journal.total).toBe(3);
    expect(heard).toEqual([200, 200, 200]);
  });

  test("keeps the last entries, counts all, and sums them up", async () => {
    const { server, get } = await start(way, { journal: { capacity: 3 } });
    for (const ticker of ["A", "NA", "TRUE", "NOPE"]) {
      await (await get(`/v1/scores?ticker=${ticker}`)).arrayBuffer();
    }
    await settled(server, 4);
    expect(server.journal.entries.map((entry) => entry.target)).toEqual([
      "/v1/scores?ticker=NA",
      "/v1/scores?ticker=TRUE",
      "/v1/scores?ticker=NOPE",
    ]);
    expect(server.journal.summary().split("\n")).toEqual([
      "4 requests",
      "       3 × 200",
      "       1 × 404 ticker_not_found",
      "  main: 4 requests and 0 downloads spent",
      "0 complaints",
    ]);
  });
});

// The end of a delivery is written down when the socket reports it, a moment after the client has it all.
async function settled({ journal }: ScoreServer, requests: number): Promise<void> {
  await until(() => Promise.resolve(journal.total >= requests));
}
