import { afterAll, beforeAll, expect, test } from "vitest";
import type { Check } from "../../../src/base/contract/scores/check.ts";
import { Catalogue } from "../../../src/server/catalogue/catalogue.ts";
import {
  ScoreRepresentations,
  type Shown,
} from "../../../src/server/catalogue/score_representations.ts";
import { Timeline } from "../../../src/server/timeline/timeline.ts";
import { type FixtureStore, makeFixtureStore } from "../../helpers/fixture_store.ts";

let fixture: FixtureStore;
let shown: Shown;
beforeAll(async () => {
  fixture = await makeFixtureStore();
  const catalogue = new Catalogue(fixture.store, () => new Timeline([]));
  const selection = await catalogue.at("ecpnd", "2026-11-20T13:00:00.000Z");
  if (typeof selection === "string") throw new Error("Cannot go on: the fixture has this check");
  const set = await catalogue.set("ecpnd", selection.check.snapshotId);
  shown = { check: selection.check, set: set! };
});
afterAll(() => fixture.remove());

function tagOf(changed: Partial<Check>, ticker: string | null = null): string {
  const check = { ...shown.check, ...changed };
  const representation = new ScoreRepresentations().of({ ...shown, check }, {
    ticker,
    format: "json",
  });
  return representation?.etagFor("desk") ?? "no such ticker";
}

test.each<[string, Partial<Check>]>([
  ["the time of its check", { lastCheckedAt: "2026-11-20T14:00:00.000Z" }],
  ["the cutoff that was examined", { dataThrough: "2026-11-20T12:54:00.000Z" }],
  ["its status", { status: "stale" }],
  ["its snapshot", { snapshotId: "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01" }],
])("the tag of a score set depends on %s alone, too", (_, changed) => {
  expect(tagOf(changed)).not.toBe(tagOf({}));
  expect(tagOf(changed, "NA")).not.toBe(tagOf({}, "NA"));
  expect(tagOf({ ...changed })).toBe(tagOf(changed));
});
