import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { exportPortfolio } from "../../../src/analysis/portfolio/portfolio_returns.ts";
import { factorWeights } from "../../../src/analysis/portfolio/factor_weights.ts";
import { rowsOf } from "../series/_frames.ts";

// A Friday, the Monday after, and the Tuesday.
const SESSIONS = ["2026-10-30", "2026-11-02", "2026-11-03"];
const data = pl.DataFrame({
  session: SESSIONS.flatMap((session) => [session, session, session]),
  ticker: SESSIONS.flatMap(() => ["A", "B", "NA"]),
  score: [0.25, 0.5, 0.75, 0.75, 0.5, 0.25, 0.25, null, 0.75],
  return_1: [0.25, 0.5, 0.75, null, null, null, null, null, null],
});

describe("exportPortfolio", () => {
  const exported = exportPortfolio(data, factorWeights(data));

  test("dates a return at the session in which it was earned, without days in between", () => {
    expect(rowsOf(exported.returns)).toEqual([
      { date: "2026-11-02", return: 0.25 },
      { date: "2026-11-03", return: null },
    ]);
    expect(rowsOf(exported.benchmark)).toEqual([
      { date: "2026-11-02", benchmark: 0.5 },
      { date: "2026-11-03", benchmark: null },
    ]);
  });

  test("has a column a ticker, 0 where it is not held, and the rest of the capital in cash", () => {
    expect(rowsOf(exported.positions)).toEqual([
      { date: "2026-10-30", A: -0.5, B: 0, NA: 0.5, cash: 1 },
      { date: "2026-11-02", A: 0.5, B: 0, NA: -0.5, cash: 1 },
      { date: "2026-11-03", A: -0.5, B: 0, NA: 0.5, cash: 1 },
    ]);
  });

  test("leaves out of the cash what weights that do not cancel take", () => {
    const weights = pl.DataFrame({
      session: ["2026-10-30", "2026-10-30"],
      ticker: ["A", "NA"],
      weight: [0.25, 0.5],
    });
    const [first, second] = rowsOf(exportPortfolio(data, weights).positions);
    expect(first).toEqual({ date: "2026-10-30", A: 0.25, B: 0, NA: 0.5, cash: 0.25 });
    // Prices made 0.25 · 1.25 of A and 0.5 · 1.75 of NA, of a capital of 1.4375.
    expect(second!["A"]).toBeCloseTo(0.3125 / 1.4375, 12);
    expect(second!["NA"]).toBeCloseTo(0.875 / 1.4375, 12);
    expect(second!["cash"]).toBeCloseTo(0.25 / 1.4375, 12);
  });

  test("refuses a ticker that would be taken for another column", () => {
    const named = data.withColumns(
      pl.when(pl.col("ticker").eq(pl.lit("B"))).then(pl.lit("cash")).otherwise(pl.col("ticker"))
        .alias("ticker"),
    );
    expect(() => exportPortfolio(named, factorWeights(named))).toThrow(/got cash; rename it/);
  });
});
