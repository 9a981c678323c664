import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "./helpers/source_files.ts";

const run = promisify(execFile);
const LONG_MS = 60_000;
// Inside the repository, where "scoreframe" and "nodejs-polars" are known.
const FOLDER = join(ROOT, ".scoreframe", "readme");

/** A code block of the README, with the output that stands below it. */
interface Block {
  readonly title: string;
  readonly code: string;
  /** Not run, because it needs a key: only type-checked. */
  readonly isIgnored: boolean;
  readonly output: string | null;
}

const README = await readFile(join(ROOT, "README.md"), "utf8");
const FENCES = /^```ts( ignore)?\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm;

function blocksOf(markdown: string): readonly Block[] {
  return [...markdown.matchAll(FENCES)].map(([, ignored, code = "", output], index) => ({
    title: `${index + 1}, ${code.split("\n").findLast((line) => line !== "")?.trim()}`,
    code,
    isIgnored: ignored !== undefined,
    output: output ?? null,
  }));
}

describe("README", () => {
  const blocks = blocksOf(README);
  const fileOf = ({ title }: Block) => join(FOLDER, `block_${parseInt(title)}.ts`);
  beforeAll(() => mkdir(FOLDER, { recursive: true }));
  afterAll(() => rm(FOLDER, { recursive: true, force: true }));

  test("has blocks that pass the type check", async () => {
    for (const block of blocks) await writeFile(fileOf(block), `${block.code}\nexport {};\n`);
    try {
      await run(Deno.execPath(), ["check", "--quiet", ...blocks.map(fileOf)], { cwd: ROOT });
    } catch (error) {
      expect.fail((error as { stderr: string }).stderr);
    }
  }, LONG_MS);

  test.each(blocks.filter((block) => !block.isIgnored))("block $title", async (block) => {
    await writeFile(fileOf(block), `${block.code}\nexport {};\n`);
    const args = ["run", "-A", "--quiet", "--no-check", fileOf(block)];
    const env = { ...process.env, NO_COLOR: "1" };
    const { stdout } = await run(Deno.execPath(), args, { cwd: ROOT, env });
    if (block.output !== null) expect(stdout.trimEnd()).toBe(block.output.trimEnd());
  }, LONG_MS);

  test("runs its blocks: most of them, and with output", () => {
    expect(blocks.filter((block) => !block.isIgnored).length).toBeGreaterThan(blocks.length / 2);
    expect(blocks[0]?.output).toContain("synthetic");
  });

  test("names tasks that exist, with the Deno that continuous integration uses", async () => {
    const { tasks } = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8"));
    const named = [...README.matchAll(/npx --yes deno@(\S+) task (\S+)/g)];
    const unknown = named.map(([, , task]) => task).filter((task) => !(task! in tasks));
    expect(unknown).toEqual([]);
    const ci = await readFile(join(ROOT, ".ci/run"), "utf8");
    expect(new Set(named.map(([, version]) => version))).toEqual(
      new Set([/deno@(\S+?)"/.exec(ci)?.[1]]),
    );
  });

  test("links to files that exist", async () => {
    const links = [...README.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link]) => link!);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) await readFile(join(ROOT, link));
  });
});
