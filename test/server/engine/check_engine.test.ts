import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CheckEngine } from "../../../src/server/engine/check_engine.ts";
import { publishScores, repeatLastCheck } from "../../../src/server/engine/made_checks.ts";
import { Timeline } from "../../../src/server/timeline/timeline.ts";
import type { CheckSource } from "../../../src/base/store/checks/complete_check.ts";
import { type FixtureStore, makeFixtureStore } from "../../helpers/fixture_store.ts";

const ms = (time: string) => Date.parse(`2026-11-20T${time}:00Z`);

let fixture: FixtureStore;
beforeEach(async () => {
  fixture = await makeFixtureStore();
});
afterEach(() => fixture.remove());

/** The hours of the ecpnd checks after those of the fixture, which end at 15:00. */
async function laterHours(): Promise<readonly string[]> {
  const times = (await fixture.store.listChecks("ecpnd")).map((entry) => entry.lastCheckedAt);
  return times.filter((time) => time > "2026-11-20T15:00:00.000Z").map((time) =>
    time.slice(11, 16)
  );
}

function engineOf(source: CheckSource, timeline = new Timeline([])): CheckEngine {
  return new CheckEngine({ store: fixture.store, source, timeline: () => timeline });
}

describe("CheckEngine", () => {
  test("keeps no check of an hour that the timeline takes out", async () => {
    const outage = {
      kind: "outage",
      from: "2026-11-20T16:30:00Z",
      until: "2026-11-20T18:00:00Z",
    } as const;
    const engine = engineOf(repeatLastCheck(fixture.store), new Timeline([outage]));
    await engine.catchUp("ecpnd", ms("19:10"));
    expect(await laterHours()).toEqual(["16:00", "18:00", "19:00"]);
  });

  test("asks its source once for an hour", async () => {
    const asked: string[] = [];
    const repeat = repeatLastCheck(fixture.store);
    const engine = engineOf((factor, hour) => {
      asked.push(`${factor} ${hour.slice(11, 16)}`);
      return repeat(factor, hour);
    });
    await engine.catchUp("ecpnd", ms("16:00"));
    expect(engine.catchUp("ecpnd", ms("16:59"))).toBeUndefined();
    await engine.catchUp("ecpnd", ms("17:00"));
    expect(asked).toEqual(["ecpnd 16:00", "ecpnd 17:00"]);
    await engine.catchUp("ecqdi", ms("16:00"));
    expect(asked.slice(2)).toEqual(["ecqdi 16:00"]);
  });

  test("goes on after a check that failed", async () => {
    let isBroken = true;
    const repeat = repeatLastCheck(fixture.store);
    const engine = engineOf((factor, hour) => {
      if (isBroken) throw new Error("the source is down");
      return repeat(factor, hour);
    });
    await expect(engine.catchUp("ecpnd", ms("16:00"))).rejects.toThrow("the source is down");
    isBroken = false;
    await engine.catchUp("ecpnd", ms("16:01"));
    expect(await laterHours()).toEqual(["16:00"]);
  });
});

describe("repeatLastCheck()", () => {
  test("keeps what it cannot know anew: prices, synthetic mark and numbers", async () => {
    const input = await repeatLastCheck(fixture.store)("ecpnd", "2026-11-21T16:00:00.000Z");
    expect(input).toMatchObject({
      pricesThrough: "2026-11-19",
      dataThrough: "2026-11-21T15:55:00.000Z",
      priceTickersTracked: 8,
      extra: { synthetic: true },
    });
    expect(input?.rows.scores).toEqual([0, 0.125, 0.3, 0.875, 0.5, null, 1, 0.375]);
  });
});

describe("publishScores()", () => {
  const own = { factor: "ecpnd", at: "2026-11-20T16:00:00Z" } as const;

  test("sorts the tickers, and keeps 0 and null apart", async () => {
    const scores = { TRUE: 1, A: 0, "1E5": null };
    const { set } = await publishScores(fixture.store, { ...own, scores });
    expect(set.rows).toEqual({ tickers: ["1E5", "A", "TRUE"], scores: [null, 0, 1] });
  });

  test("marks the numbers of a synthetic store as such, and no others", async () => {
    const real = await makeFixtureStore({ synthetic: false });
    const marks = [];
    for (const { store } of [fixture, real]) {
      marks.push((await publishScores(store, { ...own, scores: { A: 0.5 } })).check.extra);
    }
    expect(marks).toEqual([{ synthetic: true }, {}]);
    await real.remove();
  });
});
