// @heavy: programs of documents
import { beforeAll, describe, expect, test } from "vitest";
import { documents, programsOf, runProgram, writeProgram } from "./helpers/source/documents.ts";

const LONG_MS = 900_000;

const programs = (await documents()).flatMap(programsOf);
let paths: readonly string[];
beforeAll(async () => {
  const writing = programs.map((program, i) => writeProgram(program, `program_${i}`));
  paths = await Promise.all(writing);
});

describe("the code blocks of the documents", () => {
  const runnable = programs.filter((program) => !program.isIgnored);
  test("are run: most of them, and with output", () => {
    expect(runnable.length).toBeGreaterThan(programs.length / 2);
    expect(programs[0]?.blocks[0]?.output).toContain("synthetic");
  });

  test.each(runnable)("print what stands below them: $title", async (program) => {
    const printed = await runProgram(paths[programs.indexOf(program)]!);
    expect(printed).toHaveLength(program.blocks.length);
    // A block without a text block below it may print what it likes.
    const expected = program.blocks.map((block, i) => block.output?.trimEnd() ?? printed[i]);
    expect(printed).toEqual(expected);
  }, LONG_MS);
});
