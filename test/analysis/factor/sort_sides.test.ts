import { describe, expect, test } from "vitest";
import type { DenseScores } from "../../../src/analysis/dense/dense_scores.ts";
import { sortSides } from "../../../src/analysis/factor/sort_sides.ts";
import {
  align,
  forwardReturns,
  informationCoefficient,
  quantize,
  rankAutocorrelation,
} from "../../../src/analysis/mod.ts";
import { smallMarket } from "../_frames.ts";

const walk = { signal: new AbortController().signal, update: () => {} };

describe("sides that are sorted once for all questions", () => {
  test.each([[1, 12], [2, 25], [3, 60]])(
    "change no bit of any answer (market %i of %i names)",
    async (seed, names) => {
      const { scores, prices, groups } = smallMarket(seed, names);
      const aligned = align(scores, forwardReturns(prices, { periods: [1, 5] }), { groups });
      const sorted = await sortSides(aligned.dense, walk);
      expect(sorted.orders.size).toBe(3);
      // A part of the sessions reads the orders of all of them.
      const spans = [[sorted.from, sorted.to], [sorted.from + 7, sorted.to - 5]] as const;
      for (const [from, to] of spans) {
        const options = [
          {},
          { form: "oneSession" },
          { lags: [1, 3, 10] },
          { by: "age" },
          {
            by: "group",
          },
          { groupNeutral: true },
          { method: "pearson" },
        ] as const;
        const answer = (dense: DenseScores) => [
          ...options.map((one) => informationCoefficient({ dense: { ...dense, from, to } }, one)),
          rankAutocorrelation({ dense: { ...dense, from, to } }),
          quantize({ dense: { ...dense, from, to } }).data,
        ];
        const expected = answer(aligned.dense);
        expect(answer(sorted).map((frame, i) => frame.frameEqual(expected[i]!, true)))
          .toEqual(expected.map(() => true));
      }
    },
  );
});
