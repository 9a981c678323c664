import { constants } from "node:os";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onDisk } from "../../../src/base/disk/on_disk.ts";
import { replaceFile } from "../../../src/base/disk/replace_file.ts";
import { StorageError } from "../../../src/base/errors.ts";

const { EDQUOT, ESTALE, EIO, EFBIG } = constants.errno;

test.each([
  [
    "a quota in node:fs",
    { code: "UNKNOWN", errno: -EDQUOT, message: "UNKNOWN: unknown error, write" },
    'got "EDQUOT: unknown error, write"; make room',
  ],
  [
    "a quota in Deno",
    { message: `Disk quota exceeded (os error ${EDQUOT})` },
    `got "Disk quota exceeded (os error ${EDQUOT})"; make room`,
  ],
  [
    "a lost share",
    { code: "UNKNOWN", errno: ESTALE, message: "UNKNOWN: unknown error, open" },
    'got "ESTALE: unknown error, open"; check the disk or the network share',
  ],
  [
    "a broken disk",
    { code: "EIO", message: "EIO: i/o error, read" },
    "check the disk or the network share",
  ],
  ["a limit", { message: `File too large (os error ${EFBIG})` }, "check the disk, or use another"],
  [
    "a full disk in Polars",
    { code: "GenericFailure", message: "parquet: underlying IO error: No space (os error 28)" },
    'got "parquet: underlying IO error: No space (os error 28)"; make room',
  ],
  [
    "a missing folder in Polars",
    { code: "GenericFailure", message: "called `unwrap()` on Os { code: 2, kind: NotFound }" },
    "check the path",
  ],
  [
    "no known number",
    { code: "UNKNOWN", errno: 9_999, message: "UNKNOWN: x" },
    'got "UNKNOWN: x"; check the disk',
  ],
])("%s is an error of the storage with its remedy", async (_what, facts, says) => {
  const error = Object.assign(new Error(facts.message), facts);
  const failed = onDisk("keep a file", () => Promise.reject(error));
  await expect(failed).rejects.toThrow(StorageError);
  await expect(failed).rejects.toThrow(says);
  expect(EIO).toBe(5);
});

test("an error that is not the system's is passed on", async () => {
  const error = Object.assign(new Error("UNKNOWN"), { code: "UNKNOWN" });
  await expect(onDisk("keep a file", () => Promise.reject(error))).rejects.toBe(error);
});

test("a file that can be neither written nor closed is told by what failed first", async () => {
  const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
  const work = async () => {
    await using _file = {
      [Symbol.asyncDispose]: () => Promise.reject(Object.assign(new Error("io"), { code: "EIO" })),
    };
    return await Promise.reject(full);
  };
  const error = await onDisk("write a file", work).catch((found) => found);
  expect(error).toBeInstanceOf(StorageError);
  expect(error).toMatchObject({ cause: full, message: expect.stringContaining("make room") });
});

test("a clean-up that fails does not replace what failed before it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-clean-up-"));
  const real = new Error("the disk is full");
  const failed = replaceFile(join(folder, "a"), async (temporary) => {
    // A folder cannot be removed as a file can.
    await mkdir(temporary);
    await writeFile(join(temporary, "b"), "");
    throw real;
  });
  await expect(failed).rejects.toBe(real);
  await rm(folder, { recursive: true });
});
