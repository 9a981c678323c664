import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { exportDataset, openDataset } from "../../../src/desk/dataset/mod.ts";
import { IntegrityError, StorageError } from "../../../src/base/errors.ts";
import { PRICES, RELEASE } from "./_frames.ts";
import { hourlySets } from "./_hourly_sets.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-append-"));
});
afterEach(() => rm(folder, { recursive: true }));

const prices = (days: readonly string[]) =>
  pl.DataFrame([
    pl.Series("date", days.flatMap((day) => [new Date(day), new Date(day)]), pl.Date),
    pl.Series("ticker", days.flatMap(() => ["AAA", "BBB"]), pl.Utf8),
    pl.Series("close", days.flatMap((_, i) => [i + 1, i % 2 === 0 ? null : 2 * i]), pl.Float64),
  ]);

async function bytesOf(path: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(
      names.toSorted().map(async (name) => [
        name.slice(path.length),
        (await readFile(name)).toString("base64"),
      ]),
    ),
  );
}

async function setRows(path: string): Promise<number> {
  const { partitions } = await openDataset(path);
  return partitions.find(({ table }) => table === "sets")!.rows;
}

describe("a dataset that grows", () => {
  const asked = { factor: "ecpnd", append: true } as const;

  test("by sets of each day has the bytes of one that was written at once", async () => {
    const [grown, whole] = [join(folder, "grown"), join(folder, "whole")];
    for (let hour = 0; hour < 240; hour += 24) {
      // Twelve hours of each increment are stored already.
      await exportDataset(hourlySets(Math.max(0, hour - 12), hour + 24), grown, asked);
    }
    await exportDataset(hourlySets(0, 240), whole, { factor: "ecpnd" });
    expect(await bytesOf(grown)).toEqual(await bytesOf(whole));
    expect((await exportDataset(hourlySets(0, 24), grown, asked)).written).toBe(0);
  });

  test("by sessions of prices has the bytes of one that was written at once", async () => {
    const days = ["2025-12-30", "2025-12-31", "2026-01-02", "2026-01-05"];
    const [grown, whole] = [join(folder, "grown"), join(folder, "whole")];
    const all = prices(days);
    for (const rows of [all.head(2), all.slice(2, 3), all.tail(3)]) {
      await exportDataset(rows, grown, { append: true });
    }
    await exportDataset(all, whole);
    expect(await bytesOf(grown)).toEqual(await bytesOf(whole));
  });

  test("goes on where a job was killed, before and after the file took its name", async () => {
    const [grown, next] = [join(folder, "grown"), join(folder, "next")];
    await exportDataset(hourlySets(120, 144), grown, asked);
    await cp(grown, next, { recursive: true });
    await exportDataset(hourlySets(144, 168), next, asked);
    const manifest = JSON.parse(await readFile(join(next, "manifest.json"), "utf8"));
    const path = "sets/factor=ecpnd/year=2026/part-0.parquet";
    const sets = manifest.partitions.filter((one: { path: string }) => one.path === path);
    expect(sets.length).toBe(1);
    const pending = JSON.stringify({ ...manifest, partitions: sets });
    await writeFile(join(grown, "_pending.json"), pending);
    await exportDataset(hourlySets(130, 150), grown, asked);
    expect(await setRows(grown)).toBe(30 * 3);
    // The manifest is that of before, the file that of after.
    await rm(grown, { recursive: true });
    await exportDataset(hourlySets(120, 144), grown, asked);
    await writeFile(join(grown, "_pending.json"), pending);
    await rename(join(next, path), join(grown, path));
    await exportDataset(hourlySets(168, 192), grown, asked);
    const whole = join(folder, "whole");
    await exportDataset(hourlySets(120, 192), whole, { factor: "ecpnd" });
    expect(await bytesOf(grown)).toEqual(await bytesOf(whole));
  });

  test("takes two increments at once, or refuses one of them and loses none of the other", async () => {
    await exportDataset(hourlySets(120, 144), folder, asked);
    const tried = await Promise.allSettled([
      exportDataset(hourlySets(144, 150), folder, asked),
      exportDataset(hourlySets(150, 156), folder, asked),
    ]);
    const done = tried.filter(({ status }) => status === "fulfilled").length;
    expect(await setRows(folder)).toBeGreaterThanOrEqual((24 + 6 * done) * 3);
    for (const [i, { status }] of tried.entries()) {
      if (status === "rejected") {
        await exportDataset(hourlySets(144 + 6 * i, 150 + 6 * i), folder, asked);
      }
    }
    expect(await setRows(folder)).toBe(36 * 3);
  });

  test("refuses rows that were added to a file which another job has replaced since", async () => {
    await exportDataset(hourlySets(120, 144), folder, asked);
    const before = await Promise.allSettled(
      [144, 150, 156, 162].map((hour) => exportDataset(hourlySets(hour, hour + 6), folder, asked)),
    );
    const stored = await setRows(folder);
    const done = before.filter(({ status }) => status === "fulfilled").length;
    expect(done).toBeGreaterThan(0);
    expect(stored).toBeGreaterThanOrEqual((24 + 6 * done) * 3);
    for (const tried of before) {
      if (tried.status === "fulfilled") continue;
      expect(tried.reason).toBeInstanceOf(StorageError);
      expect(tried.reason.message).toMatch(
        /^Cannot append to \S+part-0\.parquet in .*: expected the file that was read, got one that another job has replaced since; export the same rows again$/,
      );
    }
  });

  test("refuses another number under a stored key, and names it", async () => {
    await exportDataset(PRICES, folder);
    const other = PRICES.withColumns(pl.col("close").add(1).alias("close"));
    const appending = exportDataset(other, folder, { append: true });
    await expect(appending).rejects.toThrow(IntegrityError);
    await expect(appending).rejects.toThrow(
      "expected the close that is stored for 2025-12-31 AAA, 100.1, got 101.1; leave that row out",
    );
  });

  test("refuses rows of a release, which is frozen", async () => {
    await exportDataset(RELEASE, folder);
    await expect(exportDataset(RELEASE, folder, { append: true })).rejects.toThrow(
      "of a release, which is frozen",
    );
  });
});
