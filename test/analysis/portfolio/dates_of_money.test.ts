import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  activePerformance,
  align,
  alphaBeta,
  calendarReturns,
  cumulativeReturns,
  exportPortfolio,
  factorWeights,
  forwardReturns,
  portfolioReturns,
} from "../../../src/analysis/mod.ts";
import { epochDayOf, fromEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../../../src/base/calendar/list_sessions.ts";
import { randomOf } from "../_frames.ts";

const DATES = listSessionDays(epochDayOf(2025, 1, 2), epochDayOf(2026, 1, 2)).slice(0, 150)
  .map(fromEpochDay);
const TICKERS = Array.from({ length: 15 }, (_, i) => `T${String(i).padStart(2, "0")}`);
const random = randomOf(11);
const levels = TICKERS.map(() => 100);
const CLOSES = DATES.map(() => {
  const common = 0.02 * (random() - 0.5);
  return levels.map((level, t) => levels[t] = level * (1 + common + 0.03 * (random() - 0.5)));
});
const frameOf = (name: string, of: (d: number, t: number) => number): DataFrame =>
  pl.DataFrame({
    date: DATES.flatMap((date) => TICKERS.map(() => date)),
    ticker: DATES.flatMap(() => TICKERS),
    [name]: DATES.flatMap((_, d) => TICKERS.map((_, t) => of(d, t))),
  });
const prices = frameOf("close", (d, t) => CLOSES[d]![t]!);
const scores = frameOf("score", () => 1);

/** The mean over all stocks of close over the close before, less 1, by date. */
const market = pl.DataFrame({
  date: DATES.slice(1),
  return: DATES.slice(1).map((_, d) =>
    TICKERS.reduce((sum, _, t) => sum + CLOSES[d + 1]![t]! / CLOSES[d]![t]! - 1, 0) / TICKERS.length
  ),
});

describe.each(
  [
    ["entered at the next close", { entry: "next" }, {}],
    ["entered at the same close", { entry: "same" }, {}],
    ["entered three closes later", { entry: "same" }, { entryLag: 3 }],
  ] as const,
)("an equal-weighted book of all stocks, %s,", (_, options, lag) => {
  const aligned = align(scores, forwardReturns(prices, { periods: [1], ...lag }), options);
  const weights = factorWeights(aligned, { neutral: "none" });
  const book = portfolioReturns(aligned, weights);

  test("has a beta of 1 against their mean, and no alpha", () => {
    const [alpha, beta] = alphaBeta(book, market).toRecords();
    expect(beta!.value).toBeCloseTo(1, 9);
    expect(alpha!.value).toBeCloseTo(0, 9);
    expect(activePerformance(book, market).toRecords()[0]!.tracking_error).toBeCloseTo(0, 9);
  });

  test("refuses a market that is dated by the beginning of its returns, with the line that dates it", () => {
    const begun = market.withColumns(pl.col("return").shift(-1));
    for (const measure of [alphaBeta, activePerformance]) {
      expect(() => measure(book, begun)).toThrow('"return").shift(1))');
      expect(() => measure(book, market.withColumns(pl.col("return").shift(1)))).toThrow(
        '"return").shift(-1))',
      );
    }
    const mended = begun.sort("date").withColumns(pl.col("return").shift(1));
    expect(alphaBeta(book, mended).toRecords()[1]!.value).toBeCloseTo(1, 9);
  });

  test("refuses days of scores beside a market and a calendar", () => {
    const session = book.rename({ date: "session" });
    for (
      const call of [
        () => alphaBeta(session, market),
        () => activePerformance(book, market.rename({ date: "session" })),
        () => calendarReturns(session),
      ]
    ) expect(call).toThrow('.rename({ session: "date" })');
  });

  test("has the months of an export and of its dates", () => {
    const { returns } = exportPortfolio(aligned, weights);
    const product = new Map<string, number>();
    for (const row of returns.toRecords()) {
      const month = row.date!.toISOString().slice(0, 7);
      product.set(month, (product.get(month) ?? 1) * (1 + row.return!));
    }
    const months = calendarReturns(book, { oneWayBps: 0 }).toRecords()
      .filter(({ unit }) => unit === "month");
    expect(months.map(({ period }) => period)).toEqual([...product.keys()]);
    for (const { period, return: gain } of months) {
      expect(1 + gain!).toBeCloseTo(product.get(period!)!, 12);
    }
  });

  test("is worth 1 on the session of its first entry", () => {
    const [first, second] = cumulativeReturns(book).toRecords();
    expect(first).toMatchObject({ return: null, wealth: 1 });
    const dates = [first, second].map((row) => row!.date!.toISOString().slice(0, 10));
    expect(DATES.indexOf(dates[1]!)).toBe(DATES.indexOf(dates[0]!) + 1);
  });
});

test("a book that has nothing to do with the market is not refused", () => {
  let refused = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const draw = randomOf(seed);
    const noise = () => pl.DataFrame({ date: DATES, return: DATES.map(() => draw() ** 3 - 0.25) });
    try {
      alphaBeta(noise(), noise());
    } catch {
      refused++;
    }
  }
  expect(refused).toBeLessThanOrEqual(4);
});
