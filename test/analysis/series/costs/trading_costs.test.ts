import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { tradingCosts } from "../../../../src/analysis/series/costs/costs.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { byDay, shuffled } from "../_frames.ts";

// The sessions of these series are days, one after the other.
const YEAR = { periodsPerYear: 252 };

const n = 40;
const gross = Array.from({ length: n }, (_, i) => 0.001 + 0.01 * Math.sin(i));
const amounts = Array.from({ length: n }, (_, i) => i % 2 === 0 ? 0.2 : 0.3);
const portfolio = byDay("return", gross).withColumns(pl.Series("traded", amounts, pl.Float64));
const mean = gross.reduce((sum, value) => sum + value, 0) / n;

test("a rate takes its share of what is traded from each session's return", () => {
  const [free, , ten] = tradingCosts(portfolio, YEAR).toRecords();
  expect(free).toMatchObject({ one_way_bps: 0, round_trip_bps: 0, sessions: n });
  expectNear(free!["traded"], 0.25);
  expectNear(free!["turnover"], 0.125);
  expectNear(free!["net"], mean);
  expectNear(ten!["gross"], mean);
  expectNear(ten!["net"], mean - 0.001 * 0.25);
  const wealth = gross.reduce(
    (product, value, i) => product * (1 + value - 0.001 * amounts[i]!),
    1,
  );
  expectNear(ten!["net_annual"], wealth ** (252 / n) - 1);
  expect(ten!["net_low"]).toBeLessThan(Number(ten!["net"]));
});

test("at the break-even rate nothing is left", () => {
  const [row] = tradingCosts(portfolio, YEAR).toRecords();
  const rate = row!["break_even_one_way_bps"] as number;
  expectNear(rate, mean / 0.25 * 10_000);
  const [left] = tradingCosts(portfolio, { ...YEAR, oneWayBps: [rate] }).toRecords();
  expect(Math.abs(Number(left!["net"]))).toBeLessThan(1e-15);
});

test("what was traded in a session without a return is charged to the next one, or to the last", () => {
  const rows = byDay("return", [0.01, null, 0.03])
    .withColumns(pl.Series("traded", [1, 9, 1], pl.Float64));
  const [row] = tradingCosts(rows, { ...YEAR, oneWayBps: [10] }).toRecords();
  // 11 traded over two returns: 0.01 − 0.001 and 0.03 − 0.010.
  expect(row).toMatchObject({ sessions: 2, traded: 5.5 });
  expectNear(row!["net"], 0.0145);
  const closing = byDay("return", [0.01, 0.03, null])
    .withColumns(pl.Series("traded", [1, 0, 1], pl.Float64));
  const [closed] = tradingCosts(closing, { ...YEAR, oneWayBps: [10] }).toRecords();
  expectNear(closed!["net"], 0.019);
});

test("the order of rows means nothing", () => {
  expect(tradingCosts(shuffled(portfolio), YEAR).toRecords()).toEqual(
    tradingCosts(portfolio, YEAR).toRecords(),
  );
});

test("nothing traded has no break-even, and wrong numbers are refused", () => {
  const still = portfolio.withColumns(pl.lit(0).cast(pl.Float64).alias("traded"));
  expect(tradingCosts(still, YEAR).toRecords()[0]!["break_even_one_way_bps"]).toBeNull();
  expect(() => tradingCosts(portfolio, { ...YEAR, oneWayBps: [-1] })).toThrow(RangeError);
  expect(() => tradingCosts(portfolio.withColumns(pl.lit(-1).alias("traded")))).toThrow(RangeError);
  expect(() => tradingCosts(byDay("return", gross))).toThrow(/traded/);
});
