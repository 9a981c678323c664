import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { tradeLiquidity } from "../../../src/analysis/portfolio/trade_liquidity.ts";
import { portfolioReturns } from "../../../src/analysis/portfolio/portfolio_returns.ts";
import { expectNear } from "../../helpers/expect_near.ts";
import { rowsOf } from "../series/_frames.ts";
import { DATA, MARKET, WEIGHTS } from "./_liquid_market.ts";

const measure = (
  market = MARKET,
  options: NonNullable<Parameters<typeof tradeLiquidity>[3]> = {},
) => rowsOf(tradeLiquidity(DATA, WEIGHTS, market, options));

describe("tradeLiquidity()", () => {
  test("has the impact and the capital limit that numpy gives", () => {
    const rows = measure();
    expect(rows).toHaveLength(35);
    const [first, second] = rows;
    expectNear(first!["return"], 0.0007119750370805388);
    expectNear(first!["traded"], 1);
    expectNear(first!["impact"], 2.2755290111921067e-05);
    expectNear(first!["capital_limit"], 3199.3185682627904);
    expect(first).toMatchObject({ binding: "B", missing_traded: 0, n: 4, reason: null });
    expectNear(second!["traded"], 0.36104531517201083);
    expectNear(second!["impact"], 5.1287167167522e-06);
    expectNear(second!["capital_limit"], 6573.491856645748);
    const last = rows.at(-1)!;
    expectNear(last["impact"], 4.873301240551002e-06);
    expectNear(last["capital_limit"], 7742.470544050979);
    expect(last).toMatchObject({ binding: "A", n: 4 });
  });

  test("has the returns and trades of portfolioReturns(), also where trades are rare", () => {
    const pick = (rows: readonly Record<string, unknown>[]) =>
      rows.map(({ session, traded, return: gain }) => ({ session, traded, gain }));
    for (const options of [{}, { rebalance: 5 }, { rebalance: 5, between: "restore" }] as const) {
      const expected = rowsOf(portfolioReturns(DATA, WEIGHTS, options));
      expect(pick(measure(MARKET, options))).toEqual(pick(expected));
    }
  });

  test("costs nothing and has no limit in a session without a trade", () => {
    const [, second] = measure(MARKET, { rebalance: 5 });
    expect(second).toMatchObject({
      traded: 0,
      impact: 0,
      capital_limit: null,
      binding: null,
      n: 0,
    });
    expect(second!["reason"]).toBe(null);
  });

  test("the limit rises with the participation, impact does not", () => {
    const [five] = measure();
    const [ten] = measure(MARKET, { participation: 0.1 });
    expectNear(ten!["capital_limit"], 2 * 3199.3185682627904);
    expect(ten!["impact"]).toBe(five!["impact"]);
  });

  test("one illiquid stock with less than a twentieth of the trades does not set the limit", () => {
    const data = pl.DataFrame({
      session: ["2026-10-26", "2026-10-26", "2026-10-27", "2026-10-27", "2026-10-28", "2026-10-28"],
      ticker: ["A", "B", "A", "B", "A", "B"],
      return_1: [0.01, 0.02, 0.02, 0.01, 0, 0],
      score: [1, 1, 1, 1, 1, 1],
    });
    const market = data.select("session", "ticker").withColumns(
      pl.when(pl.col("ticker").eq(pl.lit("A"))).then(pl.lit(1e6)).otherwise(pl.lit(1))
        .alias("value"),
    );
    const weights = (b: number) =>
      pl.DataFrame({
        session: ["2026-10-28", "2026-10-28"],
        ticker: ["A", "B"],
        weight: [1 - b, b],
      });
    const rows = (b: number) =>
      tradeLiquidity(data, weights(b), market, { window: 2, volume: "value", price: null })
        .toRecords();
    expect(rows(0.05)[0]).toMatchObject({ capital_limit: 0.05 * 1e6 / 0.95, binding: "B" });
    expect(rows(0.06)[0]).toMatchObject({ capital_limit: 0.05 / 0.06, binding: "B" });
  });

  test("names trades without a volume in half of the window, and a session of nothing else", () => {
    const ofA = pl.col("ticker").eq(pl.lit("A"));
    const unknown = MARKET.withColumns(
      pl.when(ofA).then(pl.lit(null)).otherwise(pl.col("volume")).alias("volume"),
    );
    const [first] = measure(unknown);
    const weight = WEIGHTS.getColumn("weight").toArray()[0] as number;
    expect(first).toMatchObject({ n: 3, reason: null });
    expectNear(first!["missing_traded"], Math.abs(weight));
    const [long] = measure(MARKET, { window: 51 });
    expect(long).toMatchObject({
      ...{ impact: null, capital_limit: null, binding: null, n: 0, reason: "too_few_windows" },
    });
    expectNear(long!["missing_traded"], 1);
    // Of 25 sessions before the first trade, a window of 50 has half.
    expect(measure(MARKET, { window: 50 })[0]).toMatchObject({ n: 4, reason: null });
  });

  test("a volume of 0 throughout is no volume", () => {
    const none = MARKET.withColumns(pl.lit(0).alias("volume"));
    expect(measure(none)[0]).toMatchObject({ n: 0, impact: null, reason: "too_few_windows" });
  });

  test("takes volumes in currency, of any other rows too, in any order", () => {
    const value = MARKET.withColumns(pl.col("close").mul(pl.col("volume")).alias("value"));
    const others = pl.concat([
      value.select("date", "ticker", "value").sort("value"),
      pl.DataFrame({ date: ["2020-01-02"], ticker: ["Z"], value: [1] }),
    ]);
    expect(measure(others, { volume: "value", price: null })).toEqual(measure());
  });

  test("refuses what it cannot read", () => {
    expect(() => measure(pl.concat([MARKET, MARKET.head(1)]))).toThrow(/one volume per/);
    const negative = MARKET.withColumns(pl.col("volume").mul(-1).alias("volume"));
    expect(() => measure(negative)).toThrow(/-1000 for \S+ A in row 0/);
    const strangers = MARKET.withColumns(pl.lit("Z").alias("ticker")).head(1);
    expect(() => measure(strangers)).toThrow(/volumes .* got none/);
    expect(() => measure(MARKET, { participation: 5 })).toThrow(
      /participation .* from 0\.000001 to 1, got 5/,
    );
    expect(() => measure(MARKET.drop("volume"))).toThrow("volume");
    expect(() => measure(MARKET, { price: 3 as never })).toThrow(/price .* got 3/);
  });
});
