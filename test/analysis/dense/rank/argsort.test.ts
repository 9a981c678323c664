import fc from "fast-check";
import { expect, test } from "vitest";
import { Argsort } from "../../../../src/analysis/dense/rank/orders.ts";

const VALUES = fc.oneof(
  fc.double({ noNaN: true }),
  fc.integer({ min: -3, max: 3 }),
  // Values that share their upper words and differ below.
  fc.integer({ min: 0, max: 2 ** 30 }).map((n) => 1 + n * Number.EPSILON),
).map((value) => value + 0);

test("Argsort sorts places by value, and equal values by place", () => {
  fc.assert(
    fc.property(fc.array(VALUES, { maxLength: 400, size: "max" }), (values) => {
      const places = Int32Array.from(values.keys());
      const padded = Float64Array.from([Infinity, ...values]);
      new Argsort(values.length).sort(places, values.length, { values: padded, base: 1 });
      const expected = [...values.keys()].sort((a, b) =>
        values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : a - b
      );
      expect([...places]).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test("Argsort sorts values that differ in their lower words only", () => {
  const values = Float64Array.from(
    { length: 5_000 },
    (_, i) => 1 + (i * 7919 % 5_000) * Number.EPSILON,
  );
  const places = Int32Array.from(values.keys());
  new Argsort(values.length).sort(places, values.length, { values, base: 0 });
  expect(places.every((place, i) => i === 0 || values[places[i - 1]!]! <= values[place]!)).toBe(
    true,
  );
});

test("Argsort sorts values beside an outlier, which leaves them in one bin", () => {
  const values = Float64Array.from({ length: 3_000 }, (_, i) => (i * 7919 % 3_000) / 3_000);
  values[17] = 1e300;
  values[18] = -1e300;
  const places = Int32Array.from(values.keys());
  new Argsort(values.length).sort(places, values.length, { values, base: 0 });
  expect([...places]).toEqual([...values.keys()].sort((a, b) => values[a]! - values[b]!));
});
