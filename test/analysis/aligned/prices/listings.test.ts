import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  factorWeights,
  forwardReturns,
  performance,
  portfolioReturns,
} from "../../../../src/analysis/mod.ts";
import { epochDayOf, fromEpochDay } from "../../../../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../../../../src/base/calendar/list_sessions.ts";

const DATES = listSessionDays(epochDayOf(2024, 1, 2), epochDayOf(2026, 1, 2)).slice(0, 400)
  .map(fromEpochDay);
const [LAST, FIRST] = [99, 350];

/** X falls from 5 to 4, has no close for 250 sessions, and is another company at 90 then; nine others stand at 50. */
function closeOf(ticker: string, d: number): number | null {
  if (ticker !== "X") return 50 + 0.01 * ((d + ticker.charCodeAt(0)) % 3);
  return d > LAST && d < FIRST ? null : d <= LAST ? 5 - d / LAST : 90;
}

function frameOf(name: string, of: (ticker: string, d: number) => number | null): DataFrame {
  const rows = DATES.flatMap((date, d) =>
    [..."ABCDEFGHIX"].map((ticker) => ({ date, ticker, value: of(ticker, d) }))
  );
  return pl.DataFrame([
    pl.Series("date", rows.map(({ date }) => date), pl.Utf8),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series(name, rows.map(({ value }) => value), pl.Float64),
  ]);
}

const prices = frameOf("close", closeOf);
const scores = frameOf("score", () => 1);
const rowOf = (data: DataFrame, d: number) =>
  data.toRecords().find((row) =>
    row["ticker"] === "X" &&
    (row["session"] as unknown as Date).toISOString().slice(0, 10) === DATES[d]
  )!;

describe("a ticker that is another company after 250 sessions without a close", () => {
  const returns = forwardReturns(prices, { periods: [1, 300] });

  test("has returns to the last close before the gap, and none over it", () => {
    // From 4.0101… to 4 at the last close, not to 90.
    expect(rowOf(returns.data, 98)).toMatchObject({
      return_1: expect.closeTo(4 / (5 - 98 / 99) - 1, 12),
    });
    expect(rowOf(returns.data, 90)).toMatchObject({
      return_300: expect.closeTo(4 / (5 - 90 / 99) - 1, 12),
      why_300: "ended",
    });
    expect(rowOf(returns.data, LAST)).toMatchObject({ return_1: 0, why_1: "ended" });
    expect(rowOf(returns.data, FIRST)).toMatchObject({ return_1: 0, why_1: null });
  });

  test.each([["next", {}], ["same", { rebalance: "monthly" }]] as const)(
    "loses what the first one lost in a book entered at the %s close, and earns nothing at the second",
    (entry, rules) => {
      const aligned = align(scores, returns, { entry });
      const weights = factorWeights(aligned, { neutral: "none" });
      const book = portfolioReturns(aligned, weights, rules);
      const [row] = performance(book).toRecords();
      expect(row!.wealth).toBeGreaterThan(0.9);
      expect(row!.wealth).toBeLessThan(1);
      const largest = Math.max(...book.getColumn("return").toArray() as number[]);
      expect(largest).toBeLessThan(0.01);
      const ofRows = portfolioReturns(aligned.data, weights, rules).getColumn("return").toArray();
      expect(ofRows).toEqual(
        (book.getColumn("return").toArray() as number[]).map((gain) => expect.closeTo(gain, 12)),
      );
    },
  );

  test("has none with ended: null, and a delisting return where one is given", () => {
    const none = forwardReturns(prices, { periods: [1, 300], ended: "null" });
    expect(rowOf(none.data, 90)).toMatchObject({ return_300: null, why_300: "no_exit_price" });
    const less = forwardReturns(prices, { periods: [1], ended: { return: -0.5 } });
    expect(rowOf(less.data, LAST)).toMatchObject({ return_1: -0.5, why_1: "ended" });
    const aligned = align(scores, none, { entry: "same" });
    const long = portfolioReturns(aligned, factorWeights(aligned, { neutral: "none" }));
    expect(Math.max(...long.getColumn("return").toArray() as number[])).toBeLessThan(0.01);
  });

  test("is one stock for ever if maxGap is null or the gap is no longer", () => {
    for (const maxGap of [null, FIRST - LAST - 1]) {
      const one = forwardReturns(prices, { periods: [1, 300], maxGap });
      expect(rowOf(one.data, 90)).toMatchObject({
        return_300: expect.closeTo(90 / (5 - 90 / 99) - 1, 12),
        why_300: null,
      });
      expect(String(one.notes.getColumn("what").toArray())).not.toContain("relisted");
    }
    const [note] = returns.notes.filter(pl.col("what").eq(pl.lit("relisted"))).toRecords();
    expect(note).toMatchObject({ ticker: "X", value: 250 });
  });
});

test("a stock of monthly closes has ended after a quarter without one", () => {
  const months = Array.from({ length: 12 }, (_, i) => {
    const end = new Date(Date.UTC(2025, i + 1, 0));
    return end.toISOString().slice(0, 10);
  });
  const rows = months.flatMap((date, i) => [
    { date, ticker: "A", close: 10 + i },
    ...(i > 2 && i < 7 ? [] : [{ date, ticker: "B", close: i < 5 ? 10 : 90 }]),
    ...(i > 3 && i < 7 ? [] : [{ date, ticker: "C", close: i < 5 ? 10 : 90 }]),
  ]);
  const { notes } = forwardReturns(pl.DataFrame(rows), { periods: [1], frequency: "monthly" });
  const found = notes.filter(pl.col("what").eq(pl.lit("relisted"))).getColumn("ticker").toArray();
  expect(found).toEqual(["B"]);
});
