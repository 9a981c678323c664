import fc from "fast-check";
import { expect, test } from "vitest";
import { ordersOf, sideOf } from "../../../../src/analysis/dense/order/orders.ts";
import { RankCorrelation } from "../../../../src/analysis/dense/rank/rank_correlation.ts";
import { RowCorrelation } from "../../../../src/analysis/dense/rank/row_correlation.ts";
import { sortedArrays, SortedScores } from "../../../../src/analysis/dense/order/sorted_scores.ts";

const VALUES = fc.oneof(
  fc.constant(NaN),
  fc.integer({ min: -2, max: 2 }),
  fc.double({ min: -1, max: 1, noNaN: true }),
).map((value) => value + 0);
const ROWS = fc.integer({ min: 1, max: 60 }).chain((width) =>
  fc.record({
    scores: fc.array(VALUES, { minLength: 2 * width, maxLength: 2 * width }),
    returns: fc.array(VALUES, { minLength: 2 * width, maxLength: 2 * width }),
    width: fc.constant(width),
    minNames: fc.integer({ min: 0, max: 5 }),
  })
);

test("RowCorrelation gives the bits, counts and reasons of two sorted sides", () => {
  fc.assert(
    fc.property(ROWS, ({ width, minNames, ...rows }) => {
      const [scores, returns] = [Float64Array.from(rows.scores), Float64Array.from(rows.returns)];
      const [x, y] = [ordersOf(scores, width), ordersOf(returns, width)];
      const [row, sides] = [new RowCorrelation(width), new RankCorrelation(width)];
      for (const session of [0, 1]) {
        const of = { values: returns, base: session * width };
        const found = row.measure(
          new SortedScores(sortedArrays(scores, width)).session(session),
          of,
          minNames,
        );
        expect(found).toBe(sides.measure(sideOf(x, session), sideOf(y, session), minNames));
        expect([row.n, row.reason]).toEqual([sides.n, sides.reason]);
      }
    }),
    { numRuns: 500 },
  );
});

test("SortedScores sorts the same scores once", () => {
  const scores = Float64Array.of(3, 1, NaN, 1);
  const arrays = sortedArrays(scores, 4);
  const { order, starts, count, hasTies } = new SortedScores(arrays).session(0);
  expect([...order.subarray(0, count)]).toEqual([1, 3, 0]);
  expect([...starts.subarray(0, count)]).toEqual([1, 0, 1]);
  expect(hasTies).toBe(true);
  expect(sortedArrays(scores, 4)).toBe(arrays);
  arrays.order.set([3, 1]);
  expect([...new SortedScores(sortedArrays(scores, 4)).session(0).order]).toEqual([3, 1, 0, 0]);
  expect(sortedArrays(scores.slice(), 4)).not.toBe(arrays);
});
