import pl from "nodejs-polars";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { analyzeFactor } from "../../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../../src/analysis/factor/factor_analysis.ts";
import * as charts from "../../../../src/report/chart/mod.ts";
import { textWidth } from "../../../../src/report/chart/font_widths.ts";
import { makeMarket } from "../../../helpers/market.ts";
import { WORLDS } from "../_worlds.ts";
import { withMembers } from "../../../helpers/with_members.ts";

const OPTIONS = { entry: "same", progress: false, lags: [1, 2] } as const;

// 252 sessions of 2010 and three of 2011.
let year: FactorAnalysis;
let constant: FactorAnalysis;
let outlier: FactorAnalysis;
beforeAll(async () => {
  const groups = pl.DataFrame({
    ticker: Array.from({ length: 24 }, (_, i) => `T${i}`),
    group: Array.from({ length: 24 }, (_, i) => i < 12 ? "Energy" : "Utilities"),
  });
  const long = makeMarket(255, (next, noise) => next + noise, { names: 24 });
  year = await analyzeFactor(long.scores, long.prices, { ...OPTIONS, groups });
  const flat = makeMarket(40, () => 0.5);
  constant = await analyzeFactor(flat.scores, flat.prices, OPTIONS);
  let row = 0;
  const far = makeMarket(40, (_, noise) => row++ === 100 ? 1e12 : noise);
  outlier = await analyzeFactor(far.scores, far.prices, OPTIONS);
});

function titleOf({ spec }: charts.Chart): string {
  return [(spec["title"] as { text: string | string[] }).text].flat().join(" ");
}

describe("charts of a factor", () => {
  test("keep a year of three sessions in its place, and out of the title", async () => {
    const chart = charts.stabilityChart(year);
    const parts = [...(await chart.toSvg()).matchAll(/<text[^>]*>([^<]*)<\/text>/g)]
      .map(([, text]) => text!)
      .filter((text) => ["all", "2010", "2011", "first half", "Energy"].includes(text));
    expect(parts).toEqual(["all", "2010", "2011", "first half", "Energy"]);
    expect(titleOf(chart)).toMatch(/^Mean IC .* over 255 sessions$/);
  });

  test("draw the mean of three sessions hollow, with their number", async () => {
    const svg = await charts.stabilityChart(year).toSvg();
    const texts = [...svg.matchAll(/<text[^>]*>(n = [^<]*)<\/text>/g)].map(([, text]) => text);
    expect(texts).toEqual(["n = 3, no interval"]);
    // Points of the sample, two years, two halves and two groups; one has no colour inside.
    const points = [...svg.matchAll(/<path transform="translate[^>]*opacity="0.7"\/>/g)];
    expect(points).toHaveLength(7);
    const hollow = points.filter(([path]) => !/ fill="#/.test(path));
    expect(hollow.map(([path]) => / stroke="(#\w+)"/.exec(path)?.[1])).toEqual(["#c8741c"]);
  });

  test("name the groups without an interval, whose means are no finding", () => {
    const { table } = year.detail.groups!;
    const rows = table.toRecords().map((row) =>
      row["part"] === "Utilities" ? { ...row, low: null, high: null, sessions: 2 } : row
    );
    const groups = { ...year.detail.groups, table: pl.DataFrame(rows, { schema: table.schema }) };
    const few = withMembers(year, { detail: withMembers(year.detail, { groups }) });
    const { description } = charts.groupChart(few);
    expect(description).toMatch(/^Mean IC [^;]* in Energy; no interval in Utilities\./);
    expect(description).toContain("in 2 sessions");
  });

  test("of months at all horizons have the colours of one scale, so that Vega-Lite has nothing to warn of", async () => {
    const warn = vi.spyOn(console, "warn");
    const chart = charts.icMonthChart(year, { horizon: "all" });
    const domains = [...JSON.stringify(chart.spec).matchAll(/"domain":(\[-[^\]]*\])/g)]
      .map(([, domain]) => domain);
    expect([domains.length, new Set(domains).size]).toEqual([3, 1]);
    await chart.toSvg();
    expect(warn).not.toHaveBeenCalled();
    expect(titleOf(chart)).toMatch(/, 1 session ahead$/);
  });

  test("of monthly closes leave the words of the user as they are", async () => {
    const { scores, prices } = WORLDS["monthly"]!();
    const options = { ...OPTIONS, minNames: 5, frequency: "monthly" } as const;
    const monthly = await analyzeFactor(scores, prices, options);
    const title = "Trading sessions of the committee";
    const chart = charts.icChart(monthly, { title });
    expect(titleOf(chart)).toBe(title);
    expect(chart.description).toMatch(/^Trading sessions of the committee\. .*\d months/);
    const changed = charts.icChart(monthly).with({ title, subtitle: "3 sessions a year" });
    expect(titleOf(changed)).toBe(title);
    expect(changed.description).toContain(" 3 sessions a year.");
  });

  test("give two groups the whole width", () => {
    const [{ vconcat: [, { concat, columns }] }] = charts.groupChart(year).spec["vconcat"] as [
      { vconcat: [object, { columns: number; concat: { width: number }[] }] },
    ];
    expect(columns).toBe(2);
    expect(concat.map(({ width }) => width)).toEqual([282, 282]);
  });

  test("show the IC of each group at every horizon, with its interval and one colour a horizon", async () => {
    const svg = await charts.groupChart(year, { horizon: 5 }).toSvg();
    const { groups } = year.detail;
    const told = groups!.table.toRecords().filter(({ mean }) => mean !== null);
    const points = [
      ...svg.matchAll(/<path transform="translate\([^>]*fill="(#\w+)"[^>]*opacity="0.7"/g),
    ];
    // One point a mean, and one a horizon in the legend.
    expect(points).toHaveLength(told.length + year.aligned.periods.length);
    expect(new Set(points.map(([, color]) => color)).size).toBe(year.aligned.periods.length);
  });

  test("of a portfolio that holds nothing say so", async () => {
    expect(titleOf(charts.calendarReturnChart(constant)))
      .toBe(`Nothing to draw: ${constant.detail.whyNoIc.get(1)}`);
    const turnover = await charts.turnoverChart(constant).toSvg();
    expect(turnover).not.toContain(">0.000000%<");
    expect(await charts.distributionChart(constant).toSvg()).not.toContain(">0.500000<");
  });

  test("draw scores without an outlier, and count it", () => {
    const chart = charts.distributionChart(outlier);
    expect(titleOf(chart)).toMatch(
      /^480 scores from 0\.0\d+ to 1,000,000,000,000, with no value shared/,
    );
    expect(chart.description).toMatch(/ of 480 scores lie beyond the axis/);
    const drawn = JSON.stringify(chart.spec).match(/"high":([\d.e+]+)/g)!
      .map((text) => Number(text.slice(7)));
    expect(Math.max(...drawn)).toBeLessThan(1.01);
  });

  test.each([
    [
      1e-3,
      "from −0.0005 to 0.0005, of which 50.0% are exactly −0.0005 and 50.0% are exactly 0.0005.",
    ],
    [1e-9, "exactly −5e−10 and 50.0% are exactly 5e−10."],
    [4e6, "from −2,000,000 to 2,000,000, of which 50.0% are exactly −2,000,000 and 50.0% are"],
  ])("name scores of the size %d to the digits that tell them apart", async (size, named) => {
    let row = 0;
    const { scores, prices } = makeMarket(40, () => (row++ % 2 - 0.5) * size);
    const { description } = charts.distributionChart(await analyzeFactor(scores, prices, OPTIONS));
    expect(description).toContain(named);
  });

  test("are as wide as their bold titles", async () => {
    const chart = charts.quantileChart(year, {
      widthPx: 60,
      title: "A title of some length in bold",
    });
    const [, width] = /<svg[^>]* width="(\d+)"/.exec(await chart.toSvg())!;
    // DejaVu Sans Bold is a ninth wider than the plain font.
    expect(Number(width)).toBeGreaterThan(1.11 * 14 * textWidth("A title of some length in bold"));
  });
});
