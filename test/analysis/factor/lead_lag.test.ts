import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { AnalyzeFactorOptions } from "../../../src/analysis/factor/analysis_options.ts";
import { makeMarket, type Market } from "../../helpers/market.ts";

const OPTIONS: AnalyzeFactorOptions = {
  entry: "same",
  progress: false,
  minNames: 5,
  lags: [1, 2, 3],
  oneWayBps: [0, 7, 30],
};

async function leadLagOf({ scores, prices }: Market, options: AnalyzeFactorOptions = {}) {
  const { detail } = await analyzeFactor(scores, prices, { ...OPTIONS, ...options });
  return detail.leadLag.toRecords();
}

/** A market whose scores are the returns of the session that ended with them. */
function known(market: Market): Market {
  const { prices } = market;
  const before = pl.col("close").shift(1).over("ticker");
  const score = prices.select("date", "ticker", pl.col("close").div(before).alias("score"));
  return { prices, scores: score.filter(pl.col("score").isNotNull()) };
}

describe("the table of entries before and after the usual one", () => {
  test("has the IC and the Sharpe ratio of the analysis at the usual entry", async () => {
    const { scores, prices } = makeMarket(120, (next, noise) => next + 0.03 * noise);
    const analysis = await analyzeFactor(scores, prices, { ...OPTIONS, oneWayBps: [0] });
    const row = analysis.detail.leadLag.toRecords().find(({ lag }) => lag === 0)!;
    const [mean] = analysis.summary.table.toRecords();
    const [ratio] = analysis.performance.toRecords();
    for (const name of ["mean", "low", "high"] as const) expect(row[name]).toBe(mean![name]);
    for (const name of ["sharpe", "sharpe_low", "sharpe_high"] as const) {
      expect(row[name]).toBeCloseTo(ratio![name]!, 12);
    }
  });

  test("goes from five sessions before the entry to ten after it, at the middle cost", async () => {
    const rows = await leadLagOf(makeMarket(60, (_, noise) => noise));
    expect(rows.map(({ lag }) => lag))
      .toEqual([-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(rows.map((row) => row.one_way_bps))).toEqual(new Set([7]));
  });

  test("peaks at the entry where scores know the next return, and nowhere else", async () => {
    const rows = await leadLagOf(makeMarket(120, (next) => next));
    const [best, ...others] = rows.toSorted((a, b) => b.mean! - a.mean!);
    expect([best!.lag, best!.mean]).toEqual([0, 1]);
    expect(Math.max(...others.map(({ mean }) => mean!))).toBeLessThan(0.15);
    expect(rows.toSorted((a, b) => b.sharpe! - a.sharpe!)[0]!.lag).toBe(0);
  });

  test.each([["same", -1], ["next", -2]] as const)(
    "peaks before the entry %s where scores are the last return",
    async (entry, lag) => {
      const rows = await leadLagOf(known(makeMarket(120, () => 0)), { entry });
      const of = (name: "mean" | "sharpe") => rows.toSorted((a, b) => b[name]! - a[name]!)[0]!.lag;
      expect([of("mean"), of("sharpe")]).toEqual([lag, lag]);
    },
  );
});
