import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FolderListings } from "../../../src/base/disk/folder_listing.ts";

const CHANGED = new Date("2026-11-20T15:00:00Z");

let folder: string;
let readings: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-listings-"));
  readings = 0;
});
afterEach(() => rm(folder, { recursive: true }));

function makeListings(options: { now?: () => number; largeFrom?: number } = {}) {
  return new FolderListings<string>({
    toEntries: (names) => {
      if (names.length > 1) readings++;
      return names.filter((name) => !name.startsWith(".")).toSorted();
    },
    keyOf: (name) => name,
    ...options,
  });
}

// Two changes within one tick of the file system's clock leave the same time.
async function addWithinTheTick(name: string): Promise<void> {
  await writeFile(join(folder, name), "");
  await utimes(folder, CHANGED, CHANGED);
}

async function write(name: string): Promise<boolean> {
  await writeFile(join(folder, name), "");
  return true;
}

test("a listing is not kept that was read within a tick of a change, however long the reading took", async () => {
  await addWithinTheTick("a");
  let nowMs = CHANGED.getTime() + 1;
  const listings = new FolderListings<string>({
    toEntries: (names) => {
      // A busy machine: the thread that reads the folder comes late.
      nowMs += 60_000;
      return names;
    },
    keyOf: (name) => name,
    now: () => nowMs,
  });
  expect(await listings.list(folder)).toEqual(["a"]);
  await addWithinTheTick("b");
  expect((await listings.list(folder)).toSorted()).toEqual(["a", "b"]);
});

test("a listing of a folder at rest is kept", async () => {
  await addWithinTheTick("a");
  await addWithinTheTick("b");
  const listings = makeListings({ now: () => CHANGED.getTime() + 60_000 });
  expect(await listings.list(folder)).toEqual(["a", "b"]);
  expect(await listings.list(folder)).toEqual(["a", "b"]);
  expect(readings).toBe(1);
});

test("what this process writes into a large folder is listed in its place without reading the folder", async () => {
  await addWithinTheTick("a");
  await addWithinTheTick("c");
  const listings = makeListings({ largeFrom: 2 });
  expect(await listings.list(folder)).toEqual(["a", "c"]);
  await listings.adding(join(folder, "d"), () => write("d"));
  await listings.adding(join(folder, "b"), () => write("b"));
  await listings.adding(join(folder, "b"), () => Promise.resolve(false));
  expect(await listings.list(folder)).toEqual(["a", "b", "c", "d"]);
  expect(readings).toBe(1);
});

test("writes of this process that overlap are all listed, also one that fails", async () => {
  await addWithinTheTick("a");
  await addWithinTheTick("c");
  const listings = makeListings({ largeFrom: 2 });
  await listings.list(folder);
  const names = Array.from({ length: 20 }, (_, i) => `n${String(i).padStart(2, "0")}`);
  const done = names.map((name) => listings.adding(join(folder, name), () => write(name)));
  const failing = listings.adding(join(folder, "e"), () => Promise.reject(new Error("full")));
  await expect(failing).rejects.toThrow("full");
  await Promise.all(done);
  expect(await listings.list(folder)).toEqual(["a", "c", ...names]);
  expect(readings).toBe(1);
});

test("a file of another process is listed at once if this one does not write", async () => {
  await addWithinTheTick("a");
  await addWithinTheTick("c");
  const listings = makeListings({ largeFrom: 2 });
  await listings.list(folder);
  await listings.adding(join(folder, "b"), () => write("b"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  await write("foreign");
  expect(await listings.list(folder)).toEqual(["a", "b", "c", "foreign"]);
});

test("a file that another process added while this one wrote is listed soon", async () => {
  await addWithinTheTick("a");
  await addWithinTheTick("c");
  const listings = makeListings({ largeFrom: 2 });
  await listings.list(folder);
  await listings.adding(join(folder, "b"), async () => {
    await write("foreign");
    return await write("b");
  });
  expect(await listings.list(folder)).toContain("b");
  await expect.poll(() => listings.list(folder)).toContain("foreign");
  expect(await listings.list(folder)).toEqual(["a", "b", "c", "foreign"]);
  expect(await listings.listAnew(folder)).toEqual(["a", "b", "c", "foreign"]);
});

test("a file that this process adds while a folder is read is listed", async () => {
  for (let i = 10; i < 60; i++) await write(`n${i}`);
  const listings = makeListings({ largeFrom: 2 });
  const first = listings.list(folder);
  await listings.adding(join(folder, "z"), () => write("z"));
  await first;
  expect(await listings.list(folder)).toHaveLength(51);
});

test("a folder that comes later is listed, and one that is gone is empty", async () => {
  const later = join(folder, "later");
  const listings = makeListings();
  expect(await listings.list(later)).toEqual([]);
  await listings.adding(join(later, "a"), async () => {
    await Deno.mkdir(later);
    await Deno.writeTextFile(join(later, "a"), "");
    return true;
  });
  expect(await listings.list(later)).toEqual(["a"]);
  await rm(later, { recursive: true });
  expect(await listings.list(later)).toEqual([]);
});
