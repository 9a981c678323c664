import { expect, test } from "vitest";
import { toObservations } from "../../../src/analysis/inference/tested_mean.ts";

function at(places: readonly number[], horizon: number): number {
  const values = Float64Array.from(places, () => 1);
  return toObservations({ values, places: Int32Array.from(places), horizon }).overlap;
}

test("the overlap of daily values is their horizon", () => {
  const daily = Array.from({ length: 60 }, (_, i) => i);
  expect(at(daily, 1)).toBe(1);
  expect(at(daily, 21)).toBe(21);
});

test("the overlap is counted from the places, never assumed", () => {
  expect(at([0, 21, 42, 63], 21)).toBe(1);
  expect(at([0, 20, 40, 60], 21)).toBe(2);
  expect(at([0, 5, 10, 11], 10)).toBe(3);
  expect(at([7], 21)).toBe(1);
  expect(at([], 21)).toBe(1);
});

test("nulls are taken out, and the windows of the rest keep their places", () => {
  const series = {
    values: Float64Array.of(1, NaN, NaN, 4, 5),
    places: Int32Array.of(10, 11, 12, 13, 14),
    horizon: 3,
  };
  const { values, places, overlap } = toObservations(series);
  expect([...values]).toEqual([1, 4, 5]);
  expect([...places]).toEqual([10, 13, 14]);
  expect(overlap).toBe(2);
});
