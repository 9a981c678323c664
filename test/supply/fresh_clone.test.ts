// @heavy: installs a clone from nothing
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../helpers/source_files.ts";

const run = promisify(execFile);

let folder: string;
let clone: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-clone-"));
  clone = join(folder, "project", "scoreframe");
  await mkdir(join(folder, "home"));
  await run("git", ["clone", "--quiet", ROOT, clone]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Environment of a user who has nothing but what earlier tasks installed, with an empty home. */
function userEnv(): NodeJS.ProcessEnv {
  const network = Object.entries(process.env)
    .filter(([name]) => /^(npm_config|NODE_EXTRA|DENO_CERT|SSL_)/i.test(name));
  return {
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    HOME: join(folder, "home"),
    NO_COLOR: "1",
    ...Object.fromEntries(network),
  };
}

/** Runs Deno in the clone as the user. */
async function deno(args: readonly string[], cwd = clone) {
  return await run(process.execPath, args, { cwd, env: userEnv(), maxBuffer: 2 ** 26 });
}

/** Runs commands of a guide in the clone, where `npx` runs the Deno of this test; gives the last command's output. */
async function paste(commands: string): Promise<string> {
  await mkdir(join(folder, "bin"), { recursive: true });
  await writeFile(
    join(folder, "bin", "npx"),
    `#!/bin/sh\nshift 2\nexec ${process.execPath} "$@"\n`,
    { mode: 0o755 },
  );
  const options = { cwd: clone, env: userEnv(), maxBuffer: 2 ** 26 };
  return (await run("bash", ["-euc", commands], options)).stdout;
}

/** Blocks of a guide in a language, in their order. */
async function blocksOf(path: string, language: string): Promise<readonly string[]> {
  const { stdout } = await run("git", ["show", `HEAD:${path}`], { cwd: clone });
  const block = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm");
  return [...stdout.matchAll(block)].map(([, text]) => text!);
}

// In this order: what a task needs must not come from an earlier one by luck, and the first has only the library's packages.
test.each([
  ["demo"],
  ["bundle", "bundle.tgz"],
  ["scoreframe", "doctor", "--offline"],
  ["measure"],
  ["generate", "rules"],
  ["generate", "lock"],
  ["test:near"],
  ["pack", "scoreframe.tgz"],
])("task %s runs in a fresh clone with an empty home", async (...args) => {
  await deno(["task", ...args]);
  if (args[1]?.endsWith(".tgz")) {
    expect((await stat(join(clone, args[1]))).size).toBeGreaterThan(1e5);
  }
});

test("tasks that write committed files leave a fresh clone as it was", async () => {
  const { stdout } = await run("git", ["status", "--porcelain", "--untracked-files=no"], {
    cwd: clone,
  });
  expect(stdout).toBe("");
});

test("a project beside the clone runs a script without a line of Deno's own", async () => {
  const project = join(folder, "project");
  const configs = await blocksOf("docs/install.md", "json");
  await writeFile(join(project, "deno.json"), configs.find((it) => it.includes('"workspace"'))!);
  await writeFile(
    join(project, "example.ts"),
    'import { demo } from "scoreframe";\nconsole.log((await (await demo()).scores("ecpnd")).height);\n',
  );
  await deno(["install", "--quiet"], project);
  const { stdout, stderr } = await deno(["run", "-A", "example.ts"], project);
  expect(Number(stdout)).toBeGreaterThan(0);
  expect(stderr).toBe("");
});

test("the first example of the README, saved as example.ts, prints what stands below it", async () => {
  const [example = ""] = await blocksOf("README.md", "ts");
  const [output] = await blocksOf("README.md", "text");
  await writeFile(join(clone, "example.ts"), example);
  const said = await paste("npx --yes deno@2.9.6 run -A example.ts");
  expect(said.replace(/scoreframe-\w+/, "scoreframe-…")).toBe(output);
});

test("the commands of the embedded server's guide have the outcomes that it shows", async () => {
  // A minute of its server takes six seconds, which a busy machine may need for a few requests.
  const [, serve = "", ask = ""] = (await blocksOf("docs/servers.md", "sh"))
    .map((block) =>
      block.replace("--clock-rate 10", "--clock-rate 4").replace("sleep 6", "sleep 16")
    );
  const address = "http://127.0.0.1:8787/openapi.json";
  const started = `${serve.trimEnd()} >/dev/null & trap "kill $!" EXIT
    until curl -s ${address} -o /dev/null; do sleep 0.1; done`;
  const said = ask.match(/(?<= # )\w+$/gm);
  expect((await paste(`${started}\n${ask}`)).trim().split("\n")).toEqual(said);
});

test("a study is exported, imported and run elsewhere by the commands of its guide", async () => {
  const blocks = await blocksOf("docs/studies.md", "sh");
  const share = blocks.find((block) => block.includes("study export"))!;
  expect(share).toContain("study verify elsewhere --run");
  const said = await paste(share);
  expect(said).toContain("in 1 notebook: all outputs are equal");
  expect(said).toMatch(/05_reproduce_and_share\.ipynb: box: \w+/);
}, 600_000);
