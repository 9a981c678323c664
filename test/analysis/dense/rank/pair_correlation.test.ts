import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyIcValues } from "../../../../src/analysis/dense/ic_values.ts";
import { type Orders, ordersOf, sideOf } from "../../../../src/analysis/dense/order/orders.ts";
import {
  NULL_REASONS,
  RankCorrelation,
} from "../../../../src/analysis/dense/rank/rank_correlation.ts";
import { runPairIc } from "../../../../src/analysis/threads/run_pair_ic.ts";
import { randomOf } from "../../_frames.ts";
import { plainRankIc } from "../_plain_rank_ic.ts";

const SESSIONS = 7;
const HORIZONS = 3;

// Piles, gaps, whole sessions without a value and sessions that have all: each way of the calculation is taken.
const VALUE = fc.oneof(
  fc.integer({ min: -2, max: 2 }),
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.constantFrom(1e-308, -1e300, 1e300),
).map((value) => value + 0);
const SESSION = (width: number) =>
  fc.oneof(
    fc.array(VALUE, { minLength: width, maxLength: width }),
    fc.array(
      fc.oneof({ arbitrary: fc.constant(NaN), weight: 1 }, { arbitrary: VALUE, weight: 4 }),
      {
        minLength: width,
        maxLength: width,
      },
    ),
    fc.constant(Array<number>(width).fill(NaN)),
    fc.constant(Array<number>(width).fill(0.5)),
  );
const SIDE = (width: number) =>
  fc.array(SESSION(width), { minLength: SESSIONS, maxLength: SESSIONS });
const PLACE = fc.integer({ min: -1, max: SESSIONS - 1 });
const CASE = fc.integer({ min: 1, max: 70 }).chain((width) =>
  fc.record({
    width: fc.constant(width),
    scores: SIDE(width),
    returns: fc.array(SIDE(width), { minLength: HORIZONS, maxLength: HORIZONS }),
    hasOneMask: fc.boolean(),
    pairs: fc.array(fc.tuple(PLACE, PLACE), { maxLength: 30 }),
    areSorted: fc.boolean(),
    minNames: fc.integer({ min: 0, max: 12 }),
  })
);

/** What the runner of pairs finds, from orders. */
function measure(
  scores: Orders,
  returns: readonly Orders[],
  pairs: readonly (readonly [number, number])[],
  minNames: number,
) {
  const results = returns.map(() => emptyIcValues(pairs.length));
  runPairIc({
    kind: "pair IC",
    ...{ scores, returns, minNames, results },
    scored: Int32Array.from(pairs, ([scored]) => scored),
    priced: Int32Array.from(pairs, ([, priced]) => priced),
  })(0, pairs.length);
  return results.map(({ values, counts, reasons }) =>
    pairs.map((_, i) => ({ rho: values[i], n: counts[i], reason: NULL_REASONS[reasons[i]!] }))
  );
}

describe("PairCorrelation", () => {
  test("gives the bits of the plain definition, whatever names, ties and gaps sessions have", () => {
    fc.assert(
      fc.property(CASE, ({ width, scores, returns, hasOneMask, pairs, areSorted, minNames }) => {
        const masked = returns.map((side) =>
          side.map((session, d) =>
            hasOneMask ? session.map((value, t) => value + 0 * returns[0]![d]![t]!) : session
          )
        );
        const asked = areSorted ? pairs.toSorted(([, a], [, b]) => a - b) : pairs;
        const found = measure(
          ordersOf(Float64Array.from(scores.flat()), width),
          masked.map((side) => ordersOf(Float64Array.from(side.flat()), width)),
          asked,
          minNames,
        );
        const none = { rho: NaN, n: 0, reason: "too_few_names" };
        expect(found).toEqual(
          masked.map((side) =>
            asked.map(([scored, priced]) =>
              scored === -1 || priced === -1
                ? none
                : plainRankIc(scores[scored]!, side[priced]!, minNames)
            )
          ),
        );
      }),
      { numRuns: 600 },
    );
  });

  test.each([
    ["1,500 names, with gaps and ties", 1_500, 0.1, 500],
    ["1,500 names, whole and distinct", 1_500, 0, Infinity],
    ["the most names that ranks by name are noted of", 23_170, 0, Infinity],
    ["the most names, with gaps", 23_170, 0.01, Infinity],
    ["one name more", 23_171, 0, Infinity],
    ["the most names, with gaps and ties", 23_170, 0.01, 9_000],
  ])("gives the bits of two sorted sides for %s", (_, width, missing, steps) => {
    const random = randomOf(width);
    const side = () =>
      ordersOf(
        Float64Array.from({ length: 5 * width }, (_, cell) => {
          if (random() < missing) return NaN;
          // The first session ascends by name on both sides: the largest sums that there are.
          const value = cell < width ? cell / width : random();
          return Number.isFinite(steps) ? Math.round(value * steps) / steps : value;
        }),
        width,
      );
    const [scores, returns] = [side(), side()];
    expect(scores.rows === null).toBe(width > 23_170);
    const pairs = [0, 1, 2, 3, 4].map((scored): [number, number] => [scored, 0]);
    const plain = new RankCorrelation(width);
    const expected = pairs.map(([scored, priced]) => ({
      rho: plain.measure(sideOf(scores, scored), sideOf(returns, priced), 10),
      n: plain.n,
      reason: NULL_REASONS[plain.reason],
    }));
    expect(measure(scores, [returns], pairs, 10)).toEqual([expected]);
    expect(expected[0]!.rho).toBeGreaterThan(0.99);
  });
});
