import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { capacity } from "../../../../src/analysis/series/costs/capacity.ts";
import { tradingCosts } from "../../../../src/analysis/series/costs/costs.ts";
import { tradeLiquidity } from "../../../../src/analysis/portfolio/trade_liquidity.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { DATA, MARKET, WEIGHTS } from "../../portfolio/_liquid_market.ts";
import { byDay } from "../_frames.ts";

const YEAR = { periodsPerYear: 252 };
const TRADES = tradeLiquidity(DATA, WEIGHTS, MARKET);
const COSTS = { coefficient: 0.8, halfSpreadBps: 0.5 };

function rowsAt(trades: DataFrame, options: Parameters<typeof capacity>[1]) {
  return capacity(trades, { ...YEAR, ...options }).toRecords();
}

/** Returns of 1%, trades of all capital, an impact of √C / 1000. */
function steady(sessions: number, gain: number | null = 0.01): DataFrame {
  return byDay("return", Array.from({ length: sessions }, () => gain)).withColumns(
    pl.lit(1).alias("traded"),
    pl.lit(0.001).alias("impact"),
    pl.lit(50).alias("capital_limit"),
  );
}

describe("capacity()", () => {
  test("has the costs, the net return and the break-even that numpy gives", () => {
    const [small, large] = rowsAt(TRADES, { ...COSTS, capital: [10, 7000] });
    expect(small).toMatchObject({ capital: 10, sessions: 35, missing: 0, within_limit: 1 });
    expectNear(small!.gross, 3.585744497896561e-05, 1e-8);
    expectNear(small!.spread_cost, 1.8544462717863693e-05);
    expectNear(small!.impact_cost, 1.2753392333610925e-05);
    expectNear(small!.net, 4.5595899274909334e-06, 1e-8);
    expectNear(small!.net_annual, -0.0012268516297609944, 1e-8);
    expectNear(small!.profit_annual, 0.011490166617277153, 1e-8);
    expectNear(small!.break_even_capital, 18.42859933106364, 1e-8);
    expect(large).toMatchObject({ capital: 7000, within_limit: 0.8 });
    expectNear(large!.net, -0.0003201100626106201);
    expectNear(large!.profit_annual, -564.6741504451338);
    expect(large!.break_even_capital).toBe(small!.break_even_capital);
  });

  test("nothing is left at the break-even capital, and the profit is largest at 4/9 of it", () => {
    const even = Number(rowsAt(TRADES, { ...COSTS, capital: 1 })[0]!.break_even_capital);
    const best = (4 / 9) * even;
    const rows = rowsAt(TRADES, { ...COSTS, capital: [even, 0.95 * best, best, 1.05 * best] });
    expect(Math.abs(Number(rows[0]!.net))).toBeLessThan(1e-18);
    const [less, most, more] = rows.slice(1).map(({ profit_annual }) => Number(profit_annual));
    expect(Math.max(less!, more!)).toBeLessThan(most!);
  });

  test("without impact and spread is the gross return, which tradingCosts() has of the same frame", () => {
    const [row] = rowsAt(TRADES, { coefficient: 0, capital: 1e9 });
    const [costs] = tradingCosts(TRADES, { ...YEAR, oneWayBps: 0 }).toRecords();
    expect([row!.net, row!.net_low, row!.net_high]).toEqual([
      costs!.net,
      costs!.net_low,
      costs!.net_high,
    ]);
    expect([row!.impact_cost, row!.break_even_capital]).toEqual([0, null]);
  });

  test("has an interval of the break-even that holds it", () => {
    const varied = byDay(
      "return",
      Array.from({ length: 200 }, (_, i) => 0.01 + 0.005 * ((i * 7) % 5 - 2)),
    )
      .withColumns(
        pl.lit(1).alias("traded"),
        pl.lit(0.001).alias("impact"),
        pl.lit(50).alias("capital_limit"),
      );
    const [row] = rowsAt(varied, { capital: 1 });
    expectNear(row!.break_even_capital, 100);
    // Impact does not vary: the interval is that of the mean return, divided by 0.001 and squared.
    expectNear(row!.break_even_low, (1000 * (Number(row!.net_low) + 0.001)) ** 2);
    expectNear(row!.break_even_high, (1000 * (Number(row!.net_high) + 0.001)) ** 2);
  });

  test("is 0 where the spread alone costs the return", () => {
    const [row] = rowsAt(steady(30, 0.0001), { capital: 1, halfSpreadBps: 5 });
    expect(row!.break_even_capital).toBe(0);
  });

  test("leaves sessions out whose impact is not known, and counts them", () => {
    const trades = pl.concat([
      steady(30),
      byDay("return", Array.from({ length: 32 }, () => 0.5)).tail(2).withColumns(
        pl.lit(1).alias("traded"),
        pl.lit(null).cast(pl.Float64).alias("impact"),
        pl.lit(null).cast(pl.Float64).alias("capital_limit"),
      ),
    ]);
    const [row] = rowsAt(trades, { capital: 25 });
    expect(row).toMatchObject({ sessions: 30, missing: 2, within_limit: 1 });
    expectNear(row!.net, 0.005);
  });

  test("charges the impact of a session without a return to the next one", () => {
    const trades = pl.concat([steady(1, null), steady(31).tail(30)]);
    const [row] = rowsAt(trades, { capital: 100 });
    expect(row!.sessions).toBe(30);
    expectNear(row!.impact_cost, 0.01 * 31 / 30);
  });

  test("states no numbers of no sessions", () => {
    const [row] = rowsAt(steady(0), { capital: 100 });
    expect(row).toMatchObject({
      ...{ sessions: 0, gross: null, net: null, profit_annual: null, within_limit: null },
      break_even_capital: null,
    });
  });

  test("refuses what it cannot read", () => {
    expect(() => rowsAt(TRADES, { capital: [1e6, 0] })).toThrow(
      /capital .* above 0, or several, got/,
    );
    expect(() => rowsAt(TRADES, { capital: [] })).toThrow(/capital .* got an empty array/);
    expect(() => rowsAt(TRADES, { halfSpreadBps: -1 })).toThrow(/number of at least 0/);
    expect(() => rowsAt(TRADES.drop("impact"), {})).toThrow("impact");
    const negative = steady(3).withColumns(pl.lit(-1).alias("impact"));
    expect(() => rowsAt(negative, {})).toThrow(/impact .* got -1/);
  });
});
