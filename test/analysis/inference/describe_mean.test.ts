import { expect, test } from "vitest";
import { describeMean } from "../../../src/analysis/series/information_summary.ts";
import { testMean } from "../../../src/analysis/inference/test_mean.ts";
import { daily } from "./_series.ts";

const wave = (n: number) => Array.from({ length: n }, (_, t) => 0.041 + 0.1 * Math.sin(2 * t));
const subject = (horizon: number) => ({ what: "mean IC", horizon, isIc: true });

test("a sample of too few windows says how many it has and how many a test needs", () => {
  const tested = { ...testMean(daily(wave(143), 21)), mean: 0.0412 };
  expect(describeMean(tested, subject(21))).toMatch(
    /at 21 sessions is 0\.041 \(143 sessions, 6\.8 non-overlapping windows; .* 10\)\.$/,
  );
});

test("a short sample without overlap says how many sessions a test needs", () => {
  const tested = { ...testMean(daily(wave(12))), mean: -0.0204 };
  expect(describeMean(tested, subject(1))).toMatch(
    /at 1 session is −0\.020 \(12 sessions; .* 20\)\.$/,
  );
  expect(describeMean(testMean(daily([])), subject(1))).toBe("There is no mean IC at 1 session.");
});

test("a test says its interval, its degrees of freedom and the minimum detectable mean", () => {
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
  expect(describeMean(tested, subject(1))).toMatch(
    /is 0\.032 \(95% CI −0\.001 to 0\.065, .* t = 1\.90 with 5 .*, p = 0\.12; 60 sessions\)\. .* is 0\.031\.$/,
  );
  expect(describeMean({ ...tested, p: 0.00003 }, subject(1))).toContain(", p < 0.0001; 60");
  expect(describeMean(tested, { ...subject(5), unit: "month" })).toMatch(
    / at 5 months is .*; 60 months\)\./,
  );
});

test("a method that is not the default says what is wrong with it", () => {
  const tested = testMean(daily(wave(60)), { method: "newey-west", lag: 6 });
  expect(describeMean(tested, subject(1))).toMatch(/Newey-West with lag 6 .*\.$/);
});
