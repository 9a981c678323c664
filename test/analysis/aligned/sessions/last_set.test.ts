import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  factorWeights,
  forwardReturns,
  portfolioReturns,
} from "../../../../src/analysis/mod.ts";
import { marketSessions } from "../../_frames.ts";

const DATES = marketSessions(40);
const prices = pl.DataFrame({
  date: DATES.flatMap((date) => [date, date]),
  ticker: DATES.flatMap(() => ["A", "B"]),
  close: DATES.flatMap((_, d) => [100 + d, 50]),
});
const returns = forwardReturns(prices, { periods: [1] });

/** A set at noon of each of some sessions, in UTC before New York opens. */
function setsAt(places: readonly number[]) {
  const rows = places.flatMap((d) => ["A", "B"].map((ticker, i) => ({ d, ticker, score: i })));
  return pl.DataFrame([
    pl.Series(
      "at",
      rows.map(({ d }) => new Date(`${DATES[d]}T12:00:00Z`)),
      pl.Datetime("ms", "UTC"),
    ),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("score", rows.map(({ score }) => score), pl.Float64),
  ]);
}

function spanOf(places: readonly number[], options: object = {}) {
  const { dense } = align(setsAt(places), returns, options);
  return [dense.from, dense.to];
}

describe("live scores that end before the prices", () => {
  test("end with the last set and one usual gap between sets", () => {
    expect(spanOf([0, 1, 2, 3])).toEqual([0, 4]);
    expect(spanOf([0, 5, 10, 15])).toEqual([0, 20]);
    // Three gaps of 1 and one of 7: the usual one is 1.
    expect(spanOf([0, 1, 2, 3, 10])).toEqual([0, 11]);
  });

  test("end with maxAgeSessions, if that is given", () => {
    expect(spanOf([0, 5, 10, 15], { maxAgeSessions: 9 })).toEqual([0, 25]);
  });

  test("of a single set stay, for nothing says how long it usually would", () => {
    expect(spanOf([4])).toEqual([4, 40]);
  });

  test("are not in the rows after their end", () => {
    const { data } = align(setsAt([0, 5, 10, 15]), returns);
    expect(data.height).toBe(2 * 20);
  });

  test("are traded when a set comes, and not in between", () => {
    const aligned = align(setsAt([0, 5, 10, 15]), returns);
    const book = portfolioReturns(aligned, factorWeights(aligned));
    const marks = book.getColumn("rebalanced").toArray() as boolean[];
    expect([...marks.keys()].filter((place) => marks[place])).toEqual([0, 5, 10, 15]);
    expect(book.getColumn("signal").toArray()).toEqual(marks);
    const traded = book.getColumn("traded").toArray() as number[];
    expect(traded.slice(1, 5)).toEqual([0, 0, 0, 0]);
  });
});
