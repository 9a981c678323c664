import { describe, expect, test } from "vitest";
import pl from "nodejs-polars";
import { forwardReturns } from "../../../../src/analysis/aligned/prices/forward_returns.ts";
import { align } from "../../../../src/analysis/aligned/align.ts";
import { portfolioExposures } from "../../../../src/analysis/portfolio/portfolio_exposures.ts";
import { neutralize } from "../../../../src/analysis/transform/neutralize.ts";
import { readPrices } from "../../../../src/frames/prices/read_prices.ts";

const pricesOn = (dates: readonly string[], ticker = "A") =>
  pl.DataFrame({
    date: [...dates],
    ticker: dates.map(() => ticker),
    close: dates.map((_, i) => 10 + ((i * 7) % 5) / 10),
  });

describe("dates that fit another labelling", () => {
  test.each([
    ["a day late", ["10-06", "10-07", "10-08", "10-09", "10-10", "10-13", "10-14"], -1],
    ["a day early", ["10-04", "10-05", "10-06", "10-07", "10-08", "10-11", "10-12"], 1],
  ])("%s are a shift, before anything is omitted", async (_, days, shiftDays) => {
    const prices = pricesOn(days.map((day) => `2026-${day}`));
    expect(() => forwardReturns(prices)).toThrow(
      `use readPrices(prices, { shiftDays: ${shiftDays} }) to move all by a day`,
    );
    const { prices: moved, report } = await readPrices(prices, { shiftDays }).withReport();
    expect(report.isClean).toBe(true);
    expect(forwardReturns(moved, { periods: [1] }).sessions[0]).toBe("2026-10-05");
  });

  const STARTS = ["2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01"];
  test("first days of months are asked about, and are the closes of the last sessions with labels: start", async () => {
    expect(() => forwardReturns(pricesOn(STARTS), { frequency: "monthly" }))
      .toThrow('labels: "start"');
    const options = { frequency: "monthly", labels: "start" } as const;
    const ends = ["2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30"];
    expect(forwardReturns(pricesOn(STARTS), options).sessions).toEqual(ends);
    const { prices } = await readPrices(pricesOn(STARTS), options).withReport();
    expect(forwardReturns(prices, { frequency: "monthly" }).sessions).toEqual(ends);
  });

  test("a running last month is no month, and is said", () => {
    const dates = ["2026-07-31", "2026-08-31", "2026-09-30", "2026-10-30", "2026-11-10"];
    const { sessions, notes } = forwardReturns(pricesOn(dates), { frequency: "monthly" });
    expect(sessions).toEqual(dates.slice(0, 4));
    expect(notes.getColumn("what").toArray()).toEqual(["running"]);
  });

  test("the last closes of each ticker's months are taken, though a delisting ends one earlier", () => {
    const months = ["2026-07-31", "2026-08-31", "2026-09-30"];
    const prices = pl.concat([pricesOn(months), pricesOn(["2026-07-31", "2026-08-14"], "B")]);
    const { sessions, grid } = forwardReturns(prices, { frequency: "monthly" });
    expect(sessions).toEqual(months);
    expect(grid.prices[3]).toBe(10.2);
  });
});

describe("the level of closes that are marked as adjusted is not known on its date", () => {
  const prices = pricesOn(["2026-10-05", "2026-10-06"]).withColumns(
    pl.lit(true).alias("adjusted"),
    pl.lit(20).alias("raw"),
    pl.lit(0.5).alias("score"),
  );
  const advice = "got close, which is adjusted for later splits and dividends; use the column raw";

  test("in where", () => {
    const returns = forwardReturns(prices, { periods: [1] });
    const where = pl.col("close").gtEq(5);
    expect(() => align(prices, returns, { where })).toThrow(advice);
    expect(() => align(prices, returns, { where: pl.col("raw").gtEq(5) })).not.toThrow();
  });

  test("among exposures", () => {
    const weights = prices.select("date", "ticker").rename({ date: "session" })
      .withColumns(pl.lit(1).alias("weight"));
    expect(() => portfolioExposures(weights, prices, { on: ["close"] })).toThrow(advice);
    expect(() => neutralize(prices, { on: ["close"] })).toThrow(advice);
  });

  test("and a split beside closes that move with it says that they are raw", () => {
    const split = pl.DataFrame({
      date: ["2026-10-05", "2026-10-06"],
      ticker: ["A", "A"],
      close: [120, 81],
      split: [1, 1.5],
    });
    expect(() => forwardReturns(split)).toThrow(
      'use readPrices(prices, { factor: { split: "split" } })',
    );
    const adjusted = split.withColumns(pl.Series("close", [80, 81], pl.Float64));
    expect(() => forwardReturns(adjusted)).not.toThrow();
  });

  test("and returns are not made of raw ones, unless they are named", () => {
    const raw = prices.withColumns(pl.lit(false).alias("adjusted"));
    expect(() => forwardReturns(raw)).toThrow("got closes as traded (adjusted is none)");
    expect(() => forwardReturns(raw, { columns: { close: "close" } })).not.toThrow();
  });
});

describe("a frame of returns without closes", () => {
  const dates = ["2026-10-05", "2026-10-06", "2026-10-07"];
  const frame = (returns: readonly (number | null)[]) =>
    pl.DataFrame({ date: dates, ticker: ["A", "A", "A"] })
      .withColumns(pl.Series("ret", [...returns], pl.Float64));

  test("has the return of each session as the forward return of the one before", () => {
    const { data, market } = forwardReturns(frame([0.5, 0.01, -0.02]), { periods: [1, 2] });
    const [one, two] = ["return_1", "return_2"].map((name) => data.getColumn(name).toArray());
    expect(one).toEqual([expect.closeTo(0.01, 12), expect.closeTo(-0.02, 12), null]);
    expect(two![0]).toBeCloseTo(1.01 * 0.98 - 1, 12);
    expect(market.adjusted).toBe("all");
  });

  test("with a missing return has its move in the next one, and no close in between", () => {
    const { data } = forwardReturns(frame([0, null, 0.03]), { periods: [1, 2] });
    expect(data.getColumn("return_1").toArray()).toEqual([null, null, null]);
    expect(data.getColumn("return_2").get(0)).toBeCloseTo(0.03, 12);
  });

  test("in percent is refused with the call that reads it, which does", async () => {
    const percent = frame([1.5, -1.2, 2]);
    const call = 'readPrices(prices, { returns: "ret", percent: true })';
    expect(() => forwardReturns(percent)).toThrow(call);
    const closes = await readPrices(percent, { returns: "ret", percent: true });
    expect(forwardReturns(closes, { periods: [1] }).data.getColumn("return_1").get(0))
      .toBeCloseTo(-0.012, 12);
    expect(() => forwardReturns(frame([0, -99, 0]))).toThrow("got -99 on 2026-10-06 for A");
  });
});

test("the path of a text that was taken for its content is named with the call that reads it", () => {
  const taken = pl.readCSV("prices/closes.txt", { hasHeader: true });
  expect(() => forwardReturns(taken)).toThrow('readPrices("prices/closes.txt")');
});
