import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FactorApi } from "../../src/client/factor_api.ts";
import { Study } from "../../src/study/study.ts";
import { putFixtureRelease } from "../helpers/fixture_store.ts";
import { startStudyService, type StudyService } from "./_study.ts";

let service: StudyService;
let folder: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
});
afterEach(() => service.close());

const methodsOf = (of: { readonly prototype: object }) =>
  Object.getOwnPropertyNames(of.prototype).filter((name) => name !== "constructor");

test("a study has each verb of a connection", () => {
  expect(methodsOf(Study)).toEqual(expect.arrayContaining(methodsOf(FactorApi)));
});

describe("the plan of a study", () => {
  const AT = "2026-11-20T12:30:00Z";
  const LOADS = [
    { verb: "scores", factor: "ecpnd" },
    { verb: "scores", factor: "ecqdi", options: { at: AT } },
    { verb: "panel", factors: ["ecpnd", "ecqdi"], options: { at: ["2026-11-20T11:30:00Z", AT] } },
    { verb: "publications", factor: "ecpnd", options: { from: "2026-11-20T08:00:00Z" } },
    { verb: "history", factor: "ecpnd" },
  ] as const;

  test("costs what the service would ask for, and nothing once the lock has it", async () => {
    const study = await service.open(folder);
    expect((await study.plan(LOADS[0])).requestsAtMost).toBe(2);
    expect((await study.plan(LOADS[0])).fromStore).toContain("one request pins");
    expect(service.takeRequests()).toEqual([]);
    await study.scores("ecpnd");
    service.takeRequests();
    const before = await Promise.all(LOADS.map((load) => study.plan(load)));
    expect(before.map((plan) => plan.requestsAtMost)).toEqual([0, 1, 4, 10, 7]);
    expect(before.map((plan) => plan.downloadsAtMost)).toEqual([0, 0, 0, 0, 2]);
    expect(before[3]!.description).toContain("to 2026-11-20T15:00:05.000Z");
    expect(service.takeRequests()).toEqual([]);
    for (const load of LOADS) {
      if (load.verb === "scores") {
        await study.scores(load.factor, "options" in load ? load.options : {});
      } else if (load.verb === "panel") await study.panel(load.factors, load.options);
      else if (load.verb === "history") await study.history(load.factor);
      else await study.publications(load.factor, load.options);
    }
    for (const other of [study, await service.openFrozen(folder)]) {
      for (const load of LOADS) {
        const plan = await other.plan(load);
        expect([plan.requestsAtLeast, plan.requestsAtMost, plan.downloadsAtMost], load.verb)
          .toEqual([0, 0, 0]);
        expect(plan.fitsToday).toBe(true);
      }
    }
  });

  test("refuses what the load itself would refuse", async () => {
    await (await service.open(folder)).scores("ecpnd");
    const frozen = await service.openFrozen(folder);
    await expect(frozen.plan(LOADS[1])).rejects.toThrow(/the ecqdi view at 2026-11-20T12:30/);
    await expect(frozen.plan(LOADS[4])).rejects.toThrow("a ecpnd release");
    const ahead = { verb: "scores", factor: "ecpnd", options: { at: "2026-11-20T15:30:00Z" } };
    await expect(frozen.plan(ahead as never)).rejects.toThrow("the study's time");
    await expect(frozen.plan({ verb: "score" } as never)).rejects.toThrow("expected verb");
  });

  test("of a study that is to move sends nothing and moves nothing", async () => {
    await (await service.open(folder, { asOf: AT })).scores("ecpnd");
    service.takeRequests();
    const moving = await service.open(folder, { mode: "update" });
    expect((await moving.plan(LOADS[0])).requestsAtMost).toBe(2);
    expect((await moving.releases("ecpnd")).height).toBe(0);
    expect(service.takeRequests()).toEqual([]);
    expect(moving.asOf).toBe("2026-11-20T12:30:00.000Z");
  });
});

describe("what a study tells without a load", () => {
  test("are the releases of its lock, and not what else its store has", async () => {
    const study = await service.open(folder);
    expect((await study.releases("ecpnd")).height).toBe(0);
    expect(service.takeRequests()).toEqual([]);
    const first = await study.history("ecpnd");
    await putFixtureRelease(service.fixture.store, {
      factor: "ecpnd",
      rows: ["2026-08-13,A,0.5", "2026-08-14,A,0.75"],
      availableFrom: "2026-11-20T14:00:00.000Z",
    });
    const api = await service.connect({ store: study.store });
    await api.history("ecpnd");
    expect((await api.releases("ecpnd")).height).toBe(2);
    const listed = await (await service.openFrozen(folder)).releases("ecpnd");
    expect(listed.getColumn("download_sha256").toArray()).toEqual(
      first.getColumn("download_sha256").unique().toArray(),
    );
  });

  test("are its attempts to load, of which a replay has none", async () => {
    const study = await service.open(folder);
    expect(study.log().height).toBe(0);
    await study.scores("ecpnd");
    expect(study.log().getColumn("path").toArray()).toEqual([
      "/v1/factors",
      "/v1/scores?factor=ecpnd&at=2026-11-20T15%3A00%3A05.000Z",
    ]);
    const frozen = await service.openFrozen(folder);
    await frozen.scores("ecpnd");
    expect(frozen.log().height).toBe(0);
    expect(frozen.log().columns).toEqual(study.log().columns);
  });

  test("is what the account may still spend, unless it is frozen", async () => {
    const study = await service.open(folder);
    await study.scores("ecpnd");
    expect((await study.allowance()).day.remaining).toBe(9998);
    await expect((await service.openFrozen(folder)).allowance()).rejects.toThrow(
      /^Cannot find .*: .*a frozen one/,
    );
  });

  test("is the documentation of its verbs", async () => {
    expect(String((await service.open(folder)).help("panel"))).toContain("every?");
  });
});
