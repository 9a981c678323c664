import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { startStudyService, type StudyService } from "../_study.ts";

let service: StudyService;
beforeEach(async () => {
  service = await startStudyService();
});
afterEach(() => service.close());

test("verifyStudy() tells of each line as it is read: the sets, then the views and releases", async () => {
  const folder = join(await service.makeFolder(), "momentum");
  const study = await service.open(folder);
  await study.scores("ecpnd");
  await study.scores("ecqdi");
  await study.history("ecqdi");
  const told: string[] = [];
  await verifyStudy(folder, (done, total) => told.push(`${done} of ${total}`));
  expect(told).toEqual(["1 of 5", "2 of 5", "3 of 5", "4 of 5", "5 of 5"]);
});
