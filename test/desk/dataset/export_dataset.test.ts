import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  exportDataset,
  type ExportDatasetOptions,
  openDataset,
} from "../../../src/desk/dataset/mod.ts";
import { IntegrityError, StorageError } from "../../../src/base/errors.ts";
import { markSynthetic } from "../../../src/frames/frame/provenance/synthetic_lineage.ts";
import { PACKAGE_VERSION } from "../../../src/base/contract/limits.ts";
import { startStudyService } from "../../study/_study.ts";
import { PANEL, plainRows, PRICES, RELEASE } from "./_frames.ts";

const LOG = "prices/_delta_log/00000000000000000000.json";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-dataset-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** The path of a file as a test can state it: without the hash that is its name. */
const placeIn = (path: string) => path.replace(/-[0-9a-f]{16}\.parquet$/, "");

const filesOf = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1)).toSorted();

describe("exportDataset()", () => {
  test("writes a release as one file per year, sorted, with the score in a column of one name", async () => {
    const { partitions, written } = await exportDataset(RELEASE, folder);
    expect(written).toBe(3);
    expect((await filesOf(folder)).map(placeIn)).toEqual([
      "scores/_delta_log/00000000000000000000.json",
      ...["scores/part", "scores/part", "scores/part"],
      "versions/00000001.json",
    ]);
    const dataset = await openDataset(folder);
    expect(dataset.partitions).toEqual(partitions);
    const rows = await dataset.read(partitions[1]!);
    expect(rows.columns).toEqual([
      ...["date", "factor", "ticker", "score", "factor_version", "universe", "download_sha256"],
      ...["availability", "source", "retrieved_at"],
    ]);
    expect(rows.getColumn("factor").toArray()).toEqual(["ecqdi", "ecqdi", "ecqdi"]);
    expect(plainRows(rows, ["date", "ticker", "score", "universe", "retrieved_at"])).toEqual([
      ["2025-01-02", "0012", 1 / 3, null, "2026-11-20T15:00:00.123Z"],
      ["2025-12-31", "-", 1, null, "2026-11-20T15:00:00.123Z"],
      ["2025-12-31", "1E5", 5e-324, null, "2026-11-20T15:00:00.123Z"],
    ]);
  });

  test("says in the log what each file holds, and nothing of the machine", async () => {
    const { partitions } = await exportDataset(RELEASE, folder);
    expect(partitions[1]).toEqual({
      table: "scores",
      factor: "ecqdi",
      year: 2025,
      path: expect.stringMatching(/^scores\/part-[0-9a-f]{16}\.parquet$/),
      rows: 3,
      first: "2025-01-02",
      last: "2025-12-31",
      bytes: (await stat(join(folder, partitions[1]!.path))).size,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      releases: ["abc"],
      sets: [],
      versions: ["2.1.0"],
      synthetic: true,
      maker: {
        scoreframe: PACKAGE_VERSION,
        build: expect.stringMatching(/^[0-9a-f]{16}$/),
        runtime: `deno ${Deno.version.deno}`,
        polars: pl.version,
      },
    });
    expect(partitions[1]!.path).toContain(`-${partitions[1]!.sha256.slice(0, 16)}.`);
    const log = await readFile(join(folder, LOG.replace("prices", "scores")), "utf8");
    expect(log).not.toContain(tmpdir());
    expect(log).toContain("null: no score; 0 is a score");
  });

  test("says that scores are synthetic even where they were loaded without provenance", async () => {
    const bare = markSynthetic(
      RELEASE.select("date", "ticker", "ecqdi_score"),
      ["embedded, synthetic"],
    );
    const { partitions } = await exportDataset(bare, folder);
    expect(partitions.map(({ synthetic }) => synthetic)).toEqual([true, true, true]);
    const rows = await (await openDataset(folder)).read(partitions[0]!);
    expect(new Set(rows.getColumn("source").toArray())).toEqual(new Set(["synthetic"]));
  });

  test("puts a panel into the years of New York, with its sets", async () => {
    const { partitions } = await exportDataset(PANEL, folder);
    expect(partitions.map(({ year, sets, first }) => [year, sets, first])).toEqual([
      [2025, ["s1"], "2026-01-01T01:00:00.000Z"],
      [2026, ["s2"], "2026-01-01T21:00:00.500Z"],
    ]);
    const dataset = await openDataset(folder);
    const rows = await dataset.read(partitions[1]!, ["decided_at", "ticker", "score", "status"]);
    expect(plainRows(rows, rows.columns)).toEqual([
      ["2026-01-01T21:00:00.500Z", "AAA", null, "stale"],
    ]);
  });

  test("keeps prices beside scores, as a table of its own", async () => {
    await exportDataset(RELEASE, folder);
    await exportDataset(PRICES, folder);
    const dataset = await openDataset(folder);
    const prices = await dataset.read("prices");
    expect(plainRows(prices, prices.columns)).toEqual([
      ["2025-12-31", "AAA", 100.1, null],
      ["2026-01-02", "AAA", null, null],
    ]);
    expect((await dataset.read("scores")).height).toBe(6);
    await expect(dataset.read("panel")).rejects.toThrow(
      "expected one of its tables, prices, scores, got panel",
    );
  });

  test("splits scores of several factors, and takes the name of one from an option", async () => {
    const scores = pl.DataFrame({
      date: ["2026-01-02", "2026-01-02"],
      ticker: ["AAA", "AAA"],
      score: [1, NaN],
      factor: ["f1", "f2"],
    });
    await exportDataset(scores, folder);
    await exportDataset(scores.head(1).drop("factor"), folder, { factor: "f3" });
    const dataset = await openDataset(folder);
    expect(dataset.partitions.map(({ factor }) => factor)).toEqual(["f1", "f2", "f3"]);
    expect((await dataset.read(dataset.partitions[1]!)).getColumn("score").toArray()).toEqual([
      null,
    ]);
  });

  test("exports all that a study stands on", async () => {
    const service = await startStudyService();
    try {
      const study = await service.open(join(folder, "study"));
      const latest = await study.scores("ecpnd");
      await study.scores("ecpnd", { at: "2026-11-20T12:00:00Z" });
      const release = await study.history("ecqdi");
      const frozen = await service.openFrozen(join(folder, "study"));
      const { partitions } = await exportDataset(frozen, join(folder, "dataset"));
      const lock = frozen.lock!;
      const rowsOf = (name: string) =>
        partitions.filter(({ table }) => table === name).reduce((sum, { rows }) => sum + rows, 0);
      expect(rowsOf("scores")).toBe(release.height);
      expect(rowsOf("sets")).toBe(lock.sets.reduce((sum, { tickers }) => sum + tickers, 0));
      expect(rowsOf("views")).toBe(lock.views.length);
      expect(partitions.flatMap(({ table, sets }) => table === "sets" ? sets : []).toSorted())
        .toEqual(lock.sets.map(({ snapshotId }) => snapshotId).toSorted());
      expect(latest.height).toBeGreaterThan(0);
      const again = await exportDataset(frozen, join(folder, "dataset"), { append: true });
      expect(again.written).toBe(0);
    } finally {
      await service.close();
    }
  });
});

describe("times of a frame that is brought", () => {
  test("are dates at midnight, with and without a zone", async () => {
    const midnights = PRICES.withColumns(
      pl.col("date").cast(pl.Date).cast(pl.Datetime("us")).dt.replaceTimeZone("America/New_York"),
    );
    const [brought, plain] = await Promise.all([
      exportDataset(midnights, join(folder, "a")),
      exportDataset(PRICES, join(folder, "b")),
    ]);
    expect(brought.partitions.map(({ sha256 }) => sha256))
      .toEqual(plain.partitions.map(({ sha256 }) => sha256));
  });

  test("are no instants of a clock without a zone, and no dates at four in the afternoon", async () => {
    const naive = PANEL.drop("at").withColumns(
      pl.Series(
        "at",
        Array(PANEL.height).fill(new Date("2026-06-10T16:00:00Z")),
        pl.Datetime("us"),
      ),
    );
    await expect(exportDataset(naive, folder)).rejects.toThrow(
      /^Cannot export .* column at, got 2026-06-10T16:00:00/,
    );
    const close = PRICES.withColumns(
      pl.Series(
        "date",
        Array(PRICES.height).fill(new Date("2026-06-10T16:00:00Z")),
        pl.Datetime("us"),
      ),
    );
    await expect(exportDataset(close, folder)).rejects.toThrow(
      /^Cannot export .* column date, .* 2026-06-10T16:00:00 /,
    );
  });
});

describe("a dataset that exists", () => {
  test("is left alone where it is finished: no byte and no time of a file changes", async () => {
    const exported = await exportDataset(RELEASE, folder);
    const path = join(folder, exported.partitions[1]!.path);
    const before = await stat(path);
    const { written, partitions } = await exportDataset(RELEASE, folder);
    expect([written, partitions.length]).toEqual([0, 3]);
    expect((await stat(path)).mtimeMs).toBe(before.mtimeMs);
    expect((await stat(path)).ino).toBe(before.ino);
  });

  test.each([
    ["is gone", "expected a file, got none", (path: string) => rm(path)],
    ["was cut off", /expected \d{4} bytes, got 100/, (path: string) => truncate(path, 100)],
    [
      "has other bytes of the same number",
      /expected the SHA-256 [0-9a-f]{64}, got [0-9a-f]{64}/,
      async (path: string) => {
        const bytes = await readFile(path);
        bytes[bytes.length >> 1]! ^= 1;
        await writeFile(path, bytes);
      },
    ],
  ])("gets a file again that %s", async (_, message, damage) => {
    const { partitions } = await exportDataset(RELEASE, folder);
    const path = join(folder, partitions[1]!.path);
    await damage(path);
    const dataset = await openDataset(folder);
    await expect(dataset.read(partitions[1]!)).rejects.toThrow(IntegrityError);
    await expect(dataset.read(partitions[1]!)).rejects.toThrow(message);
    await expect(dataset.read(partitions[1]!)).rejects.toThrow("export it again");
    expect((await exportDataset(RELEASE, folder)).written).toBe(1);
    expect((await (await openDataset(folder)).read(partitions[1]!)).height).toBe(3);
  });

  test("refuses another release of a factor, and names both", async () => {
    await exportDataset(RELEASE, folder);
    const other = RELEASE.withColumns(pl.lit("def").alias("download_sha256"));
    const exporting = exportDataset(other, folder, { partial: true });
    await expect(exporting).rejects.toThrow(IntegrityError);
    await expect(exporting).rejects.toThrow(
      "has (abc…), got def…; keep it beside that one with sideBySide: true, or export to another",
    );
  });

  test("refuses other rows of a partition that is finished, and keeps the file", async () => {
    await exportDataset(PRICES, folder);
    const others = PRICES.withColumns(pl.lit(7).cast(pl.Float64).alias("close"));
    const exporting = exportDataset(others, folder);
    await expect(exporting).rejects.toThrow(IntegrityError);
    await expect(exporting).rejects.toThrow(
      "expected the close that is stored for 2025-12-31 AAA, 100.1, got 7",
    );
    const fewer = exportDataset(
      pl.concat([PRICES.head(1), PRICES.head(1).withColumns(pl.lit("B").alias("ticker"))]),
      folder,
    );
    await expect(fewer).rejects.toThrow("Cannot export prices/year=2025 to");
    expect((await exportDataset(PRICES, folder)).written).toBe(0);
  });

  test("takes two exports at once, of the same rows and of others", async () => {
    const scores = RELEASE.select("date", "ticker", "ecqdi_score").rename({ ecqdi_score: "score" });
    await Promise.all([
      exportDataset(scores, folder, { factor: "a" }),
      exportDataset(scores, folder, { factor: "a" }),
      exportDataset(scores, folder, { factor: "b" }),
      exportDataset(PRICES, folder),
    ]);
    const dataset = await openDataset(folder);
    expect(dataset.partitions).toHaveLength(8);
    for (const partition of dataset.partitions) await dataset.assertWhole(partition);
    expect((await filesOf(folder)).filter((name) => name.includes(".tmp"))).toEqual([]);
  });
});

describe("exportDataset() refuses", () => {
  test.each<[string, unknown, ExportDatasetOptions, string]>([
    ["a selection of a release", RELEASE.head(2), {}, "which may lack rows"],
    ["a frame without rows", PRICES.head(0), {}, "expected rows, got none"],
    ["a row twice", pl.concat([PRICES, PRICES]), {}, "got 2025-12-31 AAA twice"],
    ["a wide panel", PANEL.withColumns(pl.lit(1).alias("b_score")), {}, 'layout: "long"'],
    ["a column of no table", PRICES.withColumns(pl.lit(1).alias("pe")), {}, "got pe as well"],
    ["a frame of something else", PRICES.select("date"), {}, "got date"],
    [
      "a factor that is no name of a folder",
      PRICES.rename({ close: "score" }),
      { factor: "a/../b" },
      'got "a/../b"',
    ],
    ["scores of no factor", PRICES.rename({ close: "score" }), {}, "give it as the option factor"],
    [
      "rows without a date",
      PRICES.withColumns(pl.lit(null).cast(pl.Date).alias("date")),
      {},
      "got rows without one",
    ],
  ])("%s", async (_, frame, options, message) => {
    const exporting = exportDataset(frame as pl.DataFrame, folder, options);
    await expect(exporting).rejects.toThrow(message);
    await expect(exporting).rejects.toThrow(TypeError);
    expect((await filesOf(folder)).filter((name) => name.endsWith(".parquet"))).toEqual([]);
  });

  test("a folder that cannot be made", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(exportDataset(PRICES, join(folder, "file", "in it"))).rejects.toThrow(
      StorageError,
    );
  });
});

describe("openDataset()", () => {
  test("refuses a folder without a dataset, and says what makes one", async () => {
    await expect(openDataset(folder)).rejects.toThrow(StorageError);
    await expect(openDataset(folder)).rejects.toThrow("exportDataset()");
  });

  test.each([
    ["a text that is no JSON", "PAR1"],
    ["another format", '{"kind": "scoreframe dataset", "format": 3, "version": 1}'],
    ["something else", "[]"],
  ])("refuses a version that is %s", async (_, text) => {
    await mkdir(join(folder, "versions"));
    await writeFile(join(folder, "versions/00000001.json"), text);
    await expect(openDataset(folder)).rejects.toThrow(IntegrityError);
  });

  test("refuses a log that was not committed so, and one whose columns are others", async () => {
    await exportDataset(PRICES, folder);
    const text = await readFile(join(folder, LOG), "utf8");
    await writeFile(join(folder, LOG), text.replace('"size":', '"size":1'));
    await expect(openDataset(folder)).rejects.toThrow("something else wrote to it");
    await writeFile(join(folder, LOG), text.replace('"name\\":\\"open', '"name\\":\\"x'));
    await expect(openDataset(folder)).rejects.toThrow(
      "expected the columns date, ticker, close, open, got others",
    );
  });
});
