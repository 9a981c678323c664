// @heavy: a language server
import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  codeCells,
  notebookNames,
  readNotebook,
  sourceOf,
} from "./helpers/jupyter/notebook_files.ts";
import { documents, programsOf, writeProgram } from "./helpers/source/documents.ts";
import { ROOT } from "./helpers/source_files.ts";

const TYPED = join(ROOT, "test/frames/frame/typed");
const CELLS = join(ROOT, ".scoreframe", "cells");
const MISTAKE = /^\s*\/\/ @ts-expect-error: \S.*$/gm;

let programs: readonly string[];
let cells: readonly string[];
let typed: readonly string[];
let complaints: readonly string[];

// One check for all: the types of the library alone take it twenty seconds.
beforeAll(async () => {
  const all = (await documents()).flatMap(programsOf);
  programs = await Promise.all(all.map((program, i) => writeProgram(program, `typed_${i}`)));
  cells = await writeCells();
  typed = (await readdir(TYPED)).filter((name) => name.startsWith("_")).map((name) =>
    join(TYPED, name)
  );
  const args = ["check", "--quiet", ...programs, ...cells, ...typed];
  const env = { ...process.env, NO_COLOR: "1" };
  const { status, stderr } = spawnSync(Deno.execPath(), args, { cwd: ROOT, encoding: "utf8", env });
  complaints = status === 0 ? [] : stderr.split(/^(?=TS\d+ \[ERROR\])/m);
}, 900_000);
afterAll(() => rm(CELLS, { recursive: true, force: true }));

// Inside the repository, where imports resolve as they do in a cell; a module a notebook, as a kernel has one scope.
async function writeCells(): Promise<readonly string[]> {
  await mkdir(CELLS, { recursive: true });
  return await Promise.all(notebookNames.map(async (name) => {
    const file = join(CELLS, basename(name).replace(/\.ipynb$/, ".ts"));
    const sources = codeCells(await readNotebook(name)).map(sourceOf);
    await writeFile(file, `${sources.join("\n;\n")}\nexport {};\n`);
    return file;
  }));
}

function complaintsOf(files: readonly string[]): readonly string[] {
  expect(files.length).toBeGreaterThan(1);
  return complaints.filter((text) => files.some((file) => text.includes(pathToFileURL(file).href)));
}

test("the code blocks of the documents pass the type check", () => {
  expect(complaintsOf(programs)).toEqual([]);
});

test("the cells of the notebooks pass the type check", () => {
  expect(complaintsOf(cells)).toEqual([]);
});

test("frames are typed with their columns, and mistakes do not compile", async () => {
  const texts = await Promise.all(typed.map((path) => readFile(path, "utf8")));
  const mistakes = texts.flatMap((text) => text.match(MISTAKE) ?? []);
  expect(mistakes.length).toBeGreaterThanOrEqual(30);
  // `same<…>()` and annotated constants; an unused expectation of an error is an error itself.
  const statements = texts.flatMap((text) => text.match(/^ +(same<|const \w+: )/gm) ?? []);
  expect(mistakes.length + statements.length).toBeGreaterThanOrEqual(60);
  expect(complaintsOf(typed)).toEqual([]);
});

test("the check has nothing else to complain of", () => {
  const files = [...programs, ...cells, ...typed].map((file) => pathToFileURL(file).href);
  expect(complaints.filter((text) => !files.some((file) => text.includes(file)))).toEqual([]);
});
