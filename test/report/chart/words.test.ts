import pl from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { doubleSort } from "../../../src/analysis/factor_test/double_sort.ts";
import * as charts from "../../../src/report/chart/mod.ts";
import { SAMPLE_MARKET, sampleAnalysis } from "../../helpers/sample_analysis.ts";

let analysis: FactorAnalysis;
beforeAll(async () => {
  analysis = await sampleAnalysis();
});

describe("what a chart says to those who do not see it", () => {
  test("an event study says where the sum turns, and which offsets are apart from zero", () => {
    const { description } = charts.eventChart(pl.DataFrame({
      offset: [-1, 0, 1, 2],
      mean: [0.001, -0.004, 0.0005, null],
      low: [-0.001, -0.007, -0.001, null],
      high: [0.003, -0.001, 0.002, null],
      n: [40, 41, 40, 3],
      cumulative: [0.001, -0.003, -0.0025, null],
    }));
    // The sums −30 and −25 bps since the first offset are 0 and 5 bps since the event.
    expect(description).toBe(
      "95% CI excludes zero at 1 of 3 offsets (about 0 expected by chance); largest −40.0 bps (95% CI −70.0 to −10.0) " +
        "at offset 0, 41 events. " +
        "Returns around events: up to 41 events per offset. The means add up to 40.0 bps at −1, 0.0 bps at 0, " +
        "5.0 bps at 1 relative to the event. The intervals of 1 of 3 offsets exclude zero (0: −40.0 bps). " +
        "Origin of the scores unknown.",
    );
  });

  test("an event study without a mean says so", () => {
    const none = pl.Series("mean", [null], pl.Float64);
    const columns = ["low", "high", "cumulative"].map((name) => none.alias(name));
    const { description } = charts.eventChart(
      pl.DataFrame([pl.Series("offset", [0]), none, ...columns, pl.Series("n", [1])]),
    );
    expect(description).toContain("Nothing to draw: too few events for a mean.");
  });

  test("a double sort reads its cells row by row", () => {
    const data = analysis.aligned.data.withColumns(pl.col("return_5").fillNull(0).alias("other"));
    const sorted = doubleSort(data, { first: "other", quantiles: [2, 2] });
    expect(charts.doubleSortChart(sorted).description).toMatch(
      /Quantile 1 of other, from the lowest quantile of score to the highest: −?\d+\.\d, −?\d+\.\d bps\. Quantile 2 of other: −?\d+\.\d, −?\d+\.\d bps\./,
    );
  });

  test("coverage, turnover and the distribution say when and where they have their ends", () => {
    const day = "20\\d\\d-\\d\\d-\\d\\d";
    expect(charts.factorCoverageChart(analysis).description).toMatch(
      new RegExp(`Fewest: \\d+ stocks on ${day}, most: \\d+ stocks on ${day}`),
    );
    expect(charts.turnoverChart(analysis).description).toMatch(
      new RegExp(
        `The rank autocorrelation between adjacent sessions averages −?0\\.\\d+, with its lowest on ${day}`,
      ),
    );
    expect(charts.distributionChart(analysis).description).toMatch(
      /scores from 0\.\d+ to 1, of which .* The mean boundaries/,
    );
    expect(charts.stabilityChart(analysis).description).toContain(
      " The test of equal means across halves gives p = ",
    );
  });
});

test("the means of rank correlations stand between the lowest and the highest session", () => {
  const table = analysis.rankAutocorrelation;
  const own = Array.from({ length: table.height }, (_, i) => i === 41 ? 0.25 : 0.9 + i % 7 / 100);
  const value = table.withColumn(pl.Series("autocorrelation", own, pl.Float64));
  const { spec } = charts.turnoverChart(
    Object.create(analysis, { rankAutocorrelation: { value } }),
  );
  const views =
    (spec as unknown as { vconcat: { data?: { values: Record<string, number>[] } }[] }).vconcat;
  const ranks = views.flatMap(({ data }) => data?.values ?? []).filter((row) =>
    "autocorrelation" in row
  );
  expect(Math.min(...ranks.map((row) => row["low"] ?? 1))).toBe(Math.min(...own));
  expect(Math.max(...ranks.map((row) => row["high"] ?? 0))).toBe(Math.max(...own));
});

test("returns by quantile without an interval at a horizon say so", () => {
  const cut = ["low", "high", "excess_low", "excess_high"].map((name) =>
    pl.when(pl.col("horizon").eq(1)).then(pl.lit(null)).otherwise(pl.col(name)).cast(pl.Float64)
      .alias(name)
  );
  const value = analysis.quantileReturns.withColumns(...cut);
  const fewer = Object.create(analysis, { quantileReturns: { value } });
  for (const absolute of [false, true]) {
    const text = (of: FactorAnalysis) =>
      JSON.stringify(charts.quantileChart(of, { absolute }).spec["title"]);
    // 140 sessions hold six returns over 21 that do not overlap.
    expect(text(analysis)).toContain("At 21 sessions there are too few non-overlapping returns");
    expect(text(fewer)).toContain("At 1 session and 21 sessions ");
  }
});

describe("a line of plot()", () => {
  test("shows a value between two gaps, which a line alone would not", async () => {
    const frame = pl.DataFrame({ x: [3, 1, 2, 5, 6], y: [0.1, 0.3, null, 0.2, 0.4] });
    const svg = await charts.plot(frame, { x: "x", y: "y", mark: "line" }).toSvg();
    const [points] = /<g class="mark-symbol role-mark.*?<\/g>/s.exec(svg) ?? [""];
    expect(points.match(/<path/g)!.length).toBeGreaterThan(0);
  });

  test("keeps a lone value off the edge, where half of it would be cut", async () => {
    const frame = pl.DataFrame({ x: [1, 2, 3], y: [0.3, null, 0.1] });
    const svg = await charts.plot(frame, { x: "x", y: "y", mark: "line" }).toSvg();
    const [points] = /<g class="mark-symbol role-mark.*?<\/g>/s.exec(svg) ?? [""];
    const places = [...points.matchAll(/translate\(([\d.]+),([\d.]+)\)/g)];
    expect(places).toHaveLength(2);
    for (const [, x, y] of places) {
      expect(Number(x)).toBeGreaterThanOrEqual(3);
      expect(Number(x)).toBeLessThanOrEqual(637);
      expect(Number(y)).toBeGreaterThanOrEqual(3);
      expect(Number(y)).toBeLessThanOrEqual(237);
    }
  });

  test("shows the single value of a colour, and draws no point on a whole line", async () => {
    const frame = pl.DataFrame({
      x: [1, 2, 1],
      y: [0.1, 0.3, 0.2],
      name: ["whole", "whole", "single"],
    });
    const options = { x: "x", y: "y", mark: "line" } as const;
    const svg = await charts.plot(frame, { ...options, color: "name" }).toSvg();
    const [points] = /<g class="mark-symbol role-mark.*?<\/g>/s.exec(svg) ?? [""];
    expect(points.match(/<path/g)!.length).toBeGreaterThan(0);
    const whole = charts.plot(frame.head(2), options);
    expect(JSON.stringify(whole.spec)).not.toContain('"point":');
  });
});

test("turnover of scores of Fridays is that from one signal to the next", async () => {
  const scores = SAMPLE_MARKET.scores.withColumns(pl.col("date").cast(pl.Utf8));
  const days = scores.getColumn("date").unique().sort().toArray() as string[];
  const fifth = days.filter((_, i) => i % 5 === 0);
  const thin = scores.filter(pl.col("date").isIn(fifth));
  const options = { periods: [1], lags: [1], progress: false } as const;
  const sparse = await analyzeFactor(thin, SAMPLE_MARKET.prices, { ...options, minNames: 5 });
  const { description, spec } = charts.turnoverChart(sparse);
  expect(description).toMatch(
    /\d+% of a quantile's stocks are new each signal.* The rank autocorrelation between adjacent signals averages/,
  );
  expect(JSON.stringify(spec)).toMatch(/means of \d+ sessions, between signals/);
});
