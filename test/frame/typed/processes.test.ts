import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../helpers/source_files.ts";

const FOLDER = "test/frame/typed";
const MISTAKE = /^\s*\/\/ @ts-expect-error: \S.*$/gm;

test(
  "frames are typed with their columns, and mistakes do not compile",
  { timeout: 600_000 },
  async () => {
    const files = (await readdir(join(ROOT, FOLDER))).filter((name) => name.startsWith("_"));
    const texts = await Promise.all(
      files.map((name) => readFile(join(ROOT, FOLDER, name), "utf8")),
    );
    const mistakes = texts.flatMap((text) => text.match(MISTAKE) ?? []);
    expect(mistakes.length).toBeGreaterThanOrEqual(30);
    // `same<…>()` and annotated constants; an unused expectation of an error is an error itself.
    const statements = texts.flatMap((text) => text.match(/^ +(same<|const \w+: )/gm) ?? []);
    expect(mistakes.length + statements.length).toBeGreaterThanOrEqual(60);
    const { status, stderr } = spawnSync(
      Deno.execPath(),
      ["check", ...files.map((name) => join(FOLDER, name))],
      { cwd: ROOT, encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } },
    );
    expect(status, stderr).toBe(0);
  },
);
