import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type InstalledPackage, libraryPackages } from "./_installed.ts";

// What an MIT library may hand on without terms of its own for the work of its users. MPL-2.0 binds changes of its files.
const ALLOWED = ["MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD", "Unlicense"];
const AS_IT_IS = ["MPL-2.0"];

const NATIVE_POLARS = /^nodejs-polars-/;
// Packages that name a file instead of a licence: words of that file.
const NAMED_BY_FILE: Readonly<Record<string, string>> = {
  "dejavu-fonts-ttf": "Fonts are (c) Bitstream (see below). DejaVu changes are in public domain.",
};

const { installed, elsewhere } = await libraryPackages();

async function judge({ id, manifest, folder }: InstalledPackage): Promise<string | null> {
  const name = String(manifest["name"]);
  const words = NAMED_BY_FILE[name];
  if (words !== undefined) {
    const text = await readFile(join(folder, "LICENSE"), "utf8");
    return text.includes(words) ? null : `${id}: another licence than was read`;
  }
  const licence = NATIVE_POLARS.test(name) ? licenceOfPolars(manifest) : manifest["license"];
  return isAllowed(licence) ? null : `${id}: ${JSON.stringify(licence ?? manifest["licenses"])}`;
}

// The native part names a file that it does not have; it is built from the sources of the package that asks for it.
function licenceOfPolars(manifest: InstalledPackage["manifest"]): unknown {
  expect(manifest["license"]).toBe("SEE LICENSE IN LICENSE");
  return installed.find(({ id }) => id.startsWith("nodejs-polars@"))!.manifest["license"];
}

function isAllowed(licence: unknown): boolean {
  if (typeof licence !== "string") return false;
  const choices = licence.replace(/^\(|\)$/g, "").split(" OR ");
  return choices.some((choice) =>
    choice.split(" AND ").every((part) => [...ALLOWED, ...AS_IT_IS].includes(part.trim()))
  );
}

describe("what users of the library install", () => {
  test("has licences that an MIT library can hand on", async () => {
    expect(installed.length).toBeGreaterThan(80);
    const refused = (await Promise.all(installed.map(judge))).filter((it) => it !== null);
    expect(refused).toEqual([]);
  });

  test("has native parts for other machines of the packages that were judged alone", () => {
    const families = ["@resvg/resvg-js-", "nodejs-polars-"];
    expect(elsewhere.filter((id) => !families.some((family) => id.startsWith(family)))).toEqual([]);
    for (const family of families) {
      const versions = [...elsewhere, ...installed.map(({ id }) => id)]
        .filter((id) => id.startsWith(family)).map((id) => id.slice(id.lastIndexOf("@")));
      expect(new Set(versions).size).toBe(1);
    }
  });

  test.each([
    ["MIT", true],
    ["(MIT OR GPL-3.0-or-later)", true],
    ["Apache-2.0 AND MIT", true],
    ["GPL-3.0-or-later", false],
    ["Apache-2.0 AND GPL-2.0", false],
    ["LGPL-3.0", false],
    ["UNLICENSED", false],
    ["SEE LICENSE IN LICENSE", false],
    [undefined, false],
    [{ type: "MIT" }, false],
  ])("is judged by its licence: %j", (licence, allowed) => {
    expect(isAllowed(licence)).toBe(allowed);
  });

  test("stays small: five special functions alone once brought 228 packages", () => {
    expect(installed.length + elsewhere.length).toBeLessThanOrEqual(130);
    expect(installed.filter(({ id }) => /^(@stdlib|ro-crate)/.test(id))).toEqual([]);
  });
});
