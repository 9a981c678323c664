import { describe, expect, test } from "vitest";
import { drawShifts } from "../../../src/analysis/series/placebo_shifts.ts";

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
