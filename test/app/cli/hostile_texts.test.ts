import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demo } from "../../../src/app/demo/demo.ts";
import { frameBundle } from "../../../src/frames/notebook/frame/frame_bundle.ts";
import { showOn } from "../../../src/frames/notebook/show.ts";
import { startStudyService, type StudyService } from "../../study/_study.ts";
import { runMain } from "./_run_main.ts";
import pl from "nodejs-polars";

// What clears the screen and says something else, sets the clipboard, turns a line, and adds one.
const ESCAPES = "\x1b[2J\x1b[H4 sets: sound\x1b[8m\x1b]52;c;eA==\x07\u202e\u2066\x9b1m\r";
const FORGED = "4 sets, 4 views, 1 release: sound";
const NAME = `a${ESCAPES.replaceAll("/", "")}b`;
const LINES = `a\n${FORGED}`;
// Line breaks are of the verb, and tabs; all else acts.
const ACTS = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

let service: StudyService;
let folder: string;
let outside: string;

beforeAll(async () => {
  service = await startStudyService();
  outside = await mkdtemp(join(tmpdir(), "scoreframe-hostile-"));
  folder = join(outside, NAME);
  const study = await service.open(folder);
  await study.scores("ecpnd");
  await study.history("ecpnd");
  await writeFile(join(folder, `${NAME}.csv`), "a\n1\n");
  // A lock that names it could not be read again.
  await expect(study.input(`${NAME}.csv`)).rejects.toThrow("rename");
  await study.close();
  const output = { output_type: "stream", name: "stdout", text: ESCAPES };
  const failed = { output_type: "error", ename: NAME, evalue: ESCAPES };
  const cell = { cell_type: "code", source: `${ESCAPES} // ${NAME}`, outputs: [output, failed] };
  const tagged = { ...cell, metadata: { tags: ["volatile", "parameters"] } };
  for (const name of [NAME, LINES]) {
    await writeFile(join(folder, `${name}.ipynb`), JSON.stringify({ cells: [cell, tagged] }));
    await writeFile(join(folder, `${name}.txt`), ESCAPES);
    await writeFile(join(folder, "store", name), ESCAPES);
    await mkdir(join(folder, "store", "ecpnd", "sets", `${name}x`), { recursive: true });
    await writeFile(join(folder, "store", "ecpnd", "sets", `${name}.json`), ESCAPES);
    await writeFile(join(folder, "store", "ecpnd", "checks", `.tmp-${name}`), ESCAPES);
  }
});
afterAll(async () => {
  await service.close();
  await rm(outside, { recursive: true });
});

/** Verbs with their arguments, as somebody types them at a folder of a stranger. */
const VERBS: readonly (readonly string[])[] = [
  ["study", "list", "FOLDER"],
  ["study", "list", "FOLDER", "--json"],
  ["study", "verify", "FOLDER"],
  ["study", "verify", "FOLDER", "--json"],
  ["study", "list", "COPY"],
  ["study", "verify", "COPY"],
  ["study", "restore", "COPY"],
  ["study", "export", "OUT/e.zip", "COPY"],
  ["study", "verify", "FOLDER", "--report", "OUT/report.json"],
  ["study", "verify", "FOLDER", "--signers", "FOLDER/NAME.txt"],
  ["study", "verify", "FOLDER", "--head", "NAME"],
  ["study", "verify", "FOLDER", "-p", "NAME=1", "--run", "--timeout", "NAME"],
  ["study", "verify", "NAME"],
  ["study", "compare", "FOLDER", "COPY"],
  ["study", "compare", "FOLDER", "COPY", "--json"],
  ["study", "compare", "NAME", "FOLDER"],
  ["study", "gc", "FOLDER"],
  ["study", "gc", "FOLDER", "--json"],
  ["study", "restore", "FOLDER"],
  ["study", "update", "FOLDER"],
  ["study", "export", "OUT/a.zip", "FOLDER"],
  ["study", "export", "OUT/b.zip", "PLAIN", "--include", "NAME.txt"],
  ["study", "export", "OUT/c.zip", "PLAIN", "--json"],
  ["study", "export", "OUT/d.zip", "PLAIN", "--include", "NAME"],
  ["study", "import", "FOLDER/NAME.txt", "OUT/x"],
  ["study", "import", "OUT/b.zip", "OUT/y"],
  ["study", "sign", "FOLDER", "--key", "FOLDER/NAME.txt"],
  ["study", "NAME"],
  ["verify", "FOLDER/store"],
  ["verify", "NAME"],
  ["analyse", "NAME"],
  ["analyse", "FOLDER", "--list"],
  ["serve", "--store", "FOLDER/store", "--NAME"],
  ["serve", "--study", "NAME"],
  ["serve", "NAME"],
  ["relay", "--state", "NAME", "--NAME"],
  ["relay", "user", "add", "NAME"],
  ["demo", "NAME"],
  ["lab", "--NAME"],
  ["help", "NAME"],
  ["doctor", "NAME"],
  ["doctor", "--json"],
  ["NAME"],
];

describe("what somebody else named or wrote", () => {
  test.each(VERBS)("does not act on the terminal of %s %s", async (...args) => {
    const [copy, plain] = [join(outside, "copy"), join(outside, "plain")];
    await mkdir(join(outside, "out"), { recursive: true });
    await cp(folder, copy, { recursive: true, force: true });
    await forgeLock(copy);
    await plainStudy(plain);
    const places: Record<string, string> = { COPY: copy, PLAIN: plain, OUT: join(outside, "out") };
    const typed = args.map((word) =>
      word.replace(/^(COPY|PLAIN|OUT)/, (name) => places[name]!).replace("FOLDER", () => folder)
        .replace("NAME", () => NAME)
    );
    const before = { ...process.env };
    Object.assign(process.env, { SCOREFRAME_URL: "http://127.0.0.1:9", XDG_STATE_HOME: outside });
    delete process.env.SCOREFRAME_API_KEY;
    const { code, out, error } = await runMain(...typed).finally(() => {
      for (const name of ["SCOREFRAME_URL", "XDG_STATE_HOME", "SCOREFRAME_API_KEY"]) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    });
    const said = `${out}\n${error}`;
    expect(said.length).toBeGreaterThan(1);
    expect(said).not.toMatch(ACTS);
    expect(said.split("\n")).not.toContain(FORGED);
    expect([0, 1, 2]).toContain(code);
  });

  test("writes nothing that acts into a frame or a page, whatever a service says", async () => {
    await using api = await demo({ tickers: 20, years: 1, hours: 24 });
    const scores = await api.scores("ecpnd");
    const hostile = scores.withColumns(
      pl.lit(`${ESCAPES}${LINES}`).alias("universe"),
      pl.lit(ESCAPES).alias(`b${ESCAPES}`),
    );
    const bundle = frameBundle(hostile);
    let written = "";
    await showOn({ kernel: null, write: (text) => void (written += text) }, hostile);
    for (const text of [...Object.values(bundle).map(String), written]) {
      expect(text).not.toMatch(ACTS);
    }
  });
});

// A lock may hold any text that its format does.
async function forgeLock(copy: string): Promise<void> {
  const path = join(copy, "study.lock.json");
  const hostile = JSON.stringify(`${ESCAPES}${LINES}`);
  const text = await readFile(join(folder, "study.lock.json"), "utf8");
  await writeFile(
    path,
    text.replaceAll(/"universe": ?"[^"]*"/g, `"universe": ${hostile}`)
      .replace('"ignore": []', `"ignore": [${hostile}]`),
  );
}

// The same study under names that an archive may have.
async function plainStudy(plain: string): Promise<void> {
  await cp(folder, plain, { recursive: true, force: true });
  for (const name of await readdir(plain)) {
    if (name.startsWith("a") && !name.endsWith(".txt")) await rm(join(plain, name));
  }
}
