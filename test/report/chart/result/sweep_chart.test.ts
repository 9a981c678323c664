import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { sweepChart } from "../../../../src/report/chart/mod.ts";

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

interface Layer {
  readonly data: { readonly values: readonly { readonly rank: number }[] };
}

describe("the chart of a sweep", () => {
  test("says how many variants pass alone, the number expected by chance, and the adjusted threshold", () => {
    const chart = sweepChart(tableOf([0.001, 0.02, 0.4, 0.9, null], [0.004, 0.06, 0.8, 0.9, null]));
    expect(chart.description).toContain(
      "2 of 4 variants have p below 0.05 unadjusted (0.2 expected by chance), " +
        "1 after Holm's adjustment for all of them; the adjusted threshold for the smallest p value is 0.05/4 = 0.013",
    );
    expect(JSON.stringify(chart.spec)).toContain("1 without a p value are not shown");
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
    expect(chart.description).toContain("Nothing to draw: no variant has a p value.");
    expect(await chart.toSvg()).not.toContain("NaN");
  });

  test("draws some of many variants, says which, and stays below 100 kB", () => {
    const p = Array.from({ length: 2500 }, (_, i) => (i + 1) / 2501);
    const { spec } = sweepChart(tableOf(p, p.map(() => 1)));
    expect(JSON.stringify(spec.title)).toContain("Shown: the first 300, then one of every 11");
    expect(JSON.stringify(spec).length).toBeLessThan(100_000);
    const { layer: [, , points] } = (spec.vconcat as readonly [{ layer: readonly Layer[] }])[0];
    const ranks = points!.data.values.map(({ rank }) => rank);
    expect(ranks.slice(299, 303)).toEqual([300, 301, 312, 323]);
  });

  test("has its legend above the points, where no footnote is", () => {
    const { spec } = sweepChart(tableOf([0.001, 0.4], [0.002, 0.4]));
    expect((spec.config as { legend: { orient: string } }).legend.orient).toBe("top");
    expect(JSON.stringify(spec.vconcat)).not.toContain('"orient":"bottom"');
  });

  test("writes p values and thresholds without exponents", async () => {
    const p = Array.from({ length: 1500 }, (_, i) => i === 0 ? 1e-12 : (i + 1) / 1501);
    const chart = sweepChart(tableOf(p, p.map((value) => Math.min(1, value * 1500))));
    expect(chart.description).toContain("0.05/1500 = 0.000033");
    expect(JSON.stringify(chart.spec.title)).toContain(
      "P values below 0.00000001 are shown at 0.00000001",
    );
    expect(await chart.toSvg()).not.toMatch(/\de[-−+]\d/);
  });

  test("refuses another frame, and names what it lacks", () => {
    expect(() => sweepChart(pl.DataFrame({ variant: ["a"] }))).toThrow(
      "Cannot draw a sweep: expected the columns horizon, mean, t, p, p_holm, got variant; give the table of mergeSweep()",
    );
  });
});
