import { describe, expect, test } from "vitest";
import type { DenseScores } from "../../../../src/analysis/dense/dense_frames.ts";
import {
  align,
  forwardReturns,
  informationCoefficient,
  quantize,
  rankAutocorrelation,
} from "../../../../src/analysis/mod.ts";
import {
  forgetOrders,
  sessionsOf,
  sortedOrders,
} from "../../../../src/analysis/dense/rank/orders.ts";
import { smallMarket } from "../../_frames.ts";

describe("sortedOrders()", () => {
  test("has the order, ties and average ranks of a session", () => {
    const [session] = [sessionsOf(sortedOrders(Float64Array.of(3, 1, NaN, 1), 4))(0)];
    expect([...session!.order.subarray(0, session!.count)]).toEqual([1, 3, 0]);
    expect([...session!.starts.subarray(0, session!.count)]).toEqual([1, 0, 1]);
    // Twice the ranks 3, 1.5, none and 1.5; one tie of two: 2³ − 2.
    expect([...session!.ranks]).toEqual([6, 3, 0, 3]);
    expect([...session!.mask]).toEqual([0b1011]);
    expect(session!.ties).toBe(6);
  });

  test("sorts a session once, and only those that are asked for", () => {
    const values = Float64Array.of(2, 1, 4, 3, 6, 5);
    const orders = sortedOrders(values, 2, [1, 2]);
    expect([...orders.counts]).toEqual([-1, 2, -1]);
    orders.order.set([9, 9], 2);
    expect(sortedOrders(values, 2)).toBe(orders);
    expect([...orders.order]).toEqual([1, 0, 9, 9, 1, 0]);
    forgetOrders(values);
    expect([...sortedOrders(values, 2).order]).toEqual([1, 0, 1, 0, 1, 0]);
  });

  test.each([[1, 12], [2, 25], [3, 60]])(
    "changes no bit of any answer when all sessions were sorted before (market %i of %i names)",
    (seed, names) => {
      const { scores, prices, groups } = smallMarket(seed, names);
      const { dense } = align(scores, forwardReturns(prices, { periods: [1, 5] }), { groups });
      const spans = [[dense.from, dense.to], [dense.from + 7, dense.to - 5]] as const;
      for (const [from, to] of spans) {
        const options = [
          {},
          { form: "oneSession" },
          { lags: [1, 3, 10] },
          { by: "age" },
          { by: "group" },
          { groupNeutral: true },
          { method: "pearson" },
        ] as const;
        const answer = (of: DenseScores) => [
          ...options.map((one) => informationCoefficient({ dense: { ...of, from, to } }, one)),
          rankAutocorrelation({ dense: { ...of, from, to } }),
          quantize({ dense: { ...of, from, to } }).data,
        ];
        const copy = (values: Float64Array) => values.slice();
        const fresh = {
          ...dense,
          scores: copy(dense.scores),
          returns: new Map([...dense.returns].map(([h, values]) => [h, copy(values)])),
        };
        for (const side of [dense.scores, ...dense.returns.values()]) sortedOrders(side, names);
        const expected = answer(fresh);
        expect(answer(dense).map((frame, i) => frame.frameEqual(expected[i]!, true)))
          .toEqual(expected.map(() => true));
      }
    },
  );
});
