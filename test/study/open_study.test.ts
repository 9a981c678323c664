import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import type { DataFrame } from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { shownBundle } from "../helpers/shown_bundle.ts";
import { openStudyFolder } from "../../src/study/open_study_folder.ts";
import { startStudyService, type StudyService } from "./_study.ts";

let service: StudyService;
let folder: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
});
afterEach(() => service.close());

const lockText = () => readFile(join(folder, "study.lock.json"), "utf8");

/** The columns in which two frames differ. */
function differing(before: DataFrame, after: DataFrame): readonly string[] {
  expect(after.columns).toEqual(before.columns);
  return before.columns.filter((name) => {
    const [a, b] = [before, after].map((frame) => JSON.stringify(frame.getColumn(name).toArray()));
    return a !== b;
  });
}

describe("a study", () => {
  test("gives a year later what the first run gave, offline, but for the column source", async () => {
    const study = await service.open(folder);
    const at = ["2026-11-20T10:30:00Z", "2026-11-20T14:30:00Z"];
    const from = "2026-11-20T08:00:00Z";
    const load = async (loaded: typeof study): Promise<DataFrame[]> => [
      await loaded.scores("ecpnd"),
      await loaded.scores("ecqdi", { at: "2026-11-20T12:30:00Z" }),
      await loaded.scores("ecqdi", { snapshotId: "7d1e0b52-6c3f-4e2a-9b77-51c0a2f4e801" }),
      await loaded.scores("ecpnd", { ticker: "BRK.B" }),
      await loaded.panel(["ecpnd", "ecqdi"], { at }),
      await loaded.panel("ecpnd", { at, every: "check" }),
      await loaded.publications("ecpnd", { from }),
      await loaded.history("ecqdi"),
    ];
    const first = await load(study);
    service.clock.ms += 365 * 86_400_000;
    service.takeRequests();
    const again = await load(await service.openFrozen(folder));
    expect(service.takeRequests()).toEqual([]);
    for (const [i, frame] of first.entries()) {
      const other = differing(frame, again[i]!).filter((name) => name !== "source");
      expect(other, `frame ${i}`).toEqual([]);
    }
    expect(differing(first[0]!, again[0]!)).toEqual(["source"]);
    expect(again[0]!.getColumn("source").toArray()[0]).toBe("store, synthetic");
  });

  test("replays a list of publications up to its time though the service's clock stands at it", async () => {
    const study = await service.open(folder);
    const from = "2026-11-20T08:00:00Z";
    await study.publications("ecpnd", { from });
    expect(study.lock!.absences).toEqual([{ factor: "ecpnd", at: "2026-11-20T09:59:59.999Z" }]);
    const again = await (await service.openFrozen(folder)).publications("ecpnd", { from });
    expect(again.height).toBe(2);
  });

  test("is pinned to the service's time of its first load", async () => {
    const study = await service.open(folder);
    expect(study.asOf).toBeNull();
    await study.scores("ecpnd");
    expect(study.asOf).toBe("2026-11-20T15:00:05.000Z");
    expect(service.takeRequests()).toEqual([
      "/v1/factors",
      "/v1/scores?factor=ecpnd&at=2026-11-20T15%3A00%3A05.000Z",
    ]);
  });

  test("asks for nothing that its lock has, and for what it lacks once", async () => {
    await (await service.open(folder)).scores("ecpnd");
    service.takeRequests();
    const study = await service.open(folder);
    await study.scores("ecpnd");
    expect(service.takeRequests()).toEqual([]);
    await study.scores("ecqdi");
    await study.scores("ecqdi");
    expect(service.takeRequests()).toEqual([
      "/v1/scores?factor=ecqdi&at=2026-11-20T15%3A00%3A05.000Z",
    ]);
  });

  test("knows nothing later than its time: no view, no interval, no set, no release", async () => {
    const study = await service.open(folder, { asOf: "2026-11-20T12:30:00Z" });
    const scores = await study.scores("ecpnd");
    expect(scores.getColumn("last_checked_at").toArray()[0]).toEqual(
      new Date("2026-11-20T12:00:00Z"),
    );
    const later = "2026-11-20T13:00:00Z";
    const both = /2026-11-20T12:30:00\.000Z.*2026-11-20T13:00:00\.000Z/;
    await expect(study.scores("ecpnd", { at: later })).rejects.toThrow(both);
    await expect(study.panel("ecpnd", { at: [later] })).rejects.toThrow(both);
    await expect(study.publications("ecpnd", { from: later, to: later })).rejects.toThrow(both);
    const snapshotId = "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02";
    await expect(study.scores("ecpnd", { snapshotId })).rejects.toThrow(both);
    expect(await lockText()).not.toContain(snapshotId);
    const early = await service.open(`${folder}-early`, { asOf: "2026-08-14T15:00:00Z" });
    await expect(early.history("ecpnd")).rejects.toThrow(
      /2026-08-14T15:00:00\.000Z, got .* 2026-08-14T20:00:00\.000Z/,
    );
  });

  test("refuses to watch, and says why", async () => {
    const study = await service.open(folder);
    expect(() => study.watch()).toThrow(/^Cannot watch .*: .*got a study/);
  });

  test("refuses another time than it has, and a time in the future", async () => {
    await (await service.open(folder)).scores("ecpnd");
    await expect(service.open(folder, { asOf: "2026-11-20T12:00:00Z" })).rejects.toThrow(
      /expected its time 2026-11-20T15:00:05\.000Z, got asOf 2026-11-20T12:00:00\.000Z/,
    );
    await expect(service.open(`${folder}-new`, { asOf: "2027-01-01T00:00:00Z" })).rejects.toThrow(
      /expected asOf/,
    );
  });

  test("can be moved and renamed, and its lock may have other line ends", async () => {
    await (await service.open(folder)).scores("ecpnd");
    const moved = `${folder} renamed`;
    await rename(folder, moved);
    const path = join(moved, "study.lock.json");
    await writeFile(path, (await readFile(path, "utf8")).replaceAll("\n", "\r\n"));
    expect((await (await service.openFrozen(moved)).scores("ecpnd")).height).toBe(8);
  });

  test("shows its time, what it stands on, its mode and what its store lacks", async () => {
    await (await service.open(folder)).scores("ecpnd");
    const study = await service.openFrozen(folder);
    expect(study.toString()).toBe([
      "Study momentum",
      "  mode      frozen",
      "  time      2026-11-20T15:00:05.000Z",
      "  service   http://embedded.localhost",
      "  sets      1",
      "  views     1",
      "  releases  0",
      "the numbers are synthetic",
    ].join("\n"));
    await rm(join(study.store, "ecpnd/sets"), { recursive: true });
    const shown = await shownBundle(study);
    expect(shown["text/plain"]).toContain(
      "1 file missing from its store: ecpnd/sets/3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02.json",
    );
  });
});

describe("a frozen study", () => {
  test("names what its lock lacks, the nearest entry, and what adds it", async () => {
    await (await service.open(folder)).scores("ecpnd");
    const study = await service.openFrozen(folder);
    await expect(study.scores("ecpnd", { at: "2026-11-20T12:30:00Z" })).rejects.toThrow(
      /ecpnd view at 2026-11-20T12:30:00\.000Z .* 2026-11-20T15:00:05\.000Z .*SCOREFRAME_STUDY_MODE=auto/,
    );
    await expect(study.scores("ecqdi")).rejects.toThrow("of that kind");
    await expect(study.history("ecpnd")).rejects.toThrow("a ecpnd release");
    await expect(
      study.scores("ecpnd", { snapshotId: "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01" }),
    ).rejects.toThrow(
      /got the set 3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02 of 2026-11-20T13:00:00\.000Z as the nearest one/,
    );
    await expect(study.panel("ecpnd", { at: ["2026-11-20T12:30:00Z"] })).rejects.toThrow(
      "ecpnd view at 2026-11-20T12:30:00.000Z",
    );
    await expect(study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" })).rejects.toThrow(
      "view at 2026-11-20T12:59:59.999Z",
    );
    expect(service.takeRequests().length).toBe(2);
    await (await service.open(folder)).panel("ecqdi", { at: ["2026-11-20T12:30:00Z"] });
    await expect(study.scores("ecqdi")).rejects.toThrow(
      "got the ecqdi view at 2026-11-20T12:30:00.000Z, without its check, as the nearest one",
    );
  });

  test("gives the factors that its lock knows", async () => {
    await (await service.open(folder)).scores("ecqdi");
    const factors = await (await service.openFrozen(folder)).factors();
    expect(factors.getColumn("factor").toArray()).toEqual(["ecqdi"]);
    expect(factors.getColumn("factor_version").toArray()).toEqual(["ecqdi-v1"]);
  });

  test("is what CI=true and SCOREFRAME_STUDY_MODE ask for, unless the caller says otherwise", async () => {
    const modeIn = async (environment: Record<string, string>, mode?: "auto") =>
      (await openStudyFolder(folder, { environment, ...(mode && { mode }) })).mode;
    expect(await modeIn({})).toBe("auto");
    expect(await modeIn({ CI: "true" })).toBe("frozen");
    expect(await modeIn({ CI: "true", SCOREFRAME_STUDY_MODE: "auto" })).toBe("auto");
    expect(await modeIn({ SCOREFRAME_STUDY_MODE: "frozen" })).toBe("frozen");
    expect(await modeIn({ SCOREFRAME_STUDY_MODE: "frozen" }, "auto")).toBe("auto");
    await expect(modeIn({ SCOREFRAME_STUDY_MODE: "replay" })).rejects.toThrow(TypeError);
  });

  test("refuses a store that has other numbers, or another check, than its lock", async () => {
    await (await service.open(folder)).scores("ecpnd");
    const text = await lockText();
    const lockWith = async (from: string, to: string) => {
      expect(text).toContain(from);
      await writeFile(join(folder, "study.lock.json"), text.replace(from, to));
      return await service.openFrozen(folder);
    };
    const numbers = /"numbers":"([0-9a-f]{64})"/.exec(text)![1]!;
    const other = await lockWith(numbers, "0".repeat(64));
    await expect(other.scores("ecpnd")).rejects.toThrow(numbers);
    const status = await lockWith('"status":"current"', '"status":"stale"');
    await expect(status.scores("ecpnd")).rejects.toThrow(
      /"stale".* its lock .*"current".* its store/,
    );
  });
});

describe("a study in the mode update", () => {
  test("moves to the service's time, and keeps what it stood on", async () => {
    service.clock.ms = Date.parse("2026-11-20T12:30:00Z");
    await (await service.open(folder)).scores("ecpnd");
    service.clock.ms = Date.parse("2026-11-20T15:00:05Z");
    const moved = await service.open(folder, { mode: "update" });
    const scores = await moved.scores("ecpnd");
    expect(scores.getColumn("snapshot_id").toArray()[0]).toBe(
      "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02",
    );
    const frozen = await service.openFrozen(folder);
    expect(frozen.asOf).toBe("2026-11-20T15:00:05.000Z");
    await frozen.scores("ecpnd", { at: "2026-11-20T12:30:00Z" });
    await frozen.scores("ecpnd");
  });

  test("has no load at its earlier time beside the one that moves it", async () => {
    service.clock.ms = Date.parse("2026-11-20T12:30:00Z");
    await (await service.open(folder)).scores("ecpnd");
    service.clock.ms = Date.parse("2026-11-20T15:00:05Z");
    const moved = await service.open(folder, { mode: "update" });
    service.takeRequests();
    await Promise.all([moved.scores("ecpnd"), moved.scores("ecqdi"), moved.scores("ecpnd")]);
    expect(service.takeRequests().toSorted()).toEqual([
      "/v1/factors",
      "/v1/scores?factor=ecpnd&at=2026-11-20T15%3A00%3A05.000Z",
      "/v1/scores?factor=ecqdi&at=2026-11-20T15%3A00%3A05.000Z",
    ]);
  });
});

describe("two notebooks of one study", () => {
  test("share one time and one lock, whoever is first", async () => {
    const [one, two] = [await service.open(folder), await service.open(folder)];
    await Promise.all([
      one.scores("ecpnd"),
      two.scores("ecqdi"),
      one.panel("ecqdi", { at: ["2026-11-20T11:30:00Z", "2026-11-20T14:30:00Z"] }),
      two.history("ecpnd"),
    ]);
    expect(one.asOf).toBe(two.asOf);
    const frozen = await service.openFrozen(folder);
    expect(frozen.lock?.views.length).toBe(4);
    expect(frozen.lock?.releases.length).toBe(1);
    // What the other one added is known without being opened again.
    service.takeRequests();
    await one.history("ecpnd");
    expect(service.takeRequests()).toEqual([]);
  });
});

describe("a study on a disk that cannot be written", () => {
  test("replays what it has, and says that it cannot keep anything else", async () => {
    await (await service.open(folder)).scores("ecpnd");
    const paths = [
      folder,
      ...(await readdir(folder, { recursive: true })).map((name) => join(folder, name)),
    ];
    for (const path of [join(folder, ".."), service.fixture.path]) await chmod(path, 0o755);
    for (const path of paths) await chmod(path, (await stat(path)).isDirectory() ? 0o555 : 0o444);
    // Nothing is read-only for the administrator, as whom containers run tests.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid!(65_534);
    try {
      expect((await (await service.openFrozen(folder)).scores("ecpnd")).height).toBe(8);
      const study = await service.open(folder);
      expect((await study.scores("ecpnd")).height).toBe(8);
      await expect(study.scores("ecqdi")).rejects.toThrow(/the store .*, got ".*"; load it again/s);
    } finally {
      if (isRoot) process.seteuid!(0);
      for (const path of paths) await chmod(path, 0o755);
    }
  });
});

describe("openStudy() without a folder", () => {
  test("finds the nearest lock above the working directory", async () => {
    await (await service.open(folder)).scores("ecpnd");
    const inside = join(folder, "notebooks", "deep");
    await mkdir(inside, { recursive: true });
    const before = Deno.cwd();
    try {
      Deno.chdir(inside);
      expect((await openStudyFolder(undefined, { mode: "frozen" })).folder).toBe(folder);
      Deno.chdir(await service.makeFolder());
      await expect(openStudyFolder()).rejects.toThrow(/expected study\.lock\.json in/);
    } finally {
      Deno.chdir(before);
    }
  });
});
