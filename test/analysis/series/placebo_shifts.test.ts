import { describe, expect, test } from "vitest";
import { drawShifts, placeboShifts } from "../../../src/analysis/series/placebo_shifts.ts";

describe("drawShifts", () => {
  test("draws distinct shifts at least a quarter of the sample away", () => {
    const shifts = [...drawShifts(500)];
    expect(shifts).toHaveLength(199);
    expect(new Set(shifts).size).toBe(199);
    expect(Math.min(...shifts)).toBeGreaterThanOrEqual(125);
    expect(Math.max(...shifts)).toBeLessThanOrEqual(375);
    expect(shifts).toEqual(shifts.toSorted((a, b) => a - b));
  });

  test("takes all shifts that there are if there are fewer", () => {
    expect([...drawShifts(8)]).toEqual([2, 3, 4, 5, 6]);
    expect([...drawShifts(1)]).toEqual([]);
    expect([...drawShifts(0)]).toEqual([]);
  });

  test("is determined by its seed", () => {
    expect(drawShifts(900, { seed: 4 })).toEqual(drawShifts(900, { seed: 4 }));
    expect(drawShifts(900, { seed: 4 })).not.toEqual(drawShifts(900, { seed: 5 }));
    expect(() => drawShifts(900, { seeds: 4 } as never)).toThrow(/seeds/);
    expect(() => drawShifts(900, { draws: 1.5 })).toThrow(RangeError);
  });
});

test("placeboShifts repeats the calculation for each shift and keeps the means by horizon", () => {
  const { shifts, means } = placeboShifts(
    40,
    (shift) => new Map([[1, shift / 100], [5, shift % 2 === 0 ? null : 1]]),
    { draws: 5 },
  );
  expect([...means.get(1)!]).toEqual([...shifts].map((shift) => shift / 100));
  expect([...means.get(5)!]).toEqual([...shifts].map((shift) => shift % 2 === 0 ? NaN : 1));
});
