import { expect, test } from "vitest";
import { ewcDegrees } from "../../../../src/analysis/inference/test_mean.ts";

test("the number of cosines is 0.2 n^(2/3), in whole numbers", () => {
  // 125 · 20³ = 1000², which floating point misses by a hair.
  expect(ewcDegrees(1_000, 1)).toBe(20);
  expect(ewcDegrees(999, 1)).toBe(19);
  expect(ewcDegrees(250, 1)).toBe(7);
  expect(ewcDegrees(500, 1)).toBe(12);
  expect(ewcDegrees(2_500, 1)).toBe(36);
  expect(ewcDegrees(1_000_000, 1)).toBe(2_000);
});

test("it is at least 4 for short samples", () => {
  expect(ewcDegrees(20, 1)).toBe(4);
  expect(ewcDegrees(60, 1)).toBe(4);
});

test("it is at most the number of windows over 2.5", () => {
  expect(ewcDegrees(500, 21)).toBe(9);
  expect(ewcDegrees(210, 21)).toBe(4);
  expect(ewcDegrees(209, 21)).toBe(3);
});
