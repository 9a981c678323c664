import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { factorWeights, portfolioReturns } from "../../../src/analysis/mod.ts";

function weightsOf(scores: readonly number[], options: object = {}): unknown[] {
  const data = pl.DataFrame({
    session: scores.map(() => "2026-10-30"),
    ticker: scores.map((_, i) => `T${i}`),
    score: [...scores],
  });
  return factorWeights(data, { weighting: "equal", ...options }).data.getColumn("weight").toArray();
}

describe("equal weights", () => {
  test.each([
    ["the median is the lowest score", [0, 0, 0, 0, 1], [-0.125, -0.125, -0.125, -0.125, 0.5]],
    ["the median is the highest score", [0, 1, 1, 1, 1], [-0.5, 0.125, 0.125, 0.125, 0.125]],
    ["half of the names share an end", [0, 0, 0.5, 1], [-0.25, -0.25, 0.25, 0.25]],
    ["a name lies at the median", [0, 0.5, 1], [-0.5, 0, 0.5]],
    ["all are equal", [1, 1, 1], [0, 0, 0]],
  ])("have half a side each where %s", (_, scores, weights) => {
    expect(weightsOf(scores)).toEqual(weights);
  });

  test("have half a side each within groups, too", () => {
    const data = pl.DataFrame({
      session: Array(6).fill("2026-10-30"),
      ticker: ["A", "B", "C", "D", "E", "F"],
      score: [0, 0, 1, 0, 1, 1],
      group: ["x", "x", "x", "y", "y", "y"],
    });
    const weights = factorWeights(data, { weighting: "equal", neutral: "group" });
    expect(weights.data.getColumn("weight").toArray())
      .toEqual([-0.125, -0.125, 0.25, -0.25, 0.125, 0.125]);
  });

  test("are one-sided as alphalens' are, if so asked", () => {
    expect(weightsOf([0, 0, 0, 0, 1], { compat: "alphalens" })).toEqual([0, 0, 0, 0, 1]);
  });
});

describe("weights by rank", () => {
  // pandas: ranks = s.rank(); d = ranks - ranks.mean(); d / d.abs().sum()
  test.each([
    ["scores far apart", [0, 0.1, 100], [-0.5, 0, 0.5]],
    ["ties", [0.3, 0.1, 0.3, 0.9], [0, -0.5, 0, 0.5]],
    ["two of four at an end", [0.1, 0.1, 0.5, 0.7], [-0.25, -0.25, 0.125, 0.375]],
    ["equal scores", [0.3, 0.3, 0.3], [0, 0, 0]],
  ])("do not depend on distances: %s", (_, scores, weights) => {
    expect(weightsOf(scores, { weighting: "rank" })).toEqual(weights);
  });

  test("are all long where they are not neutral", () => {
    const weights = weightsOf([-3, 0.5, 9], { weighting: "rank", neutral: "none" });
    expect(weights).toEqual([1 / 6, 2 / 6, 3 / 6]);
  });
});

test("a session in which all scores are equal has no weights, and the book is kept as without scores", () => {
  const days = ["2026-10-26", "2026-10-27", "2026-10-28", "2026-10-29"];
  const data = (middle: number | null) =>
    pl.DataFrame({
      session: days.flatMap((day) => [day, day, day]),
      ticker: days.flatMap(() => ["A", "B", "C"]),
      score: [0.1, 0.5, 0.9, middle, middle, middle, 0.2, 0.5, 0.9, 0.1, 0.5, 0.9],
      return_1: [0.01, 0, 0.02, 0.03, 0.01, -0.01, 0.01, 0.02, 0.03, null, null, null],
    });
  for (const weighting of ["factor", "rank", "equal"] as const) {
    const [equal, none] = [0.5, null].map((score) => factorWeights(data(score), { weighting }));
    expect(equal!.data.toRecords()).toEqual(none!.data.toRecords());
    expect(portfolioReturns(data(0.5), equal!).getColumn("traded").toArray()[1]).toBe(0);
  }
});
