import { expect, test } from "vitest";
import { halfLifeText } from "../../../src/analysis/judgement/ic_facts.ts";

test("the half-life is stated with its interval and lags, or why there is none", () => {
  const row = {
    ...{ half_life: 31.2, half_life_low: 11.3, half_life_high: 86.2, lags: 10, sessions: 501 },
    ...{ level: 0.03, level_low: 0.02, level_high: 0.04, reason: null },
  };
  const text = (own: Partial<Parameters<typeof halfLifeText>[0]> = {}) =>
    halfLifeText({ ...row, ...own }, "lags 1 to 63", [1, 5, 63]);
  expect(text()).toBe(
    "The half-life of the IC is 31 sessions (95% CI 11 to 86), fitted to lags 1 to 63 (501 sessions).",
  );
  expect(text({ half_life: 0.31, half_life_low: 0.1, half_life_high: 0.84 })).toContain(
    "is 0.3 sessions (95% CI below 0.25 to 0.8)",
  );
  expect(text({ half_life: 46, half_life_low: 0.1, half_life_high: 21_206, sessions: 120 })).toBe(
    "The half-life of the IC is not determined, because its 95% CI includes all of lags 1 to 63 (120 sessions).",
  );
  expect(text({ half_life: 46, half_life_low: 1.2, half_life_high: 21_206 })).toContain(
    "is 46 sessions (95% CI 1.2 to 21,206)",
  );
  expect(text({ half_life: null, reason: "no_relation", level_low: -0.028 })).toBe(
    "No half-life is estimated: the 95% CI of the IC fitted at lag 1 includes zero (−0.028 to 0.040; lags 1 to 63; " +
      "501 sessions).",
  );
  expect(text({ half_life: null, reason: "too_few_windows" })).toBe(
    "No half-life is estimated, because a fit requires the ICs of 20 sessions at 3 lags.",
  );
});
