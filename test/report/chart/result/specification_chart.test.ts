import pl from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { specificationCurve } from "../../../../src/analysis/mod.ts";
import { type Chart, specificationChart } from "../../../../src/report/chart/mod.ts";
import { makeMarket } from "../../../helpers/market.ts";
import { curveOf } from "./_curve_of.ts";

const ROWS = [
  { horizon: 5, period: "late", mean: -0.012, low: -0.03, high: 0.01 },
  { horizon: 1, period: "late", mean: 0.02, low: null, high: null },
  { horizon: 5, period: "all", mean: 0.03, low: 0.01, high: 0.05 },
  { horizon: 1, period: "all", mean: 0.04, low: 0.02, high: 0.06 },
] as const;

type Drawn = Readonly<Record<string, number | string | null>>;
const drawnIn = ({ spec }: Chart) =>
  (spec.datasets as { specifications: readonly Drawn[] }).specifications;

describe("the chart of a specification curve", () => {
  test("has the finding as its title, and says the rest in words", () => {
    const chart = specificationChart(curveOf(ROWS, 0.007), { footnote: "my scores" });
    expect(chart.description).toBe(
      "Mean IC between −0.012 and 0.040 in 4 specifications; joint p = 0.007. " +
        "Specification curve: mean IC of every specification, the smallest first. " +
        "The median is 0.025, and 75% are above zero; 25% have an unadjusted p below 0.05. " +
        "The smallest has horizon 5, period late; the largest horizon 1, period all. my scores.",
    );
    expect((chart.spec.title as { subtitle: readonly string[] }).subtitle.join(" ")).toContain(
      "Common to all: entry next, correlation spearman, neutral none, winsor 0.01, buckets 5",
    );
  });

  test("has a row for each value of a choice that varies, a blank between two choices", async () => {
    const svg = await specificationChart(curveOf(ROWS, 0.007)).toSvg();
    const labels = ["horizon 1", "horizon 5", "period all", "period late"];
    for (const label of labels) expect(svg).toContain(`>${label}</text>`);
    expect(svg).not.toContain("winsor 0.01</text>");
    for (const verdict of ["excludes zero", "includes zero"]) {
      expect(svg).toContain(`95% CI ${verdict}`);
    }
    expect(svg).toContain("no interval");
    expect(svg).not.toMatch(/NaN|undefined/);
  });

  test("leaves out what has no IC, and says so", () => {
    const none = { horizon: 21, period: "late", mean: null, low: null, high: null };
    const chart = specificationChart(curveOf([...ROWS, none], null));
    expect(chart.description).toContain(
      "Mean IC between −0.012 and 0.040 in 4 specifications; no joint test.",
    );
    expect(JSON.stringify(chart.spec.title)).toContain("1 specification without an IC left out");
    expect(drawnIn(chart)).toHaveLength(4);
  });

  test("is drawn where no specification has an IC, and where there is none", async () => {
    const none = { horizon: 21, period: "late", mean: null, low: null, high: null };
    for (const rows of [[none], []]) {
      const chart = specificationChart(curveOf(rows, null));
      expect(chart.description).toContain("Nothing to draw: no specification has an IC.");
      expect(await chart.toSvg()).not.toContain("NaN");
    }
  });

  test("one specification has no panel of choices", async () => {
    const chart = specificationChart(curveOf([ROWS[3]], 0.01));
    expect(chart.description).toContain(
      "Mean IC between 0.040 and 0.040 in 1 specification; joint p = 0.01.",
    );
    expect(await chart.toSvg()).not.toContain("horizon 1</text>");
  });

  test("keeps its origin when it is changed", () => {
    const changed = specificationChart(curveOf(ROWS, 0.007), { footnote: "my scores" })
      .with({ title: "Forks", rules: [{ y: 0.02, label: "aim" }] });
    expect(changed.description).toContain("Forks");
    expect(changed.description).toContain("my scores");
  });

  test.each([
    [undefined, "expected the result of specificationCurve(), got"],
    [pl.DataFrame({ mean: [1] }), "await specificationCurve(scores, prices) gives it"],
    [Promise.resolve(), "await specificationCurve(scores, prices) gives it"],
  ])("refuses %s", (curve, message) => {
    expect(() => specificationChart(curve as never)).toThrow(message);
  });

  test("refuses options that it does not have", () => {
    expect(() => specificationChart(curveOf(ROWS, 0.1), { horizon: 1 } as never)).toThrow(
      TypeError,
    );
    expect(() => specificationChart(curveOf(ROWS, 0.1), { widthPx: -1 })).toThrow(RangeError);
  });
});

describe("a curve of 432 specifications", () => {
  let curve: Awaited<ReturnType<typeof specificationCurve>>;
  beforeAll(async () => {
    const { scores, prices } = makeMarket(160, (next, noise) => next + 0.02 * noise);
    const groups = pl.DataFrame({
      ticker: Array.from({ length: 12 }, (_, i) => `T${i}`),
      group: Array.from({ length: 12 }, (_, i) => `g${i % 2}`),
    });
    curve = await specificationCurve(
      scores.withColumns(pl.lit("made up, synthetic").alias("source")),
      prices,
      {
        ...{ groups, entry: ["next", "same"], draws: 99 },
        periods: { all: {}, late: { from: "2010-04-01" } },
      },
    );
  });

  test("is drawn whole, with the extremes that were computed, in less than 100 kB", () => {
    const chart = specificationChart(curve);
    const drawn = drawnIn(chart);
    expect(drawn).toHaveLength(432);
    expect(JSON.stringify(chart.spec).length).toBeLessThan(100_000);
    const [found] = curve.tables.summary.toRecords();
    expect(drawn[0]!["mean"]).toBeCloseTo(found!.smallest!, 6);
    expect(drawn.at(-1)!["mean"]).toBeCloseTo(found!.largest!, 6);
    for (const [name, least] of [["low", Math.min], ["high", Math.max]] as const) {
      const computed = (curve.table.getColumn(name).toArray() as (number | null)[])
        .filter((value) => value !== null);
      const kept = drawn.map((row) => row[name]).filter((value) => typeof value === "number");
      expect(least(...kept)).toBeCloseTo(least(...computed), 6);
    }
  });

  test("says that its rows are synthetic, whatever footnote is given", () => {
    expect(specificationChart(curve, { footnote: "my scores" }).description)
      .toContain("my scores · Synthetic rows.");
  });

  test("more of them are drawn in part, with the first and the last", () => {
    const rows = Array.from({ length: 1000 }, (_, i) => ({
      ...{ horizon: 1 + i % 7, period: "all", mean: i / 1000, low: i / 1000 - 1, high: 2 },
    }));
    const chart = specificationChart(curveOf(rows, 0.5));
    expect((chart.spec.title as { subtitle: readonly string[] }).subtitle.join(" ")).toContain(
      "Shown: one of every 3 specifications, with the first and the last",
    );
    const ranks = drawnIn(chart).map((row) => row["rank"]);
    expect(ranks.slice(0, 3)).toEqual([1, 4, 7]);
    expect(ranks.at(-1)).toBe(1000);
    expect(chart.description).toContain("Mean IC between 0.000 and 0.999 in 1,000 specifications");
  });
});
