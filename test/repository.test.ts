import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { libraryLock, type Lock } from "../.ci/_library_lock.ts";
import { ROOT, sourceFiles } from "./helpers/source_files.ts";

const run = promisify(execFile);

async function readJson(name: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(ROOT, name), "utf8"));
}

async function textFiles(): Promise<readonly (readonly [string, string])[]> {
  const { stdout } = await run("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT });
  const paths = stdout.split("\n").filter((path) => /\.(ts|md|json|ipynb)$|^\.ci\/run$/.test(path));
  return await Promise.all(
    paths.map(async (path) =>
      [path, await readFile(join(ROOT, path), "utf8").catch(() => "")] as const
    ),
  );
}

type Tasks = Readonly<Record<string, { dependencies?: readonly string[]; command?: string }>>;

describe("the repository", () => {
  test("names one version in deno.json, package.json, the changelog and the code", async () => {
    const { version } = await readJson("deno.json");
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await readJson("package.json"))["version"]).toBe(version);
    const changelog = await readFile(join(ROOT, "CHANGELOG.md"), "utf8");
    expect(/^## (\d\S*)/m.exec(changelog)?.[1]).toBe(version);
    const inCode = (await textFiles()).filter(([path]) => path.startsWith("src/"))
      .flatMap(([, text]) =>
        [.../^export const PACKAGE_VERSION = "([^"]*)";$/gm.exec(text) ?? []].slice(1)
      );
    expect(inCode).toEqual([version]);
  });

  test("checks the types of all its code, whose places its tasks name", async () => {
    const paths = (await textFiles()).map(([path]) => path).filter((path) => path.endsWith(".ts"));
    const places = [...new Set(paths.map((path) => path.split("/")[0]!))].toSorted();
    expect(places.length).toBeGreaterThan(5);
    const { tasks } = await readJson("deno.json") as unknown as { tasks: Tasks };
    for (const { command } of [tasks["check:types"]!, tasks["ok"]!]) {
      // Without places, Deno also checks what .scoreframe has, where set-up installs other people's code meanwhile.
      const [, named = ""] = /deno check (?:--doc )?([^&]+) &&/.exec(command!)!;
      expect(named.split(" ").toSorted()).toEqual(places);
    }
  });

  test("pins every dependency exactly", async () => {
    const { dependencies, devDependencies } = await readJson("package.json");
    const versions = Object.entries({ ...dependencies as object, ...devDependencies as object });
    expect(versions.length).toBeGreaterThan(3);
    const loose = versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)));
    expect(loose).toEqual([]);
  });

  test("locks for the library what deno.lock has, without test tools and binaries for musl", async () => {
    const { dependencies, devDependencies } = await readJson("package.json");
    const lock = await readJson(".ci/library.lock") as unknown as Lock;
    const all = await readJson("deno.lock") as unknown as Lock;
    // After a change of package.json: deno install, then deno task generate lock.
    expect(lock).toEqual(libraryLock(all, dependencies as Record<string, string>));
    expect(Object.keys(lock.specifiers)).toHaveLength(Object.keys(dependencies as object).length);
    const tools = Object.keys(devDependencies as object).filter((name) =>
      !(name in (dependencies as object))
    );
    const superfluous = Object.keys(lock.npm)
      .filter((id) => /-musl@/.test(id) || tools.includes(id.slice(0, id.indexOf("@", 1))));
    expect(superfluous).toEqual([]);
    expect(Object.keys(lock.npm).length).toBeGreaterThan(50);
  });

  test("spells out in the library no package that its lock has not, which an install would ask for", async () => {
    const { dependencies } = await readJson("package.json");
    const named = (await sourceFiles()).flatMap(({ path, imports }) =>
      imports.filter(({ target, specifier }) => target === null && !specifier.startsWith("node:"))
        .map(({ specifier }) => [path, /^(@[^/]+\/)?[^/]+/.exec(specifier)![0]] as const)
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(([, name]) => !(name in (dependencies as object)))).toEqual([]);
  });

  test("follows a lock file to what a package needs, and asks which version where two are locked", () => {
    const npm = {
      "a@1.0.0_p@2.0.0": { integrity: "x", dependencies: ["b", "p@2.0.0"] },
      "b@3.0.0": { integrity: "y", optionalDependencies: ["b-linux-gnu", "b-linux-musl"] },
      "b-linux-gnu@3.0.0": {},
      "b-linux-musl@3.0.0": {},
      "p@1.0.0": {},
      "p@2.0.0": {},
      "tool@1.0.0": { dependencies: ["b"] },
    };
    const specifiers = { "npm:a@1.0.0": "1.0.0_p@2.0.0", "npm:tool@1.0.0": "1.0.0" };
    expect(libraryLock({ version: "5", specifiers, npm }, { a: "1.0.0" })).toEqual({
      version: "5",
      specifiers: { "npm:a@1.0.0": "1.0.0_p@2.0.0" },
      npm: {
        "a@1.0.0_p@2.0.0": { integrity: "x", dependencies: ["b", "p@2.0.0"] },
        "b@3.0.0": { integrity: "y", optionalDependencies: ["b-linux-gnu"] },
        "b-linux-gnu@3.0.0": {},
        "p@2.0.0": {},
      },
    });
    const unclear = { specifiers, npm: { ...npm, "a@1.0.0_p@2.0.0": { dependencies: ["p"] } } };
    expect(() => libraryLock(unclear, { a: "1.0.0" })).toThrow(
      "Cannot lock p: expected one version in deno.lock, got 2",
    );
  });

  test.each([
    'import { demo } from "scoreframe"',
    'import { analyzeFactor } from "scoreframe/analysis"',
    'import * as scoreframe from "scoreframe"',
  ])("says in one line what a clone requires, where Node runs %s", async (line) => {
    const node = ["--input-type=module", "-e", line];
    const failure: Error & { stderr?: string } = await run("node", node, { cwd: ROOT })
      .then(() => new Error("it was loaded"), (error) => error);
    expect(failure.stderr).toContain(
      "Error: Cannot load scoreframe: expected Deno 2.9 or later, got another runtime; use `npx --yes deno@2.9.6 run -A YOUR_SCRIPT.ts`",
    );
  });

  test("fetches no test tools for a command of the library", async () => {
    const { tasks } = await readJson("deno.json") as unknown as { tasks: Tasks };
    expect(tasks["scoreframe"]).toEqual({
      dependencies: ["packages"],
      command: "deno run --unstable-lazy-dynamic-imports -A src/app/cli/main.ts",
    });
    expect(tasks["demo"]?.dependencies).toEqual(["packages"]);
    expect(tasks["test"]?.dependencies).toEqual(["tools"]);
  });

  test("makes sense alone: nothing points outside of it", async () => {
    // Written in pieces, so that this file is not found by itself.
    const outside = new RegExp(
      ["\\.\\./sha" + "red", "/wor" + "k/", "DEVELOPERS\\.m" + "d"].join("|"),
    );
    const wrong = (await textFiles()).filter(([, text]) => outside.test(text)).map(([path]) =>
      path
    );
    expect(wrong).toEqual([]);
  });

  test("holds nothing that looks like a live key", async () => {
    const wrong = (await textFiles()).filter(([, text]) => /svc_live_[A-Za-z0-9]{12,}/.test(text))
      .map(([path]) => path);
    expect(wrong).toEqual([]);
  });

  test("relies on no network address but npm's in its code", async () => {
    const wrong = (await textFiles()).filter(([path]) => path.endsWith(".ts"))
      .filter(([, text]) => /from "(https?|jsr):/.test(text))
      .map(([path]) => path);
    expect(wrong).toEqual([]);
  });
});
