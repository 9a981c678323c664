import { createHash } from "node:crypto";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runStudy } from "../../../src/app/cli/study/run_study.ts";
import { exportStudy, type ExportStudyOptions } from "../../../src/study/share/export_study.ts";
import { importStudy } from "../../../src/study/share/import_study.ts";
import { verifyStudy } from "../../../src/study/verify/verify_study.ts";
import { editJson, forgeCheck, type Json } from "../_tampering.ts";
import { startStudyService, type StudyService } from "../_study.ts";

let service: StudyService;
let folder: string;
let archive: string;

beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
  archive = join(dirname(folder), "momentum.zip");
  await mkdir(join(folder, "scripts"), { recursive: true });
  await writeFile(join(folder, "prices.csv"), "date,ticker,close\n2026-11-19,BARL,10\n");
  await writeFile(join(folder, "sectors.csv"), "ticker,sector\nBARL,Energy\n");
  await writeFile(join(folder, "scripts", "clean.py"), "print(1)\n");
  await writeFile(join(folder, ".secret"), "x");
  const study = await service.open(folder);
  await study.scores("ecpnd");
  await study.input("prices.csv");
  await study.close();
});
afterEach(() => service.close());

async function exported(options: Partial<ExportStudyOptions> = {}) {
  const { files: _, sizeBytes: __, ...rest } = await exportStudy(folder, archive, {
    withoutData: false,
    name: "momentum",
    ...options,
  });
  const target = join(dirname(folder), `imported-${crypto.randomUUID()}`);
  const { files } = await importStudy(archive, target);
  return { ...rest, files: files.filter((name) => !name.startsWith("store/")), target };
}

const PLAIN = ["manifest-sha256.txt", "ro-crate-metadata.json", "study.lock.json"];

describe("an export", () => {
  test("takes the inputs of the lock, and names what it leaves out", async () => {
    const { files, leftOut, target } = await exported();
    expect(files).toEqual([...PLAIN, "prices.csv"].toSorted());
    expect(leftOut).toEqual(["scripts/clean.py", "sectors.csv"]);
    expect((await verifyStudy(target)).problems).toEqual([]);
    await writeFile(join(target, "prices.csv"), "date,ticker,close\n2026-11-19,BARL,11\n");
    expect((await verifyStudy(target)).problems[0]).toMatchObject({ path: "prices.csv" });
  });

  test("takes further files by path, folder and pattern, and leaves licensed inputs out", async () => {
    const more = await exported({ include: ["scripts", "*.csv"] });
    expect(more.files).toEqual(
      [...PLAIN, "prices.csv", "scripts/clean.py", "sectors.csv"].toSorted(),
    );
    expect(more.leftOut).toEqual([]);
    const less = await exported({ withoutInputs: true });
    expect([less.files, less.leftOut]).toEqual([PLAIN, [
      "prices.csv",
      "scripts/clean.py",
      "sectors.csv",
    ]]);
    expect((await verifyStudy(less.target)).problems).toEqual([{
      path: "prices.csv",
      says:
        "the lock has this input, but its file is missing: ask its author for it, because an export may leave it out",
    }]);
    await expect(exported({ include: ["data/*.csv"] })).rejects.toThrow(
      /^Cannot include "data\/\*\.csv": expected a file in the folder of the study, got none/,
    );
    await expect(exported({ include: ["../x"] })).rejects.toThrow("got none");
  });

  test("and ls list the inputs of the lock", async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    await runStudy(["list", folder], { out: write, error: write });
    expect(lines.join("\n")).toMatch(/^ {2}input prices\.csv [0-9a-f]{12}…, 37 B$/m);
  });

  test("is refused where an input changed since it was pinned", async () => {
    await writeFile(join(folder, "prices.csv"), "date,ticker,close\n");
    await expect(exported()).rejects.toThrow(
      /^Cannot export prices\.csv: expected the input as it is pinned, SHA-256 .*study\.input\("prices\.csv", \{ repin: true \}\)/,
    );
  });

  test("takes the packed library that the project names only if its hash is the one that is given", async () => {
    const packed = join(dirname(folder), "built.tgz");
    await writeFile(packed, "packed");
    const library = createHash("sha256").update("packed").digest("hex");
    const pins = { dependencies: { scoreframe: "file:../built.tgz", arquero: "8.0.3" } };
    await writeFile(join(folder, "package.json"), JSON.stringify(pins));
    const without = await exported();
    expect(without.files).not.toContain("scoreframe.tgz");
    expect(without.notes[0]).toContain("--library SHA256");
    const { target, files, notes, outside } = await exported({ library });
    expect(files).toContain("scoreframe.tgz");
    expect(notes).toEqual([]);
    expect(outside).toEqual([{ path: "scoreframe.tgz", from: packed, isTaken: true }]);
    expect(await readFile(join(target, "scoreframe.tgz"), "utf8")).toBe("packed");
    expect(JSON.parse(await readFile(join(target, "package.json"), "utf8"))).toEqual({
      dependencies: { scoreframe: "file:./scoreframe.tgz", arquero: "8.0.3" },
    });
    await expect(exported({ library: "0".repeat(64) })).rejects.toThrow("got none");
  });

  test.each([
    ["deno.json", '{"imports":{"scoreframe":"file:///SECRET/backup.tar.gz"}}'],
    ["deno.json", '{"imports":{"scoreframe":"SECRET/backup.tar.gz"}}'],
    ["package.json", '{"dependencies":{"scoreframe":"file:../backup.tar.gz"}}'],
    ["package.json", '{"dependencies":{"@x/scoreframe":"file://elsewhere/backup.tar.gz"}}'],
  ])("publishes no other archive of the machine that its %s names", async (name, text) => {
    const home = dirname(folder);
    await writeFile(join(home, "backup.tar.gz"), "all that I have");
    await writeFile(join(folder, name), text.replace("/SECRET", home).replace("SECRET", home));
    const { files, outside, target } = await exported();
    expect(files).not.toContain("scoreframe.tgz");
    expect(outside).toEqual([]);
    const texts = files.filter((path) => !path.endsWith(".gz"))
      .map((path) => readFile(join(target, path), "utf8"));
    expect((await Promise.all(texts)).join("")).not.toContain("all that I have");
  });

  test("lists each file from folders above, and takes it only when it is asked to", async () => {
    const above = dirname(folder);
    await writeFile(join(above, "package.json"), '{"private":"of another project"}');
    await writeFile(join(above, "deno.lock"), '{"version":"5"}');
    const from = (name: string) => join(above, name);
    const without = await exported();
    expect(without.files).not.toContain("package.json");
    expect(without.outside).toEqual([
      { path: "deno.lock", from: from("deno.lock"), isTaken: false },
      { path: "package.json", from: from("package.json"), isTaken: false },
    ]);
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    await runStudy(["export", archive, folder, "--outside"], { out: write, error: write });
    for (const name of ["deno.lock", "package.json"]) {
      expect(lines).toContain(`from outside of the study: ${from(name)}, as ${name}`);
      await rm(from(name));
    }
    expect((await exported()).outside).toEqual([]);
  });

  test("names a linked notebook that it leaves out", async () => {
    await writeFile(join(dirname(folder), "elsewhere.ipynb"), '{"cells":[]}');
    await symlink("../elsewhere.ipynb", join(folder, "linked.ipynb"));
    const { files, leftOut } = await exported();
    expect(files).not.toContain("linked.ipynb");
    expect(leftOut).toContain("linked.ipynb (a link)");
  });

  test("tells at most ten of the files that it leaves out", async () => {
    for (let i = 0; i < 30; i++) await writeFile(join(folder, `note${i}.txt`), "x");
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    expect(await runStudy(["export", archive, folder], { out: write, error: write })).toBe(0);
    expect(lines.at(-1)).toMatch(/^left out: note0\.txt, .* 22 more; --include PATH/);
  });
});

describe("an imported study", () => {
  test("is held to its manifest: checks, metadata and the store's own file", async () => {
    const { target } = await exported();
    await editJson(join(target, "store", "store.json"), (info) => void (info.description = "Mine"));
    await forgeCheck(join(target, "store", "ecpnd"), /^2026-11-20T15/, (check) => {
      (check.coverage as Json).failed_calls = 9;
    });
    const { problems } = await verifyStudy(target);
    const named = problems.map(({ path }) => path).join(" ");
    expect(named).toContain("store/store.json");
    expect(named).toContain("study.lock.json");
  });
});
