import { describe, expect, test } from "vitest";
import { noiseControl, noiseShifts } from "../../../src/analysis/series/noise_control.ts";

describe("noiseShifts", () => {
  test("draws distinct shifts at least a quarter of the sample away", () => {
    const shifts = [...noiseShifts(500)];
    expect(shifts).toHaveLength(199);
    expect(new Set(shifts).size).toBe(199);
    expect(Math.min(...shifts)).toBeGreaterThanOrEqual(125);
    expect(Math.max(...shifts)).toBeLessThanOrEqual(375);
    expect(shifts).toEqual(shifts.toSorted((a, b) => a - b));
  });

  test("takes all shifts that there are if there are fewer", () => {
    expect([...noiseShifts(8)]).toEqual([2, 3, 4, 5, 6]);
    expect([...noiseShifts(1)]).toEqual([]);
    expect([...noiseShifts(0)]).toEqual([]);
  });

  test("is determined by its seed", () => {
    expect(noiseShifts(900, { seed: 4 })).toEqual(noiseShifts(900, { seed: 4 }));
    expect(noiseShifts(900, { seed: 4 })).not.toEqual(noiseShifts(900, { seed: 5 }));
    expect(() => noiseShifts(900, { seeds: 4 } as never)).toThrow(/seeds/);
    expect(() => noiseShifts(900, { draws: 1.5 })).toThrow(RangeError);
  });
});

test("noiseControl repeats the calculation for each shift and keeps the means by horizon", () => {
  const { shifts, means } = noiseControl(
    40,
    (shift) => new Map([[1, shift / 100], [5, shift % 2 === 0 ? null : 1]]),
    { draws: 5 },
  );
  expect([...means.get(1)!]).toEqual([...shifts].map((shift) => shift / 100));
  expect([...means.get(5)!]).toEqual([...shifts].map((shift) => shift % 2 === 0 ? NaN : 1));
});
