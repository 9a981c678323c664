// @heavy: installations from a registry
import { exec, execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pack, packedOnce } from "../helpers/pack.ts";
import { ROOT } from "../helpers/source_files.ts";

// The registry that npm asks everywhere, packages of 170 MB, and another Node.
const PATIENCE_MS = 900_000;

let folder: string;
let tarball: string;
let readme: string;
let guide: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-installed-"));
  [readme, guide] = await Promise.all(
    ["README.md", "docs/install.md"].map((path) => readFile(join(ROOT, path), "utf8")),
  ) as [string, string];
  tarball = await packedOnce();
}, PATIENCE_MS);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The lines of the guide that install the packed package, try it and run an example. */
function lines(): readonly string[] {
  const [, block = ""] = /```sh\n([^`]*install \.\/scoreframe\.tgz[^`]*)```/.exec(guide) ?? [];
  return block.trim().split("\n");
}

async function makeProject(name: string): Promise<string> {
  const project = join(folder, name);
  await mkdir(project);
  await copyFile(tarball, join(project, "scoreframe.tgz"));
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  await writeFile(join(project, "example.ts"), code);
  return project;
}

let installing: Promise<string> | undefined;

/** A project with the package, installed as the guide says under the Node of this machine; all tests share it. */
function installedHere(): Promise<string> {
  return installing ??= makeProject("node").then(async (project) => {
    await shell(project, lines()[0]!);
    return project;
  });
}

/** A project with the package, installed as the guide says under another Node, and the folder of this Node. */
async function installedUnder(version: string): Promise<{ project: string; place: string }> {
  const project = await makeProject(`node${version}`);
  const place = await folderOf(project, version);
  await shell(project, lines()[0]!, place);
  return { project, place };
}

async function shell(cwd: string, line: string, folderOfNode = ""): Promise<string> {
  const PATH = `${folderOfNode === "" ? "" : `${folderOfNode}:`}${process.env["PATH"]}`;
  const env: Record<string, string | undefined> = { ...process.env, PATH, NO_COLOR: "1" };
  // What npm tells the programs that it starts is not there in a terminal.
  for (const name of Object.keys(env)) if (/^npm_/.test(name)) delete env[name];
  const { stdout } = await promisify(exec)(line, { cwd, env, maxBuffer: 2 ** 26 });
  return stdout;
}

/** The folder of another Node, which npm brings. */
async function folderOf(cwd: string, version: string): Promise<string> {
  const path = await shell(cwd, `npx --yes -p node@${version} -- node -p process.execPath`);
  const found = await shell(cwd, `"${path.trim()}" --version`);
  expect(found).toMatch(new RegExp(`^v${version}\\.`));
  return dirname(path.trim());
}

describe("the packed package", () => {
  test("has equal bytes when it is packed again", async () => {
    const again = join(folder, "again.tgz");
    await pack(again);
    const [first, second] = await Promise.all(
      [tarball, again].map(async (path) =>
        createHash("sha256").update(await readFile(path)).digest("hex")
      ),
    );
    expect(second).toBe(first);
  }, PATIENCE_MS);

  test("has documents whose links lead to what is packed", async () => {
    const place = join(folder, "unpacked");
    await mkdir(place);
    await promisify(execFile)("tar", ["xzf", tarball, "-C", place]);
    const root = join(place, "package");
    const documents = (await readdir(root, { recursive: true })).filter((it) => it.endsWith(".md"));
    expect(documents).toEqual(expect.arrayContaining(["README.md", "docs/studies.md"]));
    const dead: string[] = [];
    for (const path of documents) {
      const text = await readFile(join(root, path), "utf8");
      for (const [, address = ""] of text.matchAll(/(?:\]\(|src="|srcset=")([^)"\s]+)/g)) {
        if (/^(#|[a-z]+:)/.test(address)) continue;
        const target = join(root, dirname(path), address.replace(/#.*/, ""));
        if (!existsSync(target)) dead.push(`${path}: ${address}`);
      }
    }
    expect(dead).toEqual([]);
  }, PATIENCE_MS);

  test.concurrent.each(["", "22"])(
    "installs in an empty folder as the guide says, under the Node of this machine or Node %s",
    async (node) => {
      const [, doctor, run, ...more] = lines();
      expect(more).toEqual([]);
      const { project, place } = node === ""
        ? { project: await installedHere(), place: "" }
        : await installedUnder(node);
      expect(await shell(project, doctor!, place)).toContain("nodejs-polars works (2 rows");
      expect(await shell(project, run!, place)).toContain(
        "the break-even cost is 62.0 bps one way",
      );
      const types = 'import type { DataFrame } from "nodejs-polars";\n' +
        'import { tearSheet } from "scoreframe/sheet";\nimport { openDataset } from "scoreframe/dataset";\n' +
        "export const all: [DataFrame | null, unknown, unknown] = [null, tearSheet, openDataset];\n";
      await writeFile(join(project, "types.ts"), types);
      await shell(project, `npx --yes deno@2.9.6 check types.ts`);
    },
    PATIENCE_MS,
  );

  test(
    "is installed again by the same line, where deno install put a link in its place",
    async () => {
      const project = await installedHere();
      const [install, doctor] = lines();
      await shell(project, "npx --yes deno@2.9.6 install");
      expect((await lstat(join(project, "node_modules/scoreframe"))).isSymbolicLink()).toBe(true);
      await shell(project, install!);
      expect(await shell(project, doctor!)).toContain("nodejs-polars works (2 rows");
    },
    PATIENCE_MS,
  );
});
