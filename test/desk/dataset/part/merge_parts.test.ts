// @heavy: analyses by partition, many times
import process from "node:process";
import fc from "fast-check";
import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../../src/analysis/factor/analyze_factor.ts";
import type { AnalyzeFactorOptions } from "../../../../src/analysis/factor/analysis_options.ts";
import type { FactorAnalysis } from "../../../../src/analysis/factor/factor_analysis.ts";
import { judgement } from "../../../../src/analysis/judgement/judgement.ts";
import { trialLog } from "../../../../src/analysis/trial_log.ts";
import { analyzeInParts, bitsOf, NOT_IN_PARTS } from "./_in_parts.ts";
import { gappyMarket, toLiveSets } from "./_markets.ts";

const QUIET = { progress: false, placebo: false } as const;
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
  for (const [name, text] of Object.entries(theirs)) {
    if (NOT_IN_PARTS.includes(name)) continue;
    expect(ours[name], name).toBe(text);
  }
}

/** Sentences of the judgement; parts do not know a gap of the prices between them. */
function statementsOf(analysis: FactorAnalysis): readonly (string | null)[] {
  return judgement(analysis).facts.toRecords().map(({ statement }) => statement)
    .filter((statement) => !statement!.includes(" a gap, the longest of "));
}

const OPTIONS = fc.record({
  periods: fc.subarray([1, 2, 5, 13], { minLength: 1 }),
  lags: fc.subarray([1, 2, 7, 20], { minLength: 1 }),
  quantiles: fc.constantFrom(2, 3, 5),
  entry: fc.constantFrom("next" as const, "same" as const),
  delayMs: fc.constantFrom(0, 30 * 60_000, 4_000 * 60_000),
  rebalance: fc.constantFrom("signal" as const, "weekly" as const, "monthly" as const, 30),
  between: fc.constantFrom("drift" as const, "restore" as const, "cash" as const),
  weighting: fc.constantFrom(
    ...["factor", "rank", "equal", "quantile"] as const,
  ),
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
    "has the bits of one in memory where scores are weekly, monthly or of every 70th session",
    async () => {
      const every = fc.constantFrom(5, 21, 70);
      await fc.assert(
        fc.asyncProperty(SEEDS, CUTS, OPTIONS, every, async (seed, cuts, options, step) => {
          const { scores, prices, days } = gappyMarket(seed);
          const kept = days.filter((_, i) => i % step === seed % step)
            .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
          const thin = scores.filter(pl.col("date").isIn(kept));
          await expectSameBits({ scores: thin, prices }, daysAt(cuts, days), options);
        }),
        RUNS,
      );
    },
    LONG_MS,
  );

  test(
    "has the bits of one in memory for live sets that stay in force, expire and are refused",
    async () => {
      const rules = fc.record({
        maxAgeSessions: fc.constantFrom(undefined, 3, 40, 90),
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

  test(
    "has the bits of one in memory where sets expire after more sessions than a quarter has",
    async () => {
      const { scores, prices, days } = gappyMarket(8);
      const dates = [days[2]!, days[170]!]
        .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
      const live = scores.filter(pl.col("date").isIn(dates)).withColumns(
        pl.col("date").cast(pl.Date).cast(pl.Datetime("ms")).dt.replaceTimeZone("UTC").alias("at"),
      ).drop("date");
      for (const maxAgeSessions of [63, 80, 140]) {
        await expectSameBits({ scores: live, prices }, daysAt([60, 75, 100, 120, 150], days), {
          ...{ periods: [1, 5], lags: [1, 2] },
          // Trades of every week: those of the signals would reach back to the set by themselves.
          ...{ maxAgeSessions, minNames: 3, rebalance: "weekly" },
        });
      }
    },
    LONG_MS,
  );

  test("has a part in which no set has a status that is asked for", async () => {
    const { scores, prices, days } = gappyMarket(636206);
    const cuts = daysAt([4, 7, 140, 154, 175, 234], days);
    await expectSameBits({ scores: toLiveSets(scores, 636206), prices }, cuts, {
      ...{ periods: [1, 5], lags: [1, 2, 20], quantiles: 2, entry: "same" },
      ...{ delayMs: 240_000_000, statuses: ["current"] },
    });
  }, LONG_MS);

  test("has a part for each session without a difference", async () => {
    const { scores, prices, days } = gappyMarket(11, 24);
    await expectSameBits({ scores, prices }, days, { periods: [1, 3], lags: [1, 2] });
  }, LONG_MS);

  test("gives the judgement of one in memory, and enters the same tests", async () => {
    const { scores, prices, days } = gappyMarket(5);
    const [one, other] = [trialLog(), trialLog()];
    const options = { periods: [1, 5], lags: [1, 2] };
    const whole = await analyzeFactor(scores, prices, { ...options, ...QUIET, trialLog: one });
    const merged = await analyzeInParts(scores, prices, {
      options: { ...options, trialLog: other },
      cuts: [days[100]!],
    });
    expect(statementsOf(merged)).toEqual(statementsOf(whole));
    expect(other.variants().map(({ what }) => what)).toEqual(
      one.variants().map(({ what }) => what),
    );
  });

  test(
    "says of prices what one in memory says: a split, a session without prices, a market of its own",
    async () => {
      const { scores, prices, days } = gappyMarket(5);
      const dates = days.map((day) => new Date(86_400_000 * day).toISOString().slice(0, 10));
      const split = pl.col("ticker").eq(pl.lit("T01")).and(
        pl.col("date").gtEq(pl.lit(dates[100]!)),
      );
      const spoilt = prices.filter(pl.col("date").eq(pl.lit(dates[99]!)).not()).withColumn(
        pl.when(split).then(pl.col("close").div(4)).otherwise(pl.col("close")).alias("close"),
      );
      const options = { periods: [1, 5], lags: [1, 2] };
      for (const calendar of ["us", "own"] as const) {
        const whole = await analyzeFactor(scores, spoilt, { ...options, ...QUIET, calendar });
        const merged = await analyzeInParts(scores, spoilt, {
          options: { ...options, calendar },
          cuts: [days[98]!, days[100]!],
        });
        const text = judgement(whole).text.replace(/\s+/g, " ");
        expect(text).toContain("1 close moved ");
        expect(text.includes(`1 session has no price of any ticker (${dates[99]})`))
          .toBe(calendar === "us");
        expect(text.includes("The dates of the prices are the sessions")).toBe(calendar === "own");
        expect(statementsOf(merged)).toEqual(statementsOf(whole));
      }
    },
    LONG_MS,
  );

  test("says that its rows are not in memory", async () => {
    const { scores, prices, days } = gappyMarket(5);
    const { aligned } = await analyzeInParts(scores, prices, { options: {}, cuts: [days[9]!] });
    expect(() => aligned.data).toThrow(RangeError);
    expect(() => aligned.dense.scores).toThrow(RangeError);
  });

  test("refuses a sample in which no score is on a session", async () => {
    const { scores, prices } = gappyMarket(5);
    const merging = analyzeInParts(scores.head(0), prices, { options: {}, cuts: [] });
    await expect(merging).rejects.toThrow(RangeError);
  });
});
