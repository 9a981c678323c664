import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../../src/client/connect.ts";
import { createScoreServer, type ScoreServer } from "../../../src/server/mod.ts";
import { buildWorld } from "../../../src/server/world/mod.ts";
import { KEY } from "../_service.ts";

const END_MS = Date.parse("2026-11-20T15:00:05Z");
const DAY_MS = 86_400_000;
const days = (...ago: readonly number[]) => ago.map((n) => new Date(END_MS - n * DAY_MS));

let folder: string;
let server: ScoreServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-walk-"));
  const world = await buildWorld(folder, { tickers: 12, years: 0.1, hours: 24 * 14 });
  const accounts = [{ id: "walk", factors: ["ecpnd", "ecqdi"], keys: [{ key: KEY }] }] as const;
  server = createScoreServer({ store: world.store, accounts, now: () => END_MS });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Lets requests through once as many as are expected stand at the door: one after another, none would ever pass. */
function openDoor() {
  const waiting: (() => void)[] = [];
  let expected = 1;
  let mostAtOnce = 0;
  let inside = 0;
  let requests = 0;
  const fetch = async (request: Request) => {
    requests++;
    mostAtOnce = Math.max(mostAtOnce, ++inside);
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    if (waiting.length >= expected) {
      expected = 1;
      for (const pass of waiting.splice(0)) pass();
    }
    await promise;
    inside--;
    return await server.fetch(request);
  };
  return {
    fetch,
    expect: (count: number) => void (expected = count),
    get mostAtOnce() {
      return mostAtOnce;
    },
    get requests() {
      return requests;
    },
  };
}

const open = (fetch: (request: Request) => Promise<Response>) =>
  connect({ apiKey: KEY, fetch, now: () => END_MS });

describe("a panel", () => {
  test("asks for two factors side by side", async () => {
    const door = openDoor();
    await using api = await open(door.fetch);
    door.expect(2);
    const panel = await api.panel(["ecpnd", "ecqdi"], { at: days(0, 3, 6), progress: false });
    expect(panel.getColumn("at").nUnique()).toBe(3);
    expect(door.mostAtOnce).toBe(2);
  });

  test("asks side by side for what lies between sets that the store proves, and pays no more for it", async () => {
    const [door, plainDoor] = [openDoor(), openDoor()];
    await using api = await open(door.fetch);
    await using plain = await open(plainDoor.fetch);
    // Each publication is the first instant of a set of its own, so that no two of them share one.
    const published = await plain.publications("ecpnd", { from: days(13)[0]! });
    const at = published.getColumn("calculated_at").toArray().slice(0, 12) as unknown[] as Date[];
    expect(at).toHaveLength(12);
    expect(plainDoor.mostAtOnce).toBe(1);
    const known = [at[3]!, at[6]!, at[9]!];
    await api.panel("ecpnd", { at: known, progress: false });
    door.expect(4);
    const panel = await api.panel("ecpnd", { at, progress: false });
    expect(door.mostAtOnce).toBe(4);
    expect(door.requests).toBe(12);
    const expected = await plain.panel("ecpnd", { at, progress: false });
    expect(panel.drop("source", "retrieved_at").rows())
      .toEqual(expected.drop("source", "retrieved_at").rows());
  });

  test("leaves one of the account's five places to others", async () => {
    let inside = 0;
    let mostAtOnce = 0;
    await using api = await open(async (request) => {
      mostAtOnce = Math.max(mostAtOnce, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 10));
      inside--;
      return await server.fetch(request);
    });
    await api.panel(["ecpnd", "ecqdi"], { at: days(2, 4, 6, 8), progress: false });
    const at = days(1, 2, 3, 4, 5, 6, 7, 8, 9);
    await api.panel(["ecpnd", "ecqdi"], { at, every: "check", progress: false });
    expect(mostAtOnce).toBeLessThanOrEqual(4);
  });

  test("that fails has nothing in flight, and has kept what the other questions brought", async () => {
    let requests = 0;
    await using api = await open((request) => {
      requests++;
      const isRefused = new URL(request.url).searchParams.get("factor") === "ecqdi";
      return isRefused ? Promise.reject(new Error("torn")) : server.fetch(request);
    });
    const at = days(0, 2, 4, 6, 8, 10);
    const factors = ["ecpnd", "ecqdi"] as const;
    await expect(api.panel(factors, { at, maxRetries: 0, progress: false })).rejects
      .toThrow("the ecqdi scores");
    expect((await api.allowance()).inFlight).toBe(0);
    const spent = requests;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(requests).toBe(spent);
  });

  test("that fails for one factor keeps what the other one's request in flight brings", async () => {
    const arrived = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    let requests = 0;
    await using api = await open(async (request) => {
      requests++;
      if (new URL(request.url).searchParams.get("factor") === "ecqdi") {
        await arrived.promise;
        refused.resolve();
        return Response.json(
          { error: "factor_subscription_required", message: "no", retryable: false },
          { status: 403 },
        );
      }
      arrived.resolve();
      await refused.promise;
      // The refusal is read before this answer begins.
      await new Promise((resolve) => setTimeout(resolve, 20));
      return await server.fetch(request);
    });
    const at = days(3);
    await expect(api.panel(["ecpnd", "ecqdi"], { at, progress: false })).rejects
      .toMatchObject({ name: "AccessError" });
    expect(requests).toBe(2);
    expect((await api.panel("ecpnd", { at, progress: false })).height).toBeGreaterThan(0);
    expect(requests).toBe(2);
  });

  test("does not ask for what another notebook brought while it waited for its turn", async () => {
    const store = await mkdtemp(join(tmpdir(), "scoreframe-walk-store-"));
    const at = days(5)[0]!;
    await using other = await connect({
      apiKey: KEY,
      fetch: server.fetch,
      now: () => END_MS,
      store,
    });
    const clock = { ms: END_MS };
    let requests = 0;
    await using api = await connect({
      apiKey: KEY,
      store,
      fetch: (request) => {
        requests++;
        const headers = { "Retry-After": "2" };
        return requests > 1
          ? server.fetch(request)
          : Promise.resolve(new Response(null, { status: 503, headers }));
      },
      now: () => clock.ms,
      sleep: async (waitMs) => {
        // It would wait for this one's request in flight, which waits for it.
        await other.panel("ecpnd", { at: [at], maxWaitMs: 0, progress: false });
        clock.ms += waitMs;
      },
    });
    const panel = await api.panel("ecpnd", { at: [at], progress: false });
    expect(panel.height).toBeGreaterThan(0);
    expect(requests).toBe(1);
    expect((await api.allowance()).minute.remaining).toBe(119);
    await rm(store, { recursive: true, force: true });
  });
});
