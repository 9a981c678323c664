import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { editJson, forgeCheck, type Json } from "../_tampering.ts";
import { startStudyService, type StudyService } from "../_study.ts";

let service: StudyService;
let folder: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
  const study = await service.open(folder);
  await study.scores("ecpnd");
  await study.panel("ecqdi", { at: ["2026-11-20T14:30:00Z"] });
  await study.history("ecpnd", { progress: false });
  await study.close();
});
afterEach(() => service.close());

const NEWEST = /^2026-11-20T15-00-00/;
const coverage = (check: Json) => check.coverage as Json;

describe("what a row says of itself", () => {
  test.each<[string, (check: Json, file: Json) => void]>([
    ["prices_through", (check) => void (check.prices_through = "2026-11-18")],
    ["the coverage", (check) => void (coverage(check).failed_calls = 77)],
    ["pending calls", (check) => void (coverage(check).pending_calls = 4711)],
    ["the mark synthetic", (check) => void delete check.synthetic],
    ["the universe", (check) => void (check.universe = "All stocks")],
    [
      "retrieved_at, to a later time",
      (_, file) => void (file.retrieved_at = "2026-11-21T00:00:00.000Z"),
    ],
    [
      "retrieved_at, to an earlier time",
      (_, file) => void (file.retrieved_at = "2026-11-20T15:00:00.000Z"),
    ],
  ])("is sealed by the line of its view: %s", async (_, edit) => {
    await forgeCheck(join(folder, "store", "ecpnd"), NEWEST, edit);
    const { problems } = await verifyStudy(folder);
    expect(problems.map(({ says }) => says).join("\n")).toMatch(
      /expected \{"factor":"ecpnd".*got \{/,
    );
    const frozen = await service.openFrozen(folder);
    await expect(frozen.scores("ecpnd")).rejects.toThrow(
      /^Cannot replay .*: expected .* its lock .* its store/,
    );
  });

  test("is sealed where only the set was asked for", async () => {
    await forgeCheck(join(folder, "store", "ecqdi"), /^2026-11-20T14/, (_, file) => {
      file.retrieved_at = "2026-11-20T23:00:00.000Z";
    });
    const { problems } = await verifyStudy(folder);
    expect(problems.map(({ says }) => says).join("\n")).toContain(
      '"retrieved_at":"2026-11-20T23:00:00.000Z"',
    );
    const frozen = await service.openFrozen(folder);
    await expect(frozen.panel("ecqdi", { at: ["2026-11-20T14:30:00Z"] })).rejects.toThrow(
      "2026-11-20T23:00:00.000Z",
    );
  });

  test.each<[string, (release: Json, file: Json) => void]>([
    ["universe", (release) => void (release.universe = "All stocks")],
    ["availability", (release) => void (release.availability = "same session close")],
    ["factor_version", (release) => void (release.factor_version = "ecpnd-v9")],
    ["the mark synthetic", (release) => void delete release.synthetic],
    ["the nominal window", (release) => void (release.window_years = 30)],
    ["retrieved_at", (_, file) => void (file.available_from = "2026-11-20T23:00:00.000Z")],
  ])("is sealed by the line of its release: %s", async (_, edit) => {
    const releases = join(folder, "store", "ecpnd", "releases");
    const [sha256] = await readdir(releases);
    const path = join(releases, sha256!, "release.json");
    await editJson(path, (file) => edit(file.release as Json, file));
    const { problems } = await verifyStudy(folder);
    expect(problems.map(({ path }) => path)).toContain("study.lock.json");
    const frozen = await service.openFrozen(folder);
    await expect(frozen.history("ecpnd")).rejects.toThrow(/^Cannot replay .*: .*"metadata":/);
  });

  test("counts against a head that says that nothing is synthetic", async () => {
    const path = join(folder, "study.lock.json");
    const text = await readFile(path, "utf8");
    expect(text).toContain('"synthetic": true');
    await writeFile(path, text.replace('"synthetic": true', '"synthetic": false'));
    const { problems } = await verifyStudy(folder);
    expect(problems.map(({ says }) => says).join("\n")).toContain(
      'expected "synthetic": true, because the ecpnd check of 2026-11-20T15:00:00.000Z in the store is ' +
        "synthetic, got false",
    );
    const frozen = await service.openFrozen(folder);
    await expect(frozen.scores("ecpnd")).rejects.toThrow("check of synthetic");
    await expect(frozen.history("ecpnd")).rejects.toThrow("release of synthetic");
  });
});
