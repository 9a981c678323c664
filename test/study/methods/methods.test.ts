import { join } from "node:path";
import pl from "nodejs-polars";
import { afterAll, beforeAll, expect, test } from "vitest";
import { methods } from "../../../src/study/methods/methods.ts";
import { startStudyService, type StudyService } from "../_study.ts";

let service: StudyService;
beforeAll(async () => {
  service = await startStudyService();
});
afterAll(() => service.close());

test("a study writes its data paragraph, with what is missing and how to restore it", async () => {
  const study = await service.open(join(await service.makeFolder(), "momentum"));
  expect(() => study.methods()).toThrow("got none yet");
  await study.scores("ecpnd");
  await study.history("ecqdi");
  const text = study.methods();
  expect(text).toContain("as of 2026-11-20T15:00:05.000Z");
  expect(text).toContain("**The numbers are synthetic");
  expect(text).toContain(
    "The study uses 1 score set of ecpnd, earnings call participation network and dynamics (ecpnd-v1; US research universe " +
      "(synthetic)), published 2026-11-20T13:00:00.000Z (`3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02`), " +
      "at 1 instant: 8 rows, 1 of them (12.5%) without a score.",
  );
  expect(text).toMatch(
    /SHA-256 `[0-9a-f]{64}`\) has 3 rows in 2 sessions from 2026-08-13 to 2026-08-14/,
  );
  expect(text).toContain("`study restore` loads them again");
});

test("any frame with provenance columns has one, also of two factors", async () => {
  const study = await service.open(join(await service.makeFolder(), "momentum"));
  const panel = await study.panel(["ecpnd", "ecqdi"], {
    at: ["2026-11-20T10:30:00Z", "2026-11-20T14:30:00Z"],
  });
  expect(methods(panel)).toContain(
    "The 2 score sets of ecqdi, earnings call quantitative dynamics and intensity (ecqdi-v1; US research universe (synthetic)), " +
      "published from 2026-11-20T10:00:00.000Z to 2026-11-20T13:00:00.000Z",
  );
  expect(methods(panel)).toContain("have 16 rows");
  expect(methods(await study.history("ecpnd"))).toContain("has 4 rows; ");
  expect(() => methods(pl.DataFrame({ a: [1] }))).toThrow(TypeError);
});
