import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  type BookRules,
  capacity,
  cumulativeQuantileReturns,
  exportPortfolio,
  factorWeights,
  forwardReturns,
  holdingPeriods,
  performance,
  portfolioReturns,
  positions,
  quantize,
  tradeLiquidity,
  tradingCosts,
} from "../../../src/analysis/mod.ts";
import { epochDayOf, fromEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../../../src/base/calendar/list_sessions.ts";
import { randomOf } from "../_frames.ts";
import {
  type AccountSession,
  type Closes,
  isLast,
  shareAccount,
  type Targets,
} from "./_share_account.ts";

const [SESSIONS, STOCKS] = [140, 12];
const DATES = listSessionDays(epochDayOf(2025, 1, 2), epochDayOf(2026, 1, 2)).slice(0, SESSIONS)
  .map(fromEpochDay);
const nameOf = (stock: number) => `T${String(stock).padStart(2, "0")}`;
const column = (frame: DataFrame, name: string) =>
  frame.getColumn(name).toArray() as (number | null)[];

function near(values: readonly (number | null)[], expected: readonly (number | null)[]): void {
  expect(values).toHaveLength(expected.length);
  const wrong = expected.findIndex((value, i) =>
    (value === null) !== (values[i] === null) || Math.abs(value! - values[i]!) > 1e-9
  );
  expect([wrong, values[wrong], expected[wrong]]).toEqual([-1, undefined, undefined]);
}

interface World {
  readonly closes: Closes;
  readonly scores: readonly (readonly number[])[];
}

/** A market of halts over which prices jump, closes that are missing at random, and stocks that end. */
function worldOf(
  seed: number,
  holes: { halts?: boolean; gaps?: number; ends?: boolean; reuse?: boolean },
): World {
  const random = randomOf(seed);
  const closes: (number | null)[][] = [];
  const marks = Array<number>(STOCKS).fill(100);
  const halted = Array<number>(STOCKS).fill(0);
  for (let d = 0; d < SESSIONS; d++) {
    closes.push(marks.map((mark, s) => {
      marks[s] = mark * (0.96 + 0.0805 * random());
      if (holes.halts === true && random() < 0.01) {
        halted[s] = 1 + Math.floor(9 * random());
        marks[s]! *= 0.4;
      }
      if (holes.ends === true && s % 4 === 3 && d > 40 + 7 * s) return null;
      if (holes.reuse === true && s % 5 === 2) {
        if (d === 101) marks[s]! *= 20;
        if (d > 30 && d < 101) return null;
      }
      if (halted[s]! > 0) return (halted[s]!--, null);
      return random() < (holes.gaps ?? 0) ? null : marks[s]!;
    }));
  }
  return { closes, scores: closes.map(() => marks.map(() => Math.round(1e6 * random()) / 1e6)) };
}

function frameOf(name: string, values: readonly (readonly (number | null)[])[]): DataFrame {
  const rows = values.flatMap((row, d) => row.map((value, s) => ({ d, s, value })));
  return pl.DataFrame([
    pl.Series("date", rows.map(({ d }) => DATES[d]!), pl.Utf8),
    pl.Series("ticker", rows.map(({ s }) => nameOf(s)), pl.Utf8),
    pl.Series(name, rows.map(({ value }) => value), pl.Float64),
  ]);
}

/** Weights by the scores of the stocks that have a close today. */
function demeaned(
  scores: readonly number[],
  today: readonly (number | null)[],
): ReadonlyMap<number, number> {
  const own = scores.flatMap((score, s) => today[s] === null ? [] : [{ score, s }]);
  const mean = own.reduce((sum, { score }) => sum + score, 0) / own.length;
  const gross = own.reduce((sum, { score }) => sum + Math.abs(score - mean), 0);
  return new Map(own.map(({ score, s }) => [s, (score - mean) / gross]));
}

/** Targets of the sessions in which a rule trades, and of those in between. */
function targetsOf(
  { scores, closes }: World,
  first: number,
  { rebalance = "signal", between = "drift" }: BookRules,
): Targets {
  let [before, target] = ["", null as ReadonlyMap<number, number> | null];
  return DATES.map((date, d) => {
    if (d < first) return null;
    const key = rebalance === "monthly"
      ? date.slice(0, 7)
      : String(typeof rebalance === "number" ? Math.floor((d - first) / rebalance) : d);
    const isNew = key !== before;
    before = key;
    if (isNew) return target = demeaned(scores[d - first]!, closes[d]!);
    return between === "restore" ? target : between === "cash" ? new Map() : null;
  });
}

const WORLDS = {
  "halts with jumps": worldOf(1, { halts: true }),
  "closes missing at random": worldOf(2, { gaps: 0.05 }),
  "delistings": worldOf(3, { ends: true }),
  "tickers that pass to other companies": worldOf(5, { reuse: true }),
  "all of them": worldOf(4, { halts: true, gaps: 0.03, ends: true, reuse: true }),
};
const RULES: readonly BookRules[] = [
  { rebalance: "signal" },
  { rebalance: "monthly" },
  { rebalance: 9, between: "restore" },
  { rebalance: 9, between: "cash" },
];

describe.each(Object.entries(WORLDS))(
  "in a world with %s an account in shares earns",
  (_, world) => {
    const { closes, scores } = world;
    const prices = frameOf("close", closes);
    const own = frameOf("score", scores);

    describe.each(["same", "next"] as const)("entered at the close of the %s session", (entry) => {
      const aligned = align(own, forwardReturns(prices, { periods: [1, 5] }), { entry });
      const first = entry === "same" ? 0 : 1;
      const weights = factorWeights(aligned);

      test.each(RULES)("the returns and trades of portfolioReturns(), with %o", (rules) => {
        const book = portfolioReturns(aligned, weights, rules);
        const account = shareAccount(closes, targetsOf(world, first, rules)).slice(first);
        near(column(book, "return"), account.map(({ earned }) => earned));
        near(column(book, "traded"), account.map(({ traded }) => traded));
      });

      test("the results of tradingCosts(), capacity() and tradeLiquidity(), after costs", () => {
        const account = shareAccount(closes, targetsOf(world, first, { rebalance: "monthly" }))
          .slice(first);
        const net = account.reduce(
          (all, { earned, traded }) => all * (1 + earned - 2e-3 * traded),
          1,
        );
        const market = prices.withColumns(
          pl.lit(1e6).alias("volume"),
          pl.lit("none").alias("adjusted"),
        );
        const trades = tradeLiquidity(aligned, weights, market, { rebalance: "monthly" });
        const [costs] = tradingCosts(trades, { oneWayBps: 20 }).toRecords();
        expect((1 + Number(costs!["net_annual"])) ** (account.length / 252)).toBeCloseTo(net, 9);
        const [priced] = capacity(trades, { capital: 1e6 }).toRecords();
        const mean = account.reduce((sum, { earned }) => sum + earned, 0) / account.length;
        expect(costs!["gross"]).toBeCloseTo(mean, 9);
        // Impact is known from the second month on; the mean is of the sessions that have it.
        expect(Number(priced!["sessions"]) + Number(priced!["missing"])).toBe(trades.height);
      });

      test("what exportPortfolio() holds", () => {
        const { returns, positions: held } = exportPortfolio(aligned, weights, {
          rebalance: "monthly",
        });
        const account = shareAccount(closes, targetsOf(world, first, { rebalance: "monthly" }))
          .slice(first);
        near(column(returns, "return"), account.map(({ earned }) => earned));
        for (let s = 0; s < STOCKS; s++) {
          near(column(held, nameOf(s)).slice(0, -1), account.map(({ weights: own }) => own[s]!));
        }
      });
    });

    test("what cumulativeQuantileReturns() compounds in each quantile and over all stocks", () => {
      const quantized = quantize(
        align(own, forwardReturns(prices, { periods: [1] }), { entry: "same" }),
        { quantiles: 3 },
      );
      const found = new Map(
        quantized.data.toRecords().map((row) => [
          `${(row["session"] as Date).toISOString().slice(0, 10)} ${row["ticker"]}`,
          Number(row["quantile"]),
        ]),
      );
      const table = cumulativeQuantileReturns(quantized);
      const wealthOf = (isIn: (d: number, s: number) => boolean) =>
        wealth(shareAccount(closes, equalTargets(closes, isIn)));
      for (const quantile of [1, 2, 3]) {
        const rows = table.filter(pl.col("quantile").eq(pl.lit(quantile)));
        near(column(rows, "wealth"), [
          1,
          ...wealthOf((d, s) => found.get(`${DATES[d]} ${nameOf(s)}`) === quantile),
        ]);
        near(column(rows, "all_names"), [1, ...wealthOf(() => true)]);
      }
    });
  },
);

/** Equal weights of the stocks of a portfolio that have a close today, and of those that are held without one. */
function equalTargets(closes: Closes, isIn: (d: number, s: number) => boolean): Targets {
  const held = new Set<number>();
  const over = (d: number, s: number) => d > 0 && isLast(closes, d - 1, s);
  return closes.map((today, d) => {
    const chosen = today.flatMap((close, s) => {
      if (over(d, s)) held.delete(s);
      return (close === null ? held.has(s) : isIn(d, s)) ? [s] : [];
    });
    for (const [s, close] of today.entries()) {
      if (close === null) continue;
      if (chosen.includes(s)) held.add(s);
      else held.delete(s);
    }
    return new Map(chosen.map((s) => [s, 1 / chosen.length]));
  });
}

function wealth(account: readonly AccountSession[]): number[] {
  let all = 1;
  return account.map(({ earned }) => all *= 1 + earned);
}

test("a delisting return is the last of an account", () => {
  const world = WORLDS["delistings"];
  const { closes, scores } = world;
  const returns = forwardReturns(frameOf("close", closes), {
    periods: [1],
    ended: { return: -0.3 },
  });
  const aligned = align(frameOf("score", scores), returns, { entry: "same" });
  const book = portfolioReturns(aligned, factorWeights(aligned), { rebalance: 21 });
  const account = shareAccount(closes, targetsOf(world, 0, { rebalance: 21 }), -0.3);
  near(column(book, "return"), account.map(({ earned }) => earned));
});

test("without a rule for delistings a position stays at its last close, and is counted without one", () => {
  const [date, ticker] = [DATES.slice(0, 4), ["A", "B"]];
  const rows = date.flatMap((day, d) =>
    ticker.map((name) => ({ date: day, ticker: name, close: name === "A" && d > 1 ? null : 50 }))
  );
  const scores = pl.DataFrame(rows.map(({ close: _, ...key }) => ({ ...key, score: 1 })));
  const weights = pl.DataFrame({ session: [date[0], date[0]], ticker, weight: [0.5, 0.5] });
  const unpriced = (ended: "last" | "null") => {
    const returns = forwardReturns(pl.DataFrame(rows), { periods: [1], ended });
    const aligned = align(scores, returns, { entry: "same" });
    return column(portfolioReturns(aligned, weights), "unpriced_weight").slice(0, 3);
  };
  expect(unpriced("null")).toEqual([0, 0.5, 0.5]);
  expect(unpriced("last")).toEqual([0, 0, 0]);
});

test("weights of a lag are held from the close that many sessions later on", () => {
  const world = WORLDS["all of them"];
  const { closes, scores } = world;
  const returns = forwardReturns(frameOf("close", closes), { periods: [1], entryLag: 2 });
  const aligned = align(frameOf("score", scores), returns, { entry: "same" });
  const book = portfolioReturns(aligned, factorWeights(aligned));
  const account = shareAccount(closes, targetsOf(world, 2, {})).slice(2);
  near(column(book, "return"), account.map(({ earned }) => earned));
  // Known at the close of the first session, held from the third one's on, earned at the fourth's.
  const [row] = book.toRecords();
  expect([row!.from, row!.date].map((day) => day!.toISOString().slice(0, 10)))
    .toEqual([DATES[0], DATES[3]]);
});

describe("a stock that closes at 100, none, 40 and 40, half of a book beside one at 50", () => {
  const date = DATES.slice(0, 4).flatMap((day) => [day, day]);
  const ticker = Array(4).fill(["A", "B"]).flat() as string[];
  const close = pl.Series("close", [100, 50, null, 50, 40, 50, 40, 50], pl.Float64);
  const prices = pl.DataFrame({ date, ticker }).withColumns(close);
  const scores = pl.DataFrame({ date, ticker, score: Array(8).fill(1) });
  const weights = pl.DataFrame({
    ...{ session: [DATES[0], DATES[0]], ticker: ["A", "B"], weight: [0.5, 0.5] },
  });
  const aligned = align(scores, forwardReturns(prices, { periods: [1, 2] }), { entry: "same" });

  test("loses 30% in the session of the next close, and says how long it had none", () => {
    const rows = portfolioReturns(aligned, weights).toRecords();
    expect(rows.slice(0, 3)).toMatchObject([
      { return: 0, unpriced_weight: 0.5, gap_return: 0, n: 1, reason: null },
      { return: -0.3, unpriced_weight: 0, gap_return: -0.3, n: 2, reason: null },
      { return: 0, unpriced_weight: 0, gap_return: 0, n: 2, reason: null },
    ]);
    expect(rows).toHaveLength(3);
    expect(performance(portfolioReturns(aligned, weights)).toRecords()[0]).toMatchObject({
      wealth: 0.7,
      sessions: 3,
    });
  });

  test("loses it of a frame of rows too, if a longer return is over the gap; else the return is not known", () => {
    const earlier = pl.DataFrame({
      ...{ session: DATES.slice(0, 5), ticker: Array(5).fill("A"), score: Array(5).fill(1) },
      return_1: [0, null, null, 0, null],
      return_2: [null, -0.6, null, null, null],
    });
    const own = pl.DataFrame({ session: [DATES[0]], ticker: ["A"], weight: [0.5] });
    const earned = (data: DataFrame) => column(portfolioReturns(data, own), "return");
    expect(earned(earlier)).toEqual([0, 0, expect.closeTo(-0.3, 12), 0]);
    expect(portfolioReturns(earlier.drop("return_2"), own).toRecords()[2]).toMatchObject({
      ...{ return: null, reason: "no_exit_price" },
    });
    expect(column(portfolioReturns(aligned.data, weights), "return")).toEqual([
      ...[0, expect.closeTo(-0.3, 12), 0],
    ]);
  });

  test("is neither bought nor sold without a close, and what was wanted is said", () => {
    const session = DATES.slice(0, 3).flatMap((day) => [day, day]);
    const wanted = pl.DataFrame({
      ...{ session, ticker: ticker.slice(0, 6), weight: [0.5, 0.5, 0, 1, 0, 1] },
    });
    expect(portfolioReturns(aligned, wanted).toRecords().slice(0, 3)).toMatchObject([
      { traded: 1, untraded: 0, return: 0 },
      { traded: 0.5, untraded: 0.5, return: -0.3, net_weight: 1.5 },
      { untraded: 0, net_weight: 1, return: 0 },
    ]);
  });
});

test("twenty stocks of which one a month is halted and falls by 60% leave a holder 0.69, however they are held", () => {
  const months = [...Map.groupBy(DATES, (date) => date.slice(0, 7)).values()].slice(0, 6);
  const dates = months.flat();
  const marks = Array<number>(20).fill(100);
  const closes = months.flatMap((days, month) =>
    days.map((_, d) =>
      marks.map((mark, s) => {
        if (s !== month || d < 9) return mark;
        marks[s] = 40;
        return d === 9 ? null : 40;
      })
    )
  );
  const rows = dates.flatMap((date, d) => closes[d]!.map((close, s) => ({ date, s, close })));
  const prices = pl.DataFrame([
    pl.Series("date", rows.map(({ date }) => date), pl.Utf8),
    pl.Series("ticker", rows.map(({ s }) => nameOf(s)), pl.Utf8),
    pl.Series("close", rows.map(({ close }) => close), pl.Float64),
  ]);
  const scores = prices.select("date", "ticker").withColumns(pl.lit(1).alias("score"));
  const aligned = align(scores, forwardReturns(prices, { periods: [1], still: true }), {
    entry: "same",
  });
  const long = factorWeights(aligned, { neutral: "none" });
  const [held] = performance(portfolioReturns(aligned, long, { rebalance: "monthly" })).toRecords();
  expect(held!["wealth"]).toBeCloseTo(0.97 ** 6, 9);
  const bought = positions(long, { holding: 1 });
  expect(performance(portfolioReturns(aligned, bought)).toRecords()[0]!["wealth"])
    .toBeCloseTo(0.97 ** 6, 9);
  const [one] = holdingPeriods(aligned, long, { holding: [1], oneWayBps: 0 }).toRecords();
  expect((1 + Number(one!["net_annual"])) ** ((dates.length - 2) / 252)).toBeCloseTo(0.97 ** 6, 9);
});
