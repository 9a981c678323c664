import { afterEach, describe, expect, test } from "vitest";
import { findNotices } from "../../../src/app/cli/serve_source.ts";
import { Store } from "../../../src/base/store/store.ts";
import {
  type FixtureOptions,
  type FixtureStore,
  makeFixtureStore,
  putFixtureRelease,
} from "../../helpers/fixture_store.ts";

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
const STILL = "the clock stands still, so allowances are never renewed; --clock-rate 1 lets it run";

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

  describe("of a recording", () => {
    const PARTIAL = { partial: true, synthetic: false } as const;
    const noticesAt = async (store: Store, instant: string) => {
      const served = { store, goesOn: false, nowMs: Date.parse(instant), rate: 1 };
      return (await findNotices(served)).filter((notice) => notice !== SYNTHETIC);
    };
    const putView = async (store: Store, factor: "ecpnd" | "ecqdi", time: string) => {
      const check = (await store.listChecks(factor)).at(-1)!.name;
      await store.putView(factor, { at: `2026-11-20T${time}.000Z`, check });
    };
    const UNPROVED =
      "at the server's time the recording does not determine the latest ecpnd set and does not " +
      "determine the latest ecqdi set";

    test("name a time at which everything is there", async () => {
      const store = await storeOf(PARTIAL);
      await putView(store, "ecpnd", "15:20:05");
      await putView(store, "ecqdi", "15:20:07");
      expect(await noticesAt(store, "2026-11-20T18:00:00Z"))
        .toEqual([`${UNPROVED}; --clock 2026-11-20T15:20:05.000Z serves it as it was`]);
      expect(await noticesAt(store, "2026-11-20T15:20:05Z")).toEqual([]);
      expect(await noticesAt(store, "2026-11-20T14:20:05Z")).toHaveLength(1);
    });

    test("name two times where the release came after the latest sets were proved", async () => {
      const store = await storeOf({ ...PARTIAL, withoutReleases: true });
      await putView(store, "ecpnd", "15:20:05");
      await putView(store, "ecqdi", "15:20:07");
      await putFixtureRelease(store, {
        factor: "ecpnd",
        rows: ["2026-08-13,A,0.5"],
        availableFrom: "2026-11-20T15:40:00.000Z",
      });
      const clocks = "--clock 2026-11-20T15:20:05.000Z serves the latest sets as they were, " +
        "--clock 2026-11-20T15:40:00.000Z serves the releases";
      expect(await noticesAt(store, "2026-11-20T15:20:05Z")).toEqual([
        `at the server's time the recording does not have the ecpnd release yet; ${clocks}`,
      ]);
      expect(await noticesAt(store, "2026-11-20T15:40:00Z")).toEqual([`${UNPROVED}; ${clocks}`]);
    });

    test("name a time for each factor where no time proves both", async () => {
      const store = await storeOf({ ...PARTIAL, withoutReleases: true });
      const [entry] = (await store.listChecks("ecqdi")).slice(-1);
      const stored = (await store.readCheck("ecqdi", entry!.name))!;
      const check = { ...stored.check, lastCheckedAt: "2026-11-20T16:00:00.000Z" };
      await store.putCheck({ ...stored, check });
      expect(await noticesAt(store, "2026-11-20T18:00:00Z")).toEqual([
        `${UNPROVED}; --clock 2026-11-20T15:00:00.000Z serves the latest ecpnd set as it was, ` +
        "--clock 2026-11-20T16:00:00.000Z serves the latest ecqdi set as it was",
      ]);
    });

    test("name the time of the release where there is nothing else", async () => {
      const store = await Store.create((await storeOf(PARTIAL)).path + "/other", {
        format: 1,
        kind: "recording",
        description: "releases alone",
        synthetic: false,
        complete: null,
        origin: {},
      }, { durable: false });
      expect(await noticesAt(store, "2026-11-20T18:00:00Z")).toEqual([]);
      const availableFrom = "2026-11-20T15:40:00.000Z";
      await putFixtureRelease(store, { factor: "ecqdi", rows: ["2026-08-13,A,1"], availableFrom });
      expect(await noticesAt(store, "2026-11-20T15:39:00Z")).toEqual([
        "at the server's time the recording does not have the ecqdi release yet; " +
        "--clock 2026-11-20T15:40:00.000Z serves it as it was",
      ]);
      expect(await noticesAt(store, "2026-11-20T15:40:00Z")).toEqual([]);
    });
  });

  test("says that numbers are synthetic, even of a recording that knows it only from its parts", async () => {
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
