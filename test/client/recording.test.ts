import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../mod.ts";
import { createScoreServer, Store } from "../../src/server/mod.ts";
import { buildWorld } from "../../src/world/mod.ts";

const KEY = "svc_test_recording_0001";
const ACCOUNTS = [{ id: "desk", factors: ["ecpnd" as const], keys: [{ key: KEY }] }];
const NOW = "2026-11-20T15:00:00Z";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-recording-"));
  const { store } = await buildWorld(join(folder, "world"), {
    tickers: 25,
    years: 0.25,
    hours: 48,
  });
  const service = createScoreServer({ store, accounts: ACCOUNTS, clock: { at: NOW } });
  const api = await connect({
    apiKey: KEY,
    fetch: service.fetch,
    store: join(folder, "recording"),
    now: () => Date.parse(NOW),
  });
  await api.scores("ecpnd");
  await api.scores("ecpnd", { at: "2026-11-19T15:30:00Z" });
  await api.close();
  await service.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function replay(): Promise<ReturnType<typeof createScoreServer>> {
  const store = await Store.open(join(folder, "recording"));
  return createScoreServer({ store, accounts: ACCOUNTS, clock: { at: NOW } });
}

test("a recording is a fixture: served again, the same client gets the same numbers", async () => {
  const server = await replay();
  const api = await connect({ apiKey: KEY, fetch: server.fetch, now: () => Date.parse(NOW) });
  const world = await Store.open(join(folder, "world"));
  for (const at of ["2026-11-19T15:30:00Z", "2026-11-19T15:10:00Z"]) {
    const frame = await api.scores("ecpnd", { at });
    const [id] = frame.getColumn("snapshot_id").toArray() as string[];
    const published = await world.readSet("ecpnd", id ?? "");
    expect(frame.getColumn("ticker").toArray()).toEqual(published?.rows.tickers);
    expect(frame.getColumn("ecpnd_score").toArray()).toEqual(published?.rows.scores);
  }
  await expect(api.scores("ecpnd", { at: "2026-11-19T15:40:00Z" })).rejects.toThrow("404");
  await api.close();
  await server.close();
});

test("a recording of made-up numbers says so, in JSON and in CSV", async () => {
  const server = await replay();
  for (const format of ["json", "csv"]) {
    const url = `http://service/v1/scores?at=2026-11-19T15:30:00Z&format=${format}`;
    const headers = { Authorization: `Bearer ${KEY}` };
    const response = await server.fetch(new Request(url, { headers }));
    expect(response.headers.get("X-Scoreframe-Synthetic")).toBe("true");
  }
  await server.close();
});
