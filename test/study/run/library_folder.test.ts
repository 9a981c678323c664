import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { libraryFolder } from "../../../src/study/run/library_folder.ts";
import { ROOT } from "../../helpers/source_files.ts";

const notebook = (source: string) => ({ cells: [{ cell_type: "code", source }] });
const ASKING = notebook('import { openStudy } from "scoreframe";');
let folder: string;
let inner: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-library-"));
  inner = join(folder, "study/notebooks");
  await mkdir(inner, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

/** Whether the notebook is run with this library, in a project with this file. */
async function isBorrowed(name: string, text: string): Promise<boolean> {
  const path = join(folder, "study", name);
  await writeFile(path, text);
  const library = await libraryFolder(ASKING, inner);
  await rm(path);
  expect([null, ROOT.replace(/\/$/, "")]).toContain(library);
  return library !== null;
}

test("a notebook runs with this library where its project has none, or names a path that leads nowhere", async () => {
  expect(await libraryFolder(ASKING, inner)).toBe(ROOT.replace(/\/$/, ""));
  const imports = (target: string) => JSON.stringify({ imports: { scoreframe: target } });
  expect(await isBorrowed("deno.json", imports("./mod.ts"))).toBe(true);
  expect(await isBorrowed("deno.json", imports("/no/such/mod.ts"))).toBe(true);
  expect(await isBorrowed("deno.json", imports("file:///no/such/mod.ts"))).toBe(true);
  expect(await isBorrowed("deno.json", "{}")).toBe(true);
});

test("a notebook runs with what its project names", async () => {
  const imports = (target: string) => `{ // pins\n"imports": {"scoreframe": "${target}"} }`;
  expect(await isBorrowed("deno.jsonc", imports("jsr:@scoreframe/scoreframe@0.1.0"))).toBe(false);
  expect(await isBorrowed("deno.json", imports(join(ROOT, "mod.ts")))).toBe(false);
  await writeFile(join(folder, "study/mod.ts"), "");
  expect(await isBorrowed("deno.json", imports("./mod.ts"))).toBe(false);
  expect(await isBorrowed("deno.json", '{"importMap": "imports.json"}')).toBe(false);
  expect(await isBorrowed("package.json", '{"dependencies":{"scoreframe":"0.1.0"}}')).toBe(false);
  const { cells } = notebook("1 + 1; // scoreframe");
  expect(await libraryFolder({ cells }, inner)).toBeNull();
  expect(dirname(inner)).toBe(join(folder, "study"));
});
