import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ROOT } from "./helpers/source_files.ts";

let folder: string;
beforeEach(async () => {
  await mkdir(join(ROOT, ".scoreframe"), { recursive: true });
  folder = await mkdtemp(join(ROOT, ".scoreframe", "suite-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs one test as this suite is run, and gives the exit status. */
async function statusOf(body: string): Promise<unknown> {
  await mkdir(join(folder, "test"));
  // The second test keeps the worker until what the first one left has come.
  const text = `import { test } from "vitest";
test("passes", () => {
  ${body}
});
test("waits", () => new Promise((resolve) => setTimeout(resolve, 100)));
`;
  await writeFile(join(folder, "test", "one.test.ts"), text);
  const config = join(ROOT, "vitest.config.ts");
  const args = ["run", "-A", "npm:vitest", "run", "--root", folder, "--config", config];
  const env = { ...process.env, CI: undefined };
  return await new Promise((resolve) =>
    execFile(process.execPath, args, { cwd: ROOT, env }, (error) => resolve(error?.code ?? 0))
  );
}

test("the suite passes with a test that leaves nothing behind", async () => {
  expect(await statusOf("")).toBe(0);
});

test.each([
  ["a rejection that nobody handles", 'void Promise.reject(new Error("left behind"));'],
  ["one that comes after its end", 'setTimeout(() => void Promise.reject(new Error("late")));'],
])("the suite fails with a test that leaves behind %s", async (_name, body) => {
  expect(await statusOf(body)).toBe(1);
});
