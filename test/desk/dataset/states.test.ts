import { mkdtemp, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IntegrityError, StorageError } from "../../../src/base/errors.ts";
import { cleanDataset, exportDataset, openDataset } from "../../../src/desk/dataset/mod.ts";
import { commitState, readNewest } from "../../../src/desk/dataset/states.ts";
import { PRICES, RELEASE } from "./_frames.ts";

const DAY_MS = 86_400_000;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-states-"));
});
afterEach(() => rm(folder, { recursive: true }));

const pricesOf = (day: string) =>
  pl.DataFrame([
    pl.Series("date", [new Date(day)], pl.Date),
    pl.Series("ticker", ["AAA"], pl.Utf8),
    pl.Series("close", [100], pl.Float64),
  ]);

/** A dataset of three states: prices of one, two and three days. */
async function grow(): Promise<void> {
  for (const day of ["2026-01-02", "2026-01-05", "2026-01-06"]) {
    await exportDataset(pricesOf(day), folder, { append: true });
  }
}

async function daysOf(dataset: Awaited<ReturnType<typeof openDataset>>): Promise<number> {
  const prices = dataset.partitions.filter(({ table }) => table === "prices");
  const frames: DataFrame[] = [];
  for (const partition of prices) frames.push(await dataset.read(partition));
  return pl.concat(frames).height;
}

describe("a state of a dataset", () => {
  test("is read as it was, by its number and by its time, however the dataset grew", async () => {
    await grow();
    const states = [];
    for (const state of [1, 2, 3]) states.push(await openDataset(folder, { state }));
    for (const [i, dataset] of states.entries()) {
      expect(await daysOf(dataset)).toBe(i + 1);
      expect((await openDataset(folder, { at: dataset.committedAt })).state).toBe(i + 1);
    }
    expect((await openDataset(folder)).state).toBe(3);
    const first = Date.parse(states[0]!.committedAt);
    await expect(openDataset(folder, { at: first - 1 })).rejects.toThrow(
      / a state of .*, got none; the newest is 3, of /,
    );
  });

  test("that there is not is refused with the number of the newest", async () => {
    await grow();
    await expect(openDataset(folder, { state: 9 })).rejects.toThrow(StorageError);
    await expect(openDataset(folder, { state: 9 })).rejects.toThrow(
      "expected the state 9, got none; the newest is 3, of ",
    );
    await expect(openDataset(folder, { state: 1, at: Date.now() })).rejects.toThrow(
      "Cannot open a dataset: expected state or at, got both; leave one out",
    );
  });

  test("is committed by one job alone, and leaves nothing of the others behind", async () => {
    await exportDataset(PRICES, folder);
    const base = await readNewest(folder);
    const year = { ...base.partitions[0]!, year: 2031 };
    const tried = await Promise.all(
      Array.from({ length: 8 }, () => commitState(folder, base, [year])),
    );
    expect(tried.filter((isCommitted) => isCommitted)).toHaveLength(1);
    expect(await readdir(join(folder, "states"))).toEqual(["00000001", "00000002"]);
    expect((await readdir(folder)).toSorted()).toEqual(["data", "states"]);
  });

  test("is not made where nothing changed", async () => {
    await exportDataset(PRICES, folder);
    expect((await exportDataset(PRICES, folder)).written).toBe(0);
    expect((await openDataset(folder)).state).toBe(1);
  });

  test("is later than the one before it, even if the clock was set back", async () => {
    await grow();
    const before = await readNewest(folder);
    const ahead = { ...before, committedAt: "2999-01-01T00:00:00.000Z" };
    await commitState(folder, ahead, []);
    expect((await openDataset(folder)).committedAt).toBe("2999-01-01T00:00:00.001Z");
  });
});

test("a file that a killed job left is used by the next one, and is young again", async () => {
  await grow();
  await rename(join(folder, "states/00000003"), join(folder, "aside"));
  const { partitions } = await openDataset(folder);
  const names = await readdir(join(folder, "data/prices/year=2026"));
  const left = names.filter((name) => !partitions.some(({ path }) => path.endsWith(name)));
  for (const name of left) await utimes(join(folder, "data/prices/year=2026", name), 0, 0);
  await exportDataset(pricesOf("2026-01-06"), folder, { append: true });
  expect(await readdir(join(folder, "data/prices/year=2026"))).toEqual(names);
  expect(await daysOf(await openDataset(folder))).toBe(3);
  expect((await cleanDataset(folder)).files).toEqual([]);
});

test("a dataset whose files were replaced in place is refused, with what makes it anew", async () => {
  await writeFile(join(folder, "manifest.json"), '{"kind": "scoreframe dataset", "format": 2}');
  for (const use of [() => openDataset(folder), () => exportDataset(PRICES, folder)]) {
    await expect(use()).rejects.toThrow(IntegrityError);
    await expect(use()).rejects.toThrow(
      "expected a dataset of format 3, got a manifest.json of an earlier one; export the same " +
        "frames to another folder, with exportDataset()",
    );
  }
});

test("a second release of a factor is refused that another job committed meanwhile", async () => {
  await exportDataset(PRICES, folder);
  const other = RELEASE.withColumns(pl.lit("def").alias("download_sha256"));
  const tried = await Promise.allSettled([
    exportDataset(RELEASE, folder),
    exportDataset(other, folder, { partial: true }),
  ]);
  expect(tried.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  const refused = tried.find((one) => one.status === "rejected");
  expect(String(refused?.reason)).toMatch(/^IntegrityError: .*the release of /);
  const { partitions } = await openDataset(folder);
  expect(new Set(partitions.flatMap(({ releases }) => releases)).size).toBe(1);
});

describe("cleanDataset()", () => {
  const now = () => new Date(Date.now() + 1000);
  const nothing = { withdrawn: [], deleted: [], files: [], bytes: 0 };

  test("changes nothing unless it is told to", async () => {
    await grow();
    expect(await cleanDataset(folder, { before: now() })).toEqual({
      ...nothing,
      withdrawn: [1, 2],
    });
    expect((await openDataset(folder, { state: 1 })).state).toBe(1);
    const before = Date.now() - DAY_MS;
    expect(await cleanDataset(folder, { before, dryRun: false })).toEqual(nothing);
    await cleanDataset(folder, { before: now(), dryRun: false });
    await age();
    const planned = await cleanDataset(folder);
    expect(planned.deleted).toEqual([1, 2]);
    expect(planned.files).toHaveLength(6);
    expect(await readdir(join(folder, "states"))).toHaveLength(3);
    expect(await cleanDataset(folder)).toEqual(planned);
  });

  test("keeps every state from an instant on, and what a job reads until the grace is over", async () => {
    await grow();
    const reading = await openDataset(folder, { state: 1 });
    const second = await openDataset(folder, { state: 2 });
    const asked = { before: second.committedAt, dryRun: false };
    expect(await cleanDataset(folder, asked)).toEqual({ ...nothing, withdrawn: [1] });
    expect(await cleanDataset(folder, asked)).toEqual(nothing);
    expect((await openDataset(folder, { at: asked.before })).state).toBe(2);
    await expect(openDataset(folder, { state: 1 })).rejects.toThrow(
      /the state 1, .* withdrawn; the newest is 3/,
    );
    expect(await daysOf(reading)).toBe(1);
    await age();
    const cleaned = await cleanDataset(folder, asked);
    expect(cleaned.deleted).toEqual([1]);
    expect(cleaned.files.map((path) => path.split("/")[1]).toSorted())
      .toEqual(["listings", "prices", "sessions"]);
    expect(cleaned.bytes).toBeGreaterThan(100);
    await expect(daysOf(reading)).rejects.toThrow(
      /got none; the state 1 was withdrawn: /,
    );
    for (const dataset of [second, await openDataset(folder)]) {
      for (const partition of dataset.partitions) await dataset.assertWhole(partition);
    }
  });

  test("takes what killed jobs left behind, once it is old", async () => {
    await grow();
    await writeFile(join(folder, "data/prices/year=2026/0123456789abcdef.parquet"), "half");
    await writeFile(join(folder, ".tmp-killed"), "half");
    expect(await cleanDataset(folder, { dryRun: false })).toEqual(nothing);
    await age();
    expect((await cleanDataset(folder, { dryRun: false })).files).toEqual([
      ".tmp-killed",
      "data/prices/year=2026/0123456789abcdef.parquet",
    ]);
    expect(await daysOf(await openDataset(folder))).toBe(3);
  });

  test("deletes nothing of a dataset with a damaged state", async () => {
    await grow();
    await age();
    await writeFile(join(folder, "states/00000002/state.json"), "{}");
    await expect(cleanDataset(folder, { dryRun: false })).rejects.toThrow(IntegrityError);
    expect(await daysOf(await openDataset(folder, { state: 1 }))).toBe(1);
  });

  test("refuses options that would delete what is in use, and what is no dataset", async () => {
    await expect(cleanDataset(folder, { graceMs: 7 })).rejects.toThrow(RangeError);
    await expect(cleanDataset(folder, { before: "2026-01-02" })).rejects.toThrow(TypeError);
    await expect(cleanDataset("s3://bucket/x")).rejects.toThrow(TypeError);
    await expect(cleanDataset(folder)).rejects.toThrow(StorageError);
  });

  /** Lets eight days pass for all files. */
  async function age(): Promise<void> {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const then = new Date(Date.now() - 8 * DAY_MS);
      if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then);
    }
  }
});
