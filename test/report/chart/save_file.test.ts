import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { saveFile } from "../../../src/report/chart/save_file.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-save-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("a file that is saved", () => {
  test("is there as a whole, and replaces an earlier one", async () => {
    const path = join(folder, "x.html");
    await writeFile(path, "earlier");
    await saveFile("save a sheet", path, "later");
    expect(await readFile(path, "utf8")).toBe("later");
    expect(await readdir(folder)).toEqual(["x.html"]);
  });

  test("does not take a folder for a file, nor a file for a folder", async () => {
    await mkdir(join(folder, "x.html"));
    await writeFile(join(folder, "file"), "");
    await expect(saveFile("save", join(folder, "x.html"), "x")).rejects.toThrow(
      "of a folder; add a name",
    );
    await expect(saveFile("save", join(folder, "file", "x.html"), "x")).rejects.toThrow(
      `expected a folder at ${join(folder, "file")}, got a file; `,
    );
    expect((await readdir(folder)).toSorted()).toEqual(["file", "x.html"]);
  });

  test("says what the system says of any other failure", async () => {
    const name = `${"x".repeat(300)}.html`;
    await expect(saveFile("save", join(folder, name), "x")).rejects.toThrow(
      /expected a folder that can be written, got ".*"; use another folder$/,
    );
  });
});
