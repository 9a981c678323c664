import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { quantize } from "../../../src/analysis/cross_section/buckets/quantize.ts";
import { scoreDistribution } from "../../../src/analysis/description/score_distribution.ts";
import { cumulativeNetReturns } from "../../../src/analysis/series/costs/costs.ts";
import { theoreticalQuantiles } from "../../../src/analysis/factor/analysis_detail.ts";
import { rollingMean } from "../../../src/analysis/series/stability.ts";

const day = (i: number) => new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10);
const series = (values: readonly (number | null)[], name = "ic") =>
  pl.DataFrame([
    pl.Series("session", values.map((_, i) => day(i)), pl.Utf8),
    pl.Series(name, [...values], pl.Float64),
  ]);

describe("rollingMean()", () => {
  test("has no mean before the first whole window", () => {
    const means = rollingMean(series([1, 2, 3, 4]), { window: 3 }).getColumn("mean").toArray();
    expect(means).toEqual([null, null, 2, 3]);
  });

  test("has none where less than half of a window has values", () => {
    const rows = rollingMean(series([1, 2, null, null, null, 6]), { window: 3 }).toRecords();
    expect(rows.map((row) => row["mean"])).toEqual([null, null, 1.5, null, null, null]);
    expect(rows.map((row) => row["n"])).toEqual([1, 2, 2, 1, 0, 1]);
  });

  test("averages a year of months, of which a quarter has too few for an interval", () => {
    const months = pl.DataFrame({
      session: Array.from(
        { length: 30 },
        (_, i) => new Date(Date.UTC(2022, i + 1, 0)).toISOString().slice(0, 10),
      ),
      ic: Array.from({ length: 30 }, (_, i) => i),
    });
    const means = rollingMean(months).getColumn("mean").toArray();
    expect(means.slice(10, 13)).toEqual([null, 5.5, 6.5]);
  });

  test("counts a window in sessions of the prices, not in rows", () => {
    const sessions = pl.DataFrame({ session: Array.from({ length: 9 }, (_, i) => day(i)) });
    const every = series([1, 2, 3, 4, 5, 6, 7, 8, 9]).filter(
      pl.col("ic").eq(pl.lit(1)).or(pl.col("ic").eq(pl.lit(5))).or(pl.col("ic").eq(pl.lit(9))),
    );
    const means = rollingMean(every, { window: 2, sessions }).getColumn("mean").toArray();
    expect(means).toEqual([null, 5, 9]);
  });

  test("states an interval only where a window holds a test", () => {
    const values = Array.from({ length: 70 }, (_, i) => Math.sin(i * i));
    const last = (horizon: number) =>
      rollingMean(series(values), { horizon }).toRecords().at(-1) as Record<string, number | null>;
    expect(last(1)["low"]).toBeLessThan(Number(last(1)["mean"]));
    expect(last(21)["mean"]).toBeCloseTo(Number(last(1)["mean"]), 12);
    expect(last(21)["low"]).toBeNull();
  });

  test("refuses a window of no two sessions", () => {
    expect(() => rollingMean(series([1]), { window: 1 })).toThrow(RangeError);
  });
});

describe("theoreticalQuantiles()", () => {
  test("puts sorted values beside those of a normal distribution", () => {
    const rows = theoreticalQuantiles(series([3, null, 1, 2])).toRecords();
    expect(rows.map((row) => row["value"])).toEqual([1, 2, 3]);
    // Mean 2, deviation 1, probabilities 1/6, 1/2, 5/6: the quantile of 5/6 is 0.967422.
    expect(rows[0]!["normal"]).toBeCloseTo(2 - 0.967422, 6);
    expect(rows[1]!["normal"]).toBeCloseTo(2, 12);
    expect(rows[2]!["normal"]).toBeCloseTo(2.967422, 6);
  });

  test("has no rows for values that are all equal", () => {
    expect(theoreticalQuantiles(series([1, 1])).height).toBe(0);
  });
});

describe("cumulativeNetReturns()", () => {
  const portfolio = series([0.1, null, -0.5], "return").withColumns(pl.lit(2).alias("traded"));

  test("takes the rate times what was traded from each return", () => {
    const rows = cumulativeNetReturns(portfolio, { oneWayBps: [0, 100] }).toRecords();
    const of = (bps: number, name: "wealth" | "drawdown") =>
      rows.filter((row) => row.one_way_bps === bps).map((row) => row[name]);
    expect(of(0, "wealth")).toEqual([1.1, null, 0.55]);
    expect(of(0, "drawdown")).toEqual([0, null, -0.5]);
    expect(of(100, "wealth")[0]).toBeCloseTo(1.08, 12);
    // What was traded in the session without a return is charged to the next: 0.5 − 2 · 0.02.
    expect(of(100, "wealth")[2]).toBeCloseTo(1.08 * 0.46, 12);
  });

  test("counts a fall from the start", () => {
    const rows = cumulativeNetReturns(
      series([-0.25], "return").withColumns(pl.lit(0).alias("traded")),
    );
    expect(rows.toRecords()[0]!["drawdown"]).toBe(-0.25);
  });

  test("refuses a negative rate", () => {
    expect(() => cumulativeNetReturns(portfolio, { oneWayBps: [-1] })).toThrow(RangeError);
  });
});

describe("scoreDistribution()", () => {
  const scores = [0, 0, 0.25, 0.5, 0.75, 1, null, 0];
  const data = pl.DataFrame([
    pl.Series("session", Array(8).fill("2026-10-30"), pl.Utf8),
    pl.Series("ticker", [..."ABCDEFGH"], pl.Utf8),
    pl.Series("score", scores, pl.Float64),
  ]);

  test("counts every score once, those that rows share apart from the bins", () => {
    const { table } = scoreDistribution(quantize(data, { quantiles: 2 }), { bins: 2 });
    expect(table.toRecords()).toEqual([
      { kind: "bin", low: 0, high: 0.5, rows: 1 },
      { kind: "bin", low: 0.5, high: 1, rows: 3 },
      { kind: "pile", low: 0, high: 0, rows: 3 },
    ]);
  });

  test("says where a bucket ends", () => {
    const { edges } = scoreDistribution(quantize(data, { quantiles: 2 }));
    expect(edges.toRecords()).toEqual([{ quantile: 1, edge: 0.25, sessions: 1 }]);
  });

  test("refuses a number of bins that is none", () => {
    expect(() => scoreDistribution(quantize(data, { quantiles: 2 }), { bins: 0 })).toThrow(
      RangeError,
    );
  });
});
