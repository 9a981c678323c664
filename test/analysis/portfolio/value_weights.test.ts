import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { factorWeights, meanReturnByQuantile, quantileSpread } from "../../../src/analysis/mod.ts";

const TICKERS = ["A", "B", "C", "D"];
const CAPS = [1, 3, 2, 6];

/** Rows of quantiles by session, whose stocks return 1 to 4%. */
function rowsOf(quantiles: readonly (readonly number[])[]): DataFrame {
  return pl.DataFrame(quantiles.flatMap((own, d) =>
    own.map((quantile, i) => ({
      session: `2026-10-${26 + d}`,
      ticker: TICKERS[i]!,
      score: quantile / 10,
      quantile,
      cap: CAPS[i]!,
      return_1: (i + 1) / 100,
    }))
  ));
}

const weightsOf = (data: DataFrame, options: Parameters<typeof factorWeights>[1]) =>
  factorWeights(data, options).data.sort(["session", "ticker"]).getColumn("weight").toArray();

describe("weights by the value of a column", () => {
  const data = rowsOf([[1, 1, 2, 2]]);

  test("are those of the mean returns of quantiles and of their spread", () => {
    const weighting = { value: "cap" };
    const [low, high] = meanReturnByQuantile(data, { weighting, bySession: true }).toRecords();
    expect(low!.mean).toBeCloseTo((1 * 0.01 + 3 * 0.02) / 4, 12);
    expect(high!.mean).toBeCloseTo((2 * 0.03 + 6 * 0.04) / 8, 12);
    // All stocks by their value: 0.37 / 12.
    expect(low!.mean_excess).toBeCloseTo(0.0175 - 0.37 / 12, 12);
    const [spread] = quantileSpread(data, { weighting }).data.getColumn("spread").toArray();
    expect(spread).toBeCloseTo(0.0375 - 0.0175, 12);
  });

  test("are those of a portfolio: half of the gross weight a side", () => {
    expect(weightsOf(data, { weighting: { value: "cap" } })).toEqual([
      -0.125,
      -0.375,
      0.125,
      0.375,
    ]);
  });

  test("leave out what is below a floor in the session of the score", () => {
    const minimum = { column: "cap", at: 2 };
    expect(weightsOf(data, { weighting: "quantile", minimum })).toEqual([-0.5, 0.25, 0.25]);
  });

  test("hold a stock until it leaves the buffer, and refuse one of other weightings", () => {
    const moving = rowsOf([[1, 2, 4, 3], [1, 2, 3, 4], [1, 3, 2, 4]]);
    const buffer = { enter: 4, leave: 3 };
    expect(weightsOf(moving, { weighting: "quantile", buffer })).toEqual([
      ...[-0.5, 0, 0.5, 0],
      // C stays in quantile 3, D enters in 4; below 3 C leaves.
      ...[-0.5, 0, 0.25, 0.25],
      ...[-0.5, 0, 0, 0.5],
    ]);
    expect(() => factorWeights(moving, { buffer })).toThrow("expected a buffer with weighting");
    const shrunk = data.withColumns(pl.col("cap").mul(pl.lit(-1)).alias("cap"));
    expect(() => factorWeights(shrunk, { weighting: { value: "cap" } })).toThrow(
      "expected weights of at least 0 in the column cap, got -1",
    );
  });
});
