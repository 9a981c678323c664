/**
 * Runs the quick tests near the files that differ from the last commit, or else those of the last commit.
 *
 * Vitest's own `--changed` follows imports through `mod.ts` and runs a fifth of the suite.
 */
import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import process from "node:process";
import { type ImportingFile, nearTests } from "../test/helpers/source/near_tests.ts";
import { parseSourceFile, ROOT } from "../test/helpers/source_files.ts";

process.exitCode = await runNear();

async function runNear(): Promise<number> {
  const uncommitted = [
    ...git("diff", "--name-only", "HEAD"),
    ...git("ls-files", "-o", "--exclude-standard"),
  ];
  const changed = uncommitted.length > 0 ? uncommitted : git("diff", "--name-only", "HEAD~1");
  const tests = nearTests(changed, await readFiles());
  process.stderr.write(`${tests.length} test files near ${changed.length} changed files\n`);
  return tests.length === 0 ? 0 : runVitest(tests);
}

function runVitest(filters: readonly string[]): number {
  const args = [
    "run",
    "-A",
    "npm:vitest",
    "run",
    "--project",
    "quick",
    "--passWithNoTests",
    ...filters,
  ];
  return spawnSync(Deno.execPath(), args, { cwd: ROOT, stdio: "inherit" }).status ?? 1;
}

async function readFiles(): Promise<readonly ImportingFile[]> {
  const below = await Promise.all(
    ["src", "test"].map(async (folder) =>
      (await readdir(join(ROOT, folder), { recursive: true })).map((path) => join(folder, path))
    ),
  );
  const paths = ["mod.ts", ...below.flat().filter((path) => path.endsWith(".ts"))];
  return await Promise.all(paths.map(async (path) => {
    const { imports } = parseSourceFile(path, await readFile(join(ROOT, path), "utf8"));
    const targets = imports.flatMap(({ target }) =>
      target === null ? [] : [relative(ROOT, target)]
    );
    return { path, imports: targets };
  }));
}

function git(...args: readonly string[]): readonly string[] {
  const { stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" });
  return stdout.split("\n").filter((line) => line !== "");
}
