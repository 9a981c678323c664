import { wrongKind } from "../../base/arguments/list_text.ts";
import { describe } from "../../base/contract/violation.ts";

/** Adjustment of the p values of several tests. */
export type Adjustment = "holm" | "benjamini-hochberg" | "benjamini-yekutieli" | "bonferroni";

/**
 * Adjusts p values for multiple testing.
 *
 * `bonferroni` and `holm` (1979) control the family-wise error rate, `benjamini-hochberg` (1995) the false discovery
 * rate, `benjamini-yekutieli` (2001) the false discovery rate under any dependence. A
 * `null` is a test without a p value: it stays `null` and does not count.
 *
 * @param p The p values, each in [0, 1] or `null`
 * @param method Method of the adjustment
 * @returns The adjusted p values in the same order, each at least the p value and at most 1
 * @throws {RangeError} If a p value is not in [0, 1] or the method is unknown
 *
 * @example Usage
 * ```ts
 * import { adjustPValues } from "scoreframe/analysis";
 *
 * const adjusted = adjustPValues([0.01, 0.04, null, 0.03], "holm");
 * console.assert(adjusted.join() === "0.03,0.06,,0.06");
 * ```
 */
export function adjustPValues(
  p: readonly (number | null)[],
  method: Adjustment = "holm",
): (number | null)[] {
  if (!Array.isArray(p)) {
    throw wrongKind("adjust p values", p, {
      expected: "an array of numbers from 0 to 1 or null",
      advice: 'a column gives one, such as table.getColumn("p").toArray()',
    });
  }
  const wrong = p.findIndex((value) => value !== null && !isProbability(value));
  if (wrong !== -1) {
    throw new RangeError(
      `Cannot adjust p values: expected numbers from 0 to 1 or null, got ${describe(p[wrong])} ` +
        `at ${wrong}`,
    );
  }
  const places = p.flatMap((value, i) => value === null ? [] : [i])
    .toSorted((a, b) => p[a]! - p[b]!);
  const adjust = ADJUST[method];
  if (adjust === undefined) {
    throw new RangeError(
      'Cannot adjust p values: expected "holm", "benjamini-hochberg", "benjamini-yekutieli" or "bonferroni", ' +
        `got ${describe(method)}`,
    );
  }
  const sorted = adjust(places.map((i) => p[i]!));
  const adjusted: (number | null)[] = p.map(() => null);
  for (const [rank, i] of places.entries()) adjusted[i] = sorted[rank]!;
  return adjusted;
}

export function isProbability(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

/** The adjustment of ascending p values. */
const ADJUST: Readonly<Record<Adjustment, (p: readonly number[]) => readonly number[]>> = {
  bonferroni: (p) => p.map((value) => Math.min(1, p.length * value)),
  holm: (p) => runningMaximum(p.map((value, rank) => Math.min(1, (p.length - rank) * value))),
  "benjamini-hochberg": (p) =>
    runningMinimum(p.map((value, rank) => Math.min(1, p.length / (rank + 1) * value))),
  "benjamini-yekutieli": (p) => {
    const harmonic = p.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0);
    return runningMinimum(
      p.map((value, rank) => Math.min(1, harmonic * p.length / (rank + 1) * value)),
    );
  },
};

function runningMaximum(values: readonly number[]): readonly number[] {
  let largest = 0;
  return values.map((value) => largest = Math.max(largest, value));
}

function runningMinimum(values: readonly number[]): readonly number[] {
  let smallest = 1;
  return values.toReversed().map((value) => smallest = Math.min(smallest, value)).toReversed();
}
