import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { publishFile, putTextFile } from "../../../src/base/disk/files.ts";

const linking = vi.hoisted(() => ({ code: null as string | null }));

vi.mock("node:fs/promises", async (importOriginal) => {
  const original = await importOriginal<typeof import("node:fs/promises")>();
  const link = async (from: string, to: string) => {
    if (linking.code === null) return await original.link(from, to);
    throw Object.assign(new Error(`${linking.code}: link`), { code: linking.code });
  };
  return { ...original, link };
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-files-"));
});
afterEach(async () => {
  linking.code = null;
  await rm(folder, { recursive: true });
});

test.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"])(
  "a file system without hard links (%s) takes a file once, and keeps what it has",
  async (code) => {
    linking.code = code;
    const path = join(folder, "a.json");
    expect(await putTextFile(path, "first", { durable: true })).toBe(true);
    expect(await putTextFile(path, "second", { durable: true })).toBe(false);
    expect(await readFile(path, "utf8")).toBe("first");
    expect(await readdir(folder)).toEqual(["a.json"]);
  },
);

test("without hard links, a finished file does not replace one that came meanwhile", async () => {
  linking.code = "EPERM";
  const [temporary, path] = [join(folder, ".tmp-1"), join(folder, "a.json")];
  await writeFile(temporary, "second");
  await writeFile(path, "first");
  expect(await publishFile(temporary, path, { durable: false })).toBe(false);
  expect(await readFile(path, "utf8")).toBe("first");
});

test("a file that cannot be linked for another reason is not written, and leaves nothing behind", async () => {
  linking.code = "EIO";
  await expect(putTextFile(join(folder, "a.json"), "first", { durable: true })).rejects
    .toMatchObject({ code: "EIO" });
  expect(await readdir(folder)).toEqual([]);
});

test("a name that exists is left alone", async () => {
  const path = join(folder, "a.json");
  await writeFile(path, "first");
  expect(await putTextFile(path, "second", { durable: false })).toBe(false);
  expect(await readFile(path, "utf8")).toBe("first");
});
