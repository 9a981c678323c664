import pl from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { align } from "../../../src/analysis/aligned/align.ts";
import { forwardReturns } from "../../../src/analysis/aligned/prices/forward_returns.ts";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { judgement } from "../../../src/analysis/judgement/judgement.ts";
import { factorWeights } from "../../../src/analysis/portfolio/factor_weights.ts";
import { tradeLiquidity } from "../../../src/analysis/portfolio/trade_liquidity.ts";
import { capacity, holdingPeriods } from "../../../src/analysis/series/costs/capacity.ts";
import { tearSheet } from "../../../src/report/sheet/tear_sheet.ts";
import { smallMarket } from "../_frames.ts";

const { scores, prices } = smallMarket(4, 25, 90);
const aligned = align(scores, forwardReturns(prices, { periods: [1] }));
const weights = factorWeights(aligned);
const volumes = prices.select("date", "ticker", "close").withColumns(
  pl.lit(20_000).alias("volume"),
  pl.lit("none").alias("adjusted"),
);
const CAPITAL = capacity(tradeLiquidity(aligned, weights, volumes), { capital: [1e4, 1e6] });
const HOLDING = holdingPeriods(aligned, weights, { holding: [1, 5], oneWayBps: 1 });

describe("a judgement with holding periods and capacity", () => {
  let analysis: FactorAnalysis;
  beforeAll(async () => {
    analysis = await analyzeFactor(scores, prices, {
      ...{ periods: [1], lags: [1], progress: false },
    });
  });

  test("states the holding period of the highest net return, with its interval", () => {
    const { facts } = judgement(analysis, { holdingPeriods: HOLDING });
    const best = HOLDING.sort("net", true).toRecords()[0]!;
    expect(facts.filter(pl.col("source").eq(pl.lit("holdingPeriods"))).toRecords()).toEqual([{
      topic: "Turnover and costs",
      statement: expect.stringMatching(
        new RegExp(
          `^With positions held for ${best.holding} sessions? and a cost of 1 bps one way, .* best of 2 holding`,
        ),
      ),
      ...{ value: best.net, low: best.net_low, high: best.net_high, n: best.sessions },
      source: "holdingPeriods",
    }]);
  });

  test("states the break-even capital and the participation of the largest capital", () => {
    const { facts } = judgement(analysis, { capacity: CAPITAL });
    const [small, large] = CAPITAL.toRecords();
    const own = facts.filter(pl.col("source").eq(pl.lit("capacity"))).toRecords();
    expect(own.map(({ value, n }) => ({ value, n }))).toEqual([
      { value: small!.break_even_capital, n: small!.sessions },
      { value: large!.within_limit, n: large!.sessions },
    ]);
    expect(own[1]!["statement"]).toContain("A capital of 1 million stays within");
  });

  test("has neither where nothing is given, or nothing is known", () => {
    expect(judgement(analysis).text).not.toMatch(/holding period|participation/);
    const unknown = CAPITAL.withColumns(
      pl.lit(null).cast(pl.Float64).alias("break_even_capital"),
      pl.lit(null).cast(pl.Float64).alias("within_limit"),
    );
    const { text } = judgement(analysis, { capacity: unknown as never });
    expect(text).toBe(judgement(analysis).text);
  });

  test("stands on the sheet, whose tables have one unit", () => {
    const sheet = tearSheet(analysis, {
      ...{ parts: ["judgement", "costs"], holdingPeriods: HOLDING, capacity: CAPITAL },
    });
    const text = sheet.text.replace(/\s+/g, " ");
    expect(text).toContain("by holding period");
    expect(text).toContain("by capital, with");
    expect(text).toContain("impact cost, bps");
    expect(text).toMatch(/positions held for \d/);
    expect(text).toContain("participation limit");
  });

  test("refuses another frame, and one without rows", () => {
    expect(() => judgement(analysis, { capacity: HOLDING as never })).toThrow(
      /capacity\(\), got a DataFrame/,
    );
    expect(() => judgement(analysis, { holdingPeriods: HOLDING.head(0) as never })).toThrow(
      /holdingPeriods\(\), got/,
    );
    expect(() => judgement(analysis, { capacity: null as never })).toThrow("got null");
  });
});
