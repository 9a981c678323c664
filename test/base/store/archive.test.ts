import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IntegrityError } from "../../../src/base/errors.ts";
import { ArchivedFiles, ArchiveWriter } from "../../../src/base/store/archive.ts";

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-archive-"));
});
afterAll(() => rm(folder, { recursive: true }));

function newPath(): string {
  return join(folder, String(count++), "sets", "archive.tar");
}

function archiveAt(path: string): ArchivedFiles {
  return new ArchivedFiles(join(path, "../.."));
}

function textOf(content: Uint8Array | null): string | null {
  return content && new TextDecoder().decode(content);
}

async function writeArchive(files: readonly (readonly [string, string])[]): Promise<string> {
  const path = newPath();
  const writer = new ArchiveWriter(path);
  for (const [name, text] of files) writer.add(name, text);
  expect(await writer.finish()).toBe(true);
  return path;
}

describe("an archive", () => {
  test("gives back every text under its name, whatever its length", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 1_500 });
    const files = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z0-9-]{1,40}$/), text), {
      selector: ([name]) => name,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(files, async (given) => {
        const archive = archiveAt(await writeArchive(given));
        expect(archive.names("sets")).toEqual(given.map(([name]) => name));
        for (const [name, content] of given) {
          expect(textOf(await archive.read(`sets/${name}`))).toBe(content);
        }
        expect(await archive.read("sets/not there")).toBeNull();
        expect(archive.has("sets/not there")).toBe(false);
      }),
      { numRuns: 40, seed: 3 },
    );
  });

  test("is one that tar unpacks", async () => {
    const files = [["a.json", "{}\n"], ["b.json", "x".repeat(513)]] as const;
    const path = await writeArchive(files);
    const target = join(path, "..");
    await promisify(execFile)("tar", ["-xf", path, "-C", target]);
    for (const [name, text] of files) expect(await readFile(join(target, name), "utf8")).toBe(text);
  });

  test("has the same bytes each time", async () => {
    const files = [["a.json", "one"], ["b.json", "two"]] as const;
    const [one, two] = [await writeArchive(files), await writeArchive(files)];
    expect(await readFile(one)).toEqual(await readFile(two));
  });

  test("appears complete or not at all, and never replaces another one", async () => {
    const path = await writeArchive([["a.json", "first"]]);
    const second = new ArchiveWriter(path);
    second.add("a.json", "second");
    expect(await second.finish()).toBe(false);
    const left = new ArchiveWriter(path);
    left.add("a.json", "third");
    left.discard();
    expect(textOf(await archiveAt(path).read("sets/a.json"))).toBe("first");
    expect(await readdir(join(path, ".."))).toEqual(["archive.tar"]);
  });

  test("takes no text that holds a key", () => {
    const writer = new ArchiveWriter(newPath());
    expect(() => writer.add("a.json", '"svc_live_0123456789"')).toThrow(IntegrityError);
    writer.discard();
  });

  test("that is not there is no archive", () => {
    expect(archiveAt(newPath()).names("sets")).toEqual([]);
  });

  test("is refused when it was cut off or changed", async () => {
    const path = await writeArchive([["a.json", "x".repeat(600)], ["b.json", "y"]]);
    const bytes = await readFile(path);
    await truncate(path, 2_048);
    expect(() => archiveAt(path).names("sets")).toThrow(
      "expected the end of a tar archive, got 2048 bytes without one",
    );
    bytes[2]! ^= 1;
    await writeFile(path, bytes);
    expect(() => archiveAt(path).names("sets")).toThrow(IntegrityError);
    expect(() => archiveAt(path).names("sets")).toThrow("expected a tar header with the checksum");
  });
});
