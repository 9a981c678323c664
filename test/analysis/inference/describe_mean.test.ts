import { expect, test } from "vitest";
import { describeMean, describeRatio } from "../../../src/analysis/inference/describe_mean.ts";
import { testMean } from "../../../src/analysis/inference/test_mean.ts";
import { daily } from "./_series.ts";

const wave = (n: number) => Array.from({ length: n }, (_, t) => 0.041 + 0.1 * Math.sin(2 * t));
const subject = (horizon: number) => ({ what: "mean IC", horizon });

test("a sample of too few windows says how many it has and how many a test needs", () => {
  const tested = { ...testMean(daily(wave(143), 21)), mean: 0.0412 };
  expect(describeMean(tested, subject(21))).toBe(
    "21 sessions: mean IC 0.041 over 143 sessions. These hold 6.8 windows that do not overlap; " +
      "a test needs 10 (210 sessions). No significance is stated.",
  );
});

test("a short sample without overlap says how many sessions a test needs", () => {
  const tested = { ...testMean(daily(wave(12))), mean: -0.0204 };
  expect(describeMean(tested, subject(1))).toBe(
    "1 session: mean IC −0.020 over 12 sessions. A test needs 20 sessions. " +
      "No significance is stated.",
  );
  expect(describeMean(testMean(daily([])), subject(1))).toBe("1 session: no value.");
});

test("a test says its interval, its degrees of freedom and what it would have found", () => {
  const tested = {
    ...testMean(daily(wave(60))),
    mean: 0.032,
    low: -0.0006,
    high: 0.0646,
    t: 1.903,
    df: 5,
    p: 0.1153,
    detectable: 0.0312,
  };
  expect(describeMean(tested, subject(1))).toBe(
    "1 session: mean IC 0.032 over 60 sessions (95 %: −0.000600 to 0.065; t = 1.90 with 5 degrees " +
      "of freedom, p = 0.12). This sample would have found, four times in five, a mean IC of " +
      "0.031 or more.",
  );
  expect(describeRatio({ ...tested, p: 0.00003 })).toMatch(/p < 0\.0001$/);
});

test("a method that is not the default says what is wrong with it", () => {
  const tested = testMean(daily(wave(60)), { method: "newey-west", lag: 6 });
  expect(describeMean(tested, subject(1))).toMatch(
    /Newey-West with lag 6 rejects more often than stated\.$/,
  );
});
