import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { trialLog } from "../../src/analysis/trial_log.ts";
import { ROOT } from "../helpers/source_files.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-trialLog-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("a trial log keeps every line of writers in several processes", async () => {
  const module = pathToFileURL(join(ROOT, "src/analysis/trial_log.ts")).href;
  const script = `const { trialLog } = await import(${JSON.stringify(module)});
    const tried = trialLog(${JSON.stringify(folder)});
    const [writer] = Deno.args;
    for (let i = 0; i < 40; i++) {
      tried.enter({ what: "x".repeat(300), options: { writer, i }, n: 20, t: 1, p: 0.3 });
    }`;
  await Promise.all(["a", "b", "c"].map((writer) => run(script, writer)));
  const tried = trialLog(folder);
  expect(tried.count).toBe(120);
  expect(tried.unreadable).toBe(0);
});

function run(script: string, argument: string): Promise<void> {
  const child = spawn(process.execPath, ["eval", "--no-check", script, argument], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => code === 0 ? resolve() : reject(new Error(`exit ${code}`)));
  });
}
