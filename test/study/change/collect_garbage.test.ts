import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collectGarbage } from "../../../src/study/change/collect_garbage.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { startStudyService, type StudyService } from "../_study.ts";

const AT = ["2026-11-20T10:30:00Z", "2026-11-20T13:30:00Z"];

let service: StudyService;
let folder: string;
beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
});
afterEach(() => service.close());

describe("collectGarbage()", () => {
  test("keeps the files of a running load that no line of the lock names yet", async () => {
    await (await service.open(folder)).scores("ecqdi");
    const collected: unknown[] = [];
    const study = await service.open(folder, {
      fetch: async (request) => {
        const response = await service.fetch(request);
        // Another process, while the rest of the panel is on its way.
        collected.push(await collectGarbage(folder, false).catch((error: Error) => error.message));
        return response;
      },
    });
    await study.panel("ecpnd", { at: AT, progress: false });
    expect(collected.length).toBeGreaterThan(1);
    expect(new Set(collected)).toEqual(
      new Set([
        `Cannot remove unused files of the study ${folder}: expected no load into it at the same time, got one in progress; retry when it has ended`,
      ]),
    );
    expect((await verifyStudy(folder)).problems).toEqual([]);
    expect(await collectGarbage(folder, false)).toEqual([]);
  });

  test("removes what killed processes left unfinished, in the store and beside the lock", async () => {
    const study = await service.open(folder);
    await study.scores("ecpnd");
    await study.history("ecpnd", { progress: false });
    const [release] = await readdir(join(folder, "store/ecpnd/releases"));
    const left = [
      "../.tmp-lock",
      ".tmp-store",
      "ecpnd/releases/.tmp-transfer",
      `ecpnd/releases/${release}/.tmp-derived`,
      "ecpnd/sets/.tmp-set",
    ];
    for (const path of left) await writeFile(join(folder, "store", path), "half");
    // Another process may wait at it.
    await writeFile(join(folder, "store/.tmp-flight-0123456789abcdef"), "");
    const paths = async (isDry: boolean) =>
      (await collectGarbage(folder, isDry)).map(({ path }) => path).toSorted();
    expect(await paths(true)).toEqual(left.toSorted());
    expect(await paths(false)).toEqual(left.toSorted());
    expect(await paths(true)).toEqual([]);
    expect(await readdir(join(folder, "store"))).toContain(".tmp-flight-0123456789abcdef");
  });
});
