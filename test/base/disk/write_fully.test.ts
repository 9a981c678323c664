import { mkdtemp, readFile } from "node:fs/promises";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hashFile } from "../../../src/base/disk/hash_file.ts";
import { replaceFile } from "../../../src/base/disk/replace_file.ts";
import { systemWords } from "../../../src/base/disk/on_disk.ts";
import { writeFully } from "../../../src/base/disk/files.ts";
import { sourceFiles } from "../../helpers/source_files.ts";

const BYTES = new TextEncoder().encode("scoreframe");

/** A file that takes so many bytes at a time, and no more than there is room for. */
function narrowFile(room: number, atOnce: number) {
  const taken: number[] = [];
  const write = (bytes: Uint8Array, offset: number, length: number) => {
    const bytesWritten = Math.min(length, atOnce, room - taken.length);
    taken.push(...bytes.subarray(offset, offset + bytesWritten));
    return Promise.resolve({ bytesWritten });
  };
  return { taken, file: { write } as unknown as FileHandle };
}

describe("writeFully()", () => {
  test("goes on where the disk took less than it was given", async () => {
    const { file, taken } = narrowFile(100, 3);
    await writeFully(file, { path: "a", bytes: BYTES });
    expect(new TextDecoder().decode(new Uint8Array(taken))).toBe("scoreframe");
  });

  test("refuses a disk that takes nothing more", async () => {
    const { file } = narrowFile(7, 5);
    await expect(writeFully(file, { path: "/a/b", bytes: BYTES })).rejects.toThrow(
      "Cannot write /a/b: expected room for 10 bytes on the disk, got one that is full after 7; " +
        "make room, or use another folder",
    );
  });
});

describe("the disk", () => {
  test("has one loop for short writes, one hash of a file and one reader of system errors", async () => {
    const files = await sourceFiles();
    const having = (text: RegExp) => files.filter((file) => text.test(file.text));
    expect(having(/\{ bytesWritten \}/).map(({ path }) => path)).toEqual([
      "src/base/disk/files.ts",
    ]);
    expect(having(/os error/).map(({ path }) => path)).toEqual(["src/base/disk/on_disk.ts"]);
  });

  test("hashes a file as sha256sum does", async () => {
    const path = join(await mkdtemp(join(tmpdir(), "scoreframe-")), "a");
    await replaceFile(path, (aside) => Deno.writeTextFile(aside, "abc"));
    expect(await hashFile(path)).toEqual({
      sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      sizeBytes: 3,
    });
  });

  test("keeps an earlier file where the new one fails, and nothing beside it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "scoreframe-"));
    const path = join(folder, "a");
    await Deno.writeTextFile(path, "old");
    const half = replaceFile(path, async (aside) => {
      await Deno.writeTextFile(aside, "ne");
      throw new Error("full");
    });
    await expect(half).rejects.toThrow("full");
    expect(await readFile(path, "utf8")).toBe("old");
    expect([...Deno.readDirSync(folder)].map(({ name }) => name)).toEqual(["a"]);
  });

  test("knows an error of the system, also where Deno has no code for it", () => {
    const coded = Object.assign(new Error("no space left"), { code: "ENOSPC" });
    expect(systemWords(coded)).toEqual({ message: "no space left", code: "ENOSPC" });
    expect(systemWords(new Error("File too large (os error 27)"))).toEqual({
      message: "File too large (os error 27)",
      code: "EFBIG",
    });
    expect(systemWords(new TypeError("x is not a function"))).toBeNull();
  });
});
