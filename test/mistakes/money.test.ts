import { judged } from "../helpers/judged.ts";
import pl, { type DataFrame } from "nodejs-polars";
import * as analysis from "../../src/analysis/mod.ts";
import { epochDayOf, fromEpochDay } from "../../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../../src/base/calendar/list_sessions.ts";
import { randomOf } from "../analysis/_frames.ts";
import { type Anything, type Cell, mistakes } from "./_mistakes.ts";

// Frequencies, rebalancing, weights, holding, costs, delistings and performance.
const cell = analysis as unknown as Cell;
const {
  activePerformance,
  alphaBeta,
  calendarReturns,
  cumulativeReturns,
  drawdowns,
  eventReturns,
  exportPortfolio,
} = cell;
const { factorReturns, factorWeights, cumulativeNetReturns, performance, portfolioReturns } = cell;
const { positions, cumulativeQuantileReturns, tradingCosts } = cell;
const { align, forwardReturns, meanReturnByQuantile, quantize } = analysis;

interface Row {
  readonly date: string;
  readonly ticker: string;
  readonly value: number;
}

const DATES = listSessionDays(epochDayOf(2026, 1, 2), epochDayOf(2026, 9, 1)).slice(0, 120)
  .map(fromEpochDay);
const TICKERS = Array.from({ length: 14 }, (_, i) => `T${String(i).padStart(2, "0")}`);
const random = randomOf(5);
const levels = new Map(TICKERS.map((ticker) => [ticker, 100]));
const closes: readonly Row[] = DATES.flatMap((date) =>
  TICKERS.map((ticker) => {
    const value = levels.get(ticker)! * (1 + 0.02 * (random() - 0.5));
    levels.set(ticker, value);
    return { date, ticker, value };
  })
);
const scored: readonly Row[] = closes.map((row) => ({ ...row, value: random() }));

function frameOf(name: string, rows: readonly Row[]): DataFrame {
  return pl.DataFrame([
    pl.Series("date", rows.map(({ date }) => date), pl.Utf8),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series(name, rows.map(({ value }) => value), pl.Float64),
  ]);
}

const prices = frameOf("close", closes);
const scores = frameOf("score", scored);
const fridays = frameOf("score", scored.filter(({ date }) => new Date(date).getUTCDay() === 5));
const aligned = align(scores, forwardReturns(prices, { periods: [1] }));
const weekly = align(fridays, forwardReturns(prices, { periods: [1] }));
const overlapping = align(scores, forwardReturns(prices, { periods: [5] }));
const weights = analysis.factorWeights(aligned);
const long = analysis.factorWeights(aligned, { neutral: "none" });
const weeklyWeights = analysis.factorWeights(weekly);

/** Live sets before the open of some sessions. */
function setsAt(places: readonly number[]): DataFrame {
  const rows = scored.filter(({ date }) => places.includes(DATES.indexOf(date)));
  return pl.DataFrame([
    pl.Series(
      "at",
      rows.map(({ date }) => new Date(`${date}T12:00:00Z`)),
      pl.Datetime("ms", "UTC"),
    ),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("score", rows.map(({ value }) => value), pl.Float64),
  ]);
}

// A judgement in one line, so that no line break falls into the words that are looked for.
async function judge(of: DataFrame, on: DataFrame, options: object = {}): Promise<string> {
  const quick = { periods: [1], lags: [1, 2], progress: false } as const;
  const found = await (cell["analyzeFactor"] as Anything)(of, on, { ...quick, ...options });
  return judged(found as analysis.FactorAnalysis);
}

const earned = Array.from({ length: 40 }, (_, i) => 0.01 * Math.sin(i));
function bookOf(returns: readonly number[], more: Record<string, readonly unknown[]> = {}) {
  return pl.DataFrame({ date: DATES.slice(0, returns.length), return: [...returns], ...more });
}
const traded = earned.map(() => 1);
const book = portfolioReturns!(aligned, weights) as DataFrame;
/** The mean one-session return of all stocks, by the date that a column says. */
const marketBy = (days: "date" | "session") =>
  forwardReturns(prices, { periods: [1] }).data.groupBy("session")
    .agg(pl.col("return_1").mean().alias("return")).sort("session").rename({ session: days });
const times = (factor: number) =>
  weights.data.withColumns(pl.col("weight").mul(pl.lit(factor)).alias("weight"));

mistakes("the date of a return", {
  "a market by the session in which its returns begin, named as it is": [
    () => alphaBeta!(analysis.portfolioReturns(aligned, long), marketBy("session")),
    "expected market with a column date, the session at whose close a return is earned, got the column session",
  ],
  "the same under the name date": [
    () => alphaBeta!(analysis.portfolioReturns(aligned, long), marketBy("date")),
    'with the row of market one earlier; date it by the end of its returns: market.sort("date")' +
    '.withColumns(pl.col("return").shift(1))',
  ],
  "a benchmark that is a session late": [() =>
    activePerformance!(
      analysis.portfolioReturns(aligned, long),
      marketBy("date").withColumns(pl.col("return").shift(2)),
    ), "with the row of benchmark one later"],
  "months of forward returns, which are dated by their scores": [
    () => calendarReturns!(factorReturns!(aligned, weights) as DataFrame, { oneWayBps: 0 }),
    "expected the column traded",
  ],
  "months of a book whose dates were called sessions": [
    () => calendarReturns!(book.rename({ date: "session" })),
    'portfolioReturns() gives date. If the days are those at whose close returns are earned, write portfolio.rename({ session: "date" })',
  ],
});

mistakes("frequencies and rebalancing", {
  "scores of Fridays beside daily prices": [
    () => judge(fridays, prices),
    "23 of 116 sessions have new scores, usually every 5th session. The portfolio is rebalanced on " +
    "new scores (23 times), and its weights drift with prices in between; its scores are at most 8",
  ],
  "turnover of scores of Fridays, of which no two are neighbouring sessions": [
    () => judge(fridays, prices),
    "Quantile turnover and rank autocorrelation are measured from one signal to the next.",
  ],
  "scores of every 21st session beside daily prices": [
    () =>
      judge(frameOf("score", scored.filter(({ date }) => DATES.indexOf(date) % 21 === 0)), prices),
    "6 of 118 sessions have new scores, usually every 21st session.",
  ],
  "scores of one day beside a year of prices": [
    () => judge(frameOf("score", scored.slice(0, 14)), prices),
    "1 of 118 sessions has new scores. The portfolio is rebalanced on new scores (once), and its " +
    "weights drift with prices in between; its scores are at most 117 sessions old",
  ],
  "a score of every Friday, with nulls on all other days": [() =>
    judge(
      scores.withColumns(
        pl.when(pl.col("date").isIn(fridays.getColumn("date").unique().toArray()))
          .then(pl.col("score")).otherwise(pl.lit(null)).alias("score"),
      ),
      prices,
    ), "23 of 118 sessions have new scores, usually every 5th session."],
  "a frequency of pandas for rebalancing": [
    () => judge(scores, prices, { rebalance: "M" }),
    'expected rebalance to be a whole number of sessions, at least 1, "signal", "weekly", "monthly", or an array of dates',
  ],
  "rebalancing every 0 sessions": [
    () => judge(scores, prices, { rebalance: 0 }),
    "expected rebalance to be a whole number of sessions, at least 1,",
  ],
  "rebalancing every two and a half sessions": [
    () => judge(scores, prices, { rebalance: 2.5 }),
    'an array of dates such as ["2026-01-02"]; "signal" trades whenever there are new weights, got 2.5',
  ],
  "rebalancing on dates as the US writes them": [
    () => judge(scores, prices, { rebalance: ["01/05/2026"] }),
    'new weights, got ["01/05/2026"]',
  ],
  "rebalancing on no date": [
    () => judge(scores, prices, { rebalance: [] }),
    "new weights, got an empty array",
  ],
  "rebalancing for rebalance": [
    () => judge(scores, prices, { rebalancing: "monthly" }),
    'got "rebalancing"; did you mean rebalance?',
  ],
  "monthly rebalancing of daily scores": [
    () => judge(scores, prices, { rebalance: "monthly" }),
    "The portfolio is rebalanced on the first new scores of each month (6 times), and its weights drift with prices " +
    "in between; its scores are at most 21 sessions old",
  ],
  "rebalancing on dates after all scores": [
    () => judge(scores, prices, { rebalance: ["2030-01-02"] }),
    "on or after each of 1 date (0 times)",
  ],
  "a book that is closed in between": [
    () => judge(fridays, prices, { between: "cash" }),
    "and it is closed after one session (between: cash)",
  ],
  "a book that is restored in between": [
    () => judge(fridays, prices, { between: "restore" }),
    "it is traded back to its weights every session",
  ],
  "hold for drift": [
    () => judge(fridays, prices, { between: "hold" }),
    'expected between to be "drift" or "restore" or "cash", got "hold"',
  ],
  "live sets that end long before the prices": [
    () => judge(setsAt([0, 5, 10, 15, 20]), prices),
    "5 of 25 sessions have new scores, usually every 5th session.",
  ],
  "one live set beside half a year of prices": [
    () => judge(setsAt([3]), prices),
    "its scores are at most 115 sessions old",
  ],
  "an age that is text": [
    () => judge(setsAt([3]), prices, { maxAgeSessions: "5" }),
    'expected maxAgeSessions to be a whole number of at least 0, got "5"',
  ],
});

mistakes("weights and holding", {
  "a number instead of options of positions()": [
    () => positions!(weights, 5),
    "expected an object of options, such as { holding: 5 }, got 5",
  ],
  "hold for holding": [() => positions!(weights, { hold: 5 }), "did you mean holding?"],
  "a holding of 0 sessions": [
    () => positions!(weights, { holding: 0 }),
    "expected holding to be a whole number of at least 1, got 0",
  ],
  "a holding as pandas writes it": [
    () => positions!(weights, { holding: "5D" }),
    'expected holding to be a whole number of at least 1, got "5D"',
  ],
  "a frame of weekly weights to hold for five sessions": [
    () => positions!(weeklyWeights.data, { holding: 5 }),
    "usually 5 weekdays apart (2026-01-05, 2026-01-12, 2026-01-20); name those of the prices: " +
    "{ sessions: aligned.sessions }",
  ],
  "one date as the sessions of positions()": [
    () => positions!(weights, { holding: 5, sessions: "2026-01-02" }),
    'expected sessions to be dates of the form YYYY-MM-DD, as aligned.sessions has them, got "2026-01-02"',
  ],
  "rows of weekly scores as the data of a book": [
    () => portfolioReturns!(weekly.data, weeklyWeights.data),
    "usually 5 weekdays apart (2026-01-05, 2026-01-12, 2026-01-20); give the result of align() itself",
  ],
  "rows of weekly scores to export a book": [
    () => exportPortfolio!(weekly.data, weeklyWeights.data),
    "expected rows of every session, got sessions that are usually 5 weekdays apart",
  ],
  "weights in percent": [
    () => portfolioReturns!(aligned, times(100)),
    "expected weights as shares of the capital, got 100 times the capital on 2026-01-05; divide percent by 100",
  ],
  "weights in dollars": [
    () => exportPortfolio!(aligned, times(1_000_000)),
    "got 1000000 times the capital on 2026-01-05; divide percent by 100, and dollars by the capital",
  ],
  "a book of returns of five sessions": [
    () => portfolioReturns!(overlapping.data, analysis.factorWeights(overlapping.data)),
    "expected returns over 1 session, got those over 5; add 1 to the periods of forwardReturns()",
  ],
  "a book without weights": [
    () => portfolioReturns!(aligned),
    "Cannot compute portfolio returns: expected a DataFrame, got nothing",
  ],
  "wide weights, a column a ticker": [
    () => portfolioReturns!(aligned, pl.DataFrame({ session: DATES, T01: DATES.map(() => 1) })),
    "expected the column ticker, got session, T01",
  ],
  "weights by value": [
    () => factorWeights!(aligned, { weighting: "value" }),
    'or an object such as { value: "cap" }, got "value"',
  ],
  "neutral to sectors for groups": [
    () => factorWeights!(aligned, { neutral: "sector" }),
    'expected neutral to be "market" or "group" or "none", got "sector"',
  ],
  "neutral within groups without groups": [
    () => factorWeights!(aligned, { neutral: "group" }),
    "expected groups, got data without; give align() a frame of groups with ticker and group",
  ],
  "weights of buckets without buckets": [
    () => factorWeights!(aligned, { weighting: "quantile" }),
    "expected quantiles, got aligned scores; give the result of quantize()",
  ],
  "four of fourteen stocks without prices": [
    () => judge(scores, frameOf("close", closes.filter(({ ticker }) => ticker > "T03"))),
    "476 have no price at entry (28.3%). At 1 session, 24 need later prices. 4 tickers of the scores have no price in any",
  ],
  "the same, with capital in stocks that cannot be bought": [
    () =>
      judge(scores, frameOf("close", closes.filter(({ ticker }) => ticker > "T03")), {
        universe: "scored",
      }),
    "of capital cannot be traded for want of a close; the rest is not dollar-neutral: long and short positions differ",
  ],
  "eight of fourteen stocks without prices": [
    () =>
      align(
        scores,
        forwardReturns(frameOf("close", closes.filter(({ ticker }) => ticker > "T07"))),
      ),
    'analyse it by itself with scores.join(prices.select("ticker").unique(), { on: "ticker", how: "semi" })',
  ],
});

mistakes("costs, delistings and performance", {
  "one rate of costs as text": [
    () => tradingCosts!(bookOf(earned, { traded }), { oneWayBps: "10" }),
    'expected oneWayBps to be rates of 0 or at least 0.05 basis points, such as [0, 5, 10] (as a share of the traded value, 0.001 is 10), got "10"',
  ],
  "one rate of an analysis as text": [
    () => judge(scores, prices, { oneWayBps: "10" }),
    'expected oneWayBps to be rates of 0 or at least 0.05 basis points, such as [0, 5, 10] (as a share of the traded value, 0.001 is 10), got "10"',
  ],
  "a negative rate of costs": [
    () => cumulativeNetReturns!(bookOf(earned, { traded }), { oneWayBps: [-5] }),
    "expected oneWayBps to be rates of 0 or at least 0.05 basis points, such as [0, 5, 10] (as a share of the traded value, 0.001 is 10), got [-5]",
  ],
  "bps for oneWayBps": [
    () => tradingCosts!(bookOf(earned, { traded }), { bps: [5] }),
    "did you mean oneWayBps?",
  ],
  "costs of returns that do not say what was traded": [
    () => tradingCosts!(bookOf(earned)),
    "expected the column traded, got date, return",
  ],
  "sales as negative trades": [
    () => tradingCosts!(bookOf(earned, { traded: earned.map((_, i) => i % 2 === 0 ? 1 : -1) })),
    "expected traded to be at least 0 in every session, got -1",
  ],
  "a delisting return without its braces": [
    () => forwardReturns(prices, { ended: -0.3 } as never),
    'expected ended to be "last", "null" or { return: -0.3 }, got -0.3',
  ],
  "a delisting return in percent": [
    () => forwardReturns(prices, { ended: { return: -30 } }),
    'expected ended to be "last", "null" or { return: -0.3 }',
  ],
  "a delisted stock in the middle of the sample": [() =>
    judge(
      scores,
      frameOf(
        "close",
        closes.filter(({ ticker, date }) => ticker !== "T03" || date < "2026-04-01"),
      ),
    ), "1 return ends early, at its stock's last close"],
  "a close that is a thousand times too high": [() =>
    judge(
      scores,
      frameOf(
        "close",
        closes.map((row, i) => i === 703 ? { ...row, value: 1000 * row.value } : row),
      ),
    ), "loses all of its capital with the return of 2026-03-17"],
  "returns in percent": [
    () => performance!(bookOf(earned.map((r) => 200 * r))),
    "all of the capital is lost with the return of 2026-01-08, so that nothing later counts; returns are shares",
  ],
  "returns in percent that never lose all": [
    () => performance!(bookOf(earned.map((r) => 0.9 + 100 * r).map((r) => r > 1 ? r : 0.3))),
    "Half of the 40 returns are beyond ±",
  ],
  "returns of a calm book in percent, to compound": [
    () => cumulativeReturns!(bookOf(earned.map((r) => 20 * r))),
    "Half of the 40 returns are beyond ±13.1%, a volatility of about 303% a year; returns are shares, 0.01 is",
  ],
  "drawdowns of returns in percent": [
    () => drawdowns!(bookOf(earned.map((r) => 50 * r))),
    "0.01 is one percent: divide those in percent by 100",
  ],
  "costs of a portfolio whose returns are in percent": [
    () => tradingCosts!(bookOf(earned.map((r) => 100 * r), { traded })),
    "0.01 is one percent: divide those in percent by 100",
  ],
  "a market in percent beside a portfolio in shares": [
    () => alphaBeta!(bookOf(earned), bookOf(earned.map((r) => 60 * Math.cos(100 * r)))),
    "0.01 is one percent: divide those in percent by 100",
  ],
  "returns of five sessions by session": [
    () => performance!(bookOf(earned, { horizon: earned.map(() => 5) })),
    "expected returns of one session, got returns over 5; hold positions for that horizon",
  ],
  "returns of several horizons at once": [
    () => performance!(factorReturns!(align(scores, forwardReturns(prices)), weights)),
    "expected one series, got 3 (horizons and groups); filter the frame",
  ],
  "returns of five sessions to compound": [
    () => cumulativeReturns!(factorReturns!(overlapping, analysis.factorWeights(overlapping))),
    "expected returns of one session, got returns over 5",
  ],
  "means of quantiles to compound": [
    () =>
      cumulativeQuantileReturns!(meanReturnByQuantile(quantize(overlapping), { bySession: true })),
    "expected stocks in their quantiles, got means, which do not tell what a stock without a close is worth",
  ],
  "an array of returns to performance()": [
    () => performance!(earned),
    "Cannot measure the performance: expected a DataFrame, got an array of 40",
  ],
  "an array of returns to drawdowns()": [
    () => drawdowns!(earned),
    "Cannot find drawdowns: expected a DataFrame, got an array of 40",
  ],
  "alpha without a market": [
    () => alphaBeta!(bookOf(earned)),
    "Cannot explain returns by the market: expected a DataFrame, got nothing",
  ],
  "less than no variants": [
    () => performance!(bookOf(earned), { variants: -1 }),
    "expected variants to be a whole number of at least 1, got -1",
  ],
  "a cost of a tenth of a percent": [
    () => tradingCosts!(bookOf(earned, { traded: earned.map(() => 1) }), { oneWayBps: 0.1 }),
    "A cost of 0.1 is read in basis points, 0.001% of the traded value; if it is in percent, write 10",
  ],
  "returns of every second month": [
    () => performance!(bookOf(earned).filter(pl.col("return").gt(pl.lit(0)))),
    "weekdays between its first and its last day have no row",
  ],
  "a ticker in small letters among the prices": [
    () =>
      forwardReturns(
        pl.concat([
          prices,
          prices.filter(pl.col("ticker").eq(pl.lit("T01"))).withColumns(
            pl.lit("t01").alias("ticker"),
          ),
        ]),
        { periods: [1] },
      ),
    "Tickers of the prices differ only by the case of their names, and count as two: T01 and t01",
  ],
  "an event study within groups without groups": [
    () =>
      eventReturns!(scores.head(1), forwardReturns(prices, { periods: [1] }), {
        abnormal: "group",
      }),
    'expected groups with abnormal: "group", got none; give { groups }',
  ],
});
