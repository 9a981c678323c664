import { describe, expect, test } from "vitest";
import { placeInMiddle, testJointly } from "../../../src/analysis/selection/specification_curve.ts";
import { randomSource } from "../../../src/analysis/inference/bootstrap.ts";

function specification(overlap: number, days: readonly number[], values: readonly number[]) {
  return { overlap, series: { days: Int32Array.from(days), values: Float64Array.from(values) } };
}

describe("the values of a specification", () => {
  test("stand in the middle of their windows, less their mean, and are 0 in other sessions", () => {
    const columns = placeInMiddle([
      specification(1, [10, 11, 12, 15, 16, 17], [1, 2, 3, 4, 5, 9]),
      specification(5, [10, 11], [3, 5]),
      specification(4, [12, 15], [0, 1]),
    ]);
    expect(columns.map((column) => [...column])).toEqual([
      [-3, -2, -1, 0, 1, 5, 0, 0],
      [0, 0, -1, 1, 0, 0, 0, 0],
      [0, 0, 0, -0.5, 0.5, 0, 0, 0],
    ]);
  });

  test("are drawn in blocks of six times the longest overlap", () => {
    const random = randomSource(1);
    const days = Array.from({ length: 400 }, (_, day) => day);
    const values = days.map(() => random.uniform() - 0.5);
    const both = [1, 7].map((overlap) => specification(overlap, days, values));
    expect(testJointly(both, { draws: 99, seed: 1 }).block).toBe(42);
    expect(testJointly(both.slice(0, 1), { draws: 99, seed: 1 }).block).toBe(6);
  });
});
