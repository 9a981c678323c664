import { describe, expect, test } from "vitest";
import { ewcRegression } from "../../../src/analysis/series/performance/alpha_beta.ts";
import { testMean } from "../../../src/analysis/inference/test_mean.ts";
import { expectNear } from "../../helpers/expect_near.ts";
import { knownInference } from "../known/inference.ts";
import { daily } from "./_series.ts";

const known = await knownInference();

describe.each(known.regression)("a regression with overlap $overlap", (regression) => {
  test("has statsmodels' coefficients, and errors made with numpy and scipy's transform", () => {
    const { market, returns, overlap } = regression;
    const found = ewcRegression(Float64Array.from(returns), [Float64Array.from(market)], {
      overlap,
    });
    expect(found.df).toBe(regression.df);
    expectNear(found.rSquared, regression.rSquared);
    for (const [k, coefficient] of found.coefficients.entries()) {
      expectNear(coefficient.value, regression.coefficients[k]!);
      expectNear(coefficient.standardError, regression.standardErrors[k]!);
      expectNear(coefficient.p, regression.p[k]!, 1e-8);
    }
  });
});

test("a regression on nothing but the intercept is the test of a mean", () => {
  const { values, horizon } = known.series[1]!;
  const found = ewcRegression(Float64Array.from(values), [], { overlap: horizon });
  const mean = testMean(daily(values, horizon));
  expectNear(found.coefficients[0]!.t, mean.t!);
  expectNear(found.coefficients[0]!.low, mean.low!);
});

test("regressors that cannot be told apart are refused with a reason", () => {
  const y = Float64Array.from({ length: 40 }, (_, i) => Math.sin(i));
  const flat = new Float64Array(40).fill(0.3);
  expect(ewcRegression(y, [flat])).toMatchObject({ coefficients: [], reason: "rank_deficient" });
  const x = Float64Array.from(y, (_, i) => Math.cos(3 * i));
  const twice = x.map((value) => 2 * value);
  expect(ewcRegression(y, [x, twice]).reason).toBe("rank_deficient");
});

test("a fit that leaves nothing but rounding has coefficients and no test", () => {
  const x = Float64Array.from({ length: 60 }, (_, i) => Math.sin(i * i) / 50);
  const perfect = ewcRegression(x.map((value) => 2 * value + 0.001), [x]);
  expect(perfect.reason).toBe("no_variance");
  expectNear(perfect.coefficients[1]!.value, 2);
  expect(perfect.coefficients[1]).toMatchObject({ standardError: null, t: null, p: null });
  const flat = ewcRegression(x.map(() => 0.001), [x]);
  expect(flat).toMatchObject({ rSquared: null, reason: "no_variance" });
});

test("a short sample has coefficients and no test", () => {
  const y = Float64Array.from({ length: 15 }, (_, i) => Math.sin(i));
  const x = Float64Array.from({ length: 15 }, (_, i) => Math.cos(3 * i));
  const found = ewcRegression(y, [x]);
  expect(found.reason).toBe("too_few_windows");
  expect(found.coefficients).toHaveLength(2);
  expect(found.coefficients[1]).toMatchObject({ standardError: null, t: null, p: null });
});
