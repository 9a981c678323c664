import { execFile } from "node:child_process";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportStudy } from "../../../src/study/share/export_study.ts";
import { importStudy } from "../../../src/study/share/import_study.ts";
import { ROOT } from "../../helpers/source_files.ts";
import { PAGE_SCRIPT } from "../_format_page.ts";
import { forgeCheck } from "../_tampering.ts";
import { startStudyService, type StudyService } from "../_study.ts";

let service: StudyService;
let folder: string;

beforeAll(async () => {
  service = await startStudyService();
  const home = await service.makeFolder();
  const recorded = join(home, "momentum");
  const study = await service.open(recorded);
  await study.scores("ecpnd");
  await study.scores("ecqdi");
  await study.panel("ecqdi", { at: ["2026-11-20T11:30:00Z"] });
  await study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" });
  await study.history("ecpnd", { progress: false });
  await writeFile(join(recorded, "prices.csv"), "date,ticker,close\n2026-11-19,BARL,10\n");
  await study.input("prices.csv");
  await study.close();
  const archive = join(home, "momentum.zip");
  await exportStudy(recorded, archive, { withoutData: false, name: "momentum" });
  await importStudy(archive, folder = join(home, "imported"));
});
afterAll(() => service.close());

async function hashes(of: string) {
  return await promisify(execFile)("python3", [PAGE_SCRIPT, of]).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code, stdout }),
  );
}

describe("the page on the forms that a study hashes", () => {
  test("has a Python script that computes every hash of a study and of its export", async () => {
    const { code, stdout } = await hashes(folder);
    expect(stdout).toMatch(/^\d+ hashes, each as .*\n$/);
    expect(code).toBe(0);
    // Six seals, files of the store, lines of the lock, lines of the manifest.
    expect(parseInt(stdout)).toBeGreaterThan(30);
  });

  test("computes those of registered tests, and finds a plan that was edited", async () => {
    const registered = join(folder, "..", "registered");
    const study = await service.open(registered);
    const plan = { question: "Does it rank?", factor: "ecpnd", horizons: 5 } as const;
    await study.register({ ...plan, holdOut: { from: "2026-11-19" } });
    await study.register({ ...plan, name: "b", holdOut: { from: "2026-11-20" } });
    await study.close();
    expect((await hashes(registered)).stdout).toMatch(/^\d+ hashes, each as it should be\n$/);
    const path = join(registered, "study.lock.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('"horizons":[5]', '"horizons":[1]'));
    const { code, stdout } = await hashes(registered);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^seal of registered: expected 2 .*$/m);
    expect(stdout).toMatch(/^plan of b: expected [0-9a-f]{64}, got [0-9a-f]{64}$/m);
  });

  test("computes those of the study in the notebooks of this repository", async () => {
    const notebooks = join(ROOT, "notebooks", "05_reproduce_and_share");
    // Its store is one of version 0.1.0.
    expect((await hashes(notebooks)).stdout).toMatch(
      /^store\.json: without seals\n\d+ hashes, each as .*\n$/,
    );
  });

  test("finds what was changed in the seal of a store, a check and the metadata of a release", async () => {
    const copy = join(folder, "..", "sealed");
    await cp(folder, copy, { recursive: true });
    const edit = async (path: string, from: RegExp, to: string) => {
      const text = await readFile(path, "utf8");
      expect(text).toMatch(from);
      await writeFile(path, text.replace(from, to));
    };
    const store = join(copy, "store");
    const [release] = await readdir(join(store, "ecpnd/releases"));
    const [check] = await readdir(join(store, "ecqdi/checks"));
    await edit(join(store, "store.json"), /"description": "/, '"description": "Not ');
    await edit(
      join(store, "ecpnd/releases", release!, "release.json"),
      /"origin": "http/,
      '"origin": "ftp',
    );
    await edit(join(store, "ecqdi/checks", check!), /"origin": "http/, '"origin": "ftp');
    const { code, stdout } = await hashes(copy);
    expect(code).toBe(1);
    for (const name of ["store.json", "release.json", check]) {
      expect(stdout).toMatch(new RegExp(`^seal of ${name}: expected`, "m"));
    }
  });

  test("finds what was changed in a check, a set and the lock", async () => {
    await forgeCheck(join(folder, "store", "ecpnd"), /^2026-11-20T15/, (check) => {
      check.prices_through = "2026-11-18";
    });
    const sets = join(folder, "store", "ecqdi", "sets");
    const [name] = await readdir(sets);
    await writeFile(
      join(sets, name!),
      (await readFile(join(sets, name!), "utf8")).replace("0.", "1."),
    );
    const lock = join(folder, "study.lock.json");
    await writeFile(lock, (await readFile(lock, "utf8")).replace('"scored":7', '"scored":6'));
    const { code, stdout } = await hashes(folder);
    expect(code).toBe(1);
    expect(stdout).toContain("check of ecpnd at 2026-11-20T15:00:05.000Z: expected");
    expect(stdout).toContain(`${name}: expected`);
    expect(stdout).toContain("seal of sets: expected");
  });
});
