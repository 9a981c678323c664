import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { ROOT } from "./helpers/source_files.ts";

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

describe("the repository", () => {
  test("names one version in deno.json, package.json, the changelog and the code", async () => {
    const { version } = await readJson("deno.json");
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await readJson("package.json"))["version"]).toBe(version);
    const changelog = await readFile(join(ROOT, "CHANGELOG.md"), "utf8");
    expect(/^## (\S+)/m.exec(changelog)?.[1]).toBe(version);
    const inCode = (await textFiles())
      .filter(([path]) => path.startsWith("src/"))
      .flatMap(([, text]) =>
        [.../^export const VERSION = "([^"]*)";$/gm.exec(text) ?? []].slice(1)
      );
    expect(new Set(inCode)).toEqual(new Set([version]));
  });

  test("pins every dependency exactly", async () => {
    const { dependencies, devDependencies } = await readJson("package.json");
    const versions = Object.entries({ ...dependencies as object, ...devDependencies as object });
    expect(versions.length).toBeGreaterThan(3);
    const loose = versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)));
    expect(loose).toEqual([]);
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
    const wrong = (await textFiles())
      .filter(([, text]) => /svc_live_[A-Za-z0-9]{12,}/.test(text))
      .map(([path]) => path);
    expect(wrong).toEqual([]);
  });

  test("relies on no network address but npm's in its code", async () => {
    const wrong = (await textFiles())
      .filter(([path]) => path.endsWith(".ts"))
      .filter(([, text]) => /from "(https?|jsr):/.test(text))
      .map(([path]) => path);
    expect(wrong).toEqual([]);
  });
});
