// @heavy: installations from a registry
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notebookOf, startJupyter } from "./helpers/jupyter/jupyter.ts";
import { packedOnce } from "./helpers/pack.ts";
import { ROOT } from "./helpers/source_files.ts";

const run = promisify(execFile);
const UPSTREAM = "https://registry.npmjs.org";
// Packing, a registry's client and a kernel, each in a process of its own.
const PATIENCE_MS = 900_000;

// Verbs and statistics, each with the values of a column of its frame; one line is misspelt in a copy, and another in a second.
const TEN_VERBS = [
  'import { compare, demo, readPrices } from "scoreframe";',
  'import * as stats from "scoreframe/analysis";',
  "const api = await demo();",
  'const days = { from: "2026-11-16", to: "2026-11-19" };',
  'const scores: (number | null)[] = (await api.scores("ecpnd")).getColumn("ecpnd_score").toArray();',
  'const panel = await api.panel("ecpnd", { sessions: days });',
  'const at: (Date | null)[] = panel.getColumn("at").toArray();',
  'const release = await api.history("ecqdi");',
  'const date: (Date | null)[] = release.getColumn("date").toArray();',
  'const kept: (string | null)[] = (await api.releases("ecpnd")).getColumn("factor").toArray();',
  'const published = (await api.publications("ecpnd", days)).getColumn("scored");',
  'const meaning: (string | null)[] = (await api.factors()).getColumn("meaning").toArray();',
  "const log = api.log().select(...api.log().columns);",
  'const prices = await readPrices("prices.csv");',
  'const close: (number | null)[] = prices.getColumn("close").toArray();',
  "const analysis = await stats.analyzeFactor(panel, prices);",
  'const ic: (number | null)[] = analysis.ic.getColumn("ic").toArray();',
  "const sharpe: number | null = stats.performance(analysis.portfolio).toRecords()[0]!.sharpe;",
  'const revised: (Date | null)[] = compare(release, release).changes.getColumn("date").toArray();',
  'const drawn: (number | null)[] = stats.winsorize(analysis.aligned).getColumn("score").toArray();',
  'const byGroup = stats.informationCoefficient(analysis.aligned, { by: ["month", "group"] });',
  'const month: (string | null)[] = byGroup.getColumn("month").toArray();',
  "const weights = stats.factorWeights(analysis.aligned);",
  "const { returns } = stats.exportPortfolio(analysis.aligned, weights);",
  'const earned: (number | null)[] = returns.getColumn("return").toArray();',
  "void [scores, at, date, kept, published, meaning, log, close, ic, sharpe];",
  "void [revised, drawn, month, earned];",
  "",
];

const EARNED = TEN_VERBS.findIndex((line) => line.startsWith("const earned"));

/** Programs that are checked: the verbs, with a misspelt column, with another, and a call with an unknown option. */
const SOURCES: Readonly<Record<string, string>> = {
  "columns.ts": TEN_VERBS.join("\n"),
  "misspelt.ts": TEN_VERBS.with(4, TEN_VERBS[4]!.replace("ecpnd_score", "ecpnd_scores")).join("\n"),
  "other.ts": TEN_VERBS.with(EARNED, TEN_VERBS[EARNED]!.replace('"return"', '"returns"'))
    .join("\n"),
  "types.ts": 'import type { FactorApi } from "scoreframe";\n' +
    'export const wrong = (api: FactorApi) => api.scores("ecpnd", { snapshot_id: "x" });\n',
};

let folder: string;
let project: string;
let tarball: string;
let registry: Server;
let fetched: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-packed-"));
  project = join(folder, "project");
  await mkdir(project);
  tarball = await packedOnce();
  registry = await serveRegistry(await readFile(tarball));
  const { port } = registry.address() as AddressInfo;
  // Deno keeps packages by the port of their registry: without this it fetches 300 MB, and keeps them.
  const cached = join(await denoDir(), "npm");
  fetched = join(cached, String(port));
  await run("cp", ["-al", join(cached, "registry.npmjs.org"), fetched]).catch(() => {});
  env = { ...process.env, NPM_CONFIG_REGISTRY: `http://127.0.0.1:${port}/`, NO_COLOR: "1" };
  await writeFile(join(project, "deno.json"), JSON.stringify({ nodeModulesDir: "auto" }));
  await run(Deno.execPath(), ["add", "npm:scoreframe", "npm:nodejs-polars@0.25.2"], {
    cwd: project,
    env,
  });
}, PATIENCE_MS);

afterAll(async () => {
  registry?.close();
  for (const it of [folder, fetched]) await rm(it, { recursive: true, force: true });
});

/** A registry that has this package, and sends a client elsewhere for all others. */
async function serveRegistry(tarball: Uint8Array): Promise<Server> {
  const manifest = await manifestOf(tarball);
  const version = String(manifest["version"]);
  const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
  const server = createServer((request, response) => {
    if (request.url === "/scoreframe") {
      const dist = { tarball: `http://${request.headers.host}/scoreframe.tgz`, integrity };
      const versions = { [version]: { ...manifest, dist } };
      response.end(JSON.stringify({
        name: "scoreframe",
        "dist-tags": { latest: version },
        versions,
      }));
    } else if (request.url === "/scoreframe.tgz") response.end(tarball);
    else response.writeHead(307, { Location: UPSTREAM + request.url }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

async function manifestOf(tarball: Uint8Array): Promise<Record<string, unknown>> {
  const path = join(folder, "read.tgz");
  await writeFile(path, tarball);
  const { stdout } = await run("tar", ["xzOf", path, "package/package.json"]);
  return JSON.parse(stdout);
}

/** The cache of this Deno, which another home does not have. */
async function denoDir(): Promise<string> {
  const { stdout } = await run(Deno.execPath(), ["info", "--json"]);
  return JSON.parse(stdout).denoDir;
}

async function readExample(): Promise<{ readonly code: string; readonly prints: string }> {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const [, code = "", prints = ""] = /```ts\n([\s\S]*?)```\n+```text\n([\s\S]*?)```/.exec(readme) ??
    [];
  return { code, prints };
}

interface TypeErrors {
  readonly all: readonly string[];
  /** All errors of a file, in one text. */
  readonly in: (file: string) => string;
}

let checking: Promise<TypeErrors> | undefined;

/** What `deno check` finds in SOURCES. One check for all: each reads the types of the library and of Polars again. */
function typeErrors(): Promise<TypeErrors> {
  return checking ??= (async () => {
    const files = Object.keys(SOURCES);
    for (const file of files) await writeFile(join(project, file), SOURCES[file]!);
    const { stderr } = await run(Deno.execPath(), ["check", ...files], { cwd: project, env })
      .then(() => ({ stderr: "" }), (error: { stderr: string }) => error);
    const all = stderr.split(/(?=^TS\d+ )/m).filter((text) => /^TS\d+ /.test(text));
    return { all, in: (file) => all.filter((text) => text.includes(`/${file}:`)).join("") };
  })();
}

describe("the packed package, added to an empty project", () => {
  test("holds no tests, no test tools and no sources, and names exact versions", async () => {
    const installed = join(project, "node_modules/scoreframe/package.json");
    const manifest = JSON.parse(await readFile(installed, "utf8"));
    expect(Object.values(manifest.dependencies).every((it) => /^\d+\.\d+\.\d+$/.test(String(it))))
      .toBe(true);
    expect(manifest.dependencies).not.toHaveProperty("vitest");
    expect(manifest.devDependencies).toBeUndefined();
    const { stdout } = await run("tar", ["tzf", tarball]);
    const names = stdout.trim().split("\n");
    expect(names.filter((name) => /(?<!\.d)\.ts$|\.test\.|^package\/test\//.test(name))).toEqual(
      [],
    );
    expect(names).toEqual(expect.arrayContaining(["package/src/base/gzip/inflate_worker.js"]));
  });

  test("runs the first example of the README, and prints what it shows", async () => {
    const { code, prints } = await readExample();
    await writeFile(join(project, "example.ts"), code);
    const { stdout } = await run(Deno.execPath(), ["run", "-A", "example.ts"], {
      cwd: project,
      env,
    });
    expect(stdout.trimEnd().replace(/scoreframe-\w+/, "scoreframe-…")).toBe(prints.trimEnd());
  }, PATIENCE_MS);

  test("loads a release in its thread, analyses it and draws", async () => {
    const code = [
      'import { demo } from "scoreframe";',
      'import { coverageMapChart } from "scoreframe/chart";',
      'import { quantize } from "scoreframe/analysis";',
      'import { buildWorld } from "scoreframe/world";',
      'import { createScoreServer } from "scoreframe/server";',
      "const release = await (await demo()).history('ecpnd');",
      "const picture = await coverageMapChart(release).toPng();",
      "console.log(release.height > 0, picture.length > 1000, typeof quantize,",
      "  typeof buildWorld, typeof createScoreServer);",
    ].join("\n");
    await writeFile(join(project, "release.ts"), code);
    const { stdout } = await run(Deno.execPath(), ["run", "-A", "release.ts"], {
      cwd: project,
      env,
    });
    expect(stdout.trim()).toBe("true true function function function");
  }, PATIENCE_MS);

  test("has types for what it exports", async () => {
    expect((await typeErrors()).in("types.ts")).toMatch(/snapshot_id/);
  }, PATIENCE_MS);

  test("types the columns of ten verbs, and refuses a misspelt one", async () => {
    const { all, in: found } = await typeErrors();
    expect(all.filter((text) => !/\/(misspelt|other|types)\.ts:/.test(text))).toEqual([]);
    expect(found("misspelt.ts")).toMatch(/"ecpnd_scores"[^]*misspelt\.ts:5:/);
    expect(found("other.ts")).toMatch(new RegExp(`"returns"[^]*other\\.ts:${EARNED + 1}:`));
  }, PATIENCE_MS);

  test("runs in a notebook of the project", async () => {
    await using jupyter = await startJupyter();
    const { code } = await readExample();
    const notebook = await jupyter.execute(notebookOf([code]), project);
    expect(JSON.stringify(notebook)).toContain("the break-even cost is");
  }, PATIENCE_MS);

  test("serves by its command, which hands itself to Deno", async () => {
    const command = join(project, "node_modules/scoreframe/bin/scoreframe.js");
    const path = `${join(Deno.execPath(), "..")}:${process.env["PATH"]}`;
    const { stdout } = await run("node", [command, "--help"], {
      cwd: project,
      env: { ...env, PATH: path },
    });
    expect(stdout).toContain("usage: scoreframe COMMAND [options]");
    const lab = await run("node", [command, "lab", "--no-open"], {
      cwd: project,
      env: { ...env, PATH: path, HOME: folder, DENO_DIR: await denoDir() },
    });
    expect(lab.stdout).toContain('Installed the kernel "scoreframe (Deno)"');
    const settings = await readFile(join(project, ".vscode/settings.json"), "utf8");
    expect(JSON.parse(settings)).toEqual({ "deno.enable": true });
    const entry = join(folder, ".jupyter/jupyter_server_config.d/scoreframe_deno_lsp.json");
    expect(await readFile(entry, "utf8")).toContain(join("src", "app", "cli", "serve_cells.js"));
    const server = spawn("node", [command, "serve", "--world", "small", "--port", "0"], {
      cwd: project,
      env: { ...env, PATH: path },
      detached: true,
    });
    try {
      let printed = "";
      const address = await new Promise<string>((resolve) => {
        server.stdout.on("data", (data) => {
          printed += data;
          const found = /http:\/\/127\.0\.0\.1:\d+/.exec(printed);
          if (found !== null) resolve(found[0]);
        });
      });
      expect((await fetch(`${address}/v1/factors`)).status).toBe(401);
    } finally {
      process.kill(-server.pid!, "SIGKILL");
    }
  }, PATIENCE_MS);

  test.each([
    ["demo", "scoreframe"],
    ["createScoreServer", "scoreframe/server"],
    ["analyzeFactor", "scoreframe/analysis"],
  ])(
    "says under Node in one line what an import of %s from %s requires",
    async (exported, name) => {
      const failure: Error & { stderr?: string } = await run("node", [
        "--input-type=module",
        "-e",
        `import { ${exported} } from "${name}";`,
      ], { cwd: project, env }).then(() => new Error("it was loaded"), (error) => error);
      expect(failure.stderr).toContain(
        "Error: Cannot load scoreframe: expected Deno 2.9 or later, got another runtime; " +
          "use `npx --yes deno@2.9.6 run -A YOUR_SCRIPT.ts`",
      );
    },
  );

  test("says in one line which permissions it requires", async () => {
    // node:child_process would hand on the permissions of this process to a Deno that it starts.
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "example.ts"],
      cwd: project,
    }).output();
    expect(new TextDecoder().decode(stderr)).toMatch(
      /Cannot load scoreframe: expected --allow-\w+ for the native part of nodejs-polars, got none; .* or use -A/,
    );
  });
});
