import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { sweepChart } from "../../../src/chart/mod.ts";

function tableOf(p: readonly (number | null)[], holm: readonly (number | null)[]): DataFrame {
  return pl.DataFrame([
    pl.Series("variant", p.map((_, i) => `v${i}`), pl.Utf8),
    pl.Series("horizon", p.map(() => 1), pl.Int32),
    pl.Series("mean", p.map(() => 0.01), pl.Float64),
    pl.Series("t", p.map(() => 2), pl.Float64),
    pl.Series("p", [...p], pl.Float64),
    pl.Series("p_holm", [...holm], pl.Float64),
  ]);
}

describe("the chart of a sweep", () => {
  test("says how many variants pass alone, how many noise would, and the honest threshold", () => {
    const chart = sweepChart(tableOf([0.001, 0.02, 0.4, 0.9, null], [0.004, 0.06, 0.8, 0.9, null]));
    expect(chart.description).toContain(
      "2 of 4 variants are below 0.05 on their own (of pure noise 0.2 would be), " +
        "1 after Holm's adjustment for all of them; the honest threshold of the best one is 0.05/4 = 0.013",
    );
    expect(JSON.stringify(chart.spec)).toContain("1 without a p value are not drawn");
  });

  test("draws a line for one variant and one for the best of all", async () => {
    const svg = await sweepChart(tableOf([0.001, 0.4], [0.002, 0.4])).toSvg();
    expect(svg).toContain("0.05, for one variant");
    expect(svg).toContain("0.05 / 2, for the best of 2");
  });

  test("has a place for a p value that is rounded to zero", async () => {
    const svg = await sweepChart(tableOf([0, 0.4], [0, 0.4])).toSvg();
    expect(svg).not.toContain("NaN");
    expect(svg).not.toContain("Infinity");
  });

  test("is drawn where no variant has a p value", async () => {
    const chart = sweepChart(tableOf([null], [null]));
    expect(chart.description).toContain("No variant has a p value");
    expect(await chart.toSvg()).not.toContain("NaN");
  });

  test("leaves out the largest p values above 2,000 variants, and says so", () => {
    const p = Array.from({ length: 2500 }, (_, i) => (i + 1) / 2501);
    const text = JSON.stringify(sweepChart(tableOf(p, p.map(() => 1))).spec);
    expect(text).toContain("The first 2000 are drawn");
    expect(text.length).toBeLessThan(600_000);
  });

  test("refuses another frame, and names what it lacks", () => {
    expect(() => sweepChart(pl.DataFrame({ variant: ["a"] }))).toThrow(
      "Cannot draw a sweep: expected the table of mergeSweep(), got a frame without horizon, mean, t, p, p_holm",
    );
  });
});
