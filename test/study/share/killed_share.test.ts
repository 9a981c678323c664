import { spawn } from "node:child_process";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { exportStudy } from "../../../src/study/share/export_study.ts";
import { importStudy } from "../../../src/study/share/import_study.ts";
import { startStudyService, type StudyService } from "../_study.ts";

const SOURCE = join(import.meta.dirname!, "../../../src");
const OPTIONS = { withoutData: false, name: "momentum" };
let service: StudyService;
let folder: string;
let parent: string;
beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
  parent = join(dirname(folder), "exports");
  await mkdir(parent);
  const study = await service.open(folder);
  await study.scores("ecpnd");
  await study.close();
});
afterEach(() => service.close());

/** Starts a process that stops within what it does, waits until it is there, and gives its end. */
async function stuck(code: string): Promise<() => Promise<void>> {
  const args = ["eval", `${code}\nsetInterval(() => {}, 1000);`];
  const child = spawn(Deno.execPath(), args, { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
  };
}

const hidden = async () => (await readdir(parent)).filter((name) => name.startsWith("."));

// The first update stops the process in the middle: nothing after it runs.
const STOP = `{ update: ({ done, total }) => {
  if (done * 4 < total * 3) return;
  Deno.stdout.writeSync(new Uint8Array([46]));
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
} }`;

test("what a killed export and a killed import wrote is removed by the next one, and nothing of a living one", async () => {
  const archive = join(parent, "one.zip");
  const exporting = `const { exportStudy } = await import(${
    JSON.stringify(`file://${SOURCE}/study/share/export_study.ts`)
  });
    await exportStudy(${JSON.stringify(folder)}, ${JSON.stringify(archive)}, {
      withoutData: false, name: "momentum", progress: ${STOP} });`;
  const endExport = await stuck(exporting);
  const living = await hidden();
  expect(living).toEqual([expect.stringMatching(/^\.scoreframe-export-\d+\.\w{6}$/)]);
  await exportStudy(folder, join(parent, "two.zip"), OPTIONS);
  expect(await hidden()).toEqual(living);
  await endExport();
  expect(await hidden()).toEqual(living);
  // A file of the user's that is named alike is not of this library.
  const others = ["scoreframe-paper-2024.backup", ".scoreframe-notes"];
  for (const name of others) await writeFile(join(parent, name), "mine");
  await mkdir(join(parent, "scoreframe-study-2024-second"));
  await exportStudy(folder, join(parent, "two.zip"), OPTIONS);
  expect(await hidden()).toEqual([".scoreframe-notes"]);
  expect(await readdir(parent)).toEqual(
    expect.arrayContaining(["scoreframe-paper-2024.backup", "scoreframe-study-2024-second"]),
  );
  await rm(join(parent, ".scoreframe-notes"));

  const importing = `const { importStudy } = await import(${
    JSON.stringify(`file://${SOURCE}/study/share/import_study.ts`)
  });
    await importStudy(${JSON.stringify(join(parent, "two.zip"))}, ${
    JSON.stringify(join(parent, "target"))
  }, { progress: ${STOP} });`;
  const endImport = await stuck(importing);
  const staged = await hidden();
  expect(staged).toEqual([expect.stringMatching(/^\.scoreframe-import-\d+\.\w{6}$/)]);
  await importStudy(join(parent, "two.zip"), join(parent, "other"));
  expect(await hidden()).toEqual(staged);
  await endImport();
  await importStudy(join(parent, "two.zip"), join(parent, "target"));
  expect(await hidden()).toEqual([]);
});
