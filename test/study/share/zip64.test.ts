// @heavy: archives of more than four gigabytes
import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readZipDirectory } from "../../../src/base/read_zip.ts";
import { refuseEntries } from "../../../src/study/share/refuse_entries.ts";
import { madeFile } from "../../../src/study/share/study_file.ts";
import { zipChunks } from "../../../src/study/share/zip_chunks.ts";

const SMALL = madeFile("{}");

async function archiveOf(count: number): Promise<Buffer> {
  const names = Array.from({ length: count }, (_, i) => `store/checks/${i}.json`);
  const files = new Map(names.map((name) => [name, SMALL]));
  return Buffer.concat(await Array.fromAsync(zipChunks(files)));
}

function readDirectory(archive: Buffer) {
  const read = (start: number, count: number) =>
    Promise.resolve(archive.subarray(start, start + count));
  return readZipDirectory({ sizeBytes: archive.length, read });
}

describe("a zip with more files than its first format counts", () => {
  let archive: Buffer;
  let folder: string;
  beforeAll(async () => {
    archive = await archiveOf(70_000);
    folder = await mkdtemp(join(tmpdir(), "scoreframe-zip64-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("is read with all of them", async () => {
    const entries = await readDirectory(archive);
    expect(entries).toHaveLength(70_000);
    expect(new Set(refuseEntries(entries, archive.length).map(({ name }) => name)).size).toBe(
      70_000,
    );
  });

  test("is read by Python, which finds each content whole", async () => {
    const path = join(folder, "many.zip");
    await writeFile(path, archive);
    const code = "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); " +
      "print(len(z.namelist()), z.testzip(), z.read('store/checks/69999.json'))";
    const { stdout } = await promisify(execFile)("python3", ["-c", code, path]);
    expect(stdout.trim()).toBe("70000 None b'{}'");
  });

  // Of the record of the extension, from the end on: 22 bytes of the end, 20 of the locator, 56 of the record.
  test.each([
    ["the count", 98 - 32],
    ["the count on this disk", 98 - 24],
    ["the size of the directory", 98 - 40],
    ["the start of the directory", 98 - 48],
    ["the number of the disk", 98 - 16],
    ["the size of the record", 98 - 4],
    ["the mark of the record", 98],
    ["the mark of the locator", 42],
    ["the place of the record", 42 - 8],
    ["the number of disks", 42 - 16],
    ["the count of the end", 22 - 8],
  ])("is refused where %s was changed", async (_, fromEnd) => {
    const changed = Buffer.from(archive);
    changed[changed.length - fromEnd]! ^= 1;
    await expect(readDirectory(changed)).rejects.toThrow("expected its directory");
  });
});

test.each([65_534, 65_535, 65_536])("a zip of %d files is read with all of them", async (count) => {
  expect(await readDirectory(await archiveOf(count))).toHaveLength(count);
});

test("a zip that claims the extension without having it is refused", async () => {
  const archive = await archiveOf(3);
  archive.writeUInt16LE(0xffff, archive.length - 14);
  archive.writeUInt16LE(0xffff, archive.length - 12);
  await expect(readDirectory(archive)).rejects.toThrow("expected its directory");
});
