import { expect, test } from "vitest";
import { equalMeansOfPeriods, equalMeansOfSeries } from "../../../src/analysis/series/stability.ts";
import { testMean } from "../../../src/analysis/inference/test_mean.ts";
import { expectNear } from "../../helpers/expect_near.ts";
import { knownInference } from "../known/inference.ts";
import { daily } from "./_series.ts";

const known = await knownInference();

test("the means of several series are compared as numpy and scipy do it", () => {
  const { series, overlap, f, df2, p } = known.joint;
  const found = equalMeansOfSeries(series.map((values) => Float64Array.from(values)), overlap);
  expect(found).toMatchObject({ df1: 2, df2, reason: null });
  expectNear(found.f, f);
  expectNear(found.p, p);
});

test("which series is named last changes nothing", () => {
  const series = known.joint.series.map((values) => Float64Array.from(values));
  const one = equalMeansOfSeries(series, 5);
  expectNear(equalMeansOfSeries(series.toReversed(), 5).f, one.f!);
});

test("two series are compared by the square of the t of their difference", () => {
  const [a, b] = known.joint.series.map((values) => Float64Array.from(values));
  const difference = a!.map((value, t) => value - b![t]!);
  const { t, p } = testMean(daily([...difference], 5));
  const found = equalMeansOfSeries([a!, b!], 5);
  expectNear(found.f, t! ** 2);
  expectNear(found.p, p!);
});

test("series that are the same, too short or alone cannot be compared", () => {
  const a = Float64Array.from({ length: 60 }, (_, t) => Math.sin(t));
  expect(equalMeansOfSeries([a, a], 1)).toMatchObject({
    f: null,
    p: null,
    reason: "rank_deficient",
  });
  expect(equalMeansOfSeries([a, a.map(Math.abs)], 21).reason).toBe("too_few_windows");
  expect(() => equalMeansOfSeries([a], 1)).toThrow(RangeError);
});

test("the means of periods are compared by Welch's test, as statsmodels has it", () => {
  const { groups, f, df, p } = known.periods;
  const nothing = testMean(daily([]));
  const found = equalMeansOfPeriods(groups.map((group) => ({ ...nothing, ...group })));
  expectNear(found.f, f);
  expectNear(found.df1, df[0]);
  expectNear(found.df2, df[1]);
  expectNear(found.p, p);
});

test("a period without a test makes the comparison null", () => {
  const long = testMean(daily(known.series[0]!.values));
  expect(equalMeansOfPeriods([long, testMean(daily([1, 2]))])).toMatchObject({
    f: null,
    reason: "too_few_windows",
  });
});
