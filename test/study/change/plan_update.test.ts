import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { planUpdate, type UpdatePlan } from "../../../src/study/change/plan_update.ts";
import { readLockFile } from "../../../src/study/lock/lock_file.ts";
import { StudyPlace } from "../../../src/study/study_place.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { KEY } from "../../client/_service.ts";
import { putFixtureRelease } from "../../helpers/fixture_store.ts";
import { startStudyService, type StudyService } from "../_study.ts";

const FROM = "2026-11-20T08:00:00Z";
let service: StudyService;
let folder: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
  service.clock.ms = Date.parse("2026-11-20T12:30:00Z");
});
afterEach(() => service.close());

async function planned(asOf: string | null, use: (plan: UpdatePlan) => Promise<void>) {
  const { lock } = (await readLockFile(folder))!;
  const options = { apiKey: KEY, fetch: service.fetch, now: () => service.clock.ms };
  const place = new StudyPlace({ folder, mode: "auto", lock, asOf: null, options });
  try {
    await use(await planUpdate(place, asOf));
  } finally {
    await place.close();
  }
}

describe("the update of a study", () => {
  test("renews its lists of publications, which a frozen run then gives up to the new time", async () => {
    const opened = await service.open(folder);
    expect((await opened.publications("ecpnd", { from: FROM })).height).toBe(1);
    await opened.scores("ecqdi");
    service.clock.ms = Date.parse("2026-11-20T15:00:05Z");
    await planned(null, async ({ changes, apply }) => {
      expect(changes.map(({ kind, factor }) => `${factor} ${kind}`)).toEqual([
        "ecpnd set",
        "ecpnd publications",
        "ecqdi set",
      ]);
      expect(changes[1]).toMatchObject({
        before: "2026-11-20T12:30:00.000Z",
        after: "2026-11-20T15:00:05.000Z",
        published: 1,
      });
      await apply();
    });
    const frozen = await service.openFrozen(folder);
    const published = await frozen.publications("ecpnd", { from: FROM });
    expect(published.getColumn("calculated_at").toArray()).toEqual([
      new Date("2026-11-20T13:00:00Z"),
      new Date("2026-11-20T10:00:00Z"),
    ]);
    expect((await verifyStudy(folder)).problems).toEqual([]);
    await expect(frozen.publications("ecqdi", { from: FROM })).rejects.toThrow("frozen study");
  });

  test("refuses to go back, where another update moved the study while this one was looked at", async () => {
    await (await service.open(folder)).scores("ecpnd");
    service.clock.ms = Date.parse("2026-11-20T15:00:05Z");
    await planned("2026-11-20T13:30:00.000Z", async ({ apply }) => {
      await planned("2026-11-20T15:00:00.000Z", (other) => other.apply());
      await expect(apply()).rejects.toThrow(
        /expected the time 2026-11-20T12:30:00\.000Z at which it was opened, got 2026-11-20T15:00:00\.000Z/,
      );
    });
    expect((await readLockFile(folder))!.lock.asOf).toBe("2026-11-20T15:00:00.000Z");
    expect((await verifyStudy(folder)).problems).toEqual([]);
  });

  test("keeps a release where the one that is offered knows more than the new time", async () => {
    const opened = await service.open(folder);
    const before = await opened.history("ecpnd");
    await putFixtureRelease(service.fixture.store, {
      factor: "ecpnd",
      rows: ["2026-11-19,A,0.5", "2026-11-20,A,0.75"],
      availableFrom: "2026-11-20T22:00:00.000Z",
    });
    service.clock.ms = Date.parse("2026-11-20T22:30:00Z");
    await planned("2026-11-20T15:00:00.000Z", async ({ changes, apply }) => {
      expect(changes.map(({ reason }) => reason)).toEqual([
        "the offered release has a session that closes later, at 2026-11-20T21:00:00.000Z",
      ]);
      await apply();
    });
    const again = await (await service.openFrozen(folder)).history("ecpnd");
    expect(again.getColumn("download_sha256").toArray()[0]).toBe(
      before.getColumn("download_sha256").toArray()[0],
    );
  });

  test("refuses a time that the service has not reached, and one that is not after its own", async () => {
    await (await service.open(folder)).history("ecpnd");
    const update = (asOf: string) => planned(asOf, () => Promise.resolve());
    await expect(update("2026-11-20T13:00:00.000Z")).rejects.toThrow(
      "got 2026-11-20T13:00:00.000Z at 2026-11-20T12:30:00.000Z",
    );
    await expect(update("2026-11-20T12:30:00.000Z")).rejects.toThrow("after its own");
  });
});
