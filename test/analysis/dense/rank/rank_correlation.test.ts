import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plainRankCorrelation } from "./_plain_rank_correlation.ts";
import {
  NULL_REASONS,
  rankIcOfPairs,
} from "../../../../src/analysis/dense/rank/rank_correlation.ts";
import { sortedOrders } from "../../../../src/analysis/dense/rank/orders.ts";
import { randomOf } from "../../_frames.ts";

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
      { minLength: width, maxLength: width },
    ),
    fc.constant(Array<number>(width).fill(NaN)),
    fc.constant(Array<number>(width).fill(0.5)),
  );
const SIDE = (width: number) =>
  fc.array(SESSION(width), { minLength: SESSIONS, maxLength: SESSIONS });
const PLACE = fc.integer({ min: -1, max: SESSIONS - 1 });
const CASE = fc.integer({ min: 1, max: 70 }).chain((width) =>
  fc.record({
    scores: SIDE(width),
    returns: fc.array(SIDE(width), { minLength: HORIZONS, maxLength: HORIZONS }),
    hasOneMask: fc.boolean(),
    pairs: fc.array(fc.tuple(PLACE, PLACE), { maxLength: 30 }),
    areSorted: fc.boolean(),
    minNames: fc.integer({ min: 0, max: 12 }),
  })
);

type Sessions = readonly (readonly number[])[];

/** What the runner of pairs finds, from sorted sides. */
function measure(
  { scores, returns, pairs, minNames }: {
    readonly scores: Sessions;
    readonly returns: readonly Sessions[];
    readonly pairs: readonly (readonly [number, number])[];
    readonly minNames: number;
  },
) {
  const sorted = (side: Sessions) => sortedOrders(Float64Array.from(side.flat()), side[0]!.length);
  const results = rankIcOfPairs(sorted(scores), returns.map(sorted), {
    scored: Int32Array.from(pairs, ([scored]) => scored),
    priced: Int32Array.from(pairs, ([, priced]) => priced),
    minNames,
  });
  return results.map(({ values, counts, reasons }) =>
    pairs.map((_, i) => ({ rho: values[i], n: counts[i], reason: NULL_REASONS[reasons[i]!] }))
  );
}

describe("RankCorrelation", () => {
  test("gives the bits of the plain definition, whatever names, ties and gaps sessions have", () => {
    fc.assert(
      fc.property(CASE, ({ scores, returns, hasOneMask, pairs, areSorted, minNames }) => {
        const masked = returns.map((side) =>
          side.map((session, d) =>
            hasOneMask ? session.map((value, t) => value + 0 * returns[0]![d]![t]!) : session
          )
        );
        const asked = areSorted ? pairs.toSorted(([, a], [, b]) => a - b) : pairs;
        const none = { rho: NaN, n: 0, reason: "too_few_names" };
        expect(measure({ scores, returns: masked, pairs: asked, minNames })).toEqual(
          masked.map((side) =>
            asked.map(([scored, priced]) =>
              scored === -1 || priced === -1
                ? none
                : plainRankCorrelation(scores[scored]!, side[priced]!, minNames)
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
    ["2,000 names, with few gaps and ties", 2_000, 0.01, 900],
  ])("gives the bits of the plain definition for %s", (_, width, missing, steps) => {
    const random = randomOf(width);
    const side = () =>
      [0, 1, 2].map((session) =>
        Array.from({ length: width }, (_, name) => {
          if (random() < missing) return NaN;
          // The first session ascends by name on both sides: the largest sums that there are.
          const value = session === 0 ? name / width : random();
          return Number.isFinite(steps) ? Math.round(value * steps) / steps : value;
        })
      );
    const [scores, returns] = [side(), side()];
    const pairs = [0, 1, 2].map((scored): [number, number] => [scored, 0]);
    const expected = pairs.map(([a, b]) => plainRankCorrelation(scores[a]!, returns[b]!, 10));
    expect(measure({ scores, returns: [returns], pairs, minNames: 10 })).toEqual([expected]);
    expect(expected[0]!.rho).toBeGreaterThan(0.99);
  });

  test("is exact for 100,000 names, whose sums of products are the largest", () => {
    const ascending = Array.from({ length: 100_000 }, (_, name) => name);
    const of = { pairs: [[0, 0], [0, 1]], minNames: 10 } as const;
    const [[same, reversed]] = measure({
      scores: [ascending],
      returns: [[ascending, ascending.toReversed()]],
      ...of,
    }) as unknown as [[{ rho: number }, { rho: number }]];
    expect([same.rho, reversed.rho]).toEqual([1, -1]);
  });
});

test("plainRankCorrelation() is what scipy.stats.spearmanr gives", () => {
  // spearmanr([0.1, 0.4, 0.4, 0.9], [-0.02, 0.01, 0, 0.03]) after the pair with NaN is dropped
  const { rho, n } = plainRankCorrelation(
    [0.1, 0.4, 0.4, 0.9, 0.5],
    [-0.02, 0.01, 0, 0.03, NaN],
    2,
  );
  expect(rho).toBeCloseTo(0.9486832980505138, 15);
  expect(n).toBe(4);
});
