import { afterAll, describe, expect, test } from "vitest";
import { verifyStore } from "../../../src/base/store/verify_store.ts";
import { buildWorld } from "../../../src/server/world/mod.ts";
import { openWorld } from "../../../src/server/world/world.ts";
import { checksOf, Folders, TINY } from "./_worlds.ts";

const folders = new Folders();
afterAll(() => folders.remove());

describe("extending a world", () => {
  test("completes later hours exactly as the world's source says, and is cheap to repeat", async () => {
    const short = await buildWorld(await folders.add(), { ...TINY, end: "2026-11-19T15:00:00Z" });
    const added = await short.extend("2026-11-20T15:59:00Z");
    expect(added).toBeGreaterThan(40);
    expect(await short.extend("2026-11-20T15:59:00Z")).toBe(0);
    expect((await verifyStore(short.store)).problems).toEqual([]);
    const again = await openWorld(short.store.path);
    for (const check of (await checksOf(short, "ecqdi")).reverse()) {
      const input = (await again.source("ecqdi", check.lastCheckedAt))!;
      const set = (await again.store.readSet("ecqdi", check.snapshotId))!;
      expect(input.rows).toEqual(set.rows);
      expect(input.dataThrough).toBe(check.dataThrough);
      expect(input.pendingCalls).toBe(check.coverage.pendingCalls);
      expect(input.pendingFactorCalls).toBe(check.coverage.pendingFactorCalls);
    }
  });
});
