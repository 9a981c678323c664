import fc from "fast-check";
import { expect, test } from "vitest";
import { findPiles } from "../../../src/analysis/description/score_distribution.ts";

const SCORE = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ min: -1, max: 1, noNaN: true }),
  fc.constantFrom(NaN, 1e-320, 2e-320, 1e308, -1e308, 0.1 + 0.2, 0.3),
).map((score) => score + 0);

test("findPiles() finds each score that so many rows have, however far scores are apart", () => {
  fc.assert(
    fc.property(
      fc.array(SCORE, { maxLength: 200 }),
      fc.constantFrom(2, 2.5, 7),
      (scores, rows) => {
        const known = scores.filter((score) => !Number.isNaN(score));
        const counts = new Map<number, number>();
        for (const score of known) counts.set(score, (counts.get(score) ?? 0) + 1);
        const expected = [...counts].filter(([, n]) => n >= rows).toSorted(([a], [b]) => a - b);
        const found = findPiles(Float64Array.from(scores), {
          ...{ least: Math.min(...known), most: Math.max(...known), rows },
        });
        expect(found).toEqual(expected.map(([score, n]) => ({ score, rows: n })));
      },
    ),
    { numRuns: 500 },
  );
});
