import process from "node:process";
import fc from "fast-check";
import type { DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import type { AnalyzeFactorOptions } from "../../../src/analysis/factor/analysis_options.ts";
import { judgement } from "../../../src/analysis/judgement/judgement.ts";
import { ledger } from "../../../src/analysis/ledger/ledger.ts";
import { analyzeInParts, bitsOf } from "./_in_parts.ts";
import { gappyMarket, toLiveSets } from "./_markets.ts";

const QUIET = { progress: false, noise: false } as const;
const LONG_MS = 900_000;
// More of them take minutes: SCOREFRAME_WORLDS=200.
const RUNS = { numRuns: Number(process.env["SCOREFRAME_WORLDS"] ?? 6), endOnFailure: true };

interface Sample {
  readonly scores: DataFrame;
  readonly prices: DataFrame;
}

async function expectSameBits(
  { scores, prices }: Sample,
  cuts: readonly number[],
  options: AnalyzeFactorOptions,
): Promise<void> {
  const whole = await analyzeFactor(scores, prices, { ...options, ...QUIET });
  const merged = await analyzeInParts(scores, prices, { options, cuts });
  const [ours, theirs] = [bitsOf(merged), bitsOf(whole)];
  expect(Object.keys(ours)).toEqual(Object.keys(theirs));
  for (const [name, text] of Object.entries(theirs)) expect(ours[name], name).toBe(text);
}

const OPTIONS = fc.record({
  periods: fc.subarray([1, 2, 5, 13], { minLength: 1 }),
  lags: fc.subarray([1, 2, 7, 20], { minLength: 1 }),
  quantiles: fc.constantFrom(2, 3, 5),
  entry: fc.constantFrom("next" as const, "same" as const),
  delayMinutes: fc.constantFrom(0, 30, 4_000),
  returns: fc.record({
    entryLag: fc.constantFrom(0, 1, 3),
    ended: fc.constantFrom("last" as const, "null" as const, { return: -0.3 }),
  }),
});
const SEEDS = fc.integer({ min: 1, max: 1_000_000 });
const CUTS = fc.uniqueArray(fc.integer({ min: -3, max: 235 }), { minLength: 1, maxLength: 6 });

/** First days of parts at some sessions, also before the first one and after the last. */
function daysAt(places: readonly number[], days: readonly number[]): readonly number[] {
  return places.map((place) => days[place] ?? (place < 0 ? days[0]! + place : days.at(-1)! + place))
    .toSorted((a, b) => a - b);
}

describe("an analysis in parts", () => {
  test("has the bits of one in memory, wherever it is cut and whatever is missing", async () => {
    await fc.assert(
      fc.asyncProperty(SEEDS, CUTS, OPTIONS, fc.boolean(), async (seed, cuts, options, grouped) => {
        const { scores, prices, groups, days } = gappyMarket(seed);
        const given = grouped ? { ...options, groups } : options;
        await expectSameBits({ scores, prices }, daysAt(cuts, days), given);
      }),
      RUNS,
    );
  }, LONG_MS);

  test(
    "has the bits of one in memory for live sets that stay in force, expire and are refused",
    async () => {
      const rules = fc.record({
        maxAgeSessions: fc.constantFrom(undefined, 3, 40),
        statuses: fc.constantFrom(undefined, ["current"]),
      });
      await fc.assert(
        fc.asyncProperty(SEEDS, CUTS, OPTIONS, rules, async (seed, cuts, options, more) => {
          const { scores, prices, days } = gappyMarket(seed);
          const given = Object.fromEntries(
            Object.entries({ ...options, ...more }).filter(([, value]) => value !== undefined),
          );
          const live = toLiveSets(scores, seed);
          await expectSameBits({ scores: live, prices }, daysAt(cuts, days), given);
        }),
        RUNS,
      );
    },
    LONG_MS,
  );

  test("has a part for each session without a difference", async () => {
    const { scores, prices, days } = gappyMarket(11, 24);
    await expectSameBits({ scores, prices }, days, { periods: [1, 3], lags: [1, 2] });
  }, LONG_MS);

  test("gives the judgement of one in memory, and enters the same tests", async () => {
    const { scores, prices, days } = gappyMarket(5);
    const [one, other] = [ledger(), ledger()];
    const options = { periods: [1, 5], lags: [1, 2] };
    const whole = await analyzeFactor(scores, prices, { ...options, ...QUIET, ledger: one });
    const merged = await analyzeInParts(scores, prices, {
      options: { ...options, ledger: other },
      cuts: [days[100]!],
    });
    expect(judgement(merged).text).toBe(judgement(whole).text);
    expect(other.variants().map(({ what }) => what)).toEqual(
      one.variants().map(({ what }) => what),
    );
  });

  test("says that its rows are not in memory", async () => {
    const { scores, prices, days } = gappyMarket(5);
    const { aligned } = await analyzeInParts(scores, prices, { options: {}, cuts: [days[9]!] });
    expect(() => aligned.data).toThrow("read them from the dataset");
    expect(() => aligned.dense.scores).toThrow(RangeError);
  });

  test("refuses a sample in which no score is on a session", async () => {
    const { scores, prices } = gappyMarket(5);
    const merging = analyzeInParts(scores.head(0), prices, { options: {}, cuts: [] });
    await expect(merging).rejects.toThrow("expected scores on sessions of the prices, got none");
  });
});
