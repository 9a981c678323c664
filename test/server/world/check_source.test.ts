import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCheckSource } from "../../../src/server/world/check_source.ts";
import { buildWorld, type World } from "../../../src/server/world/mod.ts";
import { makeWorldModel } from "../../../src/server/world/world_model.ts";
import { toWorldParameters } from "../../../src/server/world/world_options.ts";
import { checksOf, FACTORS, Folders, TEN_DAYS } from "./_worlds.ts";

const folders = new Folders();
let world: World;
beforeAll(async () => {
  world = await buildWorld(await folders.add(), TEN_DAYS);
});
afterAll(() => folders.remove());

describe("the checks of a world", () => {
  test.each(FACTORS)(
    "of %s record every status, complete on full hours and miss some",
    async (factor) => {
      const checks = await checksOf(world, factor);
      const statuses = new Set(checks.map((check) => check.status));
      expect([...statuses].sort()).toEqual([
        "call_source_delayed",
        "call_updates_pending",
        "current",
        "partial_market_data",
      ]);
      expect(checks.length).toBeLessThan(240);
      expect(checks.length).toBeGreaterThan(225);
      for (const check of checks) expect(check.lastCheckedAt).toMatch(/T\d\d:00:00\.000Z$/);
      expect(checks[0]!.calculatedAt).toBe(checks[0]!.lastCheckedAt);
      expect(checks.at(-1)!.lastCheckedAt).toBe("2026-11-20T15:00:00.000Z");
    },
  );

  test.each(FACTORS)("of %s mostly reuse the set, and publish some", async (factor) => {
    const checks = await checksOf(world, factor);
    const ids = new Set(checks.map((check) => check.snapshotId));
    expect(ids.size).toBeGreaterThan(5);
    expect(ids.size).toBeLessThan(checks.length / 2);
  });

  test("have coverage that agrees with status and rows", async () => {
    for (const check of await checksOf(world, "ecqdi")) {
      const { coverage, status } = check;
      const set = (await world.store.readSet("ecqdi", check.snapshotId))!;
      expect(coverage.tickers).toBe(set.rows.tickers.length);
      expect(coverage.scoredTickers).toBe(set.rows.scores.filter((score) => score !== null).length);
      const waiting = coverage.pendingCalls + coverage.failedCalls + coverage.pendingFactorCalls!;
      const isPartial = coverage.priceTickersCurrent! < coverage.priceTickersTracked!;
      if (status === "current") expect([waiting, isPartial]).toEqual([0, false]);
      if (status === "call_updates_pending") expect(waiting).toBeGreaterThan(0);
      expect(check.dataThrough < check.lastCheckedAt).toBe(true);
      if (status === "call_source_delayed") continue;
      expect(Date.parse(check.lastCheckedAt) - Date.parse(check.dataThrough)).toBeLessThan(300_000);
    }
  });

  test("hold the cutoff back while sources are delayed", async () => {
    const checks = await checksOf(world, "ecpnd");
    const delayed = checks.filter((check) => check.status === "call_source_delayed");
    const ages = delayed.map((c) => Date.parse(c.lastCheckedAt) - Date.parse(c.dataThrough));
    expect(Math.max(...ages)).toBeGreaterThan(75 * 60_000);
  });

  test("name the latest session whose prices are stored", async () => {
    const checks = await checksOf(world, "ecpnd");
    const at = (time: string) => checks.find((check) => check.lastCheckedAt === time)!;
    expect(at("2026-11-20T15:00:00.000Z").pricesThrough).toBe("2026-11-19");
    expect(at("2026-11-19T03:00:00.000Z").pricesThrough).toBe("2026-11-18");
    // The weekend keeps Friday's session.
    expect(at("2026-11-15T12:00:00.000Z").pricesThrough).toBe("2026-11-13");
  });

  test("change the universe by a listing and a delisting", async () => {
    const [first, last] = [0, -1];
    const checks = await checksOf(world, "ecpnd");
    const set = async (index: number) =>
      (await world.store.readSet("ecpnd", checks.at(index)!.snapshotId))!.rows.tickers;
    const [before, after] = [await set(first), await set(last)];
    expect(before.some((ticker) => !after.includes(ticker))).toBe(true);
    expect(after.some((ticker) => !before.includes(ticker))).toBe(true);
  });
});

describe("the source of a world's checks", () => {
  test("refuses a time between hours, and has nothing before the first check", async () => {
    await expect(async () => await world.source("ecpnd", "2026-11-20T15:30:00.000Z")).rejects
      .toThrow("expected a full hour, got 15:30:00.000Z");
    expect(await world.source("ecpnd", "2026-11-01T00:00:00.000Z")).toBeNull();
  });

  test("says the same of an hour whether it comes from the hour before or starts there", async () => {
    const model = makeWorldModel(toWorldParameters({ tickers: 40, years: 0.25, hours: 240 }));
    for (const factor of FACTORS) {
      const source = createCheckSource(model);
      for (let hour = 0; hour < 240; hour++) {
        const at = new Date(model.liveFromMs + hour * 3_600_000).toISOString();
        const input = await source(factor, at);
        if (hour % 12 === 5) expect(input).toEqual(await createCheckSource(model)(factor, at));
      }
    }
  });

  test("cuts scores off at 0 and 1, and keeps a 0 a score", async () => {
    const model = makeWorldModel(toWorldParameters({ tickers: 1_000, years: 0.25 }));
    for (const factor of FACTORS) {
      const { rows } = (await createCheckSource(model)(factor, "2026-11-20T15:00:00.000Z"))!;
      const scores = rows.scores.filter((score) => score !== null);
      expect([Math.min(...scores), Math.max(...scores)]).toEqual([0, 1]);
      expect(scores.length).toBeGreaterThan(700);
      expect(scores.length).toBeLessThan(rows.scores.length);
    }
  });
});
