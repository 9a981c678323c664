import { afterEach, describe, expect, test } from "vitest";
import { Catalogue, type Selection } from "../../../src/server/catalogue/catalogue.ts";
import { Timeline, type TimelineEvent } from "../../../src/server/timeline/timeline.ts";
import {
  FIXTURE_SETS,
  type FixtureOptions,
  type FixtureStore,
  makeFixtureStore,
} from "../../helpers/fixture_store.ts";

const at = (time: string) => `2026-11-20T${time}.000Z`;
const ms = (time: string) => Date.parse(at(time));
const [FIRST, SECOND] = [FIXTURE_SETS.ecpnd.first, FIXTURE_SETS.ecpnd.second];
const OUTAGE = { kind: "outage", from: at("13:00:00"), until: at("14:00:00") } as const;

let fixture: FixtureStore;
afterEach(() => fixture.remove());

/** A catalogue of the checks of 10:00 to 15:00; the second set is published at 13:00. */
async function open(events: readonly TimelineEvent[] = [], options: FixtureOptions = {}) {
  fixture = await makeFixtureStore(options);
  const timeline = new Timeline(events);
  return new Catalogue(fixture.store, () => timeline);
}

function shown(selection: Selection) {
  return typeof selection === "string"
    ? selection
    : [selection.check.lastCheckedAt, selection.check.snapshotId];
}

describe("the catalogue of a complete store", () => {
  test("knows what was checked at an instant, and that nothing was before its span", async () => {
    const catalogue = await open();
    expect(shown(await catalogue.at("ecpnd", at("12:59:59")))).toEqual([at("12:00:00"), FIRST]);
    expect(shown(await catalogue.at("ecpnd", at("13:00:00")))).toEqual([at("13:00:00"), SECOND]);
    expect(await catalogue.at("ecpnd", at("09:30:00"))).toBe("none");
    expect(await catalogue.at("ecpnd", at("08:00:00"))).toBe("none");
  });

  test("answers no instant before its span, from 09:00 on, with a check that was kept outside", async () => {
    const catalogue = await open();
    const { store } = fixture;
    const [entry] = await store.listChecks("ecpnd");
    const stored = await store.readCheck("ecpnd", entry!.name);
    const check = { ...stored!.check, lastCheckedAt: at("08:00:00"), calculatedAt: at("08:00:00") };
    await store.putCheck({ ...stored!, check });
    expect(await catalogue.at("ecpnd", at("08:59:59"))).toBe("none");
  });

  test("shows the span of the checks that can have been seen", async () => {
    const early = { kind: "no_first_set", until: at("11:00:00") } as const;
    const catalogue = await open([early]);
    expect(await catalogue.storedSpan("ecpnd")).toEqual({
      first: at("10:00:00"),
      last: at("15:00:00"),
    });
    const span = await catalogue.shownSpan("ecpnd", ms("13:59:59"));
    expect(span).toEqual({ first: at("11:00:00"), last: at("13:00:00") });
    expect(await catalogue.shownSpan("ecpnd", ms("10:30:00"))).toBeNull();
  });

  test("keeps the sets of the factors apart, even once it remembers them", async () => {
    const catalogue = await open();
    const { first } = FIXTURE_SETS.ecqdi;
    expect((await catalogue.set("ecqdi", first))?.set.factor).toBe("ecqdi");
    expect(await catalogue.set("ecpnd", first)).toBeNull();
    expect(await catalogue.publication("ecpnd", first)).toBe("none");
    expect(shown(await catalogue.publication("ecqdi", first))).toEqual([at("10:00:00"), first]);
  });

  test("serves a release from its very time on, and before it none", async () => {
    const catalogue = await open();
    const from = Date.parse("2026-09-01T00:00:00.000Z");
    expect((await catalogue.release("ecpnd", from))?.release.factor).toBe("ecpnd");
    expect(await catalogue.release("ecpnd", from - 1)).toBeNull();
  });

  test("names the first definition of a factor while it has neither a check nor a release", async () => {
    const catalogue = await open([], { withoutReleases: true });
    expect(await catalogue.factorVersion("ecqdi", ms("09:00:00"))).toBe("ecqdi-v1");
  });
});

describe("an outage", () => {
  test("hides its checks, so that the set of an hour later is published an hour later", async () => {
    const catalogue = await open([OUTAGE]);
    expect(shown(await catalogue.at("ecpnd", at("13:30:00")))).toEqual([at("12:00:00"), FIRST]);
    const published = await catalogue.publication("ecpnd", SECOND);
    expect(published).toMatchObject({
      check: { snapshotId: SECOND, lastCheckedAt: at("14:00:00"), calculatedAt: at("14:00:00") },
    });
  });

  test("that hides every check of a set leaves the set unknown to the world", async () => {
    const catalogue = await open([{ ...OUTAGE, from: at("10:00:00"), until: at("13:00:00") }]);
    expect(await catalogue.publication("ecpnd", FIRST)).toBe("none");
  });
});

describe("the catalogue of a recording", () => {
  test("says what it does not prove", async () => {
    const catalogue = await open([], { partial: true });
    expect(await catalogue.at("ecpnd", at("09:30:00"))).toBe("unproved");
    expect(shown(await catalogue.at("ecpnd", at("13:00:00")))).toEqual([at("13:00:00"), SECOND]);
  });

  test("cannot answer for the time of a check that a timeline hides", async () => {
    const catalogue = await open([OUTAGE], { partial: true });
    expect(await catalogue.at("ecpnd", at("13:00:00"))).toBe("unproved");
    expect(shown(await catalogue.at("ecpnd", at("14:00:00")))).toEqual([at("14:00:00"), SECOND]);
  });
});
