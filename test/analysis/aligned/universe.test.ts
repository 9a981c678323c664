import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  type Aligned,
  factorCoverage,
  factorWeights,
  forwardReturns,
  informationCoefficient,
  meanReturnByQuantile,
  portfolioReturns,
  quantileTurnover,
  quantize,
  rankAutocorrelation,
} from "../../../src/analysis/mod.ts";
import { epochDayOf, fromEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../../../src/base/calendar/list_sessions.ts";
import { randomOf } from "../_frames.ts";

const DATES = listSessionDays(epochDayOf(2026, 1, 2), epochDayOf(2026, 9, 1)).slice(0, 60)
  .map(fromEpochDay);
const TICKERS = Array.from({ length: 24 }, (_, i) => `T${String(i).padStart(2, "0")}`);
const random = randomOf(3);
const rows = DATES.flatMap((date) =>
  TICKERS.map((ticker, t) => ({
    date,
    ticker,
    score: Math.round(100 * random()) / 100,
    // Ten of the scored stocks are never priced, and the others now and then are not.
    close: t < 10 || random() < 0.05 ? null : 50 + random(),
  }))
);
const frame = pl.DataFrame(rows, {
  schema: { date: pl.Utf8, ticker: pl.Utf8, score: pl.Float64, close: pl.Float64 },
});
const prices = frame.filter(pl.col("close").isNotNull()).select("date", "ticker", "close");
const scores = frame.select("date", "ticker", "score");
const returns = forwardReturns(prices, { periods: [1, 5] });
const own = align(scores, returns, { entry: "same" });
/** The scores of stocks that have a close, in an analysis of all scored stocks. */
const priced = align(
  scores.join(prices, { on: ["date", "ticker"], how: "semi" }),
  returns,
  { entry: "same", universe: "scored" },
);

describe("the universe of a session is the stocks with a score and a price at their entry,", () => {
  const numbers: Readonly<Record<string, (of: Aligned) => DataFrame>> = {
    "ICs": (of) => informationCoefficient(of),
    "ICs in the one-session form": (of) => informationCoefficient(of, { form: "oneSession" }),
    "quantile means": (of) => meanReturnByQuantile(quantize(of)),
    "turnover": (of) => quantileTurnover(quantize(of)),
    "rank autocorrelation": (of) => rankAutocorrelation(of),
    "weights": (of) => factorWeights(of, { weighting: "rank" }).data,
    "the portfolio": (of) => portfolioReturns(of, factorWeights(of)),
  };

  test.each(Object.entries(numbers))("in %s", (_, of) => {
    expect(of(own).toRecords()).toEqual(of(priced).toRecords());
  });

  test("in a frame of the rows, whose score is null where there is no price", () => {
    expect(informationCoefficient(own.data).toRecords())
      .toEqual(informationCoefficient(own).toRecords());
    expect(own.data.height).toBe(rows.length);
    expect(own.data.getColumn("score").nullCount())
      .toBe(rows.filter(({ close }) => close === null).length);
  });

  test("and each other row is lost once, for that reason", () => {
    const lines = own.loss.table.toRecords();
    expect(lines.filter(({ reason }) => reason === "no_entry_price")).toMatchObject([{
      horizon: null,
      rows: rows.filter(({ close }) => close === null).length,
    }]);
    for (const horizon of [1, 5]) {
      const all = lines.filter((line) => line.horizon === null || line.horizon === horizon);
      expect(all.reduce((sum, line) => sum + line.rows!, 0)).toBe(rows.length);
    }
    const [first] = factorCoverage(own).bySession.toRecords();
    expect(first).toMatchObject({ rows: 24, scored: 13, outside: 11 });
  });

  test("and is that of all scored stocks where it is asked for", () => {
    const all = align(scores, returns, { entry: "same", universe: "scored" });
    expect(all.data.getColumn("score").nullCount()).toBe(0);
    expect(factorWeights(all).data.height).toBe(rows.length);
    expect(() => align(scores, returns, { universe: "all" as "scored" })).toThrow('"priced"');
  });

  test("whatever comes later: a stock whose closes end is in it until then", () => {
    const cut = prices.filter(
      pl.col("ticker").eq(pl.lit("T20")).and(pl.col("date").gt(pl.lit(DATES[30]!))).not(),
    );
    const ended = align(scores, forwardReturns(cut, { periods: [1, 5] }), { entry: "same" });
    const until = (of: Aligned) =>
      of.data.filter(pl.col("session").ltEq(pl.lit(new Date(DATES[30]!)))).select("ticker", "score")
        .toRecords();
    expect(until(ended)).toEqual(until(own));
  });
});

describe("a delay of dated scores", () => {
  test("is of sessions, of which none is merged with another", () => {
    const late = align(scores, returns, { entry: "next", delay: 2 });
    const usual = align(scores, returns, { entry: "next" });
    const places = (of: Aligned) => of.data.getColumn("session").unique().sort().toArray();
    expect(places(late)).toEqual(places(usual).slice(2));
    expect(late.loss.table.getColumn("reason").toArray()).not.toContain("superseded");
    expect(late.timing).toEqual({
      ...{ entry: "next", entryLag: 0, delay: 2, kind: "date", price: "close" },
    });
  });
});

test("low values first are the same statistics from the other end", () => {
  const low = align(scores, returns, { direction: "low" });
  const high = align(scores.withColumns(pl.col("score").mul(pl.lit(-1))), returns);
  expect(informationCoefficient(low).toRecords()).toEqual(informationCoefficient(high).toRecords());
  expect(low.direction).toBe("low");
});
