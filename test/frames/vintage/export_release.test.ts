import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StorageError } from "../../../src/base/errors.ts";
import { markWholeRelease } from "../../../src/frames/frame/release/release_frame.ts";
import { type ExportOptions, exportRelease } from "../../../src/frames/vintage/export_release.ts";
import { shownType } from "../frame/_dtype.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-export-"));
});
afterEach(() => rm(folder, { recursive: true }));

const ROWS = pl.DataFrame([
  pl.Series(
    "date",
    ["2024-12-31", "2025-01-02", "2026-08-14"].map((date) => new Date(date)),
    pl.Date,
  ),
  pl.Series("ticker", ["NA", "TRUE", "1E5"], pl.Categorical),
  pl.Series("ecqdi_score", [0, null, 0.5], pl.Float64),
]).withColumns(
  pl.lit("ecqdi").cast(pl.Categorical).alias("factor"),
  pl.lit("abc").cast(pl.Categorical).alias("download_sha256"),
);
const RELEASE = markWholeRelease(ROWS);

describe("exportRelease()", () => {
  test("writes one file per year in hive layout, which reads back as one table", async () => {
    const { files } = await exportRelease(RELEASE, folder);
    expect(files).toEqual(
      [2024, 2025, 2026].map((year) =>
        join(folder, "factor=ecqdi", `year=${year}`, "part-0.parquet")
      ),
    );
    const pattern = join(folder, "**", "*.parquet");
    const table = (await pl.scanParquet(pattern, { hivePartitioning: true }).collect()).sort(
      "date",
    );
    expect(table.columns).toEqual([
      "date",
      "ticker",
      "ecqdi_score",
      "download_sha256",
      "factor",
      "year",
    ]);
    expect(table.getColumn("ticker").toArray()).toEqual(["NA", "TRUE", "1E5"]);
    expect(table.getColumn("ecqdi_score").toArray()).toEqual([0, null, 0.5]);
    expect(new Set(table.getColumn("factor").toArray())).toEqual(new Set(["ecqdi"]));
  });

  test("adds a factor to a dataset, and refuses one that is there", async () => {
    await exportRelease(RELEASE, folder);
    await exportRelease(RELEASE.rename({ ecqdi_score: "ecpnd_score" }), folder, {
      compression: "lz4",
      partial: true,
    });
    expect((await readdir(folder)).toSorted()).toEqual(["factor=ecpnd", "factor=ecqdi"]);
    await expect(exportRelease(RELEASE, folder)).rejects.toThrow("an earlier export");
  });

  test("refuses a frame that is no release, and leaves nothing", async () => {
    await expect(exportRelease(RELEASE.drop("date"), folder)).rejects.toThrow("Cannot export");
    expect(await readdir(folder)).toEqual([]);
  });

  test("refuses a selection of the rows, unless it is allowed", async () => {
    const selection = RELEASE.head(2);
    await expect(exportRelease(selection, folder)).rejects.toThrow("may lack rows");
    expect(await readdir(folder)).toEqual([]);
    const { files } = await exportRelease(selection, folder, { partial: true });
    expect(files).toHaveLength(2);
  });

  test("refuses a lazy frame with advice", async () => {
    const lazy = RELEASE.lazy() as unknown as pl.DataFrame;
    await expect(exportRelease(lazy, folder)).rejects.toThrow("collect it first");
  });

  test("takes a frame with a column named as a method of lazy frames", async () => {
    const named = RELEASE.withColumns(pl.lit(1).alias("collect"));
    const { files } = await exportRelease(named, folder, { partial: true });
    expect(files).toHaveLength(3);
  });

  test.each([
    ["no rows", RELEASE.head(0), { partial: true }, "expected rows, got none"],
    ["no frame", undefined, {}, "expected a DataFrame, got nothing"],
    [
      "a misspelt option",
      RELEASE,
      { partail: true },
      "expected one of the options compression, partial",
    ],
  ])("refuses %s, and leaves nothing", async (_, frame, options, message) => {
    const exporting = exportRelease(frame as pl.DataFrame, folder, options as ExportOptions);
    await expect(exporting).rejects.toThrow(message);
    await expect(exporting).rejects.toThrow(TypeError);
    expect(await readdir(folder)).toEqual([]);
  });

  test.each([[undefined, "nothing"], ["", '""'], [7, "7"]])(
    "refuses %j as its folder",
    async (path, found) => {
      const exporting = exportRelease(RELEASE, path as string);
      await expect(exporting).rejects.toThrow(TypeError);
      await expect(exporting).rejects.toThrow(
        `Cannot export a release: expected the path of a folder, got ${found}`,
      );
    },
  );

  test("says what it expects of a folder that cannot be written", async () => {
    const path = join(folder, "file", "in it");
    await writeFile(join(folder, "file"), "");
    const exporting = exportRelease(RELEASE, path);
    await expect(exporting).rejects.toThrow(StorageError);
    await expect(exporting).rejects.toThrow(
      `Cannot export a release to ${path}: expected access to the file system, got "ENOTDIR`,
    );
    await expect(exporting).rejects.toThrow("use another folder");
  });

  test("puts each session into the file of its year alone, even the first day and the last", async () => {
    const dates = ["2026-01-01", "2025-12-31", "2025-01-01"];
    const release = pl.DataFrame([
      pl.Series("date", dates.map((date) => new Date(date)), pl.Date),
      pl.Series("ticker", ["A", "B", "C"], pl.Categorical),
      pl.Series("ecpnd_score", [0, 0.25, 0.5], pl.Float64),
      pl.Series("download_sha256", ["d", "d", "e"], pl.Utf8),
    ]);
    const { files } = await exportRelease(release, folder, { partial: true });
    expect(files.map((path) => path.split("/").at(-2))).toEqual(["year=2025", "year=2026"]);
    const [first, second] = await Promise.all(
      files.map(async (path) => (await pl.scanParquet(path).collect()).sort("ticker")),
    );
    expect(first!.select("ticker", "download_sha256").rows()).toEqual([["B", "d"], ["C", "e"]]);
    expect(second!.select("ticker", "download_sha256").rows()).toEqual([["A", "d"]]);
    expect(shownType(first!, "ticker")).toBe("str");
  });

  test("compresses as it is told", async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => i);
    const release = markWholeRelease(pl.DataFrame([
      pl.Series("date", rows.map(() => new Date("2026-08-14")), pl.Date),
      pl.Series("ticker", rows.map((i) => `TICKER${i}`), pl.Categorical),
      pl.Series("ecpnd_score", rows.map((i) => i / 5_000), pl.Float64),
    ]));
    const sizeOf = async (name: string, options: ExportOptions) => {
      const { files } = await exportRelease(release, join(folder, name), options);
      return (await stat(files[0]!)).size;
    };
    const plain = await sizeOf("plain", { compression: "uncompressed" });
    expect(await sizeOf("small", {})).toBeLessThan(plain);
  });

  test("refuses a frame with the scores of both factors", async () => {
    const both = RELEASE.withColumns(pl.lit(0.5).alias("ecpnd_score"));
    await expect(exportRelease(both, folder, { partial: true })).rejects.toThrow(
      "expected a release with date, ticker and the score of one factor",
    );
  });

  test("leaves nothing of an export that broke off", async () => {
    await writeFile(join(folder, "factor=ecqdi"), "in the way");
    await expect(exportRelease(RELEASE, folder)).rejects.toThrow();
    expect(await readdir(folder)).toEqual(["factor=ecqdi"]);
  });
});
