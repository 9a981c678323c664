import fc from "fast-check";
import { expect, test } from "vitest";
import { shiftedIcMeans } from "../../../../src/analysis/cross_section/correlation/shifted_ic.ts";
import { plainRankCorrelation } from "../../dense/rank/_plain_rank_correlation.ts";
import { sortedOrders } from "../../../../src/analysis/threads/sorted_orders.ts";

const WIDTH = 12;
const VALUE = fc.oneof(
  fc.constant(NaN),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ min: -1, max: 1, noNaN: true }),
).map((value) => value + 0);
const SIDE = (sessions: number) =>
  fc.array(fc.array(VALUE, { minLength: WIDTH, maxLength: WIDTH }), {
    minLength: sessions,
    maxLength: sessions,
  });
const CASE = fc.integer({ min: 1, max: 50 }).chain((sessions) =>
  fc.record({
    scores: SIDE(sessions),
    returns: fc.array(SIDE(sessions), { minLength: 2, maxLength: 2 }),
    shifts: fc.array(fc.integer({ min: 0, max: sessions }), { minLength: 1, maxLength: 9 }),
    from: fc.integer({ min: 0, max: sessions - 1 }),
    minNames: fc.integer({ min: 2, max: 8 }),
  })
);

test("shiftedIcMeans() gives the bits of the plain mean over the sessions of each shift", () => {
  fc.assert(
    fc.property(CASE, ({ scores, returns, shifts, from, minNames }) => {
      const to = scores.length;
      const orders = (side: readonly (readonly number[])[]) =>
        sortedOrders(Float64Array.from(side.flat()), WIDTH);
      const dense = { from, to, periods: [1, 5], tickers: Array<string>(WIDTH).fill("") };
      const sides = { scores: orders(scores), returns: returns.map(orders) };
      const { steps, means } = shiftedIcMeans(dense, sides, shifts, minNames);
      for (const step of steps) step();
      const expected = returns.map((side) =>
        shifts.map((shift) => {
          let [sum, n] = [0, 0];
          for (let i = 0; i < to - from; i++) {
            const scored = scores[from + (i + shift) % (to - from)]!;
            const { rho } = plainRankCorrelation(scored, side[from + i]!, minNames);
            if (Number.isNaN(rho)) continue;
            sum += rho;
            n++;
          }
          return n === 0 ? NaN : sum / n;
        })
      );
      expect([...means().values()].map((values) => [...values])).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});
