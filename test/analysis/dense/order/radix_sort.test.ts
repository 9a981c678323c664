import fc from "fast-check";
import { expect, test } from "vitest";
import { RadixSort } from "../../../../src/analysis/dense/order/radix_sort.ts";

test("RadixSort sorts places by the upper words of their values, and keeps the order of equal ones", () => {
  // Whole numbers below a million have nothing in their lower words.
  const values = fc.array(
    fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => value + 0),
  );
  fc.assert(
    fc.property(values, (values) => {
      const places = Int32Array.from(values.keys());
      const padded = Float64Array.from([Infinity, ...values]);
      new RadixSort(values.length).sort(places, values.length, { values: padded, base: 1 });
      expect([...places]).toEqual([...values.keys()].sort((a, b) => values[a]! - values[b]!));
    }),
  );
});
