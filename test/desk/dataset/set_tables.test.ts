import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IntegrityError } from "../../../src/base/errors.ts";
import { exportDataset, openDataset, type Partition } from "../../../src/desk/dataset/mod.ts";
import { plainRows, PRICES, RELEASE } from "./_frames.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-checks-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** The frame that scores() gives for a check of one set of two tickers. */
function liveSet(hour: number, status: string, set = { id: "s1", hour: 10 }): DataFrame {
  const at = (clock: number) =>
    pl.lit(new Date(Date.UTC(2026, 2, 2, clock))).cast(pl.Datetime("ms", "UTC"));
  return pl.DataFrame({ ticker: ["AAA", "BBB"], ecpnd_score: [0.25, 0] }).withColumns(
    pl.lit("ecpnd").alias("factor"),
    pl.lit(set.id).alias("snapshot_id"),
    at(set.hour).alias("calculated_at"),
    at(hour).alias("last_checked_at"),
    at(hour).alias("data_through"),
    pl.lit(status).alias("status"),
    pl.lit(new Date("2026-02-27")).cast(pl.Date).alias("prices_through"),
    at(hour).alias("retrieved_at"),
  );
}

async function read(table: Partition["table"], columns: readonly string[]) {
  return plainRows(await (await openDataset(folder)).read(table), columns);
}
const CHECK = ["last_checked_at", "snapshot_id", "status", "prices_through"];
const at = (hour: number) => `2026-03-02T${hour}:00:00.000Z`;
const CLOSES = "2026-02-27T00:00:00.000Z";

describe("live sets in a dataset", () => {
  test("are a set once, its publication, and every check of it", async () => {
    await exportDataset(pl.concat([liveSet(11, "current"), liveSet(10, "current")]), folder);
    expect(await read("sets", ["calculated_at", "ticker", "score", "retrieved_at"])).toEqual([
      [at(10), "AAA", 0.25, at(10)],
      [at(10), "BBB", 0, at(10)],
    ]);
    expect(await read("publications", ["calculated_at", "snapshot_id"])).toEqual([[at(10), "s1"]]);
    expect(await read("checks", CHECK)).toEqual([
      [at(10), "s1", "current", CLOSES],
      [at(11), "s1", "current", CLOSES],
    ]);
  });

  test("know no status of a check that was found stale, until another request tells it", async () => {
    await exportDataset(liveSet(10, "stale"), folder);
    expect(await read("checks", CHECK)).toEqual([[at(10), "s1", null, CLOSES]]);
    await exportDataset(liveSet(10, "partial_market_data"), folder, { append: true });
    const told = [[at(10), "s1", "partial_market_data", CLOSES]];
    expect(await read("checks", CHECK)).toEqual(told);
    expect((await exportDataset(liveSet(10, "stale"), folder, { append: true })).written).toBe(0);
    expect(await read("checks", CHECK)).toEqual(told);
  });

  test("refuse a second status of one check", async () => {
    await exportDataset(liveSet(10, "current"), folder);
    const other = exportDataset(liveSet(10, "partial_market_data"), folder, { append: true });
    await expect(other).rejects.toThrow("expected the status that is stored for 2026-03-02");
  });

  test("refuse another score under a set that is stored", async () => {
    await exportDataset(liveSet(10, "current"), folder);
    const other = liveSet(11, "current").withColumns(pl.lit(0.5).alias("ecpnd_score"));
    await expect(exportDataset(other, folder, { append: true })).rejects.toThrow(IntegrityError);
  });

  test("take the publications that publications() lists", async () => {
    await exportDataset(liveSet(10, "current"), folder);
    const listed = liveSet(14, "current", { id: "s2", hour: 13 }).head(1)
      .drop("ticker", "ecpnd_score").withColumns(
        pl.lit(2).alias("tickers"),
        pl.lit(2).alias("scored"),
        pl.lit(null).alias("superseded_at"),
      );
    await exportDataset(listed, folder, { append: true });
    await exportDataset(liveSet(12, "current"), folder, { append: true });
    expect(await read("publications", ["calculated_at", "snapshot_id"])).toEqual([
      [at(10), "s1"],
      [at(13), "s2"],
    ]);
    expect((await read("checks", CHECK)).map(([time]) => time)).toEqual([at(10), at(12), at(14)]);
  });
});

describe("releases side by side", () => {
  const other = RELEASE.withColumns(
    pl.lit("def").alias("download_sha256"),
    pl.lit(0.75).alias("ecqdi_score"),
  );
  const beside = { sideBySide: true, partial: true } as const;

  test("are rows of one table, and the table of scores keeps the one that is analysed", async () => {
    await exportDataset(RELEASE, folder);
    await exportDataset(RELEASE, folder, beside);
    await exportDataset(other, folder, beside);
    const { partitions } = await openDataset(folder);
    expect(partitions.map(({ table, releases, year }) => [table, releases.join(), year])).toEqual([
      ...["abc", "def"].flatMap((id) => [2024, 2025, 2026].map((year) => ["releases", id, year])),
      ...[2024, 2025, 2026].map((year) => ["scores", "abc", year]),
    ]);
    const rows = await read("releases", ["download_sha256", "date", "ticker", "score"]);
    expect(rows.filter(([, date]) => date === "2026-01-02")).toEqual([
      ["abc", "2026-01-02", "TRUE", 0.1],
      ["def", "2026-01-02", "TRUE", 0.75],
    ]);
    const again = await exportDataset(other, folder, { ...beside, append: true });
    expect(again.written).toBe(0);
  });

  test("refuse other rows of a release, also to be appended, and rows of no release", async () => {
    await exportDataset(other, folder, beside);
    const changed = other.withColumns(pl.lit(0.5).alias("ecqdi_score"));
    await expect(exportDataset(changed, folder, { ...beside, append: true })).rejects.toThrow(
      IntegrityError,
    );
    const own = other.drop("download_sha256");
    await expect(exportDataset(own, folder, beside)).rejects.toThrow("with sideBySide, got 0");
    await expect(exportDataset(PRICES, folder, beside)).rejects.toThrow(
      /with sideBySide, got .* table prices/,
    );
  });
});
