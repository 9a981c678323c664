import pl from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../../src/analysis/factor/factor_analysis.ts";
import { reasonText } from "../../../../src/base/wording/sentences/reason_text.ts";
import { textWidth } from "../../../../src/report/chart/font_widths.ts";
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
  noise = await analyzeFactor(market.scores, market.prices, {
    entry: "same",
    progress: false,
  });
});

function sentences(analysis: FactorAnalysis): readonly string[] {
  return tearSheet(analysis).part("summary").topics.map(({ text }) => text);
}

describe("the three sentences of a sheet", () => {
  test("of a planted relation say at which horizons, after how many tests, what it holds, up to which cost", () => {
    const [relation, against, costs] = sentences(planted!);
    expect(relation).toBe(
      "Differs from zero at 1 session (IC 0.487, 95% CI 0.438 to 0.536; adjusted p < 0.0001) and 5 sessions (IC 0.201, 95% CI 0.142 " +
        "to 0.261; adjusted p = 0.00034), after Holm's correction for 5 tests; not tested at 21 sessions.",
    );
    expect(against).toMatch(
      /^A mean IC of 0\.49 and a Sharpe ratio of 27\.0 a year are implausible, .*Checked without contradiction: gaps in the closes, splits, permutation test, /,
    );
    expect(costs).toMatch(/^The break-even cost is 31\.4 bps one way \(95% CI 28\.5 to 34\.2\)/);
  });

  test("compare the return after costs with that before them, also if one rate was asked for", async () => {
    const all = sentences(planted!)[2];
    const one = sentences(await sampleAnalysis({ oneWayBps: 10 }))[2];
    expect(one).toMatch(/at 10 bps, the annual return falls from \S+% to \S+% \(/);
    expect(one).toBe(all);
  });

  test("of pure noise say as plainly that there is nothing", () => {
    const [relation, against, costs] = sentences(noise!);
    expect(relation).toMatch(
      /^Not distinguishable from zero at 1, 5 and 21 sessions, after Holm's correction for 7 tests; the smallest p value is 0\.\d+ at /,
    );
    expect(relation).toMatch(
      /Without the correction, the minimum detectable mean IC at 80% power is 0\.\d{3} at 1 session, 0\.\d{3} at 5 sessions and 0\.030 at 21 sessions\.$/,
    );
    expect(against).toMatch(
      /^None of 4 checks contradicts this result: returns booked after gaps .* the permutation test gives /,
    );
    expect(costs).toBe(
      "There is no break-even cost, because the mean return before costs is not above zero (95% CI of the rate −3.5 to 1.8 bps).",
    );
  });

  test("are what the text of a sheet begins with, which has no rows of types", () => {
    const { text } = tearSheet(noise!);
    expect(text).toMatch(/^IC: Not distinguishable from zero/);
    expect(text).not.toMatch(/\b(i32|f64|str)\b|shape: \(/);
  });

  test("stand before eight numbers and four small pictures, each with its finding", () => {
    const { numbers, small } = tearSheet(noise!).part("summary");
    expect(numbers).toHaveLength(8);
    expect(small.map(({ description }) => description)).toEqual([
      expect.stringContaining("Top minus bottom −2.8 bps (95% CI −11.7 to 6.2) over 300 sessions"),
      expect.stringContaining("within the 95% band around zero"),
      expect.stringContaining("maximum drawdown"),
      expect.stringMatching(
        /95% CI excludes zero at 5 of 63 lags \(about 3 expected by chance\)/,
      ),
    ]);
    expect(tearSheet(planted!).part("summary").small[1]!.description)
      .toContain("outside the 95% band around zero");
  });
});

describe("the four small pictures", () => {
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

describe("the title of a vertical axis of a small picture", () => {
  test("does not cover the numbers of the axis", async () => {
    for (const chart of tearSheet(planted!).part("summary").small) {
      const svg = await chart.toSvg();
      const titles = [...svg.matchAll(/translate\((-[\d.]+),[\d.]+\) rotate\(-90\)/g)];
      const numbers = [
        ...svg.matchAll(/text-anchor="end" transform="translate\((-[\d.]+),[^>]*>([−\d][^<]*)</g),
      ];
      const left = numbers.map(([, x, label]) => Number(x) - 10 * textWidth(label!));
      expect(titles.length).toBeGreaterThan(0);
      expect(numbers.length).toBeGreaterThan(2);
      expect(Math.max(...titles.map(([, x]) => Number(x)))).toBeLessThan(Math.min(...left));
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
    expect(said).toContain(reasonText("beyond_prices"));
  });

  test("has returns in basis points in tables as in its pictures and sentences", () => {
    const tables = tearSheet(planted!).part("returns").tables;
    expect(tables["Quantile spread"]!.columns).toContain("mean, bps");
    const [first] = tables["Quantile spread"]!.toRecords() as unknown as Record<string, number>[];
    expect(first!["mean, bps"]).toBeCloseTo(107.54, 2);
  });

  test("has headings in words, and the interval of an excess in its unit", () => {
    const text = tearSheet(planted!).part("returns").text;
    expect(text).toMatch(/stocks {2}mean excess, bps {2}excess low, bps {2}excess high, bps/);
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
      "No mean IC has a test, and 2 checks of the data find nothing: returns booked after gaps in the closes sum to 0.0% of " +
      "capital; no close moves by the size of a split.",
      "There is no break-even cost, because the mean return before costs is not above zero.",
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
