import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../../mod.ts";
import { createScoreServer } from "../../../src/server/mod.ts";
import { Store } from "../../../src/base/store/store.ts";
import { buildWorld } from "../../../src/server/world/mod.ts";

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

async function latestOf(server: ReturnType<typeof createScoreServer>, at: string) {
  server.clock.set(at);
  const headers = { Authorization: `Bearer ${KEY}` };
  const response = await server.fetch(new Request("http://service/v1/scores", { headers }));
  return { status: response.status, body: await response.json() };
}

// @silent 4.3 server/catalogue/catalogue.ts: A latest request to a partial recording is answered as an at of its time: an older check is never taken for the latest
test("between two checks a recording does not take the older one for the latest", async () => {
  const world = await Store.open(join(folder, "world"));
  const service = createScoreServer({ store: world, accounts: ACCOUNTS });
  let nowMs = 0;
  const store = join(folder, "two_days");
  const api = await connect({ apiKey: KEY, fetch: service.fetch, store, now: () => nowMs });
  const given: unknown[] = [];
  for (const at of ["2026-11-19T10:20:00Z", "2026-11-20T09:05:00Z"]) {
    nowMs = Date.parse(at);
    service.clock.set(at);
    const frame = await api.scores("ecpnd");
    given.push(frame.getColumn("last_checked_at").toArray()[0]);
  }
  expect(given).toEqual([new Date("2026-11-19T10:00:00Z"), new Date("2026-11-20T09:00:00Z")]);
  await api.close();
  await service.close();
  const server = createScoreServer({ store: await Store.open(store), accounts: ACCOUNTS });
  const between = await latestOf(server, "2026-11-19T11:10:00Z");
  expect([between.status, between.body]).toMatchObject([404, {
    error: "score_snapshot_not_available",
    message: "This server serves a recording that does not prove the latest ecpnd check at " +
      "its time 2026-11-19T11:10:00.000Z; it proves the one at 2026-11-19T10:20:00.000Z",
    details: { proved: false },
  }]);
  const times = ["2026-11-19T10:00:00Z", "2026-11-19T10:20:00Z", "2026-11-20T09:05:00Z"];
  const latest: unknown[] = [];
  for (const at of times) latest.push((await latestOf(server, at)).body.last_checked_at);
  expect(latest).toEqual([
    "2026-11-19T10:00:00.000Z",
    "2026-11-19T10:00:00.000Z",
    "2026-11-20T09:00:00.000Z",
  ]);
  await server.close();
});

// @silent 3 server/catalogue/catalogue_contents.ts: A recorded stale status applies only to the latest request that received it; the check's own status is then unknown, and a 404 says so
test("a recording of an outage does not know what a stale check recorded", async () => {
  const world = await Store.open(join(folder, "world"));
  const span = { from: "2026-11-19T14:30:00Z", until: "2026-11-20T00:00:00Z" };
  const service = createScoreServer({
    store: world,
    accounts: ACCOUNTS,
    clock: { at: "2026-11-19T16:30:00Z" },
    timeline: [{ kind: "outage", ...span }],
  });
  const store = join(folder, "outage");
  const now = () => Date.parse("2026-11-19T16:30:00Z");
  const api = await connect({ apiKey: KEY, fetch: service.fetch, store, now });
  await api.scores("ecpnd");
  await api.close();
  await service.close();
  const server = createScoreServer({ store: await Store.open(store), accounts: ACCOUNTS });
  const seen = await latestOf(server, "2026-11-19T16:30:00Z");
  expect([seen.body.status, seen.body.last_checked_at])
    .toEqual(["stale", "2026-11-19T14:00:00.000Z"]);
  const before = await latestOf(server, "2026-11-19T14:02:00Z");
  expect([before.status, before.body]).toMatchObject([404, {
    error: "score_snapshot_not_available",
    message:
      "This server serves a recording that has the ecpnd check of 2026-11-19T14:00:00.000Z " +
      "only from a latest request that found it stale, so its recorded status is unknown",
    details: { proved: false },
  }]);
  await server.close();
});

// @silent 4.2 server/pipeline/serve_factors.ts: The factor list of a recording has the definition that it saw last, or else first, and leaves out a factor that it never saw
test("a recording of one factor makes up no definition of the other one", async () => {
  const world = await buildWorld(join(folder, "versions"), {
    tickers: 5,
    years: 0.25,
    hours: 24,
    factorVersions: { ecqdi: "ecqdi-v4" },
  });
  const accounts = [{ ...ACCOUNTS[0]!, factors: ["ecpnd" as const, "ecqdi" as const] }];
  const clock = { at: NOW };
  const service = createScoreServer({ store: world.store, accounts, clock });
  const now = () => Date.parse(NOW);
  const store = join(folder, "one_factor");
  const api = await connect({ apiKey: KEY, fetch: service.fetch, store, now });
  const versions = async (from: typeof api) =>
    (await from.factors()).getColumn("factor_version").toArray();
  expect(await versions(api)).toEqual(["ecpnd-v1", "ecqdi-v4"]);
  const empty = createScoreServer({ store: await Store.open(store), accounts, clock });
  const played = await connect({ apiKey: KEY, fetch: empty.fetch, now });
  await expect(played.factors()).rejects.toMatchObject({ details: { proved: false } });
  await api.scores("ecpnd");
  expect(await versions(played)).toEqual(["ecpnd-v1"]);
  await api.history("ecqdi");
  expect(await versions(played)).toEqual(["ecpnd-v1", "ecqdi-v4"]);
  for (const connection of [played, api]) await connection.close();
  for (const server of [empty, service]) await server.close();
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
