import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Adjustment, adjustPValues } from "../../../src/analysis/inference/adjust_p_values.ts";
import { expectNear } from "../../helpers/expect_near.ts";
import { knownInference } from "../known/inference.ts";

const { p, ...known } = (await knownInference()).adjusted;

describe.each(Object.keys(known) as Adjustment[])("adjustPValues by %s", (method) => {
  test("gives statsmodels' values", () => {
    for (const [i, value] of adjustPValues(p!, method).entries()) {
      expectNear(value, known[method]![i]!, 1e-12);
    }
  });

  test("leaves nulls where they are and does not count them", () => {
    const adjusted = adjustPValues([null, ...p!, null], method);
    expect(adjusted).toEqual([null, ...adjustPValues(p!, method), null]);
  });

  test("never makes a value smaller, never exceeds 1, and keeps the order", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true })), (values) => {
        const adjusted = adjustPValues(values, method) as number[];
        for (const [i, value] of adjusted.entries()) {
          expect(value).toBeGreaterThanOrEqual(values[i]!);
          expect(value).toBeLessThanOrEqual(1);
          for (const [j, other] of adjusted.entries()) {
            if (values[i]! < values[j]!) expect(value).toBeLessThanOrEqual(other);
          }
        }
      }),
      { numRuns: 50, seed: 2 },
    );
  });
});

test("numbers that are no p values and unknown methods are refused", () => {
  expect(() => adjustPValues([0.1, 1.2])).toThrow(RangeError);
  expect(() => adjustPValues([NaN])).toThrow(RangeError);
  expect(() => adjustPValues([0.1], "sidak" as never)).toThrow(/"holm", .*sidak/);
});

test("what is no number is refused, and not counted as a test", () => {
  expect(() => adjustPValues([0.1, undefined as never])).toThrow(/got nothing at 1/);
  expect(() => adjustPValues(["0.1" as never])).toThrow(RangeError);
});
