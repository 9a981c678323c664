// @heavy: thousands of worlds
import { expect, test } from "vitest";
import { countCurves } from "./curve_worlds.ts";
import { countPermutations } from "./permutation_worlds.ts";
import { countPremia } from "./premium_worlds.ts";
import { countRejections } from "./rejections.ts";

const WORLDS = 150;

// `deno task bench calibration` measures 4,000 worlds; here 5% of 150 have a standard error of 1.8 points.
const found = countRejections([1, 1 + WORLDS], [
  "ewc (the default)",
  "one-session form, ewc",
  "naive t",
]);

function percentOf(test: string, horizon: number): number {
  const { rejected, worlds } = found.find((row) => row.test === test && row.horizon === horizon)!;
  expect(worlds).toBe(WORLDS);
  return 100 * rejected / worlds;
}

test.each([1, 5, 21])(
  "the default rejects noise about as often as it says over %i sessions",
  (h) => {
    expect(percentOf("ewc (the default)", h)).toBeGreaterThan(0.6);
    expect(percentOf("ewc (the default)", h)).toBeLessThan(11);
    expect(percentOf("one-session form, ewc", h)).toBeGreaterThan(0.6);
    expect(percentOf("one-session form, ewc", h)).toBeLessThan(11);
  },
);

test("a plain t is right without overlap, and wrong with it: the bounds above can fail", () => {
  expect(percentOf("naive t", 1)).toBeLessThan(11);
  expect(percentOf("naive t", 5)).toBeGreaterThan(25);
  expect(percentOf("naive t", 21)).toBeGreaterThan(50);
});

// Of 60 worlds without premia 5% reject, at most 9 in 999 of 1,000; with premia of five years, in ten of them, a quarter does.
test("the default test rejects too often in long samples with premia that last", () => {
  const [none, lasting] = [0, 1_250].map((halfLife) =>
    countPremia([1, 61], [{ sessions: 2_500, halfLife }])[0]!.rejected
  );
  expect(none).toBeLessThanOrEqual(9);
  expect(lasting).toBeGreaterThan(9);
});

// At 5% of 40 worlds the 99.9th percentile is 8 rejections; minus the log price is what shifted copies take for a relation.
test.each(["calls", "minus log price", "persistent, sectors known", "betas"])(
  "the permutation test rejects noise about as often as it says where scores are %s",
  (world) => {
    const [found] = countPermutations([1, 41], [world]);
    expect(found!.rejected).toBeLessThanOrEqual(8);
  },
);

test("a specification curve without a relation is seldom rejected, and one of its means often is", async () => {
  const { worlds, median, significant, mean, any } = await countCurves([1, 13]);
  expect(worlds).toBe(12);
  // At 5% of 12 worlds the 99.9th percentile is 4 rejections; 54 tests on their own reject in 15% of the worlds.
  for (const count of [median, significant, mean]) expect(count).toBeLessThanOrEqual(4);
  expect(any).toBeGreaterThan(0);
  expect(await countCurves([5, 5])).toEqual({
    ...{ worlds: 0, median: 0, significant: 0, mean: 0, any: 0 },
  });
});
