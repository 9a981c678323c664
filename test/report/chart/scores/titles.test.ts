import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import * as charts from "../../../../src/report/chart/mod.ts";
import type { Chart } from "../../../../src/report/chart/chart.ts";

function words({ spec }: Chart): { readonly title: string; readonly beneath: string } {
  const { text, subtitle } = spec["title"] as { text: string | string[]; subtitle: string[] };
  return { title: [text].flat().join(" "), beneath: subtitle.join(" ") };
}

function dates(count: number): Date[] {
  return Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)));
}

function setOf(scores: (number | null)[]): DataFrame {
  return pl.DataFrame([
    pl.Series("ticker", scores.map((_, i) => `T${String(i).padStart(4, "0")}`), pl.Utf8),
    pl.Series("score", scores, pl.Float64),
  ]);
}

/** Scores of tickers in 24 months, one row per month; the last ones have none in the second year. */
function monthly(tickers: number, ending: number): DataFrame {
  const cells = Array.from({ length: tickers * 24 }, (_, i) => ({
    ticker: i % tickers,
    month: Math.floor(i / tickers),
  }));
  return pl.DataFrame([
    pl.Series("date", cells.map(({ month }) => new Date(Date.UTC(2024, month, 2))), pl.Date),
    pl.Series("ticker", cells.map(({ ticker }) => `T${String(ticker).padStart(4, "0")}`), pl.Utf8),
    pl.Series(
      "score",
      cells.map(({ ticker, month }) =>
        ticker < 60 || ticker >= tickers - ending && month >= 12 ? null : 0.5
      ),
      pl.Float64,
    ),
  ]);
}

const CORRELATION = pl.DataFrame([
  pl.Series("session", dates(40), pl.Date),
  // Mean 0.3, alternating by 0.1.
  pl.Series("correlation", dates(40).map((_, i) => i % 2 === 0 ? 0.2 : 0.4), pl.Float64),
]);

// A ladder of 50 pairs: Spearman's correlation is 1.
const PAIRS = pl.DataFrame({
  first: Array.from({ length: 50 }, (_, i) => i),
  second: Array.from({ length: 50 }, (_, i) => i ** 3),
});

const CASES: Readonly<
  Record<string, readonly [draw: (title?: string) => Chart, title: RegExp, about: string]>
> = {
  correlation: [
    (title) => charts.correlationChart(CORRELATION, title === undefined ? {} : { title }),
    /^Mean rank correlation 0\.300 \(95% CI \S+ to \S+\) over 40 sessions, from 0\.200 to 0\.400$/,
    "Rank correlation of two factors by session: 40 sessions, 2026-01-01 to 2026-02-09",
  ],
  movers: [
    (title) =>
      charts.moversChart(setOf([0, 0.2, 0.5]), setOf([0, 0.8, null]), title ? { title } : {}),
    /^1 of 2 scores changed; largest change: T0001 from 0\.200 to 0\.800$/,
    "Scores of two sets, the later against the earlier: 2 tickers with a score in both; 1 lost their score, 0 gained one",
  ],
  "coverage map": [
    (title) => charts.coverageMapChart(monthly(70, 5), title ? { title } : {}),
    /^10\.7% of 1,680 rows of 70 tickers have a score; the share of 5 tickers changes over time$/,
    "Coverage by ticker and month: 2024-01 to 2025-12",
  ],
  "factor scatter": [
    (title) =>
      charts.factorScatterChart(PAIRS, { x: "first", y: "second", ...title ? { title } : {} }),
    /^Rank correlation 1\.000 over 50 rows; mean second 20\.000 in the lowest tenth of first, /,
    "second against first: 50 rows with both, 0 without one of them",
  ],
};

describe.each(Object.entries(CASES))("the chart of a %s", (_, [draw, title, about]) => {
  test("has its finding as the title, and its name beneath", () => {
    const found = words(draw());
    expect(found.title).toMatch(title);
    expect(found.beneath).toContain(about);
    expect(draw().description).toContain(found.title);
  });

  test("keeps a title of the user's, with the finding beneath", () => {
    const found = words(draw("My own title"));
    expect(found.title).toBe("My own title");
    expect(found.beneath).toContain(words(draw()).title);
    expect(draw("My own title").description).toMatch(/^My own title\. /);
  });
});

describe("coverageMapChart() of a thousand tickers", () => {
  test("draws those whose share changes, before those that never have a score", () => {
    const chart = charts.coverageMapChart(monthly(1000, 7));
    const [{ encoding: { y } }] = chart.spec["vconcat"] as [
      { encoding: { y: { sort: string[] } } },
    ];
    expect(y.sort).toHaveLength(40);
    expect(y.sort.slice(0, 7).toSorted()).toEqual(
      [993, 994, 995, 996, 997, 998, 999].map((i) => `T0${i}`),
    );
    expect(y.sort[7]).toBe("T0000");
    expect(words(chart).beneath).toContain("Shown: 40 tickers, the largest changes in share");
  });
});

describe("moversChart() of tickers that lie close", () => {
  const sets = (scores: number[]) =>
    pl.DataFrame([
      pl.Series("ticker", ["-", "ABCD", "EFGH", "IJKL"], pl.Utf8),
      pl.Series("score", scores, pl.Float64),
    ]);
  const chart = charts.moversChart(sets([0.3, 0.45, 0.46, 0.99]), sets([0, 0.6, 0.59, 0.8]));

  test("writes a ticker without letters in quotation marks, in the title too", () => {
    expect(words(chart).title).toBe(
      "4 of 4 scores changed; largest change: “-” from 0.300 to 0.000",
    );
  });
});
