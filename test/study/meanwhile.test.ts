import type { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { exportStudy } from "../../src/study/share/export_study.ts";
import { importStudy } from "../../src/study/share/import_study.ts";
import { verifyStudy } from "../../src/study/verify/verify_study.ts";
import { startStudyService, type StudyService } from "./_study.ts";

// What comes in between, once the lock was read and before the reader goes on.
const other = vi.hoisted((): { work: (() => Promise<unknown>) | null } => ({ work: null }));
vi.mock("node:fs/promises", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:fs/promises")>();
  const readOnce: typeof readFile = (async (path: string, ...rest: never[]) => {
    const content = await original.readFile(path, ...rest);
    const { work } = other;
    if (work === null || !String(path).endsWith("study.lock.json")) return content;
    other.work = null;
    await work();
    return content;
  }) as never;
  return { ...original, readFile: readOnce };
});

let service: StudyService;
let folder: string;
beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
});
afterEach(() => service.close());

test("an export is whole although a notebook adds to the study while its files are read", async () => {
  const study = await service.open(folder);
  await study.scores("ecpnd");
  other.work = async () => await study.scores("ecqdi");
  const path = join(dirname(folder), "momentum.zip");
  await exportStudy(folder, path, { withoutData: false, name: "momentum" });
  expect((await readLockFile(folder))!.lock.sets).toHaveLength(2);
  const target = join(dirname(folder), "elsewhere");
  await importStudy(path, target);
  const { problems } = await verifyStudy(target);
  expect(problems).toEqual([]);
  expect((await readLockFile(target))!.lock.sets).toHaveLength(1);
});

test("a study knows what it has just loaded, although its lock was being read then", async () => {
  const study = await service.open(folder);
  await study.scores("ecpnd");
  other.work = async () => await study.scores("ecqdi");
  await study.plan({ verb: "history", factor: "ecpnd" });
  expect(other.work).toBeNull();
  expect(study.lock!.sets.map(({ factor }) => factor)).toEqual(["ecpnd", "ecqdi"]);
});
