import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planCheck } from "../../../src/base/store/checks/complete_check.ts";
import { Store } from "../../../src/base/store/store.ts";
import { verifyStore } from "../../../src/base/store/verify_store.ts";
import { MarketCalendar } from "../../../src/base/calendar/market_calendar.ts";
import { buildWorld, type World } from "../../../src/server/world/mod.ts";
import { openWorld } from "../../../src/server/world/world.ts";
import { createCheckSource } from "../../../src/server/world/check_source.ts";
import { makeWorldModel } from "../../../src/server/world/world_model.ts";
import { checksOf, digestsOf, FACTORS, Folders, releaseOf, TEN_DAYS, TINY } from "./_worlds.ts";

const folders = new Folders();
let world: World;
beforeAll(async () => {
  world = await buildWorld(await folders.add(), TEN_DAYS);
});
afterAll(() => folders.remove());

describe("a world", () => {
  test("is the same to the byte for the same seed, and another one for another seed", async () => {
    const [one, two, other] = [await folders.add(), await folders.add(), await folders.add()];
    await buildWorld(one, TINY);
    await buildWorld(two, TINY);
    await buildWorld(other, { ...TINY, seed: 8 });
    const digests = await digestsOf(one);
    expect(Object.keys(digests).length).toBeGreaterThan(100);
    expect(await digestsOf(two)).toEqual(digests);
    expect((await digestsOf(other))["closes.csv"]).not.toBe(digests["closes.csv"]);
  });

  test("has other numbers for another version of a factor, and the same for the other factor", async () => {
    const one = await buildWorld(await folders.add(), TINY);
    const two = await buildWorld(await folders.add(), {
      ...TINY,
      factorVersions: { ecqdi: "ecqdi-v2" },
    });
    const digest = async (of: World, factor: "ecpnd" | "ecqdi") =>
      (await releaseOf(of, factor)).stored.release.downloadSha256;
    expect(await digest(two, "ecqdi")).not.toBe(await digest(one, "ecqdi"));
    expect(await digest(two, "ecpnd")).toBe(await digest(one, "ecpnd"));
    expect((await releaseOf(two, "ecqdi")).stored.release.factorVersion).toBe("ecqdi-v2");
    expect((await checksOf(two, "ecqdi")).at(-1)!.factorVersion).toBe("ecqdi-v2");
  });

  test("is a sound store that says that it is synthetic", async () => {
    const report = await verifyStore(world.store);
    expect(report.problems).toEqual([]);
    expect(report.leftovers).toEqual([]);
    expect(report.releases).toBe(2);
    expect(world.store.info).toMatchObject({
      kind: "world",
      synthetic: true,
      complete: { through: "2026-11-20T15:59:59.999Z" },
      origin: { seed: 7, tickers: 60, years: 2, hours: 240, end: "2026-11-20T15:00:00.000Z" },
    });
    for (const factor of FACTORS) {
      for (const check of await checksOf(world, factor)) {
        expect(check.extra).toEqual({ synthetic: true });
        expect(check.universe).toContain("synthetic");
      }
      const { stored } = await releaseOf(world, factor);
      expect(stored.release.extra.synthetic).toBe(true);
      expect(stored.release.universe).toContain("synthetic");
    }
  });

  test("is reused from its folder, and completed there after an interruption", async () => {
    const folder = await folders.add();
    await buildWorld(folder, TINY);
    const digests = await digestsOf(folder);
    await unlink(join(folder, "truth.json"));
    const checks = await readdir(join(folder, "ecqdi", "checks"));
    await unlink(join(folder, "ecqdi", "checks", checks[20]!));
    await buildWorld(folder, TINY);
    expect(await digestsOf(folder)).toEqual(digests);
    const opened = await openWorld(folder);
    expect(opened.parameters).toMatchObject({ seed: 7, tickers: 24, years: 0.25, hours: 60 });
    await expect(buildWorld(folder, { ...TINY, seed: 9 })).rejects.toThrow(
      /expected an empty folder or \{"seed":9.*, got \{"seed":7/,
    );
  });

  const identitiesOf = async (of: World) => {
    const identities = [];
    for (const factor of FACTORS) {
      identities.push((await releaseOf(of, factor)).stored.release.downloadSha256.slice(0, 16));
      identities.push((await checksOf(of, factor)).at(-1)!.snapshotId);
    }
    return identities;
  };

  test("of ten days is this one", async () => {
    expect(await identitiesOf(world)).toEqual([
      "58080ada3a7add81",
      "370760d0-d173-8211-a715-de236542dcc0",
      "b0006b86dda649fb",
      "a664ae7c-27aa-85de-a8e5-b758b5d05d0d",
    ]);
  });

  // Notebooks show its numbers, and every reader must get the same ones.
  test("by default has checks over the closes of 121 sessions, and is this one", async () => {
    const folder = await folders.add();
    const usual = await buildWorld(folder);
    expect(await identitiesOf(usual)).toEqual([
      "525334a956c552d2",
      "deb70770-a457-8f55-bf53-6382d354e6c7",
      "d381d5506b26b0a4",
      "5f9b00e4-a0bd-80b7-8ecf-defec51195a0",
    ]);
    const [calendar, { store }] = [new MarketCalendar(), usual];
    const [first, last] = ["2026-05-30T12:00:00.000Z", "2026-11-20T15:00:00.000Z"];
    const closed = calendar.lastClosedAt(Date.parse(last)) -
      calendar.lastClosedAt(Date.parse(first));
    expect(closed).toBe(121);
    for (const factor of FACTORS) {
      const checks = await store.listChecks(factor);
      expect([checks[0]!.lastCheckedAt, checks.at(-1)!.lastCheckedAt]).toEqual([first, last]);
      expect(checks).toHaveLength(4_122);
      // As many files would take seconds to write.
      expect(await readdir(join(folder, factor, "checks"))).toEqual(["archive.tar"]);
      expect(await readdir(join(folder, factor, "sets"))).toEqual(["archive.tar"]);
    }
    const report = await verifyStore(store);
    expect(report).toMatchObject({ problems: [], checks: 8_244, sets: 474, releases: 2 });
  });

  test("has the same sets and checks in archives as in files", async () => {
    const end = "2026-11-20T15:00:00Z";
    const archived = await buildWorld(await folders.add(), { ...TINY, hours: 1_001, end });
    const source = createCheckSource(makeWorldModel(archived.parameters));
    let previous = null;
    for (const check of await checksOf(archived, "ecqdi")) {
      const input = (await source("ecqdi", check.lastCheckedAt))!;
      previous = planCheck(input, previous);
      expect(previous.check).toEqual(check);
      expect(await archived.store.readSet("ecqdi", check.snapshotId)).toEqual(previous.set);
    }
    expect(await archived.extend("2026-11-21T15:00:00Z")).toBeGreaterThan(40);
    expect((await verifyStore(archived.store)).problems).toEqual([]);
    expect(await Store.of(archived.store).putSet(previous!.set)).toBe(false);
  });

  test("in archives is completed after an interruption", async () => {
    const options = { ...TINY, hours: 1_001 };
    const [folder, whole] = [await folders.add(), await folders.add()];
    await buildWorld(folder, options);
    await buildWorld(whole, options);
    await unlink(join(folder, "truth.json"));
    await unlink(join(folder, "ecqdi", "checks", "archive.tar"));
    await buildWorld(folder, options);
    expect(await digestsOf(folder)).toEqual(await digestsOf(whole));
  });

  test("loses what an earlier build left behind, and nothing that a build may be writing now", async () => {
    const folder = await folders.add();
    await buildWorld(folder, TINY);
    for (const name of [".tmp-old", ".tmp-new"]) await writeFile(join(folder, name), "");
    const hourAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(folder, ".tmp-old"), hourAgo, hourAgo);
    await buildWorld(folder, TINY);
    expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([".tmp-new"]);
  });

  test("tells how far its building is, up to the end", async () => {
    const told: { done: number; total: number }[] = [];
    const folder = await folders.add();
    const options = {
      ...TINY,
      onProgress: (state: { done: number; total: number }) => void told.push(state),
    };
    await buildWorld(folder, options);
    expect(told.length).toBeGreaterThan(60);
    expect(told.every(({ done }, i) => i === 0 || done > told[i - 1]!.done)).toBe(true);
    expect(told.at(-1)!.done).toBe(told.at(-1)!.total);
    const count = told.length;
    await buildWorld(folder, options);
    expect(told).toHaveLength(count);
  });

  test("comes out whole when two build it at once", async () => {
    const [one, both] = [await folders.add(), await folders.add()];
    await buildWorld(one, TINY);
    await Promise.all([buildWorld(both, TINY), buildWorld(both, TINY)]);
    expect(await digestsOf(both)).toEqual(await digestsOf(one));
  });

  test("leaves nothing half-written when it cannot be finished", async () => {
    const folder = await folders.add();
    const { store } = await buildWorld(folder, TINY);
    await unlink(join(folder, "truth.json"));
    await unlink(join(folder, "closes.csv"));
    await mkdir(join(folder, "closes.csv", "in the way"), { recursive: true });
    await expect(buildWorld(folder, TINY)).rejects.toThrow();
    expect((await verifyStore(store)).leftovers).toEqual([]);
    await expect(openWorld(folder)).rejects.toThrow("interrupted");
  });

  test("is not built or opened without a folder", async () => {
    await expect(buildWorld(undefined as never)).rejects.toThrow(
      "Cannot build a world: expected the path of a folder, got nothing",
    );
    await expect(openWorld("")).rejects.toThrow("Cannot open a world");
  });

  test("can end on the last day that there is", async () => {
    const options = { tickers: 2, years: 0.25, hours: 2, end: "2060-11-30T23:00:00Z" };
    const last = await buildWorld(await folders.add(), options);
    expect(await checksOf(last, "ecpnd")).toHaveLength(2);
  });

  test("is not built among other files", async () => {
    const folder = await folders.add();
    await writeFile(join(folder, "closes.csv"), "mine");
    await expect(buildWorld(folder, TINY)).rejects.toThrow("got a folder with closes.csv");
    expect(await readFile(join(folder, "closes.csv"), "utf8")).toBe("mine");
  });

  test("has the same rows when a large release is compressed by the platform", async () => {
    const large = await buildWorld(await folders.add(), { tickers: 4_100, years: 1, hours: 1 });
    for (const factor of FACTORS) {
      const { stored: { release }, csv, lines } = await releaseOf(large, factor);
      expect(release.rows).toBeGreaterThan(1_000_000);
      expect(lines.length).toBe(release.rows! + 1);
      expect(createHash("sha256").update(csv).digest("hex")).toBe(release.sourceSha256);
    }
    expect((await verifyStore(large.store)).problems).toEqual([]);
  });

  test("is not opened while it is unfinished", async () => {
    const folder = await folders.add();
    await buildWorld(folder, TINY);
    await unlink(join(folder, "truth.json"));
    await expect(openWorld(folder)).rejects.toThrow("got an interrupted one");
  });

  test("can be as small as one ticker and one check", async () => {
    const one = await buildWorld(await folders.add(), { tickers: 1, years: 0.25, hours: 1 });
    expect(await checksOf(one, "ecpnd")).toHaveLength(1);
    expect((await verifyStore(one.store)).problems).toEqual([]);
  });
});
