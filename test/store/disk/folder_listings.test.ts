import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FolderListings } from "../../../src/store/disk/folder_listings.ts";

const CHANGED = new Date("2026-11-20T15:00:00Z");

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-listings-"));
});
afterEach(() => rm(folder, { recursive: true }));

// Two changes within one tick of the file system's clock leave the same time.
async function addWithinTheTick(name: string): Promise<void> {
  await writeFile(join(folder, name), "");
  await utimes(folder, CHANGED, CHANGED);
}

test("a listing is not kept that was read within a tick of a change, however long the reading took", async () => {
  await addWithinTheTick("a");
  let nowMs = CHANGED.getTime() + 1;
  const listings = new FolderListings((names) => {
    // A busy machine: the thread that reads the folder comes late.
    nowMs += 60_000;
    return names;
  }, () => nowMs);
  expect(await listings.list(folder)).toEqual(["a"]);
  await addWithinTheTick("b");
  expect((await listings.list(folder)).toSorted()).toEqual(["a", "b"]);
});

test("a listing of a folder at rest is kept", async () => {
  await addWithinTheTick("a");
  let readings = 0;
  const listings = new FolderListings((names) => {
    readings++;
    return names;
  }, () => CHANGED.getTime() + 60_000);
  expect(await listings.list(folder)).toEqual(["a"]);
  expect(await listings.list(folder)).toEqual(["a"]);
  expect(readings).toBe(1);
});
