// @heavy: a Jupyter kernel
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordStudy } from "../../.ci/record_study.ts";
import { runStudy } from "../../src/app/cli/study/run_study.ts";
import { diffLocks } from "../../src/study/change/diff_studies.ts";
import { readLockFile } from "../../src/study/lock/lock_file.ts";
import { describeWithJupyter } from "../helpers/jupyter/needs_jupyter.ts";
import { ROOT } from "../helpers/source_files.ts";
import { startStudyService, type StudyService } from "./_study.ts";

const FOLDER = join(ROOT, "notebooks/05_reproduce_and_share");
const LONG_MS = 900_000;

let service: StudyService;
let folder: string;
beforeAll(async () => {
  service = await startStudyService();
  folder = await service.makeFolder();
});
afterAll(() => service.close());

async function study(...args: string[]) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  return { code: await runStudy(args, { out: write, error: write }), text: lines.join("\n") };
}

test("the committed study of the notebook equals one recorded anew over a socket", async () => {
  await recordStudy(join(folder, "recorded"));
  const [committed, recorded] = [
    await readLockFile(FOLDER),
    await readLockFile(join(folder, "recorded")),
  ];
  // The port of the server is another one each time.
  const { service: _, environment, ...facts } = recorded!.lock;
  const { lock } = committed!;
  // And each was received at its own time.
  const received = new Map(lock.views.map((view) => [`${view.factor} ${view.at}`, view.receipt!]));
  const views = facts.views.map((view) => {
    const { retrievedAt } = received.get(`${view.factor} ${view.at}`)!;
    return { ...view, receipt: { ...view.receipt!, retrievedAt } };
  });
  expect(diffLocks(lock, { ...facts, views, service: lock.service, environment })).toEqual([]);
  expect((await study("verify", FOLDER)).code).toBe(0);
}, LONG_MS);

test("a frozen run needs no permission to open a socket or to resolve a name", async () => {
  const script = join(import.meta.dirname!, "_frozen_process.ts");
  const { stdout } = await promisify(execFile)(Deno.execPath(), [
    ...["run", "-A", "--deny-net", "--cached-only", script],
    FOLDER,
  ]);
  expect(stdout).toBe("60,240,3 ScoreframeError\n");
});

await describeWithJupyter("the notebook of the study", () => {
  test(
    "shows each number again where it was imported, with every connection forbidden",
    async () => {
      const archive = join(folder, "study.zip");
      expect((await study("export", archive, FOLDER)).code).toBe(0);
      const elsewhere = join(folder, "elsewhere");
      expect((await study("import", archive, elsewhere)).code).toBe(0);
      const { code, text } = await study("verify", elsewhere, "--run");
      expect(text).toMatch(
        /^\S+\.ipynb: box: \w+; .*closed: TCP, UDP, a socket by path, a program, a file of the home/m,
      );
      expect(text).toContain("1 notebook: all outputs");
      expect(code).toBe(0);
      const path = join(elsewhere, "05_reproduce_and_share.ipynb");
      const notebook = await readFile(path, "utf8");
      await writeFile(path, notebook.replaceAll("0.3399", "0.3398"));
      const changed = await study("verify", elsewhere, "--run");
      expect(changed.code).toBe(1);
      expect(changed.text).toMatch(/cell 6 \(const scores.*expected .*0\.3398.*, found .*0\.3399/);
      expect(changed.text).toContain("edited since");
    },
    LONG_MS,
  );
});
