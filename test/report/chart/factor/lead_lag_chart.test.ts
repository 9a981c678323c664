import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../../src/analysis/factor/analyze_factor.ts";
import { leadLagChart } from "../../../../src/report/chart/mod.ts";
import { makeMarket } from "../../../helpers/market.ts";

async function draw(scoreOf: (next: number, noise: number) => number) {
  const { scores, prices } = makeMarket(120, scoreOf);
  return await drawn(scores, prices);
}

async function drawn(scores: pl.DataFrame, prices: pl.DataFrame) {
  const options = { entry: "same", progress: false, minNames: 5 } as const;
  return leadLagChart(await analyzeFactor(scores, prices, options));
}

describe("leadLagChart()", () => {
  test("says in noise that no entry stands out, and of how many the largest is", async () => {
    const { spec, description } = await draw((_, noise) => noise);
    expect(description).toMatch(/no other stands out, the largest of 16 \(/);
    expect(JSON.stringify(spec)).not.toContain("look-ahead");
  });

  test("names the usual entry where the scores know the next return", async () => {
    const { description } = await draw((next) => next);
    expect(description).toMatch(
      /^Mean IC 1\.000 \([^)]*\) at the usual entry, the largest of 16\./,
    );
    expect(description).not.toContain("look-ahead");
  });

  test("names a peak before the entry a return that no order could earn", async () => {
    const { prices } = makeMarket(120, () => 0);
    const before = pl.col("close").shift(1).over("ticker");
    const scores = prices.select("date", "ticker", pl.col("close").div(before).alias("score"));
    const { spec, description } = await drawn(scores, prices);
    expect(description).toMatch(
      /at the usual entry; 1\.000 1 session before it, the largest of 16, differs by 0\.\d{3} \(95% CI /,
    );
    expect(JSON.stringify(spec)).toContain("No order could earn it");
  });

  test("has an interval beneath each point, of the IC and of the ratio", async () => {
    const { spec } = await draw((_, noise) => noise);
    for (const [low, high] of [["low", "high"], ["sharpe_low", "sharpe_high"]]) {
      expect(JSON.stringify(spec)).toMatch(
        new RegExp(`"field":"${low}"[^}]*.{0,200}"y2":\\{"field":"${high}"`),
      );
    }
  });
});
