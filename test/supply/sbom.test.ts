import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ROOT } from "../helpers/source_files.ts";

const run = promisify(execFile);
const PYTHON = join(ROOT, ".scoreframe/sbom/bin/python");
const isLeftOut = !existsSync(PYTHON) && process.env["CI"] === undefined;

interface Component {
  readonly name: string;
  readonly group?: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly object[];
}

describe("the bill of materials of the package", () => {
  let folder: string;
  let path: string;
  let text: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "scoreframe-sbom-"));
    path = join(folder, "scoreframe.cdx.json");
    await run(Deno.execPath(), ["run", "-A", join(ROOT, ".ci/write_sbom.ts"), path]);
    text = await readFile(path, "utf8");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("names each package that is installed, with the version and the hash of the lock", async () => {
    const { npm } = JSON.parse(await readFile(join(ROOT, ".ci/library.lock"), "utf8"));
    const components: readonly Component[] = JSON.parse(text).components;
    const stated = new Set(
      components.map(({ group, name, version }) =>
        `${group === undefined ? "" : `${group}/`}${name}@${version}`
      ),
    );
    const locked = Object.keys(npm).map((id) => id.replace(/(?<=@.*)_.*$/, ""));
    expect(locked.filter((id) => !stated.has(id))).toEqual([]);
    // Those for musl, which tasks of the repository do not fetch, and users of the package may.
    expect(components.length - locked.length).toBe(4);
    const fflate = components.find(({ name }) => name === "fflate")!;
    expect(fflate.purl).toBe("pkg:npm/fflate@0.8.3");
    const [hash] = fflate.hashes;
    const base64 = btoa(
      String.fromCharCode(...hash!.content.match(/../g)!.map((byte) => parseInt(byte, 16))),
    );
    expect(`sha512-${base64}`).toBe(npm["fflate@0.8.3"].integrity);
    expect(components.filter(({ licenses }) => licenses === undefined)).toEqual([]);
  });

  test("is the same text when it is written again", async () => {
    const again = join(folder, "again.cdx.json");
    await run(Deno.execPath(), ["run", "-A", join(ROOT, ".ci/write_sbom.ts"), again]);
    expect(await readFile(again, "utf8")).toBe(text);
  });

  test.skipIf(isLeftOut)("keeps the schema of CycloneDX, as its own library judges", async () => {
    const { stdout } = await run(PYTHON, [join(ROOT, ".ci/validate_sbom.py"), path]);
    expect(JSON.parse(stdout)).toEqual({
      errors: [],
      components: JSON.parse(text).components.length,
    });
  });
});
