// @heavy: a Jupyter kernel
import { cp, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runStudy } from "../../../src/app/cli/study/run_study.ts";
import { exportStudy } from "../../../src/study/share/export_study.ts";
import { importStudy } from "../../../src/study/share/import_study.ts";
import { KEY } from "../../client/_service.ts";
import { notebookOf, startJupyter, type TestJupyter } from "../../helpers/jupyter/jupyter.ts";
import { describeWithJupyter } from "../../helpers/jupyter/needs_jupyter.ts";
import { projectPins } from "../_pins.ts";
import { startStudyService, type StudyService } from "../_study.ts";

const LONG_MS = 900_000;
const NOTEBOOK = "notebooks/momentum.ipynb";
const CELLS = [
  'import { openStudy, show } from "scoreframe";\nconst study = await openStudy();',
  "const rows = 3;",
  'const scores = await study.scores("ecpnd");\nawait show(scores.head(rows));',
  'const at = ["2026-11-20T10:30:00Z", "2026-11-20T14:30:00Z"];\nconst panel = await study.panel("ecqdi", { at });\n' +
  'console.log(panel.height, panel.getColumn("ecqdi_score").sum());',
  'console.log((await study.history("ecqdi")).height);',
  "console.log(Math.random());",
];

interface Verified {
  readonly code: number;
  readonly text: string;
}

await describeWithJupyter("the notebooks of a study", () => {
  let service: StudyService;
  let jupyter: TestJupyter;
  let folder: string;
  let looping: Promise<Verified>;

  beforeAll(async () => {
    service = await startStudyService();
    jupyter = await startJupyter();
    const origin = join(await service.makeFolder(), "momentum");
    await mkdir(join(origin, "notebooks"), { recursive: true });
    await writeFile(join(origin, "deno.json"), await projectPins());
    // A study begins where its folder has a lock; the first cell then finds it.
    await (await service.open(origin)).scores("ecpnd");
    const listener = await service.server.listen();
    // A run in continuous integration is frozen unless it is told otherwise.
    const environment = {
      SCOREFRAME_API_KEY: KEY,
      SCOREFRAME_URL: listener.url,
      SCOREFRAME_STUDY_MODE: "auto",
    };
    const cells = CELLS.map((source) =>
      source.replace("openStudy()", `openStudy("${origin}-live")`)
    );
    // Deno then has all that the platforms' packages of the drawing need, as where a chart was drawn before.
    await jupyter.execute(notebookOf(['await import("@resvg/resvg-js");']), origin, environment);
    const recorded = await jupyter.execute(notebookOf(cells), origin, environment);
    await listener.close();
    const tagged = recorded.cells.map((cell, i) => ({
      ...cell,
      source: CELLS[i]!,
      metadata: { tags: [[], ["parameters"], [], [], [], ["volatile"]][i]! },
    }));
    const live = `${origin}-live`;
    await mkdir(join(live, "notebooks"), { recursive: true });
    await writeFile(join(live, NOTEBOOK), JSON.stringify({ ...recorded, cells: tagged }));
    await writeFile(join(live, "deno.json"), await projectPins());
    const archive = `${origin}.zip`;
    await exportStudy(live, archive, { withoutData: false, name: "momentum" });
    folder = join(dirname(origin), "elsewhere");
    await importStudy(archive, folder);
    looping = verifyLooping();
    // Its own test tells why it failed.
    looping.catch(() => {});
  }, LONG_MS);
  afterAll(async () => {
    await looping?.catch(() => {});
    await jupyter?.[Symbol.asyncDispose]();
    await service?.close();
  });

  async function verifyIn(place: string, ...args: string[]): Promise<Verified> {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const code = await runStudy(["verify", place, "--run", ...args], { out: write, error: write });
    return { code, text: lines.join("\n") };
  }
  const verify = (...args: string[]) => verifyIn(folder, ...args);

  // It waits for a time to run out: in a copy of the study, while other tests run.
  async function verifyLooping(): Promise<Verified> {
    const place = `${folder}-looping`;
    await cp(folder, place, { recursive: true });
    await edit((cells) => {
      cells[1]!.source = 'const rows = 3; Deno.writeTextFileSync("../study.lock.json", "{}");';
      cells[4]!.source = "while (true);";
    }, place);
    return await verifyIn(place, "--timeout", "10");
  }

  async function edit(
    change: (cells: { source: string; outputs: unknown[] }[]) => void,
    place = folder,
  ) {
    const path = join(place, NOTEBOOK);
    const before = await readFile(path, "utf8");
    const notebook = JSON.parse(before);
    change(notebook.cells);
    await writeFile(path, JSON.stringify(notebook));
    return () => writeFile(path, before);
  }

  test("show the same in another folder, without key and network", async () => {
    const { code, text } = await verify();
    expect(text).toContain(
      `running the 6 cells of ${NOTEBOOK}, frozen and in a box without a network`,
    );
    expect(text).toMatch(/5 compared, 1 volatile, 0 ignored .* in 1 notebook: all outputs/);
    expect(code).toBe(0);
  }, LONG_MS);

  test("name the cell whose code or whose output was edited, and what was expected", async () => {
    const undo = await edit((cells) => {
      cells[3]!.source = cells[3]!.source.replace(".sum()", ".mean()");
      cells[4]!.outputs = [{ output_type: "stream", name: "stdout", text: "4\n" }];
    });
    const { code, text } = await verify();
    await undo();
    expect(code).toBe(1);
    expect(text).toMatch(
      /momentum\.ipynb, cell 4 \(const at = .*expected 16 4\.425, found 16 0\.36/,
    );
    expect(text).toMatch(/momentum\.ipynb, cell 5 \(.*expected 4, found 3/);
    expect(text).toContain(`${NOTEBOOK}: edited since`);
  }, LONG_MS);

  test("cannot reach the network, and cannot load what the lock lacks", async () => {
    const undo = await edit((cells) => {
      cells[4]!.source = 'await fetch("http://127.0.0.1:8123/");';
      cells[5]!.source = 'await study.scores("ecqdi");';
    });
    const { code, text } = await verify();
    await undo();
    expect(code).toBe(1);
    expect(text).toMatch(/cell 5 .*net access/i);
    expect(text).toMatch(
      /^notebooks\/momentum\.ipynb: box: \w+; .*closed: TCP, UDP, .* fetch, Polars$/m,
    );
    expect(text).toMatch(/cell 6 .*frozen study/);
  }, LONG_MS);

  test(
    "reach neither a module by its address nor native code nor a program nor a secret",
    async () => {
      const undo = await edit((cells) => {
        cells[1]!.source = 'const rows = 3; await import("http://127.0.0.1:8123/x.ts");';
        cells[3]!.source = 'Deno.dlopen("/lib/x86_64-linux-gnu/libc.so.6", {});';
        cells[4]!.source = 'new Deno.Command("true").outputSync();';
        cells[5]!.source = 'if (Deno.env.get("SECRET_OF_MINE")) throw new Error("leak" + "ed");';
      });
      Deno.env.set("SECRET_OF_MINE", "1");
      const { code, text } = await verify();
      Deno.env.delete("SECRET_OF_MINE");
      await undo();
      expect(code).toBe(1);
      expect(text).toMatch(/cell 2 .*Requires import access/i);
      expect(text).toMatch(/cell 4 .*Requires ffi access/i);
      expect(text).toMatch(/cell 5 .*Requires run access/i);
      expect(text).not.toContain("leaked");
    },
    LONG_MS,
  );

  test("name a cell that rewrites the lock, never ends or ends the kernel", async () => {
    const lock = await readFile(join(folder, "study.lock.json"), "utf8");
    const { code, text } = await looping;
    expect(text).toMatch(/cell 2 .*it changed study\.lock\.json/);
    expect(text).toMatch(/cell 5 .*longer than 10 s/);
    expect(text).toMatch(/cell 6 .*earlier cell ended/);
    expect(code).toBe(1);
    expect(await readFile(join(`${folder}-looping`, "study.lock.json"), "utf8")).toBe(lock);
    const again = await edit((cells) => void (cells[4]!.source = "Deno.exit(0);"));
    const ended = await verify("--timeout", "60");
    await again();
    expect(ended.text).toMatch(/cell 5 .*ended the kernel/);
    expect(ended.code).toBe(1);
  }, LONG_MS);

  test("name a notebook that was edited and shows the same, and the want of any", async () => {
    const undo = await edit((cells) => void (cells[1]!.source = "const rows = 2 + 1;"));
    const { code, text } = await verify();
    await undo();
    expect(text).toContain(`${NOTEBOOK}: edited since the study was exported`);
    expect(code).toBe(0);
    const path = join(folder, NOTEBOOK);
    await rename(path, `${path}.txt`);
    const none = await verify();
    await rename(`${path}.txt`, path);
    expect(none.text).toContain("has no notebook");
    expect(none.code).toBe(1);
  }, LONG_MS);

  test("take other values for what a cell tagged parameters declares", async () => {
    const { code, text } = await verify("-p", "rows=2");
    expect(text).toMatch(/cell 3 .*parameter rows was set$/m);
    expect(code).toBe(0);
    expect(text).toMatch(/cell 3 \(const scores/);
    await expect(verify("-p", "columns=2")).rejects.toThrow(
      'expected a cell tagged "parameters" that declares it',
    );
  }, LONG_MS);
});
