import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { ROOT } from "../source_files.ts";

/** A Markdown file of the repository. */
export interface Document {
  /** Path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** One `ts` block of a document. */
export interface Block {
  readonly code: string;
  /** What it prints, as the `text` block below it says; `null` if there is none. */
  readonly output: string | null;
}

/** Blocks that run as one program: the first one, and those marked `ts more` that go on with it. */
export interface Program {
  /** `README.md 3: the last line of its first block`. */
  readonly title: string;
  /** Only type-checked, because it needs a key. */
  readonly isIgnored: boolean;
  readonly blocks: readonly Block[];
}

const run = promisify(execFile);
// Stands between the outputs of the blocks of a program.
const BETWEEN_BLOCKS = "\u001d";

const FENCES = /^```ts( ignore| more)?\n([\s\S]*?)^```\n(?:\n```text\n([\s\S]*?)^```\n)?/gm;

/** The documents of users and of developers: those of the root and of `docs`. */
export async function documents(): Promise<readonly Document[]> {
  return await readDocuments([
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    ...await pages("docs"),
  ]);
}

/** The pages of decisions, with their reasons, which stand beside the code. */
export async function decisions(): Promise<readonly Document[]> {
  const text = await readFile(join(ROOT, "ARCHITECTURE.md"), "utf8");
  const [, section = ""] = /^## Decisions$([^]*?)^## /m.exec(text) ?? [];
  return await readDocuments([...section.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!));
}

async function pages(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(ROOT, folder));
  return names.filter((name) => name.endsWith(".md")).toSorted().map((name) => join(folder, name));
}

async function readDocuments(paths: readonly string[]): Promise<readonly Document[]> {
  return await Promise.all(
    paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), "utf8") })),
  );
}

/** The programs of a document, in order. */
export function programsOf({ path, text }: Document): readonly Program[] {
  const programs: (Program & { readonly blocks: Block[] })[] = [];
  for (const [, mark, code = "", output] of text.matchAll(FENCES)) {
    const block = { code, output: output ?? null };
    const last = programs.at(-1);
    if (mark === " more" && last !== undefined) {
      last.blocks.push(block);
      continue;
    }
    const line = code.split("\n").findLast((entry) => entry !== "")?.trim();
    const title = `${path} ${programs.length + 1}: ${line}`;
    programs.push({ title, isIgnored: mark === " ignore", blocks: [block] });
  }
  return programs;
}

/** The source of a program: each block that goes on has names of its own. */
export function sourceOf({ blocks: [first, ...more] }: Program): string {
  const between = `console.log(${JSON.stringify(BETWEEN_BLOCKS)});`;
  const parts = more.map(({ code }) => `${between}\n{\n${code}}\n`);
  return `${first?.code}\n${parts.join("")}export {};\n`;
}

/** Writes a program into a file below the repository, where "scoreframe" and "nodejs-polars" are known. */
export async function writeProgram(program: Program, name: string): Promise<string> {
  const path = join(ROOT, ".scoreframe", "docs", `${name}.ts`);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, sourceOf(program));
  return path;
}

/** Runs a program that was written, and gives what each of its blocks printed. */
export async function runProgram(
  path: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const args = ["run", "-A", "--quiet", "--no-check", path];
  // A reader's study is not frozen, as it is where CI is true.
  const env = { ...process.env, CI: "", NO_COLOR: "1", ...variables };
  const { stdout } = await run(Deno.execPath(), args, { cwd: ROOT, env });
  // A temporary folder has another name each time.
  return stdout.replaceAll(/(?<=\/scoreframe-)[0-9a-f]{8,}/g, "…")
    .split(`${BETWEEN_BLOCKS}\n`).map((part) => part.trimEnd());
}
