import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { IntegrityError } from "../../../src/base/errors.ts";
import { findStudyFiles, listFiles } from "../../../src/study/share/study_files.ts";
import { readStudyFile } from "../../../src/study/share/study_file.ts";

let folder: string;
beforeEach(async () => {
  const home = await mkdtemp(join(tmpdir(), "scoreframe-regular-"));
  folder = join(home, "study");
  await mkdir(join(folder, "data"), { recursive: true });
  await writeFile(join(home, "private.csv"), "a secret");
  await writeFile(join(folder, "own.csv"), "a,b\n");
  await symlink(join(home, "private.csv"), join(folder, "link.csv"));
  await symlink(home, join(folder, "out"));
  await symlink("loop.csv", join(folder, "loop.csv"));
  await promisify(execFile)("mkfifo", [join(folder, "pipe.csv")]);
});
afterEach(() => rm(join(folder, ".."), { recursive: true }));

test("only regular files of a study are found for an export", () => {
  expect(listFiles(folder)).toEqual(["own.csv"]);
});

test.each([
  ["link.csv", "a link"],
  ["loop.csv", "a link"],
  ["pipe.csv", "a device"],
  ["data", "a folder"],
])("%s in the place of a file is refused at once, as %s", async (path, got) => {
  const read = readStudyFile(join(folder, path), { path, room: { bytes: 1 << 20 } });
  await expect(read).rejects.toThrow(IntegrityError);
  await expect(read).rejects.toThrow(
    `expected a regular file in the folder of the study, got ${got}`,
  );
});

test("an input behind a linked folder is not exported", async () => {
  const lock = { inputs: [{ path: "out/private.csv" }], releases: [], sets: [] } as never;
  await mkdir(join(folder, "store"));
  await expect(findStudyFiles(folder, { lock, text: "{}" }, { withoutData: false })).rejects
    .toThrow(
      "Cannot export out: expected a folder of the study, got a link",
    );
});

test("a project file that is a link is not followed either", async () => {
  const lock = { inputs: [], releases: [], sets: [] } as never;
  await symlink(join(folder, "..", "private.csv"), join(folder, "deno.json"));
  await expect(findStudyFiles(folder, { lock, text: "{}" }, { withoutData: true })).rejects.toThrow(
    "expected a regular file, got a link",
  );
});
