import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { exportDataset, openDataset } from "../../../src/desk/dataset/mod.ts";
import { IntegrityError } from "../../../src/base/errors.ts";
import { rowsOf } from "./_look.ts";
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

async function setRows(path: string): Promise<number> {
  const { partitions } = await openDataset(path);
  return partitions.reduce((sum, { table, rows }) => table === "sets" ? sum + rows : sum, 0);
}

describe("a dataset that grows", () => {
  const asked = { factor: "ecpnd", append: true } as const;

  test("by sets of each day has the rows of one that was written at once", async () => {
    const [grown, whole] = [join(folder, "grown"), join(folder, "whole")];
    for (let hour = 0; hour < 240; hour += 24) {
      // Twelve hours of each increment are stored already.
      await exportDataset(hourlySets(Math.max(0, hour - 12), hour + 24), grown, asked);
    }
    await exportDataset(hourlySets(0, 240), whole, { factor: "ecpnd" });
    expect(await rowsOf(grown)).toEqual(await rowsOf(whole));
    expect((await exportDataset(hourlySets(0, 24), grown, asked)).written).toBe(0);
  });

  test("by sessions of prices has the rows of one that was written at once", async () => {
    const days = ["2025-12-30", "2025-12-31", "2026-01-02", "2026-01-05"];
    const [grown, whole] = [join(folder, "grown"), join(folder, "whole")];
    const all = prices(days);
    for (const rows of [all.head(2), all.slice(2, 3), all.tail(3)]) {
      await exportDataset(rows, grown, { append: true });
    }
    await exportDataset(all, whole);
    expect(await rowsOf(grown)).toEqual(await rowsOf(whole));
  });

  test("keeps what increments at once have added: none of them fails, and nothing is lost", async () => {
    await exportDataset(hourlySets(120, 144), folder, asked);
    const hours = [144, 150, 156, 162];
    await Promise.all(
      hours.map((hour) => exportDataset(hourlySets(hour, hour + 6), folder, asked)),
    );
    expect(await setRows(folder)).toBe(48 * 3);
    const whole = join(folder, "whole");
    await exportDataset(hourlySets(120, 168), whole, { factor: "ecpnd" });
    expect(await rowsOf(folder)).toEqual(await rowsOf(whole));
    expect(await readdir(join(folder, "versions"))).toHaveLength(5);
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

  test("takes a correction as a further version, and the one before keeps what it had", async () => {
    await exportDataset(prices(["2025-12-31", "2026-01-02"]), folder);
    await exportDataset(prices(["2026-01-05"]), folder, { append: true });
    const other = prices(["2026-01-02"]).withColumns(pl.lit(7).cast(pl.Float64).alias("close"));
    expect((await exportDataset(other, folder, { correct: true })).written).toBe(1);
    const closes = async (version: number) =>
      (await (await openDataset(folder, { version })).read("prices", ["close"])).rows().flat();
    expect(await closes(2)).toEqual([1, null, 2, 2, 1, null]);
    expect(await closes(3)).toEqual([1, null, 7, 7, 1, null]);
    expect((await exportDataset(other, folder, { correct: true })).written).toBe(0);
  });

  test("costs no more files and bytes at day 40 than at day 5", async () => {
    const day = (i: number) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);
    const written: number[] = [];
    for (let i = 0; i < 40; i++) {
      const { partitions } = await exportDataset(prices([day(i)]), folder, { append: true });
      const own = partitions.filter(({ first }) => first === day(i));
      expect(own).toHaveLength(1);
      written.push(own[0]!.bytes);
    }
    expect(written[39]).toBe(written[4]);
    expect((await openDataset(folder)).partitions).toHaveLength(40);
  });

  test("takes a release once and whole, because it is frozen", async () => {
    await exportDataset(RELEASE, folder);
    expect((await exportDataset(RELEASE, folder, { append: true })).written).toBe(0);
    const part = exportDataset(RELEASE.head(2), folder, { append: true, partial: true });
    await expect(part).rejects.toThrow("expected the rows that the dataset has there");
    const other = RELEASE.withColumns(pl.lit(0.5).alias("ecqdi_score"));
    await expect(exportDataset(other, folder, { correct: true, partial: true })).rejects.toThrow(
      "expected the score that is stored",
    );
  });
});
