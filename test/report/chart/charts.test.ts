import pl from "nodejs-polars";
import { withMembers } from "../../helpers/with_members.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import * as charts from "../../../src/report/chart/mod.ts";
import type { Chart } from "../../../src/report/chart/mod.ts";
import { differenceOf, expectGoldenPicture, expectGoldenSpec } from "./_golden.ts";
import { OF_AN_ANALYSIS, OF_OTHERS, setOf, twoFactors } from "./_sample_charts.ts";
import { sampleAnalysis } from "../../helpers/sample_analysis.ts";

let analysis: FactorAnalysis;
beforeAll(async () => {
  analysis = await sampleAnalysis();
});

interface Encoding {
  readonly y: { readonly title: string; readonly scale: { readonly zero: boolean } };
}

describe("the comparison with a committed picture", () => {
  test("finds nothing in the same picture, and one word of a title that changed", async () => {
    const draw = (title: string) =>
      charts.factorCoverageChart(analysis, { title }).toPng({ scale: 0.6, background: "white" });
    const [one, again, other] = [
      await draw("Rows with"),
      await draw("Rows with"),
      await draw("Rows wish"),
    ];
    expect(differenceOf(one, again)).toEqual({ mean: 0, large: 0 });
    expect(differenceOf(one, other).large).toBeGreaterThan(12);
  });
});

describe("factorCoverageChart()", () => {
  test("has a colour only for kinds that occur, and a panel of entries only where there are any", () => {
    const spec = JSON.stringify(charts.factorCoverageChart(analysis).spec);
    expect(spec).toContain(
      '"domain":["any other score: 87.9%","exactly 1: 4.7%","no score: 7.4%"]',
    );
    expect(spec).not.toContain('"kind":"exactly 0.5"');
    expect(spec).not.toContain("enter, leave");
  });
});

describe.each(Object.keys(OF_AN_ANALYSIS) as (keyof typeof OF_AN_ANALYSIS)[])("%s", (name) => {
  test("draws what its committed specification and picture show", async () => {
    const chart = OF_AN_ANALYSIS[name](analysis);
    await expectGoldenSpec(name, chart.spec);
    await expectGoldenPicture(name, await chart.toPng({ scale: 0.6, background: "white" }));
  });

  test("says observations, period, where the numbers come from, that they are synthetic", () => {
    const { spec, description } = OF_AN_ANALYSIS[name](analysis);
    const text = JSON.stringify([spec.title, (spec.vconcat as readonly unknown[]).at(-1)]);
    expect(text).toContain("140 sessions, 2010-01-04 to 2010-07-23, 12 tickers");
    expect(text).toContain("ecpnd, release 58080ada…");
    expect(text).toContain("Synthetic rows");
    expect(description).toContain("140 sessions, 2010-01-04 to 2010-07-23");
    expect(spec.description).toBe(description);
  });

  test("refuses what is no analysis, and options that it does not have", () => {
    const draw = OF_AN_ANALYSIS[name] as (...given: unknown[]) => Chart;
    expect(() => draw(Promise.resolve(analysis))).toThrow(/await analyzeFactor/);
    expect(() => draw(analysis, { tite: "x" })).toThrow(TypeError);
    expect(() => draw(analysis, { widthPx: -1 })).toThrow(RangeError);
  });
});

describe.each(Object.keys(OF_OTHERS))("%s", (name) => {
  test("draws what its committed specification and picture show", async () => {
    const chart = OF_OTHERS[name]!(analysis);
    await expectGoldenSpec(name, chart.spec);
    await expectGoldenPicture(name, await chart.toPng({ scale: 0.6, background: "white" }));
  });
});

describe("charts of one horizon", () => {
  test("refuse a horizon that the analysis does not have", () => {
    expect(() => charts.icChart(analysis, { horizon: 2 }))
      .toThrow('expected horizon to be one of 1, 5, 21 or "all", got 2');
  });

  test("draw a gap where a session has no IC", async () => {
    const ic = analysis.ic.withColumns(
      pl.when(pl.col("n").gt(pl.lit(11))).then(pl.lit(null)).otherwise(pl.col("ic")).alias("ic"),
    );
    const chart = charts.icChart(withMembers(analysis, { ic }));
    const [{ vconcat: [{ layer: [{ data }] }] }] = chart.spec.vconcat as [
      { vconcat: [{ layer: [{ data: { values: readonly { ic: number | null }[] } }] }] },
    ];
    expect(data.values).toHaveLength(140);
    expect(data.values.some(({ ic }) => ic === null)).toBe(true);
    expect(await chart.toSvg()).not.toContain("NaN");
  });
});

describe("moversChart()", () => {
  test("counts tickers with a score in one set only", () => {
    const { description } = charts.moversChart(
      setOf([0, 0.2, 0.5, null]),
      setOf([0, 0.8, null, 1]),
    );
    expect(description).toContain(
      "2 tickers with a score in both; 1 lost their score, 1 gained one. " +
        "Most moved: B from 0.200 to 0.800.",
    );
  });

  test("refuses a panel, in which a ticker stands twice", () => {
    const twice = pl.concat([setOf([1, 1, 1, 1]), setOf([0, 0, 0, 0])]);
    expect(() => charts.moversChart(twice, twice)).toThrow(
      /expected one row per ticker, got a ticker twice/,
    );
  });
});

describe("factorScatterChart()", () => {
  test("draws a point a row with both, counts the others, and says what the line says", () => {
    const chart = charts.factorScatterChart(twoFactors(40), { x: "first", y: "second" });
    expect(chart.description).toMatch(
      /second against first: 36 rows with both, 4 without one of them\. The mean of second is 0\.\d+ in the tenth of the rows with the lowest first/,
    );
    const [{ layer: [points] }] = chart.spec.vconcat as [{ layer: [{ data: { values: [] } }] }];
    expect(points.data.values).toHaveLength(36);
  });

  test("counts many rows in cells, none of which is lost", () => {
    const chart = charts.factorScatterChart(twoFactors(1500), { x: "first", y: "second" });
    const [{ layer: [cells] }] = chart.spec.vconcat as [
      { layer: [{ data: { values: readonly { rows: number }[] } }] },
    ];
    expect(cells.data.values.reduce((sum, { rows }) => sum + rows, 0)).toBe(1350);
    expect(JSON.stringify(chart.spec.title)).toContain("Aggregated");
  });

  test("draws nothing of rows that never have both", async () => {
    const none = pl.DataFrame({ first: [1, null], second: [null, 2] });
    const chart = charts.factorScatterChart(none, { x: "first", y: "second" });
    expect(chart.description).toContain("0 rows with both, 2 without one of them");
    expect(await chart.toSvg()).not.toContain("NaN");
  });

  test("refuses columns that are missing, and columns of text", () => {
    const frame = pl.DataFrame({ first: [1], name: ["A"] });
    expect(() => charts.factorScatterChart(frame, { x: "first", y: "other" })).toThrow(TypeError);
    expect(() => charts.factorScatterChart(frame, { x: "first", y: "name" }))
      .toThrow("expected numbers in the column name, got other values; name a column of scores");
    expect(() => charts.factorScatterChart(frame, undefined as never)).toThrow(TypeError);
  });
});

describe("a narrow chart", () => {
  test("keeps its text within its width", async () => {
    const svg = await charts.leadLagChart(analysis, { widthPx: 300 }).toSvg();
    expect(Number(/<svg[^>]* width="(\d+)"/.exec(svg)![1])).toBeLessThanOrEqual(380);
  });
});

describe("plot()", () => {
  const frame = pl.DataFrame({ "a.b": [1, 2, 3], y: [1, null, -3], name: ["x", "y", "z"] });

  test("draws columns whose names are paths to Vega-Lite", async () => {
    const svg = await charts.plot(frame, { x: "a.b", y: "y", color: "name" }).toSvg();
    expect(svg.match(/class="mark-symbol role-mark/g)).toHaveLength(1);
    expect(svg).not.toContain("undefined");
  });

  test("begins bars at zero, draws lines over dates, says what is missing", () => {
    const bars = charts.plot(frame, { x: "name", y: "y" });
    expect(JSON.stringify(bars.spec)).toContain('"zero":true');
    expect(bars.description).toBe(
      "y by name: 3 rows, drawn as bar. y lies between −3 and 1. 1 row has no y. 1 of 3 bars has no value: dashed. " +
        "Origin of the rows unknown.",
    );
  });

  test.each([
    ["close", [101.5, 103.25, 99], true],
    ["close", [-101.5, -103.25, -99], true],
    ["close", [101.5, 2, 99], false],
    ["ic", [-0.01, 0.02, 0.5], false],
  ])("says that the axis of %s %j does not begin at zero: %s", (name, values, isCut) => {
    const line = pl.DataFrame({ x: ["2026-01-05", "2026-01-06", "2026-01-07"], [name]: values });
    const chart = charts.plot(line, { x: "x", y: name });
    const [{ layer: [{ encoding: { y } }] }] = chart.spec.vconcat as unknown as readonly [
      { layer: readonly [{ encoding: Encoding }] },
    ];
    expect(y.title).toBe(isCut ? `${name}, axis truncated` : name);
    expect(y.scale.zero).toBe(!isCut);
    expect(chart.description.includes(`The axis of ${name} does not begin at 0.`)).toBe(isCut);
    const bars = charts.plot(line, { x: "x", y: name, mark: "bar" });
    expect(JSON.stringify(bars.spec)).not.toContain("axis truncated");
  });

  test("says it of both axes, and not of years, which are no amounts", () => {
    const years = pl.DataFrame({ year: [2024, 2025, 2026], close: [10.5, 11.5, 12.5] });
    const both = charts.plot(years, { x: "close", y: "year" });
    expect(JSON.stringify(both.spec)).toContain("close, axis truncated");
    const { spec, description } = charts.plot(years, { x: "year", y: "close" });
    expect(JSON.stringify(spec)).not.toContain("year, axis truncated");
    expect(description).toContain("axis of close");
  });

  test("asks for the column that was meant", () => {
    expect(() => charts.plot(frame, { x: "nam", y: "y" })).toThrow(/if name is meant/);
    expect(() => charts.plot(frame, { x: "name", y: "y", mark: "pie" as "bar" })).toThrow(
      'expected mark to be one of "point", "line",',
    );
    expect(() => charts.plot(Promise.resolve() as never, { x: "x", y: "y" })).toThrow(
      /await it first/,
    );
  });

  test("stays below 100 kB, and says that it does not draw every row", () => {
    const long = pl.DataFrame({
      x: Array.from({ length: 50_000 }, (_, i) => i),
      y: Array.from({ length: 50_000 }, (_, i) => Math.sin(i)),
    });
    const { spec } = charts.plot(long, { x: "x", y: "y" });
    expect(JSON.stringify(spec).length).toBeLessThan(100_000);
    expect(JSON.stringify(spec.title)).toMatch(/A sample of \d,\d{3} of 50,000 rows/);
  });
});
