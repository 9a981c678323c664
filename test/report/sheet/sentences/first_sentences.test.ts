import pl from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../../src/analysis/factor/factor_analysis.ts";
import {
  findContradictions,
  findRelation,
} from "../../../../src/analysis/judgement/contrary_evidence.ts";
import { tearSheet } from "../../../../src/report/sheet/tear_sheet.ts";
import { makeMarket } from "../../../helpers/market.ts";
import { sampleAnalysis } from "../../../helpers/sample_analysis.ts";

let [planted, noise]: FactorAnalysis[] = [];
beforeAll(async () => {
  planted = await sampleAnalysis();
  const market = makeMarket(300, (_, random) => random);
  noise = await analyzeFactor(market.scores, market.prices, { entry: "same", progress: false });
});

function sentences(analysis: FactorAnalysis): readonly string[] {
  return tearSheet(analysis).part("summary").topics.map(({ text }) => text);
}

describe("the three sentences of a sheet", () => {
  test("of a planted relation say at which horizons, after how many tests, what it holds, up to which cost", () => {
    const [relation, costs, against] = sentences(planted!);
    expect(relation).toBe(
      "The mean rank IC differs from zero at 1 session (0.487, 95% CI 0.438 to 0.536; adjusted p < 0.0001; 133 sessions) and 5 sessions (0.201, 95% CI 0.142 " +
        "to 0.261; adjusted p = 0.00034; 130 sessions), after Holm's correction for 5 tests; not tested at 21 sessions.",
    );
    expect(against).toMatch(
      /^A mean IC of 0\.49 and a Sharpe ratio of 27\.0 a year are implausible, .*Checked without contradiction: gaps in the closes, splits, permutation test, /,
    );
    expect(costs).toMatch(
      /^Net of 10 bps one way, the portfolio earns 120\.0% a year \(95% CI .*; the break-even cost is 31\.4 bps one way \(95% CI 28\.5 to 34\.2; 140 sessions\)\.$/,
    );
  });

  test("compare the return after costs with that before them, also if one rate was asked for", async () => {
    const all = sentences(planted!)[1];
    const one = sentences(await sampleAnalysis({ oneWayBps: 10 }))[1];
    expect(one).toMatch(/^Net of 10 bps one way, the portfolio earns \S+% a year \(/);
    expect(one).toBe(all);
  });

  test("of pure noise say as plainly that there is nothing", () => {
    const [relation, costs, against] = sentences(noise!);
    expect(relation).toMatch(
      /^The mean rank IC is not distinguishable from zero at 1, 5 and 21 sessions, after Holm's correction for 7 tests; nearest at \d+ sessions? \(/,
    );
    expect(against).toMatch(
      /^None of 4 checks contradicts this result: gaps in the closes, .*permutation test/,
    );
    expect(costs).toMatch(
      /; there is no break-even cost, .* not above zero \(95% CI of the rate −3\.5 to 1\.8 bps, which includes zero; 300 sessions\)\.$/,
    );
  });

  test("are what the text of a sheet begins with, which has no rows of types", () => {
    const { text } = tearSheet(noise!);
    expect(text).toMatch(/^IC: The mean rank IC is not distinguishable from zero/);
    expect(text).not.toMatch(/\b(i32|f64|str)\b|shape: \(/);
  });

  test("stand before eight numbers and three pictures, each with its finding", () => {
    const { numbers, small } = tearSheet(noise!).part("summary");
    expect(numbers).toHaveLength(8);
    expect(small.map(({ description }) => description)).toEqual([
      expect.stringMatching(/net of 10 bps one way .* It ends below the range of 95% of the paths/),
      expect.stringContaining("Quantile 5 minus quantile 1: −2.8 bps"),
      expect.stringContaining("no other stands out"),
    ]);
    expect(tearSheet(planted!).part("summary").small[0]!.description)
      .toContain("It ends above the range of 95% of the paths");
  });
});

describe("the pictures of the first screen", () => {
  test("have one width, so that none is shrunk by the text above it", async () => {
    for (const analysis of [noise!, planted!]) {
      const svgs = await Promise.all(
        tearSheet(analysis).part("summary").small.map((chart) => chart.toSvg()),
      );
      const widths = svgs.map((svg) => Number(/^<svg[^>]* width="([\d.]+)"/.exec(svg)![1]));
      expect(Math.max(...widths) - Math.min(...widths)).toBeLessThan(15);
    }
  });
});

describe("a sheet", () => {
  test("says its sample and origin once, and has no raw codes", async () => {
    const page = await tearSheet(planted!).toHtml();
    const said = page.replaceAll(/<style>[\s\S]*?<\/style>/g, "");
    expect(said.match(/140 sessions, 2010-01-04 to 2010-07-23, 12 tickers/g)).toHaveLength(1);
    expect(said.match(/ecpnd, release 58080ada…, 140 sessions/g)).toHaveLength(1);
    expect(said.match(/entered at the close of the decision<|Synthetic rows/g)).toHaveLength(1);
    expect(said).not.toMatch(/beyond_prices|no_entry_price|too_few_windows|too_few_names/);
  });

  test("has returns in basis points in tables as in its pictures and sentences", () => {
    const tables = tearSheet(planted!).part("tables").tables;
    expect(tables["Quantile spread"]!.columns).toContain("mean, bps");
    const [first] = tables["Quantile spread"]!.toRecords() as unknown as Record<string, number>[];
    expect(first!["mean, bps"]).toBeCloseTo(107.54, 2);
  });

  test("has headings in words, and the interval of an excess in its unit", () => {
    const sheet = tearSheet(planted!);
    expect(sheet.part("tables").text).toMatch(
      /stocks {2}mean excess, bps {2}excess low, bps {2}excess high, bps/,
    );
    const { text } = sheet.part("tables");
    expect(text).toContain("Sharpe ratio, standard error");
    expect(text).toContain("growth of 1");
  });
});

describe("the check of years", () => {
  test("does not take the absence of a difference for equality", async () => {
    const market = makeMarket(400, (next, random) => next + 0.04 * (random - 0.5));
    const two = await analyzeFactor(market.scores, market.prices, {
      ...{ entry: "same", periods: [1], progress: false },
    });
    const years = findContradictions(two, findRelation(two)).find(({ name }) => name === "years");
    expect(years!.text).toMatch(/^years do not differ significantly \(p = 0\.\d+\)$/);
  });
});

describe("the first sentences of a short sample", () => {
  test("have no empty brackets where there is no interval", async () => {
    const rows = Array.from(
      { length: 12 },
      (_, m) =>
        Array.from({ length: 12 }, (_, t) => ({ date: new Date(Date.UTC(2020, m + 1, 0)), m, t })),
    ).flat();
    const key = [
      pl.Series("date", rows.map(({ date }) => date), pl.Date),
      pl.Series("ticker", rows.map(({ t }) => `T${t}`), pl.Utf8),
    ];
    const closes = rows.map(({ m, t }) => 100 * (1 - t / 1000) ** m);
    const short = await analyzeFactor(
      pl.DataFrame([...key, pl.Series("score", rows.map(({ t }) => t), pl.Float64)]),
      pl.DataFrame([...key, pl.Series("close", closes, pl.Float64)]),
      { frequency: "monthly", periods: [1], lags: [1, 2, 3], entry: "same", progress: false },
    );
    const texts = tearSheet(short).part("summary").topics.map(({ text }) => text);
    expect(texts).toEqual([
      "Not tested. The mean rank IC at 1 month is −1.000 (11 months; a test requires 20).",
      expect.stringMatching(
        /there is no break-even cost, because the mean return before costs is not above zero \(/i,
      ),
      "No mean IC has a test, and 2 checks of the data find nothing: gaps in the closes and splits.",
    ]);
  });
});

describe("the first screen of monthly prices", () => {
  test("speaks of months, never of sessions", async () => {
    const months = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2020, i + 1, 0)));
    const rows = months.flatMap((date, m) =>
      Array.from({ length: 12 }, (_, t) => ({
        date,
        ticker: `T${t}`,
        close: 50 * Math.exp(0.02 * Math.sin(m * (t + 3)) + 0.005 * m),
        score: Math.sin((m + 1) * (t + 3)) + 0.3 * Math.cos(5 * m + t * t),
      }))
    );
    const column = (name: "date" | "ticker" | "close" | "score", type: unknown) =>
      pl.Series(name, rows.map((row) => row[name]) as number[], type as typeof pl.Float64);
    const key = [column("date", pl.Date), column("ticker", pl.Utf8)];
    const monthly = await analyzeFactor(
      pl.DataFrame([...key, column("score", pl.Float64)]),
      pl.DataFrame([...key, column("close", pl.Float64)]),
      { frequency: "monthly", periods: [1], lags: [1, 2, 3], entry: "same", progress: false },
    );
    const { topics, numbers, small } = tearSheet(monthly).part("summary");
    const texts = [
      ...topics.map(({ text }) => text),
      ...numbers.flatMap(({ label, value, note }) => [label, value, note]),
      ...small.map(({ description }) => description),
    ];
    expect(texts.filter((text) => /session/.test(text))).toEqual([]);
    expect(texts.join(" ")).toMatch(/1 month/);
  });
});
