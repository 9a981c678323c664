import { truncate } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { createScoreServer } from "../../../src/server/mod.ts";
import { makeFixtureStore } from "../../helpers/fixture_store.ts";
import { ACCOUNTS, KEY, useServers } from "../_harness.ts";
import { until } from "../_until.ts";

const FILE = "/v1/scores/history.csv.gz";

describe("a caller in process", () => {
  const { start } = useServers();
  const ask = (path: string, signal?: AbortSignal) =>
    new Request(`http://x${path}`, {
      headers: { Authorization: `Bearer ${KEY}` },
      ...(signal === undefined ? {} : { signal }),
    });

  test("can give up while it waits, which frees its place", async () => {
    const { server } = await start("in process", {
      faults: [{ kind: "latency", ms: 600, count: 5 }],
    });
    const giveUp = new AbortController();
    const waiting = Array.from(
      { length: 5 },
      () => server.fetch(ask("/v1/factors", giveUp.signal)),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    giveUp.abort(new Error("never mind"));
    for (const request of waiting) await expect(request).rejects.toThrow("never mind");
    await until(() => Promise.resolve(server.journal.entries.length === 5));
    expect((await server.fetch(ask("/v1/factors"))).status).toBe(200);
  });

  test("can give up while it reads the file", async () => {
    const { server } = await start("in process", {
      faults: [{ kind: "dribble", chunkBytes: 5, intervalMs: 50, count: 1 }],
    });
    const giveUp = new AbortController();
    const response = await server.fetch(ask(FILE, giveUp.signal));
    const reading = response.arrayBuffer();
    giveUp.abort(new Error("never mind"));
    await expect(reading).rejects.toThrow("never mind");
    expect(server.journal.entries[0]).toMatchObject({ spentDownloads: 1, complete: false });
  });

  test("that never reads the file loses its place at the transfer deadline", async () => {
    const { server } = await start("in process", { times: { transferDeadlineMs: 500 } });
    const unread = await server.fetch(ask(FILE));
    expect((await server.fetch(ask(FILE))).status).toBe(429);
    await until(() => Promise.resolve(server.journal.entries.length === 2));
    expect((await server.fetch(ask(FILE))).status).toBe(200);
    await expect(unread.arrayBuffer()).rejects.toThrow("the transfer deadline has passed");
  });

  // Its time limit would pass after the close otherwise, when nothing is left to write the journal with.
  test("that has not read the file when the server closes is told so, and journaled then", async () => {
    const { server } = await start("in process");
    const unread = await server.fetch(ask(FILE));
    await server.close();
    expect(server.journal.entries[0]).toMatchObject({ spentDownloads: 1, complete: false });
    await expect(unread.arrayBuffer()).rejects.toThrow(
      "Cannot read the body: the server was closed; read it before",
    );
  });
});

describe("a request in process", () => {
  const { start } = useServers();
  const ask = (path: string, headers = {}) =>
    new Request(`http://x${path}`, { headers: { Authorization: `Bearer ${KEY}`, ...headers } });

  test("is refused with 413 for the body that it announces", async () => {
    const { server } = await start("in process");
    const announced = await server.fetch(ask("/v1/factors", { "Content-Length": "65537" }));
    expect(announced.status).toBe(413);
  });

  test("counts four bytes of each header line beside its name and value", async () => {
    const { server } = await start("in process");
    const lines = Array.from({ length: 1500 }, (_, i) => [`x-${1000 + i}`, "1"]);
    expect((await server.fetch(ask("/v1/factors", Object.fromEntries(lines)))).status).toBe(431);
    const fewer = Object.fromEntries(lines.slice(0, 1400));
    expect((await server.fetch(ask("/v1/factors", fewer))).status).toBe(200);
  });

  test("whose file is not read to the end gives its place back", async () => {
    const { server } = await start("in process");
    await (await server.fetch(ask(FILE))).body?.cancel();
    expect(server.journal.entries[0]).toMatchObject({ status: 200, complete: false });
    expect((await server.fetch(ask(FILE))).status).toBe(200);
  });
});

describe("a damaged store", () => {
  test("breaks the answer off when its file becomes shorter while it is read", async () => {
    const fixture = await makeFixtureStore();
    const server = createScoreServer({ store: fixture.store, accounts: ACCOUNTS });
    server.clock.set("2026-11-20T15:00:00Z");
    const [release] = await fixture.store.listReleases("ecpnd");
    const headers = { Authorization: `Bearer ${KEY}` };
    const response = await server.fetch(new Request(`http://x${FILE}`, { headers }));
    await truncate(release!.path, 10);
    await expect(response.arrayBuffer()).rejects.toThrow("bytes of the file, got 10");
    expect(server.journal.entries[0]).toMatchObject({ status: 200, complete: false });
    await server.close();
    await fixture.remove();
  });

  test("is an error of the service, found before a length is promised", async () => {
    const fixture = await makeFixtureStore();
    const server = createScoreServer({ store: fixture.store, accounts: ACCOUNTS });
    server.clock.set("2026-11-20T15:00:00Z");
    const [release] = await fixture.store.listReleases("ecpnd");
    await truncate(release!.path, 10);
    const headers = { Authorization: `Bearer ${KEY}` };
    const response = await server.fetch(new Request(`http://x${FILE}`, { headers }));
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: "internal_error" });
    expect(response.headers.get("x-downloadlimit-remaining")).toBe("10");
    expect(server.journal.entries[0]?.note).toMatch(/Cannot serve .*: expected 77 bytes, got 10/);
    await server.close();
    await fixture.remove();
  });
});
