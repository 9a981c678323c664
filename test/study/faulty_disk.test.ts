// @heavy: two hundred kills, and as many failures of a disk
import { execFile } from "node:child_process";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { ScoreframeError } from "../../src/base/errors.ts";
import { collectGarbage } from "../../src/study/change/collect_garbage.ts";
import { planRestore } from "../../src/study/change/restore_study.ts";
import { planUpdate } from "../../src/study/change/plan_update.ts";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { exportStudy } from "../../src/study/share/export_study.ts";
import { importStudy } from "../../src/study/share/import_study.ts";
import { signStudy } from "../../src/study/sign/sign_study.ts";
import type { StudyMode } from "../../src/study/study_options.ts";
import { StudyPlace } from "../../src/study/study_place.ts";
import { verifyStudy } from "../../src/study/verify/verify_study.ts";
import { KEY } from "../client/_service.ts";
import type { FaultyDisk } from "./_faulty_disk.ts";
import { ACCOUNT } from "./_spending.ts";
import { startStudyService, type StudyService } from "./_study.ts";

const NEVER = Number.POSITIVE_INFINITY;
const disk = vi.hoisted((): FaultyDisk => ({
  count: 0,
  killedAt: Number.POSITIVE_INFINITY,
  failsAt: Number.POSITIVE_INFINITY,
}));
vi.mock("node:fs/promises", async (importOriginal) => {
  const { throughFaults } = await import("./_faulty_disk.ts");
  return throughFaults(disk, await importOriginal<object>());
});
vi.mock("node:fs", async (importOriginal) => {
  const { removesThroughFaults } = await import("./_faulty_disk.ts");
  return removesThroughFaults(disk, await importOriginal<object>());
});

const [BEFORE, AFTER] = ["2026-11-20T12:30:00Z", "2026-11-20T15:00:05Z"].map(Date.parse);
const PLAN = { question: "Does it rank?", factor: "ecpnd", horizons: 5 } as const;

let service: StudyService;
let home: string;
let pristine: string;
let archive: string;
beforeAll(async () => {
  service = await startStudyService({ accounts: [ACCOUNT] });
  home = await service.makeFolder();
  service.clock.ms = BEFORE!;
  pristine = join(home, "pristine");
  const study = await service.open(pristine);
  await study.scores("ecpnd");
  await study.panel("ecqdi", { at: ["2026-11-20T10:30:00Z"], progress: false });
  // An import writes each file of it.
  const at = ["10:15", "11:15", "11:45", "12:15"].map((time) => `2026-11-20T${time}:00Z`);
  await study.panel("ecpnd", { at, every: "check", progress: false });
  await study.close();
  await writeFile(join(pristine, "prices.csv"), "date,ticker,close\n2026-11-19,BARL,10\n");
  archive = join(home, "pristine.zip");
  await exportStudy(pristine, archive, { withoutData: false, name: "pristine" });
  await promisify(execFile)("ssh-keygen", [
    ...["-q", "-t", "ed25519", "-N", "", "-C", "ann", "-f", join(home, "ann")],
  ]);
});
afterAll(() => service.close());
beforeEach(() => Object.assign(disk, { count: 0, killedAt: NEVER, failsAt: NEVER }));

function fetch(request: Request): Promise<Response> {
  if (disk.count >= disk.killedAt) throw new Error("the run was killed");
  return service.fetch(request);
}

async function opened<T>(folder: string, use: (place: StudyPlace) => Promise<T>): Promise<T> {
  const { lock } = (await readLockFile(folder))!;
  const options = { apiKey: KEY, fetch, now: () => service.clock.ms, environment: {} };
  const place = new StudyPlace({ folder, mode: "auto" as StudyMode, lock, asOf: null, options });
  try {
    return await use(place);
  } finally {
    await place.close();
  }
}

async function loaded(
  folder: string,
  use: (study: Awaited<ReturnType<typeof service.open>>) => Promise<unknown>,
) {
  const study = await service.open(folder, { fetch, maxRetries: 0 });
  await use(study).finally(() => study.close());
}

interface Writer {
  /** Changes a copy of the pristine study before the run. */
  readonly prepare?: (folder: string) => Promise<unknown>;
  /** Writes. */
  readonly run: (folder: string) => Promise<unknown>;
  /** The result, which does not depend on what happened before. */
  readonly result: (folder: string) => Promise<unknown>;
  /** `false` if the study is not sound before the run. */
  readonly isSound?: boolean;
}

const lockOf = (folder: string) => readFile(join(folder, "study.lock.json"), "utf8");
const archiveOf = (folder: string) => `${folder}.zip`;

const WRITERS: Readonly<Record<string, Writer>> = {
  "a first load": {
    prepare: (folder) => rm(folder, { recursive: true }),
    run: (folder) =>
      loaded(folder, async (study) => {
        await study.scores("ecpnd");
        await study.panel("ecqdi", {
          at: ["2026-11-20T10:30:00Z", "2026-11-20T11:30:00Z", "2026-11-20T12:00:00Z"],
          every: "check",
          progress: false,
        });
        await study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" });
      }),
    result: lockOf,
  },
  "a release": {
    run: (folder) => loaded(folder, (study) => study.history("ecpnd", { progress: false })),
    result: lockOf,
  },
  "an update": {
    run: async (folder) => {
      service.clock.ms = AFTER!;
      if ((await lockOf(folder)).includes(`"as_of": "${new Date(AFTER!).toISOString()}"`)) return;
      await opened(folder, async (place) => await (await planUpdate(place, null)).apply());
    },
    result: lockOf,
  },
  "a restore": {
    prepare: async (folder) => {
      await rm(join(folder, "store", "ecqdi"), { recursive: true });
      const sets = join(folder, "store", "ecpnd", "sets");
      for (const name of await readdir(sets)) await writeFile(join(sets, name), "damaged");
    },
    run: (folder) => opened(folder, async (place) => await (await planRestore(place)).run()),
    result: lockOf,
    isSound: false,
  },
  "a garbage collection": {
    prepare: async (folder) => {
      await writeFile(join(folder, "store", ".tmp-left"), "half");
      for (const name of ["a", "b"]) {
        await writeFile(join(folder, "store", "ecpnd", "sets", `.damaged-${name}`), "");
      }
    },
    run: (folder) => collectGarbage(folder, false),
    result: (folder) => collectGarbage(folder, true),
  },
  "an export": {
    run: (folder) =>
      exportStudy(folder, archiveOf(folder), { withoutData: false, name: "momentum" }),
    result: async (folder) => (await readFile(archiveOf(folder))).length,
  },
  "an import": {
    prepare: (folder) => rm(folder, { recursive: true }),
    // A folder that is there is complete.
    run: async (folder) => {
      if (await readLockFile(folder) === null) await importStudy(archive, folder);
    },
    result: lockOf,
  },
  "a signature": {
    run: (folder) => signStudy(folder, join(home, "ann")),
    result: async (folder) => (await verifyStudy(folder)).notes.map(({ says }) => says),
  },
  "a pinned input": {
    run: (folder) => loaded(folder, (study) => study.input("prices.csv")),
    result: lockOf,
  },
  "a registered test": {
    run: (folder) =>
      loaded(folder, (study) => study.register({ ...PLAN, holdOut: { from: "2026-11-20" } })),
    result: lockOf,
  },
};

let copies = 0;
async function folderFor({ prepare }: Writer): Promise<string> {
  service.clock.ms = BEFORE!;
  const folder = join(home, `copy-${++copies}`);
  await cp(pristine, folder, { recursive: true });
  await prepare?.(folder);
  return folder;
}

/** The result of an undisturbed run, and the number of its operations. */
async function undisturbed(writer: Writer) {
  const folder = await folderFor(writer);
  disk.count = 0;
  await writer.run(folder);
  const operations = disk.count;
  return { operations, result: await writer.result(folder) };
}

/** Nothing that is in its place is half a file. */
async function assertWhole(folder: string, { isSound = true }: Writer, story: string) {
  if (!isSound || await readLockFile(folder) === null) return;
  expect((await verifyStudy(folder, () => {}, { environment: {} })).problems, story).toEqual([]);
}

let kills = 0;
let failures = 0;
describe.each(Object.entries(WRITERS))("%s", (name, writer) => {
  test("that is killed at any operation on the disk leaves whole files, and the next run ends it", async () => {
    const whole = await undisturbed(writer);
    for (let moment = 0; moment < whole.operations; moment++, kills++) {
      const story = `${name}, killed at operation ${moment}`;
      const folder = await folderFor(writer);
      Object.assign(disk, { count: 0, killedAt: moment });
      await writer.run(folder).catch(() => undefined);
      Object.assign(disk, { count: 0, killedAt: NEVER });
      await assertWhole(folder, writer, story);
      service.clock.ms = BEFORE!;
      await writer.run(folder);
      expect(await writer.result(folder), story).toEqual(whole.result);
    }
  });

  test("on a disk that fails once is an error of ours that names the disk, and the next run ends it", async () => {
    const whole = await undisturbed(writer);
    for (let moment = 0; moment < whole.operations; moment++, failures++) {
      const story = `${name}, operation ${moment} failed`;
      const folder = await folderFor(writer);
      Object.assign(disk, { count: 0, failsAt: moment });
      const error = await writer.run(folder).then(() => null, (thrown) => thrown);
      Object.assign(disk, { count: 0, failsAt: NEVER });
      if (error !== null) {
        expect(error, `${story}: ${error.stack}`).toBeInstanceOf(ScoreframeError);
        expect(error.message, story).toMatch(/EDQUOT|EIO|ESTALE|ENOSPC/);
      }
      await assertWhole(folder, writer, story);
      service.clock.ms = BEFORE!;
      await writer.run(folder);
      expect(await writer.result(folder), story).toEqual(whole.result);
    }
  });
});

test("that were at least two hundred kills and as many failures", () => {
  expect([kills >= 200, failures >= 200], `${kills} kills, ${failures} failures`).toEqual([
    true,
    true,
  ]);
});
