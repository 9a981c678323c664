import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createScoreServer } from "../../src/server/mod.ts";
import { buildWorld, type World } from "../../src/server/world/mod.ts";
import { ACCOUNTS, KEY } from "./_harness.ts";

const OPTIONS = { tickers: 12, years: 0.25, hours: 48 };
const headers = { Authorization: `Bearer ${KEY}` };
let folder: string;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-server-world-"));
  world = await buildWorld(join(folder, "a"), OPTIONS);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a server goes on with the very checks that the world itself would complete", async () => {
  const other = await buildWorld(join(folder, "b"), OPTIONS);
  await other.extend("2026-11-21T15:00:00.000Z");
  const server = createScoreServer({
    store: world.store,
    accounts: ACCOUNTS,
    checks: world.source,
  });
  server.clock.set("2026-11-21T15:00:00Z");
  const response = await server.fetch(new Request("http://x/v1/scores", { headers }));
  expect(response.status).toBe(200);
  expect((await response.json()).synthetic).toBe(true);
  await server.completeChecks();
  for (const factor of ["ecpnd", "ecqdi"] as const) {
    const own = await world.store.listChecks(factor);
    expect(own.length).toBeGreaterThan(60);
    expect(own).toEqual(await other.store.listChecks(factor));
  }
  await server.close();
});

test("a server reads one check and one set for a request, whatever the store holds", async () => {
  const server = createScoreServer({ store: world.store, accounts: ACCOUNTS });
  server.clock.set("2026-11-20T15:00:00Z");
  const readCheck = vi.spyOn(world.store, "readCheck");
  const readSet = vi.spyOn(world.store, "readSet");
  const listReleases = vi.spyOn(world.store, "listReleases");
  const ask = (query: string) =>
    server.fetch(new Request(`http://x/v1/scores${query}`, { headers }));
  expect((await ask("?at=2026-11-19T20:30:00Z")).status).toBe(200);
  expect([readCheck.mock.calls.length, readSet.mock.calls.length]).toEqual([1, 1]);
  await ask("?at=2026-11-19T20:30:00Z&format=csv");
  expect([readCheck.mock.calls.length, readSet.mock.calls.length]).toEqual([1, 1]);
  expect(listReleases).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  await server.close();
});

test("a world's release downloads to the checksum that its metadata announce", async () => {
  const server = createScoreServer({ store: world.store, accounts: ACCOUNTS });
  server.clock.set("2026-11-20T15:00:00Z");
  const listener = await server.listen();
  const get = (path: string) => fetch(listener.url + path, { headers });
  const metadata = await (await get("/v1/scores/history?factor=ecqdi")).json();
  const bytes = new Uint8Array(await (await get(metadata.download)).arrayBuffer());
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  expect(digest.toHex()).toBe(metadata.download_sha256);
  expect(metadata.rows).toBe(metadata.scored_rows + metadata.missing_rows);
  await server.close();
});
