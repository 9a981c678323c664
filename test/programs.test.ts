import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runProgram } from "../src/base/runtime/programs.ts";
import { ROOT, sourceFiles } from "./helpers/source_files.ts";

/** Every place of the library that starts code: what it starts, in whose folder, with whose environment. */
const STARTED: Readonly<Record<string, string>> = {
  "src/base/runtime/programs.ts":
    "any program below; in the root folder of the system, with absolute folders of the PATH, without the key unless its caller gives an environment",
  "src/study/run/box.ts":
    "bubblewrap, sandbox-exec or Python; in a folder of ours, environment of ours",
  "src/study/run/box_python.ts": "python3 -I; environment of ours",
  "src/study/sign/sign_study.ts": "ssh-keygen; the user's environment without the key",
  "src/frames/frame/polars/try_parquet.ts": "this Deno with a file of the library, without the key",
  "src/app/cli/doctor/machine.ts": "programs of the user's, without the key",
  "src/app/cli/lab.ts":
    "this Deno, Jupyter and its Python; Jupyter alone has the key, for its kernels",
  "src/app/cli/serve_cells.ts": "deno lsp, which Jupyter starts; the environment of Jupyter",
  "src/base/gzip/inflate_file.ts": "a worker: a file of the library",
};
const STARTS =
  /\b(?:startProgram|runProgram|spawn|spawnSync|execFile|execFileSync|execSync|fork)\(|\bnew (?:Worker|Deno\.Command)\(|node:child_process|\bDeno\.(?:Command|run)\b/;
// A dynamic import spells out a file of the library or a package, or its name stands in a list beside it.
const COMPUTED = ["src/report/chart/render/render_pdf.ts"];

describe("programs that the library starts", () => {
  test("are those of the list, which says whose folder and whose environment they have", async () => {
    const files = await sourceFiles();
    const found = files.filter(({ text }) => STARTS.test(code(text))).map(({ path }) => path);
    expect(found.toSorted()).toEqual(Object.keys(STARTED).toSorted());
    const direct = files.filter(({ text }) =>
      /import \{[^}]*\} from "node:child_process"/.test(text.replaceAll(/type \w+,?/g, ""))
    );
    expect(direct.map(({ path }) => path)).toContain("src/base/runtime/programs.ts");
    const spawning = files.filter(({ text }) => /\b(?:spawn|execFile|fork)\(/.test(code(text)));
    expect(spawning.map(({ path }) => path).filter((path) => !/box_(walls|program)/.test(path)))
      .toEqual(["src/base/runtime/programs.ts"]);
  });

  test("import nothing whose name is computed from what somebody else wrote", async () => {
    const computed = (await sourceFiles()).filter(({ text }) =>
      /\bimport\((?!\s*"(?:\.{1,2}\/|node:|[@a-z]))/.test(code(text))
    ).map(({ path }) => path);
    expect(computed).toEqual(COMPUTED);
  });
});

/** A text without comments and the programs that it holds as texts. */
function code(text: string): string {
  return text.replaceAll(/String\.raw`[\s\S]*?\n`;/g, "").replaceAll(/`\{\n[\s\S]*?\n\}`/g, "")
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");
}

describe("a folder of somebody else's", () => {
  let folder: string;
  let before: string;
  const path = process.env.PATH;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-theirs-"));
    before = process.cwd();
  });
  afterEach(async () => {
    process.chdir(before);
    process.env.PATH = path;
    await rm(folder, { recursive: true });
  });

  /** Files that leave a mark when they are run, under the names that programs look for where they are started. */
  async function plant(): Promise<void> {
    const mark = join(folder, "marks");
    await mkdir(mark);
    const python = `import uuid\nopen("${mark}/" + uuid.uuid4().hex, "w").write(__name__)\n`;
    const modules = ["jupyterlab_lsp", "zmq", "json", "site", "sitecustomize", "jupyter_core"];
    for (
      const name of [...modules, "jupyter_config", "jupyter_lab_config", "jupyter_server_config"]
    ) {
      await writeFile(join(folder, `${name}.py`), python);
    }
    await mkdir(join(folder, "pip"));
    for (const name of ["__init__", "__main__"]) {
      await writeFile(join(folder, "pip", `${name}.py`), python);
    }
    const programs = ["python3", "python", "jupyter", "ssh-keygen", "bwrap", "git", "deno"];
    for (const name of programs) {
      await writeFile(join(folder, name), `#!/bin/sh\ntouch "${mark}/$$"\n`);
      await chmod(join(folder, name), 0o755);
    }
    await writeFile(join(folder, "jupyter-lab"), `#!${join(folder, "python3")}\n`);
    await writeFile(join(folder, "deno.json"), '{"imports": {"nodejs-polars": "./x.ts"}}');
    await writeFile(join(folder, "x.ts"), `Deno.writeTextFileSync("${mark}/x", "");`);
  }
  const marks = () => readdir(join(folder, "marks"));

  test("runs nothing when a program is started in it, whatever the PATH has", async () => {
    await plant();
    process.env.PATH = ["", ".", "./bin", path].join(delimiter);
    process.chdir(folder);
    // Python's own way of looking is what would find them.
    await promisify(execFile)("/usr/bin/env", ["-i", "python3", "-c", "import jupyterlab_lsp"], {
      env: { PATH: path },
    }).catch(() => {});
    const control = (await marks()).length;
    expect(control).toBeGreaterThan(0);
    for (const name of ["python3", "jupyter", "ssh-keygen", "bwrap"]) {
      await runProgram(name, ["--version"]).catch(() => {});
    }
    await runProgram("python3", ["-c", "import jupyterlab_lsp"]).catch(() => {});
    await runProgram("python3", ["-m", "pip", "--version"]).catch(() => {});
    expect((await marks()).length).toBe(control);
  });

  test("runs nothing when the notebooks are opened there, or the machine is examined", async () => {
    await plant();
    const env = {
      ...{ HOME: join(folder, "home"), DENO_DIR: process.env.DENO_DIR },
      PATH: [".", "", path].join(delimiter),
    };
    const main = join(ROOT, "src/app/cli/main.ts");
    for (const args of [["lab", "--no-open"], ["doctor"], ["study", "sign", "."]]) {
      await promisify(execFile)(Deno.execPath(), ["run", "-A", main, ...args], {
        cwd: folder,
        env,
      }).catch(() => {});
    }
    expect(await marks()).toEqual([]);
  });

  test("keeps the key out of programs that need none", async () => {
    process.env.SCOREFRAME_API_KEY = "svc_test_of_mine";
    try {
      expect((await runProgram("env", [])).out).not.toContain("svc_test_of_mine");
      expect((await runProgram("pwd", [])).out).toBe("/\n");
    } finally {
      delete process.env.SCOREFRAME_API_KEY;
    }
    expect(await readFile("/proc/self/environ", "utf8").catch(() => "")).not.toContain("of_mine");
  });
});
