import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../../src/analysis/factor/analyze_factor.ts";
import { specificationCurve } from "../../../../src/analysis/selection/specification_curve.ts";
import { sweepChart } from "../../../../src/report/chart/mod.ts";
import { exportDataset, mergeSweep, sweepPartition } from "../../../../src/desk/dataset/mod.ts";
import { deriveScores } from "../../../../src/desk/dataset/sweep/derive_scores.ts";
import { parseSweep } from "../../../../src/desk/dataset/sweep/sweep.ts";
import { sweepPartitions } from "../../../../src/desk/dataset/sweep/sweep_partition.ts";
import { gappyMarket } from "../part/_markets.ts";

const SWEEP = {
  factors: ["first", "second"],
  combinations: { both: { first: 0.5, second: 0.5 } },
  transforms: ["none", "rank"],
  lags: [0, 7],
  universes: { few: ["T00", "T01", "T02", "T04", "T05", "T06", "T07", "T08", "T09", "T10", "T11"] },
  horizons: [1, 5],
};
const LONG_MS = 120_000;

const { scores: first, prices, days } = gappyMarket(4, 300);
const second = gappyMarket(9, 300).scores;
type Row = Readonly<Record<string, unknown>>;

let home: string;
let folder: string;
let sweep: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "scoreframe-sweep-"));
  folder = join(home, "dataset");
  sweep = join(home, "sweep.json");
  await writeFile(sweep, JSON.stringify(SWEEP));
  await exportDataset(first, folder, { factor: "first" });
  await exportDataset(second, folder, { factor: "second" });
  await exportDataset(prices, folder);
});
afterAll(() => rm(home, { recursive: true }));

async function sweepAll(out: string, path = sweep): Promise<number> {
  let written = 0;
  const asked = parseSweep(await readFile(path, "utf8"), path);
  for (const partition of (await sweepPartitions(folder, asked)).toReversed()) {
    const parts = await sweepPartition(folder, { sweep: path, partition, out });
    written += parts.filter(({ isNew }) => isNew).length;
  }
  return written;
}

describe("a sweep in parts", () => {
  let out: string;
  let rows: readonly Row[];
  beforeAll(async () => {
    out = join(home, "all");
    // The ranks of one factor are no variant of their own; those of both are.
    expect(await sweepAll(out)).toBe((2 + 2) * 2 * 2 * 2);
    const { table, isSynthetic } = await mergeSweep({ sweep, out });
    expect(isSynthetic).toBe(false);
    rows = table.toRecords() as unknown as readonly Row[];
  }, LONG_MS);

  test("gives each variant the numbers, to the last bit, of an analysis in memory", async () => {
    const sessions = Int32Array.from(days);
    const asked = parseSweep(JSON.stringify(SWEEP), "sweep.json");
    const scores = new Map(
      Object.entries({ first, second }).map(([name, frame]) => [
        name,
        frame.withColumns(pl.col("date").cast(pl.Utf8).str.strptime(pl.Date, "%Y-%m-%d")),
      ]),
    );
    for (const variant of asked.variants.filter(({ universe }) => universe !== null)) {
      const derived: DataFrame = deriveScores(variant, scores, sessions);
      const { summary } = await analyzeFactor(derived, prices, {
        periods: [1, 5],
        lags: [1],
        placebo: false,
        progress: false,
      });
      for (const expected of summary.table.toRecords() as unknown as readonly Row[]) {
        const found = rows.find((row) =>
          row["variant"] === variant.name && row["horizon"] === expected["horizon"]
        );
        for (const name of ["sessions", "mean", "ratio", "t", "df", "p", "detectable", "reason"]) {
          expect(found?.[name], `${variant.name} ${name}`).toBe(expected[name]);
        }
      }
    }
  }, LONG_MS);

  test("has an IC from minNames on, as an analysis in memory has", async () => {
    const path = join(home, "least.json");
    const asked = { factors: ["first"], horizons: [1], universes: { few: ["T01", "T02", "T04"] } };
    await writeFile(path, JSON.stringify({ ...asked, minNames: 3, calendar: "own" }));
    const least = join(home, "least");
    await sweepAll(least, path);
    const { table } = await mergeSweep({ sweep: path, out: least });
    const found = (table.toRecords() as unknown as readonly Row[])
      .find((row) => row["universe"] === "few");
    const few = first.filter(pl.col("ticker").isIn(["T01", "T02", "T04"]));
    const { summary } = await analyzeFactor(few, prices, {
      ...{ periods: [1], lags: [1], minNames: 3, placebo: false, progress: false },
      calendar: "own",
    });
    const [expected] = summary.table.toRecords() as unknown as readonly Row[];
    for (const name of ["sessions", "mean", "p"]) expect(found?.[name]).toBe(expected![name]);
    expect(found?.["sessions"]).toBeGreaterThan(50);
  }, LONG_MS);

  test("has the specification curve of its variants, as one in memory has", async () => {
    const path = join(home, "curve.json");
    await writeFile(path, JSON.stringify({ factors: ["first"], horizons: [1, 5] }));
    const found = join(home, "curve");
    await sweepAll(found, path);
    const { curve, table } = await mergeSweep({ sweep: path, out: found });
    const one = await specificationCurve(first, prices, {
      ...{ horizons: [1, 5], correlation: ["spearman"], winsor: [0], buckets: [0] },
    });
    expect(curve.summary.toRecords()).toEqual(one.summary.toRecords());
    expect(curve.summary.getColumn("p_median").get(0)).toBeGreaterThan(0);
    expect(curve.text).toBe(one.text);
    expect(curve.text).toContain("Across 2 specifications the mean IC ranges from ");
    const means = table.getColumn("mean").toArray() as number[];
    expect(curve.summary.select("smallest", "largest").rows())
      .toEqual([[Math.min(...means), Math.max(...means)]]);
  }, LONG_MS);

  test("counts ranks of one factor, which have its rank ICs, as one test", () => {
    const found = (variant: string) => rows.find((row) => row["variant"] === variant);
    expect(found("first--rank")).toBeUndefined();
    expect(found("first")?.["also"]).toBe("first--rank");
    expect(found("both--rank")?.["also"]).toBeNull();
    expect(found("first--lag7")?.["mean"]).not.toBe(found("first")?.["mean"]);
  });

  test("has the smallest p value first, adjusted for all that have one", () => {
    const p = rows.map((row) => row["p"]).filter((value) => value !== null) as number[];
    expect(p.length).toBeGreaterThan(10);
    expect(p.length).toBeLessThan(rows.length);
    expect(p).toEqual(p.toSorted((a, b) => a - b));
    expect(rows[0]!["p_holm"]).toBe(Math.min(1, p.length * p[0]!));
    expect(Number(rows[0]!["p_by"])).toBeGreaterThanOrEqual(Number(rows[0]!["p"]));
  });

  test("is judged as a whole: the dependence of variants counts, and the search is measured", async () => {
    const { table, text, family, overfitting } = await mergeSweep({ sweep, out });
    const found = new Map(
      (family.table.toRecords() as unknown as readonly Row[]).map((
        row,
      ) => [`${row["variant"]} ${row["horizon"]}`, row["p_adjusted"]]),
    );
    for (const row of table.toRecords() as unknown as readonly Row[]) {
      expect(row["p_stepm"]).toBe(found.get(`${row["variant"]} ${row["horizon"]}`));
    }
    // The market has gaps: two series alone have values in half of the sessions, and p values of their own.
    expect(family.test.getColumn("variants").get(0)).toBe(2);
    expect(text).toContain("The test of the null that no variant has an effect gives p = ");
    expect(text).toContain("The probability of backtest overfitting is ");
    expect(overfitting!.table.getColumn("splits").get(0)).toBe(12_870);
    const chart = sweepChart({ table, family, overfitting });
    expect(chart.description).toContain("Null that no variant has an effect: p = ");
    expect(chart.description).toContain("probability of backtest overfitting ");
  });

  test("enters every variant and horizon in the trial log, and the same ones no second time", async () => {
    const { trialLog } = await mergeSweep({ sweep, out });
    expect(trialLog.count).toBe(rows.length);
    expect(rows.length).toBe((2 + 2) * 2 * 2 * 2);
  });

  test("goes on where it was: what is there is not computed again", async () => {
    const path = join(out, "parts/both--rank--lag7--few");
    await rm(path, { recursive: true });
    const other = join(out, "parts/first/year=2026.parquet");
    const { mtimeMs } = await stat(other);
    expect(await sweepAll(out)).toBe(2);
    expect((await stat(other)).mtimeMs).toBe(mtimeMs);
  });

  test("is refused, and the partition named, where a part is missing", async () => {
    await rm(join(out, "parts/second/year=2026.parquet"));
    await expect(mergeSweep({ sweep, out })).rejects.toThrow(
      "Cannot merge the parts of second: expected a part of every partition, got none of 2026-01-05 to 2026-12-31",
    );
    await sweepAll(out);
  }, LONG_MS);

  test("is refused where the parts were computed for another sweep", async () => {
    const changed = join(home, "changed.json");
    await writeFile(changed, JSON.stringify({ ...SWEEP, horizons: [1, 21] }));
    await expect(mergeSweep({ sweep: changed, out })).rejects.toThrow(
      /^Cannot merge the sweep: expected parts of \{"periods":\[1,21\].*sweep each partition again$/,
    );
    const combinations = { both: { first: 0.9, second: 0.1 } };
    await writeFile(changed, JSON.stringify({ ...SWEEP, combinations }));
    await expect(mergeSweep({ sweep: changed, out })).rejects.toThrow(
      "expected parts of both (0.9 first + 0.1 second, none, lag 0, all names), got both (0.5 first",
    );
    await writeFile(changed, JSON.stringify({ ...SWEEP, lags: [0, 3] }));
    await expect(mergeSweep({ sweep: changed, out })).rejects.toThrow(
      "expected parts of first--lag3 in",
    );
  });

  test("reads no year of the scores but its own and the one before it", async () => {
    const long = join(home, "long");
    const market = gappyMarket(6, 1_100, 3);
    // Every end of the scores is a session, and so are the three behind it.
    const scores = market.scores.filter(pl.col("date").lt(pl.lit("2030-01-31")));
    const { partitions } = await exportDataset(scores, long, { factor: "first" });
    await exportDataset(market.prices, long);
    expect(partitions.map(({ year }) => year)).toEqual([2026, 2027, 2028, 2029, 2030]);
    const path = join(home, "long.json");
    await writeFile(
      path,
      JSON.stringify({ factors: ["first"], lags: [0, 3], transforms: ["rank"] }),
    );
    const asked = { sweep: path, partition: "year=2029" };
    await sweepPartition(long, { ...asked, out: join(home, "whole") });
    for (const year of [2026, 2027, 2030]) {
      await rm(join(long, `scores/factor=first/year=${year}`), { recursive: true });
    }
    await sweepPartition(long, { ...asked, out: join(home, "lone") });
    for (const variant of ["first--rank", "first--rank--lag3"]) {
      const [whole, lone] = ["whole", "lone"].map((name) =>
        join(home, name, "parts", variant, "year=2029.parquet")
      );
      expect(await readFile(lone!), variant).toEqual(await readFile(whole!));
    }
  });

  test("is refused in a year without a day of the sample", async () => {
    const asked = { sweep, partition: "year=2031", out: join(home, "late") };
    await expect(sweepPartition(folder, asked)).rejects.toThrow(
      "expected a partition with days of the sample, 2026-01-05 to",
    );
  });

  test("is refused where the dataset lacks a factor", async () => {
    const wrong = join(home, "wrong.json");
    await writeFile(wrong, JSON.stringify({ factors: ["third"] }));
    const asked = { sweep: wrong, partition: "year=2026", out: join(home, "wrong") };
    await expect(sweepPartition(folder, asked)).rejects.toThrow(
      'expected a factor of the dataset (first, second) in the table scores, got "third"',
    );
  });
});
