import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  exportPortfolio,
  factorReturns,
  portfolioReturns,
  positions,
} from "../../../src/analysis/mod.ts";

const data = pl.DataFrame({
  session: ["2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30"],
  ticker: ["A", "B", "A", "B"],
  score: [0.25, 0.75, 0.75, 0.25],
  return_1: [0.01, 0.02, 0.03, 0.01],
});
const weightsOf = (rows: readonly (readonly [string, string | null, number | null])[]) =>
  pl.DataFrame([
    pl.Series("session", rows.map(([session]) => session), pl.Utf8),
    pl.Series("ticker", rows.map(([, ticker]) => ticker), pl.Utf8),
    pl.Series("weight", rows.map(([, , weight]) => weight), pl.Float64),
  ]);

describe.each<[string, (weights: DataFrame) => unknown]>([
  ["positions()", (weights) => positions(weights, { holding: 1 })],
  ["factorReturns()", (weights) => factorReturns(data, weights)],
  ["portfolioReturns()", (weights) => portfolioReturns(data, weights)],
  ["exportPortfolio()", (weights) => exportPortfolio(data, weights)],
])("%s refuses", (_name, take) => {
  test.each<[string, DataFrame, string]>([
    [
      "two weights of a name in a session, of which one would count",
      weightsOf([["2026-10-29", "A", 0.5], ["2026-10-29", "B", -0.5], ["2026-10-29", "A", 0.25]]),
      "expected one weight per session and ticker, got 2026-10-29 A again in row 2; drop duplicates",
    ],
    [
      "a weight that is null",
      weightsOf([["2026-10-29", "A", 0.5], ["2026-10-29", "B", null]]),
      "expected a weight in every row, got null or NaN for 2026-10-29 B in row 1",
    ],
    [
      "a weight that is NaN",
      weightsOf([["2026-10-29", "A", NaN]]),
      "expected a weight in every row, got null or NaN for 2026-10-29 A in row 0",
    ],
    [
      "a weight of no ticker",
      weightsOf([["2026-10-29", "A", 1], ["2026-10-29", null, 1]]),
      "got 2026-10-29 without a ticker in row 1",
    ],
    ["weights of which a filter left none", weightsOf([]), "at least one row of weights, got none"],
  ])("%s", (_what, weights, message) => {
    expect(() => take(weights)).toThrow(message);
  });
});
