import { expect, test } from "vitest";
import { meanRanks, rankCorrelation } from "../../../src/base/statistics/mean_ranks.ts";

test("equal values share the mean of their ranks, and each NaN stands alone", () => {
  expect([...meanRanks([3, 1, 3, 2])]).toEqual([3.5, 1, 3.5, 2]);
  expect(meanRanks([NaN, 1, NaN]).toSorted()).toHaveLength(3);
  expect(rankCorrelation([1, 2, 3], [1, 4, 9])).toBe(1);
  expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBeNaN();
});
