import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../../src/client/connect.ts";
import { WaitError } from "../../../src/base/errors.ts";
import { createScoreServer, type ScoreServer } from "../../../src/server/score_server.ts";
import { buildWorld, type World } from "../../../src/server/world/mod.ts";

const API_KEY = "svc_test_0123456789abcdef";
const END_MS = Date.parse("2026-11-20T15:00:00Z");
const HOUR_MS = 3_600_000;

let folder: string;
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-stopped-"));
  world = await buildWorld(folder, { tickers: 12, years: 0.1, hours: 24 * 14 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function serve(): ScoreServer {
  return createScoreServer({
    store: world.store,
    accounts: [{ id: "desk", factors: ["ecpnd"], keys: [{ key: API_KEY }] }],
    clock: { at: "2026-11-20T15:00:00Z" },
  });
}

// A machine has a clock of its own.
function connectTo(server: ScoreServer, waits: number[], now = () => END_MS + 1) {
  return connect({
    apiKey: API_KEY,
    baseUrl: "http://localhost",
    fetch: server.fetch,
    now,
    sleep: (waitMs) => Promise.resolve(void waits.push(waitMs)),
  });
}

const times = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(END_MS - 2 * i * HOUR_MS).toISOString());

describe("with a server whose clock stands still", () => {
  test("a panel that spends the minute fails at once, and says why and what is safe", async () => {
    const server = serve();
    const waits: number[] = [];
    let nowMs = END_MS + 1;
    await using api = await connectTo(server, waits, () => nowMs);
    const at = times(130);
    const options = { at, every: "check", progress: false } as const;
    const error = await api.panel("ecpnd", options).then(() => null, (reason: unknown) => reason);
    expect(error).toBeInstanceOf(WaitError);
    expect((error as WaitError).retryAtMs).toBeNull();
    const { message } = error as Error;
    expect(message).toContain("clock stands still");
    const [, done] = /; (\d+) of 130 sets are in the store; run it again$/.exec(message) ?? [];
    expect(Number(done)).toBeGreaterThanOrEqual(115);
    expect(waits).toEqual([]);
    // When it was moved on, the same call asks for the rest only.
    server.clock.advance(60_000);
    nowMs += 60_000;
    const before = server.journal.entries.length;
    expect((await api.panel("ecpnd", options)).height).toBeGreaterThan(1_000);
    expect(server.journal.entries.length - before).toBeLessThanOrEqual(130 - Number(done));
  });

  test("a plan that needs another minute says that it never comes", async () => {
    await using api = await connectTo(serve(), []);
    await api.factors();
    const planOf = async (count: number) =>
      String(await api.plan({ verb: "panel", factors: "ecpnd", options: { at: times(count) } }));
    expect(await planOf(130)).toContain("only 119 requests can");
    expect(await planOf(100)).not.toContain("stands still");
  });

  test("a plan says nothing of it when the clock runs", async () => {
    const server = serve();
    server.clock.run(1);
    await using api = await connectTo(server, []);
    await api.factors();
    const plan = await api.plan({ verb: "panel", factors: "ecpnd", options: { at: times(130) } });
    expect(plan.isClockStopped).toBe(false);
    expect(String(plan)).not.toContain("stands still");
  });
});
