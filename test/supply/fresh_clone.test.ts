// @heavy: installs a clone from nothing
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../helpers/source_files.ts";

const run = promisify(execFile);

let folder: string;
let clone: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-clone-"));
  clone = join(folder, "project", "scoreframe");
  await mkdir(join(folder, "home"));
  await run("git", ["clone", "--quiet", ROOT, clone]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs Deno in a clone that has nothing but what earlier tasks installed, with an empty home. */
async function deno(args: readonly string[], cwd = clone) {
  const env = {
    PATH: process.env["PATH"],
    HOME: join(folder, "home"),
    NO_COLOR: "1",
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) =>
        /^(npm_config|NODE_EXTRA|DENO_CERT|SSL_)/i.test(name)
      ),
    ),
  };
  return await run(process.execPath, args, { cwd, env, maxBuffer: 2 ** 26 });
}

// In this order: what a task needs must not come from an earlier one by luck, and the first has only the library's packages.
test.each([
  ["demo"],
  ["bundle", "bundle.tgz"],
  ["scoreframe", "doctor", "--offline"],
  ["measure"],
  ["generate", "rules"],
  ["generate", "lock"],
  ["test:near"],
  ["pack", "scoreframe.tgz"],
])("task %s runs in a fresh clone with an empty home", async (...args) => {
  await deno(["task", ...args]);
  if (args[1]?.endsWith(".tgz")) {
    expect((await stat(join(clone, args[1]))).size).toBeGreaterThan(1e5);
  }
});

test("tasks that write committed files leave a fresh clone as it was", async () => {
  const { stdout } = await run("git", ["status", "--porcelain", "--untracked-files=no"], {
    cwd: clone,
  });
  expect(stdout).toBe("");
});

test("a project beside the clone runs a script without a line of Deno's own", async () => {
  const project = join(folder, "project");
  const guide = await run("git", ["show", "HEAD:docs/install.md"], { cwd: clone });
  const [, config = ""] = /```json\n(\{\n {2}"workspace"[\s\S]*?)```/.exec(guide.stdout)!;
  await writeFile(join(project, "deno.json"), config);
  await writeFile(
    join(project, "example.ts"),
    'import { demo } from "scoreframe";\nconsole.log((await (await demo()).scores("ecpnd")).height);\n',
  );
  await deno(["install", "--quiet"], project);
  const { stdout, stderr } = await deno(["run", "-A", "example.ts"], project);
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(stderr).toBe("");
});
