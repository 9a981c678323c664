import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { integer, normal, seedOf, uniform } from "../../../src/server/world/random.ts";

const seed = fc.integer({ min: 0, max: 0xffffffff });
const place = fc.integer({ min: -1_000_000, max: 1_000_000_000_000 });

describe("the numbers of a world", () => {
  test("depend on seed and place alone, and lie where they should", () => {
    fc.assert(fc.property(seed, place, place, (s, a, b) => {
      expect(uniform(s, a, b)).toBe(uniform(s, a, b));
      expect(uniform(s, a, b)).toBeGreaterThanOrEqual(0);
      expect(uniform(s, a, b)).toBeLessThan(1);
      expect(Number.isFinite(normal(s, a, b))).toBe(true);
      const whole = integer(s, { from: -4, to: 5 }, a, b);
      expect(Number.isInteger(whole) && whole >= -4 && whole < 5).toBe(true);
    }));
  });

  test("are others for another purpose", () => {
    expect(seedOf(7, "market")).toBe(seedOf(7, "market"));
    expect(new Set([seedOf(7, "market"), seedOf(7, "listings"), seedOf(8, "market")]).size).toBe(3);
  });

  test("have the mean and the spread of their distributions", () => {
    const draws = Array.from({ length: 20_000 }, (_, i) => i);
    const mean = (values: number[]) =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(draws.map((i) => uniform(7, i)))).toBeCloseTo(0.5, 2);
    const normals = draws.map((i) => normal(7, i));
    expect(Math.abs(mean(normals))).toBeLessThan(0.03);
    expect(mean(normals.map((value) => value ** 2))).toBeCloseTo(1, 1);
    // A standard normal number exceeds 1.96 in absolute value in 5% of the cases.
    expect(mean(normals.map((value) => Math.abs(value) > 1.96 ? 1 : 0))).toBeCloseTo(0.05, 2);
  });
});
