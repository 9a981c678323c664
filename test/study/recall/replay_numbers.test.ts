import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { registeredNumbers } from "../../../src/analysis/factor/scores_origin.ts";
import { openStudy } from "../../../src/app/demo/open_study.ts";
import {
  openTemporaryFolder,
  type TemporaryFolder,
} from "../../../src/base/disk/temporary_folder.ts";
import { LAYOUT } from "../../../src/base/store/layout.ts";
import { Store } from "../../../src/base/store/store.ts";
import { readLockFile } from "../../../src/study/lock/lock_file.ts";
import type { StudyLock } from "../../../src/study/lock/lock.ts";
import { replayNumbers } from "../../../src/study/recall/replay_numbers.ts";
import { NOTHING } from "./_generated_studies.ts";

const DEMO = { tickers: 8, years: 1, hours: 900 };
let place: TemporaryFolder;
let folder: string;
let lock: StudyLock;

beforeAll(async () => {
  place = await openTemporaryFolder("replayed");
  folder = join(place.path, "weekly");
  await using study = await openStudy(folder, {
    demo: DEMO,
    environment: { XDG_STATE_HOME: place.path },
  });
  const sessions = { from: "2026-10-20", to: "2026-11-19" };
  const scores = await study.panel("ecpnd", { sessions, progress: false });
  await writeFile(
    join(folder, "prices.csv"),
    pricesOf([...new Set(scores.getColumn("ticker").toArray().map(String))]),
  );
  await study.register({
    name: "daily",
    question: "Does ecpnd rank the next day?",
    factor: "ecpnd",
    scores: "panel",
    periods: { "in-sample": { from: "2026-10-20", to: "2026-10-30" } },
    horizons: [1],
    minNames: 3,
    prices: "prices.csv",
    holdOut: { from: "2026-11-02" },
  });
  await study.openHoldOut("daily");
  lock = (await readLockFile(folder))!.lock;
});
afterAll(() => place.remove());

function pricesOf(tickers: readonly string[]): string {
  const days = Array.from({ length: 31 }, (_, i) => new Date(Date.UTC(2026, 9, 20 + i)))
    .filter((day) => day.getUTCDay() % 6 > 0).map((day) => day.toISOString().slice(0, 10));
  const rows = days.flatMap((date, i) =>
    tickers.map((ticker, k) =>
      `${date},${ticker},${(100 * Math.exp(0.02 * Math.sin(7 * i + 3 * k * k))).toFixed(3)}`
    )
  );
  return ["date,ticker,close", ...rows].join("\n");
}

const run = (...given: Parameters<typeof registeredNumbers>) =>
  Promise.resolve(registeredNumbers(...given));

describe("replayNumbers()", () => {
  test("puts a revised set in the place of the recalled one, and changes only what stood on it", async () => {
    const set = lock.sets.find(({ calculatedAt }) => calculatedAt > "2026-11-03")!;
    const other = join(place.path, "revised");
    await cp(join(folder, "store"), other, { recursive: true });
    const known = (await (await Store.open(other)).readSet("ecpnd", set.snapshotId))!;
    for (const path of LAYOUT.eitherSet("ecpnd", set.snapshotId)) {
      await rm(join(other, path), { force: true });
    }
    const scores = known.rows.scores.toReversed();
    await (await Store.open(other)).putSet({ ...known, rows: { ...known.rows, scores } });
    const before = await readFile(join(folder, "study.lock.json"), "utf8");
    const cause = { ...NOTHING, set: set.snapshotId };
    const { numbers } = await replayNumbers(folder, { cause, corrected: other, run });
    expect(numbers.map(({ before: { sample }, isChanged }) => [sample, isChanged])).toEqual([
      ["in-sample", false],
      ["hold-out", true],
    ]);
    expect(await readFile(join(folder, "study.lock.json"), "utf8")).toBe(before);
  });

  test("changes nothing with the same set in its place", async () => {
    const cause = { ...NOTHING, set: lock.sets[0]!.snapshotId };
    const { numbers } = await replayNumbers(folder, { cause, corrected: folder, run });
    expect(numbers.map(({ isChanged }) => isChanged)).toEqual([false, false]);
  });

  test("says what the other store lacks", async () => {
    const cause = { ...NOTHING, release: "00" };
    await expect(replayNumbers(folder, { cause, corrected: place.path, run })).rejects
      .toThrow("store");
    const empty = join(place.path, "empty");
    await Store.create(empty, (await Store.open(join(folder, "store"))).info);
    const asked = { ...NOTHING, set: lock.sets[0]!.snapshotId };
    await expect(replayNumbers(folder, { cause: asked, corrected: empty, run })).rejects
      .toThrow(
        "give a store or a study that has it",
      );
  });
});
