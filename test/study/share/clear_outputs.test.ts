import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runStudy } from "../../../src/app/cli/study/run_study.ts";
import { importStudy } from "../../../src/study/share/import_study.ts";
import { shownScores } from "../../../src/study/share/export_study.ts";
import { startStudyService, type StudyService } from "../_study.ts";

// As frames of this library and of pandas are shown: two scores and a null; one score beside an index.
const FRAME =
  "<table><thead><tr><th>ticker<br><small>str</small></th><th>ecpnd_score<br><small>f64</small></th></tr></thead>" +
  "<tbody><tr><td>BARL</td><td>1.25</td></tr><tr><td>CORN</td><td>-0.5</td></tr><tr><td>DUST</td><td>null</td></tr></tbody></table>";
const PANDAS = "<table><thead><tr><th></th><th>score</th><th>scores_used</th></tr></thead>" +
  "<tbody><tr><th>0</th><td>3</td><td>7</td></tr></tbody></table>";

const shown = (...texts: readonly string[]) => ({
  cells: [{
    cell_type: "code",
    id: "a",
    source: "frame",
    execution_count: 4,
    metadata: {},
    outputs: texts.map((text) => ({ output_type: "display_data", data: { "text/html": text } })),
  }, { cell_type: "markdown", id: "b", source: "words", metadata: {} }],
  metadata: { kernelspec: { name: "deno" }, widgets: { state: 1 } },
  nbformat: 4,
  nbformat_minor: 5,
});

let service: StudyService;
let folder: string;
let archive: string;
beforeEach(async () => {
  service = await startStudyService();
  folder = join(await service.makeFolder(), "momentum");
  archive = join(dirname(folder), "momentum.zip");
  const study = await service.open(folder);
  await study.scores("ecpnd");
  await study.close();
  await writeFile(join(folder, "a.ipynb"), JSON.stringify(shown(FRAME, PANDAS)));
});
afterEach(() => service.close());

async function run(...args: readonly string[]): Promise<string> {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  expect(await runStudy(args, { out: write, error: write })).toBe(0);
  return lines.join("\n");
}

test("shownScores() counts the numbers in columns of scores, not nulls nor other columns", () => {
  expect(shownScores(shown(FRAME))).toBe(2);
  expect(shownScores(shown(PANDAS))).toBe(1);
  expect(shownScores(shown(`${FRAME}${PANDAS}`, FRAME))).toBe(5);
  expect(shownScores(shown("<b>score 3</b>"))).toBe(0);
  expect(shownScores({ cells: [] })).toBe(0);
});

describe("an export without data", () => {
  test("says how many scores the notebooks show", async () => {
    expect(await run("export", archive, folder, "--without-data")).toMatch(
      /show 3 scores .*--clear-outputs/,
    );
    expect(await run("export", archive, folder)).not.toContain("notebooks show");
    expect(JSON.parse(await run("export", archive, folder, "--json"))).toMatchObject({
      shownScores: 3,
    });
  });

  test("clears the outputs of what is shared, and leaves the originals", async () => {
    const before = await readFile(join(folder, "a.ipynb"), "utf8");
    expect(await run("export", archive, folder, "--without-data", "--clear-outputs")).toContain(
      "notebooks show no scores in score columns of tables",
    );
    expect(await readFile(join(folder, "a.ipynb"), "utf8")).toBe(before);
    const target = join(dirname(folder), "imported");
    await importStudy(archive, target);
    const text = await readFile(join(target, "a.ipynb"), "utf8");
    const { cells: [first, second], metadata, ...rest } = shown();
    expect(JSON.parse(text)).toEqual({
      cells: [{ ...first, execution_count: null, outputs: [] }, second],
      metadata: { kernelspec: metadata.kernelspec },
      ...rest,
    });
    await promisify(execFile)("sha256sum", ["-c", "manifest-sha256.txt"], { cwd: target });
  });

  test("clears an output that holds what looks like an API key", async () => {
    await mkdir(join(folder, "more"));
    await writeFile(
      join(folder, "more", "b.ipynb"),
      JSON.stringify(shown("svc_test_0123456789abcdef")),
    );
    await expect(run("export", archive, folder)).rejects.toThrow(/more\/b\.ipynb: .*API key/);
    await run("export", archive, folder, "--clear-outputs");
  });
});

test("export and import show how far they are", async () => {
  const shows = async (...args: readonly string[]) => {
    const written: string[] = [];
    const progress = { kernel: null, write: (text: string) => void written.push(text) };
    const terminal = { out: () => {}, error: () => {} };
    await runStudy(args, terminal, { connection: {}, confirm: () => false, progress });
    return written;
  };
  const [last, cleared] = (await shows("export", archive, folder)).slice(-2);
  expect(last).toMatch(/^\r\[#*-*\] {2}Exporting: \d+% *$/);
  expect(cleared).toMatch(/^\r +\r$/);
  const imported = join(dirname(folder), "imported");
  expect((await shows("import", archive, imported)).at(-2)).toMatch(/^\r\[.*\] {2}Importing: \d+/);
  expect(await shows("export", archive, folder, "--json")).toEqual([]);
});
