import pl from "nodejs-polars";
import { expect, test } from "vitest";
import { factorReturns, factorWeights, portfolioReturns } from "../../../src/analysis/mod.ts";

const data = pl.DataFrame({
  session: ["2026-10-29", "2026-10-29", "2026-10-29", "2026-10-30", "2026-10-30", "2026-10-30"],
  ticker: ["A", "B", "C", "A", "B", "C"],
  score: [0.25, 0.5, 0.75, 0.75, 0.5, 0.25],
  return_1: [null, 0.02, 0.04, 0.01, null, null],
});
const weights = factorWeights(data);

test("weight without a return is counted whichever side it is on, and returns are not rescaled", () => {
  const rows = factorReturns(data, weights).toRecords();
  expect(rows.map((row) => [row["return"], row["missing_weight"], row["n"]])).toEqual([
    [0.02, 0.5, 2],
    [0.005, 0.5, 1],
  ]);
});

test("the first session trades all of its positions, the next what changes on both sides", () => {
  const book = portfolioReturns(data.withColumns(pl.lit(0).alias("return_1")), weights);
  expect(book.getColumn("traded").toArray()).toEqual([1, 2]);
});
