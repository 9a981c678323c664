import { utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FixtureStore, makeFixtureStore } from "../../helpers/fixture_store.ts";

let fixture: FixtureStore;
beforeEach(async () => {
  fixture = await makeFixtureStore();
});
afterEach(() => fixture.remove());

test("a store that has listed a folder at rest lists what came after", async () => {
  const { store } = fixture;
  const checks = join(fixture.path, "ecpnd", "checks");
  // As if nothing had been written for an hour: a listing is kept until the folder's time changes.
  const past = new Date(Date.now() - 3_600_000);
  await utimes(checks, past, past);
  expect(await store.listChecks("ecpnd")).toHaveLength(6);
  await writeFile(join(checks, "2026-11-20T16-00-00.000Z--0123456789ab.json"), "{}");
  expect((await store.listChecks("ecpnd")).at(-1)?.lastCheckedAt).toBe("2026-11-20T16:00:00.000Z");
});

test("a store does not list what is still being written, or hidden", async () => {
  const sets = join(fixture.path, "ecpnd", "sets");
  await writeFile(join(sets, ".tmp-1.json"), "");
  await writeFile(join(sets, "notes.txt"), "");
  expect(await fixture.store.listSets("ecpnd")).toHaveLength(2);
});
