import { afterEach, describe, expect, test } from "vitest";
import { findNotices } from "../../src/cli/serve_notices.ts";
import type { Store } from "../../src/store/store.ts";
import {
  type FixtureOptions,
  type FixtureStore,
  makeFixtureStore,
} from "../helpers/fixture_store.ts";

const fixtures: FixtureStore[] = [];
afterEach(() => Promise.all(fixtures.splice(0).map((fixture) => fixture.remove())));

async function storeOf(options: FixtureOptions = {}): Promise<Store> {
  const fixture = await makeFixtureStore(options);
  fixtures.push(fixture);
  return fixture.store;
}

const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);
const SYNTHETIC = "the numbers are synthetic";
const ENDED =
  "the last check of the store is at 2026-11-20T15:00:00.000Z, before the server's time: the latest set " +
  "becomes stale; --clock 2026-11-20T15:00:00.000Z serves it as it was";
const STILL =
  "the clock stands still: what is spent of its minute and its day does not come back; --clock-rate 1 lets it run";

describe("findNotices()", () => {
  test("says that a clock stands still, which fills no allowance again", async () => {
    const store = await storeOf({ synthetic: false, withoutReleases: true });
    const served = { store, goesOn: true, nowMs: at("18:00:00") };
    expect(await findNotices({ ...served, rate: 0 })).toEqual([STILL]);
    expect(await findNotices({ ...served, rate: 0.5 })).toEqual([]);
  });

  test("says of a store that does not go on when its last check was", async () => {
    const store = await storeOf({ synthetic: false, withoutReleases: true });
    const served = { store, goesOn: false, rate: 1 };
    expect(await findNotices({ ...served, nowMs: at("15:00:00") })).toEqual([]);
    expect(await findNotices({ ...served, nowMs: at("15:00:01") })).toEqual([ENDED]);
  });

  test("says that numbers are synthetic, also of a recording that knows it of its parts alone", async () => {
    const world = await storeOf({ withoutReleases: true });
    const released = await storeOf({ synthetic: false });
    expect([world.info.synthetic, released.info.synthetic]).toEqual([true, false]);
    for (const store of [world, released]) {
      const served = { store, goesOn: true, nowMs: at("15:00:00"), rate: 1 };
      expect(await findNotices(served)).toEqual([SYNTHETIC]);
    }
    const checked = await storeOf({ synthetic: false, withoutReleases: true });
    const [entry] = (await checked.listChecks("ecqdi")).slice(-1);
    const stored = (await checked.readCheck("ecqdi", entry!.name))!;
    const check = {
      ...stored.check,
      lastCheckedAt: "2026-11-20T16:00:00.000Z",
      extra: { synthetic: true },
    };
    await checked.putCheck({ ...stored, check });
    const served = { store: checked, goesOn: true, nowMs: at("16:00:00"), rate: 1 };
    expect(await findNotices(served)).toEqual([SYNTHETIC]);
  });
});
