import pl from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { informationSummary } from "../../../src/analysis/series/information_summary.ts";
import { sampleAnalysis } from "../../helpers/sample_analysis.ts";

let analysis: FactorAnalysis;
beforeAll(async () => {
  analysis = await sampleAnalysis();
});

describe("what charts show of an analysis", () => {
  test("returns of a quantile minus all stocks have the interval of that series", () => {
    const of = pl.col("horizon").eq(pl.lit(5)).and(pl.col("quantile").eq(pl.lit(3)));
    const [row] = analysis.quantileReturns.filter(of).toRecords();
    const series = analysis.detail.quantileSessions.filter(of)
      .select("session", "horizon", pl.col("mean_excess").alias("value"));
    const [tested] = informationSummary(series, { value: "value" }).table.toRecords();
    expect(row!["mean_excess"]).toBeCloseTo(Number(tested!["mean"]), 12);
    expect(row!["excess_low"]).toBeCloseTo(Number(tested!["low"]), 12);
    expect(row!["excess_high"]).toBeCloseTo(Number(tested!["high"]), 12);
    // What moves all stocks is in both, and drops out.
    const width = (low: string, high: string) => Number(row![high]) - Number(row![low]);
    expect(width("excess_low", "excess_high")).toBeLessThan(width("low", "high"));
  });

  test("turnover is averaged over 1, 5 and 21 sessions, with the range of nine in ten", () => {
    const rows = analysis.detail.turnoverByPeriod.toRecords();
    expect(rows.map(({ period }) => period)).toEqual([1, 5, 21].flatMap((n) => Array(5).fill(n)));
    const own = analysis.turnover.filter(pl.col("quantile").eq(pl.lit(2))).toRecords()
      .map(({ turnover }) => turnover).filter((one) => one !== null).map(Number);
    const sorted = own.toSorted((a, b) => a - b);
    expect(rows[1]).toMatchObject({ period: 1, quantile: 2, sessions: own.length });
    expect(rows[1]!["mean"]).toBeCloseTo(own.reduce((a, b) => a + b) / own.length, 12);
    expect(rows[1]!["high"]).toBe(sorted[Math.ceil(0.95 * sorted.length) - 1]);
  });
});
