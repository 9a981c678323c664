// @heavy: installations from a registry
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportStudy, type ExportStudyOptions } from "../../../src/study/share/export_study.ts";
import { ROOT } from "../../helpers/source_files.ts";
import { startStudyService, type StudyService } from "../_study.ts";

const PYTHON = join(ROOT, ".scoreframe/crate/bin/python");
// The terms of RO-Crate 1.2, in the public domain, as w3id.org/ro/crate/1.2/context gives them.
const CONTEXT = join(ROOT, "test/study/share/ro-crate-1.2-context.json.gz");
const METADATA = "ro-crate-metadata.json";
const LONG_MS = 900_000;

// Where everything is tested it has to be there; elsewhere it is said that something was left out.
const isLeftOut = !existsSync(PYTHON) && process.env["CI"] === undefined;
if (isLeftOut) {
  process.stderr.write(
    `SKIPPED: the validation of an exported study needs roc-validator in ${PYTHON}; make it by python3 -m venv ` +
      ".scoreframe/crate && .scoreframe/crate/bin/pip install -r .ci/crate_requirements.txt\n",
  );
}

describe.skipIf(isLeftOut)("the RO-Crate of a study, judged from outside and offline", () => {
  const author = { license: "https://spdx.org/licenses/CC-BY-4.0", creator: "A. Researcher" };
  let service: StudyService;
  let folder: string;

  beforeAll(async () => {
    service = await startStudyService();
    folder = join(await service.makeFolder(), "momentum");
    const study = await service.open(folder);
    await study.scores("ecpnd");
    await study.history("ecqdi");
    await writeFile(join(folder, "a notebook.ipynb"), '{"cells":[]}');
    await writeFile(join(folder, "Übung #2, 100%.ipynb"), '{"cells":[]}');
  });
  afterAll(() => service.close());

  async function exported(options: Partial<ExportStudyOptions>): Promise<string> {
    const path = `${folder}-${crypto.randomUUID()}.zip`;
    await exportStudy(folder, path, { withoutData: false, name: "momentum", ...options });
    return path;
  }

  async function validate(path: string): Promise<{ passed: boolean; issues: string[] }> {
    const args = [join(ROOT, ".ci/validate_crate.py"), path, CONTEXT, "REQUIRED"];
    const { stdout } = await promisify(execFile)(PYTHON, args);
    return JSON.parse(stdout.trim().split("\n").at(-1)!);
  }

  test("keeps each rule of the standard, with data and without", async () => {
    for (const withoutData of [false, true]) {
      expect(await validate(await exported({ ...author, withoutData }))).toEqual({
        passed: true,
        issues: [],
      });
    }
  }, LONG_MS);

  test("lacks nothing but the licence, where none was given", async () => {
    const { passed, issues } = await validate(await exported({}));
    expect(passed).toBe(false);
    expect(issues.length).toBeGreaterThan(0);
    expect(issues.filter((issue) => !/licen[sc]e/i.test(issue))).toEqual([]);
  }, LONG_MS);

  test("is found wanting where it describes a file that it does not have", async () => {
    const path = await exported(author);
    const files = unzipSync(await readFile(path));
    const text = strFromU8(files[METADATA]!).replaceAll("a%20notebook", "no%20notebook");
    await writeFile(path, zipSync({ ...files, [METADATA]: strToU8(text) }));
    const { passed, issues } = await validate(path);
    expect(passed).toBe(false);
    expect(issues.join("\n")).toContain("no%20notebook");
  }, LONG_MS);
});
