import { mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { IntegrityError, StorageError } from "../../../src/base/errors.ts";
import { cleanDataset, exportDataset, openDataset } from "../../../src/desk/dataset/mod.ts";
import { commitVersion, readNewest } from "../../../src/desk/dataset/versions.ts";
import { PRICES, RELEASE } from "./_frames.ts";

const DAY_MS = 86_400_000;

let folder: string;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  folder = await mkdtemp(join(tmpdir(), "scoreframe-versions-"));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

const pricesOf = (day: string) =>
  pl.DataFrame([
    pl.Series("date", [new Date(day)], pl.Date),
    pl.Series("ticker", ["AAA"], pl.Utf8),
    pl.Series("close", [100], pl.Float64),
  ]);

/** A dataset of three versions: prices of one, two and three days. */
async function grow(): Promise<void> {
  for (const day of ["2026-01-02", "2026-01-05", "2026-01-06"]) {
    await exportDataset(pricesOf(day), folder, { append: true });
  }
}

async function daysOf(dataset: Awaited<ReturnType<typeof openDataset>>): Promise<number> {
  return (await dataset.read("prices")).height;
}

describe("a version of a dataset", () => {
  test("is read as it was, by its number and by its time, however the dataset grew", async () => {
    await grow();
    const versions = [];
    for (const version of [1, 2, 3]) versions.push(await openDataset(folder, { version }));
    for (const [i, dataset] of versions.entries()) {
      expect(await daysOf(dataset)).toBe(i + 1);
      expect((await openDataset(folder, { at: dataset.committedAt })).version).toBe(i + 1);
    }
    expect((await openDataset(folder)).version).toBe(3);
    const first = Date.parse(versions[0]!.committedAt);
    await expect(openDataset(folder, { at: first - 1 })).rejects.toThrow(
      / a version of .*, got none; the newest is 3, of /,
    );
  });

  test("that there is not is refused with the number of the newest", async () => {
    await grow();
    await expect(openDataset(folder, { version: 9 })).rejects.toThrow(StorageError);
    await expect(openDataset(folder, { version: 9 })).rejects.toThrow(
      "expected the version 9, got none; the newest is 3, of ",
    );
    await expect(openDataset(folder, { version: 1, at: Date.now() })).rejects.toThrow(
      "Cannot open a dataset: expected version or at, got both; leave one out",
    );
  });

  test("is committed by one job alone, and leaves nothing of the others behind", async () => {
    await exportDataset(PRICES, folder);
    const base = await readNewest(folder);
    const tried = await Promise.all(
      Array.from({ length: 8 }, () => commitVersion(folder, base, new Map())),
    );
    expect(tried.filter((isCommitted) => isCommitted)).toHaveLength(1);
    expect(await readdir(join(folder, "versions"))).toEqual(["00000001.json", "00000002.json"]);
    expect((await readdir(folder)).toSorted()).toEqual(["prices", "versions"]);
  });

  test("is not made where nothing changed", async () => {
    await exportDataset(PRICES, folder);
    expect((await exportDataset(PRICES, folder)).written).toBe(0);
    expect((await openDataset(folder)).version).toBe(1);
  });

  test("is later than the one before it, even if the clock was set back by seconds", async () => {
    await grow();
    const { committedAt } = await openDataset(folder);
    vi.setSystemTime(Date.parse(committedAt) - 10_000);
    await exportDataset(pricesOf("2026-01-07"), folder, { append: true });
    expect((await openDataset(folder)).committedAt)
      .toBe(new Date(Date.parse(committedAt) + 1).toISOString());
  });

  test("is not made after one that lies more than minutes ahead of this clock, and both times are named", async () => {
    vi.setSystemTime("2027-11-28T12:00:00Z");
    await exportDataset(pricesOf("2026-01-02"), folder);
    vi.setSystemTime("2026-11-28T12:00:00Z");
    const exporting = exportDataset(pricesOf("2026-01-05"), folder, { append: true });
    await expect(exporting).rejects.toThrow(IntegrityError);
    await expect(exporting).rejects.toThrow(
      /version 1 .* this clock, 2026-11-28T12:00:00\.\d+Z, got 2027-11-28T12:00:00\.\d+Z; correct/,
    );
  });

  test("has its logs finished by the next job, and is read before, if its own was killed", async () => {
    await grow();
    const entry = join(folder, "prices/_delta_log/00000000000000000002.json");
    await rename(entry, join(folder, "aside"));
    expect(await daysOf(await openDataset(folder))).toBe(3);
    await exportDataset(pricesOf("2026-01-07"), folder, { append: true });
    expect(await readFile(entry, "utf8")).toBe(await readFile(join(folder, "aside"), "utf8"));
    expect(await daysOf(await openDataset(folder))).toBe(4);
  });

  test("is not made where something else wrote to the log of a table", async () => {
    await grow();
    const entry = join(folder, "prices/_delta_log/00000000000000000003.json");
    await writeFile(entry, '{"commitInfo":{}}\n');
    const exporting = exportDataset(pricesOf("2026-01-07"), folder, { append: true });
    await expect(exporting).rejects.toThrow(
      /00003\.json to be written by scoreframe, got an entry/,
    );
    expect((await openDataset(folder)).version).toBe(3);
  });
});

test("a file that a killed job left is used by the next one, and is young again", async () => {
  await exportDataset(pricesOf("2026-01-06"), folder);
  const { path } = (await openDataset(folder)).partitions[0]!;
  await utimes(join(folder, path), 0, 0);
  await rm(join(folder, "versions"), { recursive: true });
  await rm(join(folder, "prices/_delta_log"), { recursive: true });
  await exportDataset(pricesOf("2026-01-06"), folder);
  expect((await stat(join(folder, path))).mtimeMs).toBeGreaterThan(Date.now() - DAY_MS);
  expect(await daysOf(await openDataset(folder))).toBe(1);
});

test.each(["manifest.json", "states"])(
  "a dataset of an earlier format, with %s, is refused, with what makes it anew",
  async (name) => {
    await writeFile(join(folder, name), "");
    for (const use of [() => openDataset(folder), () => exportDataset(PRICES, folder)]) {
      await expect(use()).rejects.toThrow(IntegrityError);
      await expect(use()).rejects.toThrow(
        `expected a dataset of format 4, got ${name} of an earlier one; export the same frames to another folder`,
      );
    }
  },
);

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
  const nothing = { withdrawn: [], compacted: [], files: [], bytes: 0 };
  const later = () => vi.setSystemTime(Date.now() + 8 * DAY_MS);
  /** Three versions, of which each has the prices corrected by the next. */
  const correctTwice = async () => {
    for (const close of [1, 2, 3]) {
      const prices = pricesOf("2026-01-02").withColumns(
        pl.lit(close).cast(pl.Float64).alias("close"),
      );
      await exportDataset(prices, folder, { correct: true });
    }
  };

  test("changes nothing unless it is told to", async () => {
    await correctTwice();
    const asked = { before: now() };
    expect(await cleanDataset(folder, asked)).toEqual({ ...nothing, withdrawn: [1, 2] });
    expect((await openDataset(folder, { version: 1 })).version).toBe(1);
    const before = Date.now() - DAY_MS;
    expect(await cleanDataset(folder, { before, dryRun: false })).toEqual(nothing);
    await cleanDataset(folder, { ...asked, dryRun: false });
    later();
    const planned = await cleanDataset(folder);
    expect(planned.files).toHaveLength(2);
    expect(await cleanDataset(folder)).toEqual(planned);
  });

  test("keeps every version from an instant on, and what a job reads until the grace is over", async () => {
    await correctTwice();
    const reading = await openDataset(folder, { version: 1 });
    const second = await openDataset(folder, { version: 2 });
    const asked = { before: second.committedAt, dryRun: false };
    expect(await cleanDataset(folder, asked)).toEqual({ ...nothing, withdrawn: [1] });
    expect(await cleanDataset(folder, asked)).toEqual(nothing);
    expect((await openDataset(folder, { at: asked.before })).version).toBe(2);
    await expect(openDataset(folder, { version: 1 })).rejects.toThrow(
      /the version 1, .* withdrawn; the newest is 4/,
    );
    expect(await daysOf(reading)).toBe(1);
    later();
    const cleaned = await cleanDataset(folder, asked);
    expect(cleaned.files).toEqual(reading.partitions.map(({ path }) => path));
    expect(cleaned.bytes).toBeGreaterThan(100);
    await expect(daysOf(reading)).rejects.toThrow(/got none; the version 1 was withdrawn: /);
    expect(await daysOf(second)).toBe(1);
    expect(await daysOf(await openDataset(folder))).toBe(1);
  });

  test("makes one file of the many of a year, and earlier versions keep theirs", async () => {
    for (let day = 1; day <= 31; day++) {
      await exportDataset(pricesOf(`2026-01-${String(day).padStart(2, "0")}`), folder, {
        append: true,
      });
    }
    const before = await openDataset(folder);
    const done = await cleanDataset(folder, { dryRun: false });
    expect(done).toEqual({ ...nothing, compacted: ["prices/year=2026"] });
    const after = await openDataset(folder);
    expect([before.partitions.length, after.partitions.length]).toEqual([31, 1]);
    expect((await after.read("prices")).rows()).toEqual((await before.read("prices")).rows());
  });

  test("takes what killed jobs left behind, once it is old", async () => {
    await grow();
    await writeFile(join(folder, "prices/part-0123456789abcdef.parquet"), "half");
    await writeFile(join(folder, ".tmp-killed"), "half");
    expect(await cleanDataset(folder, { dryRun: false })).toEqual(nothing);
    later();
    expect((await cleanDataset(folder, { dryRun: false })).files).toEqual([
      ".tmp-killed",
      "prices/part-0123456789abcdef.parquet",
    ]);
    expect(await daysOf(await openDataset(folder))).toBe(3);
  });

  test("deletes nothing of a dataset with a damaged log", async () => {
    await grow();
    const path = join(folder, "prices/part-0123456789abcdef.parquet");
    await writeFile(path, "half");
    later();
    await writeFile(join(folder, "prices/_delta_log/00000000000000000001.json"), "{}");
    await expect(cleanDataset(folder, { dryRun: false })).rejects.toThrow(IntegrityError);
    expect(await readFile(path, "utf8")).toBe("half");
  });

  test("refuses options that would delete what is in use, and what is no dataset", async () => {
    await expect(cleanDataset(folder, { graceMs: 7 })).rejects.toThrow(RangeError);
    await expect(cleanDataset(folder, { before: "2026-01-02" })).rejects.toThrow(TypeError);
    await expect(cleanDataset("s3://bucket/x")).rejects.toThrow(TypeError);
    await expect(cleanDataset(folder)).rejects.toThrow(StorageError);
  });
});
