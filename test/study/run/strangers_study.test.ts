// @heavy: kernels in boxes
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runStudy } from "../../../src/app/cli/study/run_study.ts";
import { runNotebooks, type RunReport } from "../../../src/study/run/run_notebooks.ts";
import { describeWithJupyter } from "../../helpers/jupyter/needs_jupyter.ts";
import { startStudyService, type StudyService } from "../_study.ts";
import { runMain } from "../../app/cli/_run_main.ts";

const LONG_MS = 300_000;
const run = promisify(execFile);
const ACTS = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

let service: StudyService;
let home: string;
beforeAll(async () => {
  service = await startStudyService();
  home = await mkdtemp(join(tmpdir(), "scoreframe-theirs-"));
});
afterAll(async () => {
  await service.close();
  await rm(home, { recursive: true });
});

async function studyOf(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(home, name);
  const study = await service.open(folder);
  await study.scores("ecpnd");
  await study.close();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

interface Cell {
  readonly source: string;
  readonly shown?: string;
  readonly tags?: readonly string[];
}

const notebook = (...cells: readonly Cell[]) =>
  JSON.stringify({
    cells: cells.map(({ source, shown, tags = [] }, i) => ({
      ...{ cell_type: "code", id: `c${i}`, source, metadata: { tags }, execution_count: 1 },
      outputs: shown === undefined ? [] : [{ output_type: "stream", name: "stdout", text: shown }],
    })),
  });

const differing = ({ differences }: RunReport, path: string) =>
  differences.filter((it) => it.notebook === path).map(({ cell, found }) => `${cell}: ${found}`);

await describeWithJupyter("a study of somebody else's", () => {
  test(
    "runs nothing through git, neither a repository with a configuration nor one without a hidden name",
    async () => {
      const cell = notebook({ source: "console.log(1)", shown: "1\n" });
      const folder = await studyOf("git", { "appendix/a.ipynb": cell, "plain/b.ipynb": cell });
      const mark = join(home, "marked");
      const script = `#!/bin/sh\ntouch ${mark}\n`;
      await writeFile(join(folder, "check.sh"), script, { mode: 0o755 });
      const git = (cwd: string, ...args: string[]) =>
        run("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], { cwd });
      // A folder with a configuration that signs and filters by a program.
      const plain = join(folder, "plain");
      await git(plain, "init", "-q", "-b", "main");
      await git(plain, "add", "b.ipynb");
      await git(plain, "commit", "-qm", "one");
      const { stdout: commit } = await git(plain, "cat-file", "commit", "HEAD");
      const [header, ...message] = commit.split("\n\n");
      const signed =
        `${header}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n${
          message.join("\n\n")
        }`;
      await writeFile(join(home, "commit"), signed);
      const { stdout: id } = await git(
        plain,
        "hash-object",
        "-t",
        "commit",
        "-w",
        join(home, "commit"),
      );
      await git(plain, "update-ref", "refs/heads/main", id.trim());
      await git(plain, "config", "log.showSignature", "true");
      await git(plain, "config", "gpg.program", join(folder, "check.sh"));
      await git(plain, "config", "core.fsmonitor", join(folder, "check.sh"));
      // A bare repository whose commit lacks its tree, which git fetches by a program.
      const bare = join(folder, "appendix");
      const tree = createHash("sha1").update("nowhere").digest("hex");
      const body =
        `tree ${tree}\nauthor a <a@example.com> 1 +0000\ncommitter a <a@example.com> 1 +0000\n\nx\n`;
      const object = `commit ${body.length}\0${body}`;
      const sha = createHash("sha1").update(object).digest("hex");
      const packed = (await import("node:zlib")).deflateSync(object);
      await mkdir(join(bare, "objects", sha.slice(0, 2)), { recursive: true });
      await writeFile(join(bare, "objects", sha.slice(0, 2), sha.slice(2)), packed);
      await mkdir(join(bare, "refs/heads"), { recursive: true });
      await writeFile(join(bare, "refs/heads/main"), `${sha}\n`);
      await writeFile(join(bare, "HEAD"), "ref: refs/heads/main\n");
      await writeFile(
        join(bare, "config"),
        `[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tpartialClone = o\n[remote "o"]\n\turl = ext::${
          join(folder, "check.sh")
        }\n\tpromisor = true\n[protocol "ext"]\n\tallow = always\n`,
      );
      // That they are what they should be: git itself runs the program.
      await git(plain, "log", "-1").catch(() => {});
      expect(await readdir(home)).toContain("marked");
      await rm(mark);
      await git(bare, "log", "-1", "--format=%H", "--", "a.ipynb").catch(() => {});
      expect(await readdir(home)).toContain("marked");
      await rm(mark);
      const lines: string[] = [];
      const write = (line: string) => void lines.push(line);
      const code = await runStudy(["verify", folder, "--run"], { out: write, error: write });
      expect(lines.join("\n")).toContain("all outputs are equal");
      expect(code).toBe(0);
      await runStudy(["compare", folder, folder], { out: write, error: write });
      expect(await readdir(home)).not.toContain("marked");
    },
    LONG_MS,
  );

  test(
    "is judged by what its cells show now, not by what was saved, said or replaced",
    async () => {
      const secretly =
        'console.log(JSON.parse(Deno.readTextFileSync("own.ipynb")).cells[0].outputs?.[0]?.text?.trim() ?? "nothing");';
      const update =
        'await Deno.jupyter.broadcast("update_display_data", { data: { "text/plain": "right" }, metadata: {}, transient: { display_id: "a" } });';
      const display =
        'await Deno.jupyter.broadcast("display_data", { data: { "text/plain": "wrong" }, metadata: {}, transient: { display_id: "a" } });';
      const idle = 'await Deno.jupyter.broadcast("status", { execution_state: "idle" });';
      const folder = await studyOf("judged", {
        "own.ipynb": notebook({ source: secretly, shown: "0.42\n" }),
        ".ipynb_checkpoints/own-checkpoint.ipynb": notebook({ source: "1", shown: "0.42\n" }),
        "idle.ipynb": notebook(
          {
            source:
              `console.log(1); ${idle} await new Promise((end) => setTimeout(end, 300)); throw new Error("later");`,
            shown: "1\n",
          },
          { source: "console.log(2)", shown: "2\n" },
        ),
        "update.ipynb": notebook({ source: display, shown: "right\n" }, {
          source: update,
          tags: ["volatile"],
        }),
        "bad.ipynb": '{"cells": [{"cell_type": "code", "source": "1", "outputs": {}}]}',
        "worse.ipynb": "no notebook",
        "early.ipynb": notebook({ source: "console.log(later)", shown: "3\n" }, {
          source: "const later = 3;",
        }),
        "good.ipynb": notebook({ source: "console.log(5)", shown: "5\n" }),
      });
      await run("mkfifo", [
        join(folder, "deno.json"),
        join(folder, "pipe.ipynb"),
        join(folder, "notes.txt"),
      ]);
      const report = await runNotebooks(folder, { timeoutS: 60 });
      expect(differing(report, "own.ipynb")).toEqual(["1: nothing"]);
      expect(differing(report, "idle.ipynb")[0]).toMatch(/^1: .*Error: later|^1: 2/);
      expect(differing(report, "update.ipynb")).toEqual(["1: wrong"]);
      expect(differing(report, "early.ipynb")[0]).toMatch(/^1: .*(error|ReferenceError)/i);
      expect(differing(report, "good.ipynb")).toEqual([]);
      const failures = report.notebooks.filter(({ failure }) => failure !== null);
      expect(failures.map(({ path, failure }) => `${path}: ${failure}`)).toEqual([
        expect.stringContaining(
          "bad.ipynb: Cannot run bad.ipynb: expected a list of outputs as outputs of cell 1",
        ),
        expect.stringContaining("pipe.ipynb: "),
        expect.stringContaining("worse.ipynb: Cannot run worse.ipynb: expected a notebook"),
      ]);
      expect(report.notebooks.filter(({ box }) => box !== null)).toHaveLength(5);
    },
    LONG_MS,
  );

  test("prints nothing that acts on the terminal, and its failure advises no trust", async () => {
    const escapes = "\\x1b[2Jsound\\x1b[8m\\u202e";
    const folder = await studyOf("shown", {
      "a\x1b[2J.ipynb": notebook(
        { source: `console.log("${escapes}"); // \x1b[2J`, shown: "other\x1b[2J\u202e\n" },
        { source: `throw new Error("${escapes}")` },
      ),
      "tests/b.ipynb": notebook({ source: "Deno.exit(7)", shown: "1\n" }),
      "deno.json": JSON.stringify({ imports: { "undici": "./x.ts", "\x1b[2J": "./y.ts" } }),
    });
    const report = join(home, "report.json");
    const { code, out, error } = await runMain(
      "study",
      "verify",
      folder,
      "--run",
      "--report",
      report,
    );
    const said = `${out}\n${error}`;
    expect(code).toBe(1);
    expect(said).toMatch(/\\u001b\[2Jsound/);
    expect(said).not.toMatch(ACTS);
    expect(said).not.toContain("--trust");
    expect(said).toContain("deno.json maps undici, which stays this library's");
    expect(await readFile(report, "utf8")).not.toMatch(ACTS);
  }, LONG_MS);
});
