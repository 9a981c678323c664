import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../../mod.ts";
import {
  createScoreServer,
  type ScoreServer,
  type ScoreServerOptions,
} from "../../../src/server/mod.ts";
import { Store } from "../../../src/base/store/store.ts";
import { buildWorld } from "../../../src/server/world/mod.ts";

const KEY = "svc_test_sweep_0001";
const ACCOUNTS = [{
  id: "desk",
  factors: ["ecpnd" as const, "ecqdi" as const],
  keys: [{ key: KEY }],
  limits: { requestsPerMinute: 100_000, requestsPerDay: 100_000 },
}];
const FACTORS = ["ecpnd", "ecqdi"] as const;
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";
const HOUR_MS = 3_600_000;
const END_MS = Date.parse("2026-11-20T15:00:00Z");
const HOURS = 90;
// What was published before is not seen: a recording holds some sets of the service.
const RECORDED_HOURS = 45;
// During the outages latest requests find a check that grows stale; the delay shapes what the checks record.
const TIMELINE = [
  { kind: "outage", from: "2026-11-19T13:30:00Z", until: "2026-11-19T17:30:00Z" },
  { kind: "outage", from: "2026-11-20T02:30:00Z", until: "2026-11-20T05:30:00Z" },
  { kind: "source_delay", from: "2026-11-19T20:00:00Z", until: "2026-11-19T23:00:00Z" },
] as const;

let folder: string;
let ids: string[];
let service: ScoreServer;
const opened: ScoreServer[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-sweep-"));
  const { store } = await buildWorld(join(folder, "world"), {
    tickers: 9,
    years: 0.25,
    hours: HOURS,
    factorVersions: { ecpnd: "ecpnd-v2", ecqdi: "ecqdi-v4" },
  });
  const sets = await Promise.all(FACTORS.map((factor) => store.listSets(factor)));
  ids = [...sets.flat().toSorted(), UNKNOWN_ID];
  service = open({ store, timeline: TIMELINE });
});
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
  await rm(folder, { recursive: true, force: true });
});

function open(options: Pick<ScoreServerOptions, "store" | "timeline">): ScoreServer {
  const server = createScoreServer({ ...options, accounts: ACCOUNTS });
  opened.push(server);
  return server;
}

/** The same numbers from 0 to 1 for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<Item>(random: () => number, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** Asks the service through the real client at times that only grow; returns those times and the instants asked for. */
async function record(random: () => number): Promise<readonly number[]> {
  let nowMs = END_MS - RECORDED_HOURS * HOUR_MS;
  const times: number[] = [];
  const passTo = (ms: number) => {
    nowMs = ms;
    service.clock.set(new Date(nowMs).toISOString());
  };
  const api = await connect({
    apiKey: KEY,
    fetch: service.fetch,
    store: join(folder, "recording"),
    now: () => nowMs,
    sleep: (waitMs) => Promise.resolve(passTo(nowMs + waitMs)),
    maxRetries: 0,
    random,
  });
  while (nowMs < END_MS) {
    passTo(nowMs + Math.floor(random() * HOUR_MS));
    const factor = pick(random, FACTORS);
    const format = pick(random, ["json", "csv"] as const);
    const snapshotId = pick(random, ids.slice(2));
    const atMs = nowMs - Math.floor(random() * 9 * HOUR_MS);
    const at = new Date(atMs).toISOString();
    times.push(nowMs, atMs);
    const view = pick(random, [{}, {}, { at }, { snapshotId }]);
    // The set of another factor, of the future or of none is a 404, and nothing to record.
    await api.scores(factor, { ...view, format }).catch(() => null);
    if (random() < 0.1) await api.history(factor);
  }
  await api.close();
  return times;
}

interface Question {
  readonly kind: "latest" | "at" | "snapshot" | "other";
  readonly nowMs: number;
  readonly path: string;
}

function questionOf(random: () => number, times: readonly number[]): Question {
  const near = () =>
    pick(random, times) + pick(random, [-HOUR_MS / 4, -1000, -1, 0, 0, 0, 1, 1000]);
  const any = () => END_MS - Math.floor(random() * (HOURS + 3) * HOUR_MS);
  const nowMs = random() < 0.7 ? near() : any();
  const factor = pick(random, FACTORS);
  const format = pick(random, ["", "&format=csv", "&format=json", "&ticker=NA", "&ticker=ABC"]);
  const kind = pick(
    random,
    ["latest", "latest", "latest", "at", "at", "at", "snapshot", "snapshot", "other"] as const,
  );
  const scores = `/v1/scores?factor=${factor}${format}`;
  const atMs = pick(random, [nowMs, near(), any(), Math.floor(nowMs / HOUR_MS) * HOUR_MS]);
  const paths = {
    latest: scores,
    at: `${scores}&at=${new Date(atMs).toISOString()}`,
    snapshot: `${scores}&snapshot_id=${pick(random, ids)}`,
    other: pick(random, ["/v1/factors", `/v1/scores/history?factor=${factor}`]),
  };
  return { kind, nowMs, path: paths[kind] };
}

async function ask(server: ScoreServer, { nowMs, path }: Question) {
  server.clock.set(new Date(nowMs).toISOString());
  const headers = { Authorization: `Bearer ${KEY}` };
  const response = await server.fetch(new Request(`http://service${path}`, { headers }));
  const body = await response.text();
  if (response.status !== 200) {
    const { error, details } = JSON.parse(body);
    return { isProved: details?.proved !== false, answer: [response.status, error] };
  }
  const told = [...response.headers].filter(([name]) =>
    // A recording is no world: how a world is made again is said by the world alone.
    /^(x-ec|x-factor-|x-scoreframe-(?!world)|etag|content-)/.test(name)
  );
  // Only a world says of its whole service that it is made up.
  const described = path.startsWith("/v1/scores?")
    ? told
    : told.filter(([name]) => name !== "x-scoreframe-synthetic");
  return { isProved: true, answer: [200, described.toSorted(), body] };
}

describe("a recording, asked at the instants at which a service is asked", () => {
  // @silent 4.3 server/catalogue/catalogue.ts: No answer of a recording is one that the recorded service did not give at the same instant
  test.each([1, 2, 3])("gives no answer that the service did not give: seed %i", async (seed) => {
    const random = randomOf(seed);
    const times = await record(random);
    const recording = open({ store: await Store.open(join(folder, "recording")) });
    const proved = { latest: 0, at: 0, snapshot: 0, other: 0, stale: 0 };
    let unproved = 0;
    for (let i = 0; i < 600; i++) {
      const question = questionOf(random, times);
      const played = await ask(recording, question);
      if (!played.isProved) {
        unproved++;
        expect(played.answer).toEqual([404, "score_snapshot_not_available"]);
        continue;
      }
      const { answer } = await ask(service, question);
      expect(played.answer, JSON.stringify(question)).toEqual(answer);
      if (answer[0] !== 200) continue;
      proved[question.kind]++;
      if (JSON.stringify(answer[1]).includes('["x-factor-status","stale"]')) proved.stale++;
    }
    expect(unproved).toBeGreaterThan(100);
    for (const kind of ["latest", "at", "snapshot", "other"] as const) {
      expect(proved[kind], kind).toBeGreaterThan(10);
    }
    expect(proved.stale).toBeGreaterThan(0);
  });
});
