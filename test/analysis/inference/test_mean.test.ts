import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stationaryBlockLength } from "../../../src/analysis/inference/bootstrap.ts";
import {
  type Inference,
  nonOverlapping,
  testMean,
} from "../../../src/analysis/inference/test_mean.ts";
import { type TestedMean, toObservations } from "../../../src/analysis/inference/tested_mean.ts";
import { expectNear } from "../../helpers/expect_near.ts";
import { knownInference } from "../known/inference.ts";
import { daily } from "./_series.ts";

const known = (await knownInference()).series;
const METHODS: readonly Inference["method"][] = [
  "ewc",
  "newey-west",
  "hansen-hodrick",
  "non-overlapping",
  "bootstrap",
];

describe.each(known)("a mean over windows of $horizon sessions", (series) => {
  const { values, horizon } = series;

  test("has the error, p value and interval of a cosine test made with scipy's transform", () => {
    const tested = testMean(daily(values, horizon));
    expect(tested.n).toBe(values.length);
    expectNear(tested.mean, series.mean);
    expectNear(tested.deviation, series.deviation);
    for (const [name, value] of Object.entries(series.ewc)) {
      expectNear(tested[name as keyof TestedMean] as number, value);
    }
    expect(tested).toMatchObject({ method: "ewc", overlap: horizon, reason: null, note: null });
    expectNear(tested.windows, values.length / horizon);
  });

  test("has statsmodels' Newey-West errors, with and without its correction", () => {
    for (const [i, { lag, standardError, t, p }] of series.neweyWest.entries()) {
      const correction = series.corrected[i]!;
      const inference = {
        method: "newey-west",
        lag,
        correction,
        criticalValues: "normal",
      } as const;
      const tested = testMean(daily(values, horizon), inference);
      expectNear(tested.standardError, standardError);
      expectNear(tested.t, t);
      expectNear(tested.p, p);
    }
  });

  test("takes overlap − 1 for Newey-West's lag, and wider critical values than the normal ones", () => {
    const tested = testMean(daily(values, horizon), { method: "newey-west" });
    expectNear(tested.standardError, series.neweyWest[0]!.standardError);
    expect(tested.p).toBeGreaterThan(series.neweyWest[0]!.p);
    expect(tested.note).toContain("more often than");
    expect(tested.high! - tested.mean!).toBeGreaterThan(1.96 * tested.standardError!);
  });

  test("has statsmodels' errors with the flat kernel for Hansen-Hodrick", () => {
    const tested = testMean(daily(values, horizon), { method: "hansen-hodrick" });
    expectNear(tested.standardError, series.hansenHodrick.standardError);
    expectNear(tested.p, series.hansenHodrick.p);
  });

  test("has scipy's t over every start of values that do not overlap", () => {
    const { t, middle } = nonOverlapping(toObservations(daily(values, horizon)));
    expect(t.length).toBe(horizon);
    for (const [i, value] of series.starts.entries()) expectNear(t[i], value);
    expectNear(middle.t, series.starts[(horizon - 1) >> 1]!);
    expect(middle.method).toBe("non-overlapping");
  });

  test("has arch's length of blocks", () => {
    expectNear(stationaryBlockLength(Float64Array.from(values)), series.blockLength);
  });

  test("has a bootstrap error near the closed form of its variance", () => {
    const block = Math.max(2, 2 * horizon);
    const tested = testMean(daily(values, horizon), { method: "bootstrap", draws: 4_000, block });
    // 4,000 draws: the error of an error is 1.1 percent.
    expectNear(tested.standardError, stationaryError(values, block), 0.05);
    expect(tested.note).toContain("optimistic");
  });
});

// Politis and Romano (1994), lemma 1.
function stationaryError(values: readonly number[], block: number): number {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  let variance = 0;
  for (let lag = 0; lag < n; lag++) {
    let sum = 0;
    for (let t = 0; t < n; t++) sum += (values[t]! - mean) * (values[(t + lag) % n]! - mean);
    const keep = 1 - 1 / block;
    const weight = lag === 0 ? 1 : (1 - lag / n) * keep ** lag + lag / n * keep ** (n - lag);
    variance += (lag === 0 ? 1 : weight) * sum / n;
  }
  return Math.sqrt(variance / n);
}

describe.each(METHODS)("by %s", (method) => {
  const inference = { method } as Inference;

  test("a sample of too few windows has a mean and no test, with the reason", () => {
    const short = daily(known[2]!.values.slice(0, 143), 21);
    expect(testMean(short, inference)).toMatchObject({
      n: 143,
      standardError: null,
      t: null,
      p: null,
      low: null,
      high: null,
      detectable: null,
      reason: "too_few_windows",
    });
    expect(testMean(daily(known[0]!.values.slice(0, 19)), inference).p).toBeNull();
  });

  test("no values, one value and equal values give reasons, never NaN", () => {
    for (const values of [[], [NaN], [0.1], Array(40).fill(0.1), Array(40).fill(0)]) {
      const tested = testMean(daily(values), inference);
      expect(tested.t).toBeNull();
      expect(tested.reason).toBe(values.length === 40 ? "no_variance" : "too_few_windows");
      expect(Object.values(tested).some((value) => Number.isNaN(value))).toBe(false);
    }
  });

  test("the unit of the values changes nothing but the unit", () => {
    const one = testMean(daily(known[1]!.values, 5), inference);
    const million = testMean(daily(known[1]!.values.map((x) => 1e6 * x), 5), inference);
    expectNear(million.t, one.t!);
    expectNear(million.p, one.p!);
    expectNear(million.low, 1e6 * one.low!);
  });

  test("another null hypothesis moves the t and not the interval", () => {
    const zero = testMean(daily(known[1]!.values, 5), inference);
    const mean = testMean(daily(known[1]!.values, 5), inference, zero.mean!);
    expect(Math.abs(mean.t!)).toBeLessThan(0.6);
    if (method !== "non-overlapping") expect(mean.t).toBe(0);
    if (method !== "non-overlapping") expect(mean.low).toBe(zero.low);
  });
});

test("values that differ by rounding alone do not vary: a t of 10¹⁴ would be a number about arithmetic", () => {
  // A close that grows by one percent a session has such returns.
  const growth = Array.from({ length: 61 }, (_, i) => 100 * 1.01 ** i);
  const values = growth.slice(1).map((close, i) => close / growth[i]! - 1);
  expect(new Set(values).size).toBeGreaterThan(1);
  for (const method of ["ewc", "newey-west", "hansen-hodrick", "bootstrap"] as const) {
    const found = testMean(daily(values, 1), { method });
    expect(found).toMatchObject({ deviation: 0, t: null, p: null, reason: "no_variance" });
    expect(found.mean).toBeCloseTo(0.01, 12);
  }
});

test("a negative variance of Hansen and Hodrick is no test, with the reason", () => {
  const values = Array.from({ length: 60 }, (_, i) => i % 2 === 0 ? 1 : -1.01);
  expect(testMean(daily(values, 2), { method: "hansen-hodrick" })).toMatchObject({
    t: null,
    p: null,
    reason: "no_variance",
  });
});

test("equal seeds give equal draws, and other seeds other ones", () => {
  const draw = (seed: number) =>
    testMean(daily(known[0]!.values), { method: "bootstrap", draws: 199, seed });
  expect(draw(3)).toEqual(draw(3));
  expect(draw(3).low).not.toBe(draw(4).low);
});

test("unknown methods and options are refused by name", () => {
  const series = daily(known[0]!.values);
  expect(() => testMean(series, { method: "naive" } as never)).toThrow(/ewc, newey-west, .*naive/);
  expect(() => testMean(series, { method: "ewc", lag: 3 } as never)).toThrow(/lag/);
  expect(() => testMean(series, { method: "newey-west", lag: -1 })).toThrow(RangeError);
  expect(() => testMean(series, { method: "bootstrap", draws: 10 })).toThrow(RangeError);
});

test("no series whatever gives a NaN, and an interval holds its mean", () => {
  const value = fc.oneof(fc.double({ min: -1, max: 1 }), fc.constant(NaN), fc.constant(0));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 80 }), fc.integer({ min: 1, max: 6 }), (
      values,
      horizon,
    ) => {
      for (const method of METHODS) {
        const inference =
          (method === "bootstrap" ? { method, draws: 99 } : { method }) as Inference;
        const tested = testMean(daily(values, horizon), inference);
        const numbers = Object.values(tested).filter((x) => typeof x === "number");
        expect(numbers.every(Number.isFinite)).toBe(true);
        expect((tested.t === null) === (tested.reason !== null)).toBe(true);
        if (tested.low !== null) expect(tested.low).toBeLessThanOrEqual(tested.mean! + 1e-12);
      }
    }),
    { numRuns: 60, seed: 5 },
  );
});
