import { judged } from "../../../helpers/judged.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  alphaBeta,
  analyzeFactor,
  forwardReturns,
  type ForwardReturnsOptions,
  performance,
  tradingCosts,
} from "../../../../src/analysis/mod.ts";

import { quantileChart } from "../../../../src/report/chart/bucket/quantile_chart.ts";
import { lossChart } from "../../../../src/report/chart/factor/loss_chart.ts";
import { turnoverChart } from "../../../../src/report/chart/factor/turnover_chart.ts";
import { keyNumbers } from "../../../../src/report/sheet/key_numbers.ts";
import { methodsText } from "../../../../src/report/sheet/sentences/methods_text.ts";

const DAY = 86_400_000;

/** Closes of two tickers: A gains one percent a date, B loses one. */
function pricesOn(dates: readonly string[], tickers: readonly string[] = ["A", "B"]): DataFrame {
  const rows = dates.flatMap((date, d) => tickers.map((ticker, t) => ({ date, ticker, d, t })));
  return pl.DataFrame([
    pl.Series("date", rows.map(({ date }) => date), pl.Utf8),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("close", rows.map(({ d, t }) => 100 * (t % 2 === 0 ? 1.01 : 0.99) ** d), pl.Float64),
  ]);
}

const sessionsOf = (dates: readonly string[], options: ForwardReturnsOptions = {}) =>
  forwardReturns(pricesOn(dates), { periods: [1], ...options }).sessions;

// The week of Thanksgiving 2026: no session on Thursday the 26th.
const WEEK = ["2026-11-23", "2026-11-24", "2026-11-25", "2026-11-27", "2026-11-30"];

describe("daily prices are those of sessions", () => {
  test("of the US market, whose dates they keep", () => {
    expect(sessionsOf(WEEK)).toEqual(WEEK);
  });

  test("and a Saturday or a holiday among them is refused, left out and said, or a session of its own", () => {
    const stray = [...WEEK, "2026-11-26", "2026-11-28"].toSorted();
    expect(() => sessionsOf(stray)).toThrow(
      "expected dates that are sessions of the market, got 2 that are not (2026-11-26, a Thursday; " +
        '2026-11-28, a Saturday); use strays: "omit" to omit them, or calendar: "own" if',
    );
    const us = forwardReturns(pricesOn(stray), { periods: [1], strays: "omit" });
    expect(us.sessions).toEqual(WEEK);
    expect(us.notes.toRecords().map(({ session, what }) => [session, what])).toEqual([
      [new Date("2026-11-26"), "stray_date"],
      [new Date("2026-11-28"), "stray_date"],
    ]);
    expect(sessionsOf(stray, { calendar: "own" })).toEqual(stray);
  });

  test("without one session have it without prices, so that no window is longer than it says", () => {
    const without = [...WEEK.slice(0, 2), ...WEEK.slice(3)];
    const returns = forwardReturns(pricesOn(without), { periods: [1] });
    expect(returns.sessions).toEqual(WEEK);
    const ofA = returns.data.toRecords().filter(({ ticker }) => ticker === "A")
      .map((row) => row["why_1"]);
    // From the 24th there is no close of the 25th; the last session has no later one.
    expect(ofA).toEqual([null, "no_exit_price", null, "beyond_prices"]);
    expect(returns.notes.toRecords().some(({ what }) => what === "missing_session")).toBe(true);
  });

  test("and without any Monday are refused, or have them without prices", () => {
    const dates = datesFrom("2026-03-02", 60, (day) => ![0, 1, 6].includes(weekday(day)))
      .filter((date) => date !== "2026-04-03");
    expect(() => sessionsOf(dates)).toThrow(
      /expected prices on the sessions of the market, got none on \d+ of \d+ \(2026-03-09, a Monday; 2026-03-16, a Monday; .*use maxMissing: 0.\d+ to count/,
    );
    expect(sessionsOf(dates, { maxMissing: 0.3 })).toContain("2026-03-09");
  });

  test("of another market have its dates, or those of its calendar", () => {
    const tokyo = ["2026-11-20", "2026-11-24", "2026-11-25", "2026-11-26"];
    expect(() => sessionsOf(tokyo)).toThrow("2026-11-26, a Thursday");
    expect(sessionsOf(tokyo, { calendar: "own" })).toEqual(tokyo);
    const calendar = calendarOf(tokyo);
    expect(sessionsOf(tokyo, { calendar })).toEqual(tokyo);
    expect(() => sessionsOf([...tokyo, "2026-11-27"], { calendar })).toThrow(
      "2026-11-27, a Friday",
    );
  });
});

describe("prices that are not daily", () => {
  test.each([
    ["weekly", "2026-10-02", 7, "weekly"],
    ["monthly", "2026-01-30", 30.5, "monthly"],
    ["quarterly", "2026-03-31", 91.5, "quarterly"],
    ["yearly", "2024-12-31", 365, "yearly"],
  ])("that are %s are refused with the option for them", (_, from, gap, frequency) => {
    const dates = Array.from({ length: 4 }, (_, i) => dateOf(Date.parse(from) + i * gap * DAY));
    expect(() => forwardReturns(pricesOn(dates))).toThrow(
      `use frequency: "${frequency}" if these are ${frequency} closes`,
    );
  });

  test("belong to the last session of their period on or before their date", () => {
    // Month ends as pandas labels them: 31 January 2026 is a Saturday, 28 February one too.
    const months = ["2025-12-31", "2026-01-31", "2026-02-28", "2026-03-31"];
    const returns = forwardReturns(pricesOn(months), { frequency: "monthly", periods: [1] });
    expect(returns.sessions).toEqual(["2025-12-31", "2026-01-30", "2026-02-27", "2026-03-31"]);
    expect(returns.market).toMatchObject({ frequency: "monthly", periodsPerYear: 12 });
    // Weeks as pandas labels them: Sundays; the Friday of 3 April 2026 is a holiday.
    const weeks = ["2026-03-29", "2026-04-05", "2026-04-12"];
    expect(sessionsOf(weeks, { frequency: "weekly" })).toEqual([
      "2026-03-27",
      "2026-04-02",
      "2026-04-10",
    ]);
  });

  test("have a month without prices where one is missing, and one close a month", () => {
    const months = ["2025-12-31", "2026-01-30", "2026-03-31", "2026-04-30"];
    expect(sessionsOf(months, { frequency: "monthly" })[2]).toBe("2026-02-27");
    expect(() =>
      sessionsOf(["2025-12-30", "2025-12-31", "2026-01-30", "2026-02-27"], { frequency: "monthly" })
    ).toThrow(
      "expected one row per month and ticker, got several for 2025-12-31 A; keep the last close",
    );
  });

  test("and are dated at the start of a period say so, or are refused where no session tells", async () => {
    // 1 January is never a session: which close is that?
    const starts = ["2025-11-03", "2025-12-01", "2026-01-01", "2026-02-02"];
    expect(() => sessionsOf(starts, { frequency: "monthly" })).toThrow("2026-01-01, a Thursday");
    const sessions = ["2025-11-03", "2025-12-01", "2026-01-02", "2026-02-02"];
    const analysis = await analyzeFactor(scoresOn(sessions), pricesOn(sessions), {
      frequency: "monthly",
      progress: false,
    });
    expect(judged(analysis)).toContain(
      "All dates of the prices are at the start of a month: closes of its end would be known weeks too early.",
    );
  });

  test("are annualised by their own periods: 1% a month is 12.7% a year, not 1,127%", async () => {
    const months = monthEnds(40);
    const prices = pricesOn(months, ["A", "B", "C", "D"]);
    const scores = scoresOn(months, ["A", "B", "C", "D"]);
    const analysis = await analyzeFactor(scores, prices, { frequency: "monthly", progress: false });
    expect(analysis.plan.periods).toEqual([1, 3, 12]);
    expect(analysis.plan.lags.at(-1)).toBe(24);
    // A and C gain 1%, B and D lose 1%; the book is half long A and C, half short B and D.
    const [row] = analysis.performance.toRecords();
    expect(row!["annual_return"]).toBeCloseTo(1.01 ** 12 - 1, 9);
    const [costs] = analysis.costs.toRecords();
    expect(costs!["net_annual"]).toBeCloseTo(1.01 ** 12 - 1, 9);
    const text = judged(analysis);
    expect(text).toContain(
      "Prices are monthly closes: horizons and rates are in months, 12 a year.",
    );
  });

  test("are told in months, never in sessions: judgement, losses, methods, key numbers and charts", async () => {
    const tickers = [..."ABCDEFGHIJKL"];
    const months = monthEnds(40);
    const [scores, prices] = [scoresOn(months, tickers), pricesOn(months, tickers)];
    const analysis = await analyzeFactor(scores, prices, {
      frequency: "monthly",
      quantiles: 2,
      progress: false,
    });
    const text = judged(analysis);
    expect(text).toMatch(/^score, 39 months, \S+ to \S+, 12 tickers\./);
    expect(text).toContain("At 1 month, ");
    expect(text).toContain("At 3 months, ");
    expect(text).toMatch(/ per month \(/);
    expect(analysis.text).toContain("at 12 months ");
    expect(keyNumbers(analysis, 3).map(({ note }) => note)).toContainEqual(
      expect.stringContaining(", 3 months ahead"),
    );
    for (const said of [text, analysis.text, methodsText(analysis)]) {
      expect(said.match(/.{30}\bsession.{30}/i)).toBeNull();
    }
    for (
      const chart of [lossChart(analysis), quantileChart(analysis), turnoverChart(analysis)]
    ) {
      expect(chart.description).not.toMatch(/session/i);
      expect(JSON.stringify(chart.spec)).not.toMatch(/"title":"[^"]*session|\d sessions?\b/i);
    }
  });

  test("take scores that bear the same dates, though they are no sessions", () => {
    const labels = ["2025-12-31", "2026-01-31", "2026-02-28", "2026-03-31"];
    const returns = forwardReturns(pricesOn(labels), { frequency: "monthly", periods: [1] });
    const { data, loss } = align(scoresOn(labels), returns, { entry: "same" });
    expect(data.height).toBe(8);
    expect(loss.table.getColumn("reason").toArray()).not.toContain("not_a_session");
  });
});

describe("a market of its own", () => {
  test("has as many sessions a year as its dates, which is said", async () => {
    const dates = datesFrom("2025-01-01", 400, () => true);
    const analysis = await analyzeFactor(scoresOn(dates), pricesOn(dates), {
      calendar: "own",
      periods: [1],
      lags: [1],
      progress: false,
    });
    expect(analysis.aligned.market.periodsPerYear).toBe(365);
    expect(judged(analysis)).toContain(
      "The dates of the prices are the sessions; a year has 365 sessions.",
    );
  });

  test("needs its closes for scores with instants", () => {
    const dates = ["2026-11-24", "2026-11-25", "2026-11-26"];
    const live = pl.DataFrame([
      pl.Series("at", [new Date("2026-11-24T15:00:00Z")], pl.Datetime("ms", "UTC")),
      pl.Series("ticker", ["A"], pl.Utf8),
      pl.Series("score", [0.5], pl.Float64),
    ]);
    const own = forwardReturns(pricesOn(dates), { calendar: "own", periods: [1] });
    expect(() => align(live, own)).toThrow("date, open_at and");
    // Tokyo closes at 06:00 UTC: what is known at 15:00 on the 24th can be traded on the 25th.
    const tokyo = forwardReturns(pricesOn(dates), { calendar: calendarOf(dates), periods: [1] });
    expect(align(live, tokyo).data.row(0)[0]).toEqual(new Date("2026-11-25"));
  });
});

describe("a series whose sessions are not days", () => {
  const monthly: DataFrame = pl.DataFrame({
    date: monthEnds(30),
    return: Array.from({ length: 30 }, (_, i) => i % 2 === 0 ? 0.02 : -0.01),
    traded: Array(30).fill(0),
  });
  test("is asked for the periods of a year, and annualised by them", () => {
    for (const measure of [performance, tradingCosts]) {
      expect(() => measure(monthly)).toThrow(/3\d days apart .* periodsPerYear: 12/);
    }
    expect(() => alphaBeta(monthly, monthly)).toThrow("periodsPerYear");
    const [row] = performance(monthly, { periodsPerYear: 12 }).toRecords();
    // (1.02 × 0.99)^15 over 30 months.
    expect(row!["annual_return"]).toBeCloseTo((1.02 * 0.99) ** 6 - 1, 12);
    // 12 × 0.005.
    expect(row!["arithmetic_return"]).toBeCloseTo(0.06, 12);
    expect(() => performance(monthly, { periodsPerYear: 0 })).toThrow("above 0 and at most 366");
  });

  test("is daily where its sessions are named among others", () => {
    const sessions = pl.DataFrame({
      date: datesFrom("2023-01-01", 1200, (day) => weekday(day) % 6 > 0),
    });
    const picked = pl.DataFrame({
      session: datesFrom("2023-01-02", 840, (day) => weekday(day) === 1).slice(0, 30),
      return: Array(30).fill(0.001).map((value, i) => value * (1 + i % 2)),
    });
    expect(() => performance(picked)).toThrow("periodsPerYear: 52");
    expect(performance(picked, { sessions }).toRecords()[0]!["arithmetic_return"])
      .toBeCloseTo(252 * 0.0015, 12);
  });
});

test("closes of split size, stray dates and missing sessions stand in the losses and the judgement", async () => {
  const prices = pricesOn(WEEK).withColumn(
    pl.when(pl.col("ticker").eq(pl.lit("B")).and(pl.col("date").gtEq(pl.lit("2026-11-25"))))
      .then(pl.col("close").div(5)).otherwise(pl.col("close")).alias("close"),
  );
  const analysis = await analyzeFactor(scoresOn(WEEK), prices, { periods: [1], progress: false });
  const sentence = "1 close moved by the size of a split or more (2026-11-25 B ×0.198).";
  expect(String(analysis.aligned.loss)).toContain(sentence);
  expect(judged(analysis)).toContain(sentence);
});

describe("prices that cannot be", () => {
  test.each([
    [1e300, "look for another unit"],
    [1e-300, "look for another unit"],
    [0, "make it null if there was no trade"],
    [-1, "make it null if there was no trade"],
  ])("such as %d are refused", (close, advice) => {
    const prices = pl.DataFrame({
      date: WEEK,
      ticker: WEEK.map(() => "A"),
      close: [1, 1, close, 1, 1],
    });
    expect(() => forwardReturns(prices)).toThrow(
      `expected prices above 0, from 1e-12 to 1000000000000000, in the column close, got ${close} on 2026-11-25 for A; ${advice}`,
    );
  });

  test("a ticker that is null is refused, with what pandas did", () => {
    const prices = pl.DataFrame([
      pl.Series("date", WEEK.slice(0, 2), pl.Utf8),
      pl.Series("ticker", ["A", null], pl.Utf8),
      pl.Series("close", [1, 1], pl.Float64),
    ]);
    expect(() => forwardReturns(prices)).toThrow(
      "expected a ticker in every row, got 1 row without (the first is row 1, 2026-11-24); pandas reads",
    );
  });

  test("closes beside adjusted closes are refused until one is named", () => {
    const both = pricesOn(WEEK).withColumn(pl.col("close").div(2).alias("Adj Close"));
    expect(() => forwardReturns(both)).toThrow('got "close" and "Adj Close"');
    const columns = { close: "Adj Close" };
    expect(forwardReturns(both, { periods: [1], columns }).grid.prices[0]).toBe(50);
  });
});

function scoresOn(dates: readonly string[], tickers: readonly string[] = ["A", "B"]): DataFrame {
  const rows = dates.flatMap((date) => tickers.map((ticker, t) => ({ date, ticker, t })));
  return pl.DataFrame([
    pl.Series("date", rows.map(({ date }) => date), pl.Utf8),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("score", rows.map(({ t }) => t % 2 === 0 ? 1 : 0), pl.Float64),
  ]);
}

function calendarOf(dates: readonly string[]): DataFrame {
  const at = (hour: number) => dates.map((date) => new Date(Date.parse(date) + hour * 3_600_000));
  return pl.DataFrame([
    pl.Series("date", dates, pl.Utf8),
    pl.Series("open_at", at(0), pl.Datetime("ms", "UTC")),
    pl.Series("close_at", at(6), pl.Datetime("ms", "UTC")),
  ]);
}

function datesFrom(from: string, days: number, keeps: (ms: number) => boolean): string[] {
  return Array.from({ length: days }, (_, i) => Date.parse(from) + i * DAY).filter(keeps).map(
    dateOf,
  );
}

function monthEnds(count: number): string[] {
  return Array.from({ length: count }, (_, i) => dateOf(Date.UTC(2022, i + 1, 0)));
}

function weekday(ms: number): number {
  return new Date(ms).getUTCDay();
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
