// @heavy: programs of documents
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScoreServer, type ScoreListener, type ScoreServer } from "../src/server/mod.ts";
import { buildWorld } from "../src/server/world/build_world.ts";
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
    expect(programs[0]?.blocks[0]?.output).toContain("break-even cost");
  });

  test.each(runnable)("print what stands below them: $title", async (program) => {
    const printed = await runProgram(paths[programs.indexOf(program)]!);
    expect(printed).toHaveLength(program.blocks.length);
    // A block without a text block below it may print what it likes.
    const expected = program.blocks.map((block, i) => block.output?.trimEnd() ?? printed[i]);
    expect(printed).toEqual(expected);
  }, LONG_MS);
});

describe("the examples with demo(), on a service", () => {
  const API_KEY = "svc_test_documents";
  let folder: string;
  let server: ScoreServer;
  let listener: ScoreListener;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-documents-"));
    const { store } = await buildWorld(join(folder, "world"));
    server = createScoreServer({
      store,
      clock: { at: "2026-11-20T15:00:00Z" },
      accounts: [{
        id: "me",
        factors: ["ecpnd", "ecqdi"],
        keys: [{ key: API_KEY }],
        // The clock stands still, so that no minute ends.
        limits: { requestsPerMinute: 10_000, downloadsPerDay: 100 },
      }],
    });
    listener = await server.listen();
  }, LONG_MS);
  afterAll(async () => {
    await listener?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  }, LONG_MS);

  const examples = programs.filter(({ isIgnored, blocks }) =>
    !isIgnored && blocks.some(({ code }) => code.includes("= await demo("))
  );
  test.each(examples)("run with connect() in its place: $title", async (program) => {
    const place = programs.indexOf(program);
    const path = paths[place]!.replace(/\.ts$/, "_live.ts");
    const text = await readFile(paths[place]!, "utf8");
    const closes = JSON.stringify(join(folder, "world", "closes.csv"));
    await writeFile(
      path,
      text.replaceAll(/= await demo\([^\n]*?\);/g, "= await connect();")
        .replaceAll(/`[^`\n]*closes\.csv`/g, closes),
    );
    const printed = await runProgram(path, {
      SCOREFRAME_URL: listener.url,
      SCOREFRAME_API_KEY: API_KEY,
      XDG_CACHE_HOME: join(folder, "cache"),
    });
    expect(printed).toHaveLength(program.blocks.length);
  }, LONG_MS);
});
