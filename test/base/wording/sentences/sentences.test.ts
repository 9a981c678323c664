import { describe, expect, test } from "vitest";
import { andText } from "../../../../src/base/wording/words.ts";
import {
  breakEvenNumber,
  breakEvenText,
  netText,
  tradedText,
} from "../../../../src/base/wording/sentences/cost_text.ts";
import { lossText, reasonText } from "../../../../src/base/wording/sentences/reason_text.ts";
import { spreadText, stepsText } from "../../../../src/base/wording/sentences/quantile_text.ts";
import { sampleText } from "../../../../src/base/wording/period_text.ts";
import {
  detectableText,
  equalMeansText,
  meanText,
} from "../../../../src/base/wording/sentences/test_text.ts";

describe("sentences that judgement, sheet and charts share", () => {
  test("name sessions, span and tickers of a sample", () => {
    const days = ["2026-01-05", "2026-01-06", "2026-01-07"];
    expect(sampleText(days, 1_119)).toBe("3 sessions, 2026-01-05 to 2026-01-07, 1,119 tickers");
    expect(sampleText(days.slice(0, 1), 1)).toBe("1 session, 2026-01-05, 1 ticker");
    expect(sampleText([], 2)).toBe("0 sessions, 2 tickers");
  });

  test.each([
    ["no_score", 1, "1 has no score"],
    ["no_score", 1_206, "1,206 have no score"],
    ["superseded", 2, "2 were superseded before they could be used"],
    ["ended", 7, "7 returns end early, at their stock's last close"],
    ["of another kind", 3, "3 of another kind"],
  ])("count rows by reason: %s, %i", (reason, rows, text) => {
    expect(lossText(reason, rows)).toBe(text);
  });

  test("name every reason of a loss without its code", () => {
    const reasons = ["used", "ended", "no_group", "refused_status", "not_a_session", "superseded"];
    const more = ["expired", "no_score", "no_entry_price", "beyond_prices", "no_exit_price"];
    const labels = [...reasons, ...more].map(reasonText);
    expect(labels.filter((label) => label.includes("_"))).toEqual([]);
    expect(new Set(labels).size).toBe(11);
  });

  const tested = {
    ...{ what: "mean rank IC", horizon: 5, mean: 0.049, low: 0.014, high: 0.0836 },
    ...{ t: 3.069, df: 12, p: 0.0097, n: 501, overlap: 5, windows: 100.2, reason: null },
  };
  const three = (value: number) => value.toFixed(3);

  test("state a mean with its interval, its test and its observations", () => {
    expect(meanText(tested, three)).toBe(
      "The mean rank IC at 5 sessions is 0.049 (95% CI 0.014 to 0.084; t = 3.07 with 12 degrees of freedom, p = 0.0097; " +
        "501 sessions, 100.2 non-overlapping windows)",
    );
    expect(meanText({ ...tested, low: -0.001 }, three)).toContain("to 0.084, which includes zero;");
    expect(meanText({ ...tested, t: null, n: 40, windows: 8 }, three)).toBe(
      "The mean rank IC at 5 sessions is 0.049 (40 sessions, 8.0 non-overlapping windows; a test requires 10)",
    );
  });

  test("state power and equality of means in the terms of the field", () => {
    expect(detectableText("0.021")).toBe("The minimum detectable mean IC at 80% power is 0.021");
    expect(equalMeansText("years", 0.271)).toBe("test of equal means across years gives p = 0.27");
  });

  test("state steps and spread of quantiles", () => {
    const steps = { horizon: 1, isFalling: false, steps: 4, clear: 1, sessions: 501 };
    expect(stepsText(steps)).toBe(
      "The mean return at 1 session rises significantly (95% CI above zero, unadjusted) at 1 of 4 steps between adjacent " +
        "quantiles (501 sessions).",
    );
    expect(stepsText({ ...steps, isFalling: true })).toMatch(
      /falls significantly \(95% CI below zero, unadjusted\)/,
    );
    const sides = { horizon: 1, sessions: 501, exposure: "long 5 and short 1" };
    expect(spreadText({ value: 0.00078, low: 0.0001, high: 0.00147 }, sides)).toBe(
      "The equal-weighted quantile spread at 1 session is 7.8 bps per session (95% CI 1.0 to 14.7; 501 sessions): long 5 and short 1.",
    );
  });

  test("state turnover and costs", () => {
    const rate = { value: 62.45, low: 20.52, high: 108.34 };
    const traded = { weighting: "factor", held: 501, sessions: 501, gross: 0.9962 } as const;
    expect(tradedText(0.0794, traded)).toBe(
      "The score-weighted portfolio has a gross exposure of 100% and trades 7.9% of its capital per session (both sides, first purchase included; 501 sessions).",
    );
    expect(tradedText(0.0794, { ...traded, held: 21, gross: 0.988 })).toContain(
      "has a gross exposure of 99% (nothing is held in 480 of 501 sessions) and trades",
    );
    expect(tradedText(0, traded)).toBe(
      "The score-weighted portfolio holds nothing in 501 sessions.",
    );
    expect(breakEvenText(rate, 501)).toBe(
      "Its break-even cost is 62.5 bps one way (95% CI 20.5 to 108.3; 501 sessions).",
    );
    expect(breakEvenText({ value: -0.5, low: -1.7, high: 0.7 }, 599)).toBe(
      "It has no break-even cost: its mean gross return is not above zero (95% CI of the rate −1.7 to 0.7 bps; 599 sessions).",
    );
    expect(breakEvenNumber({ value: -0.5, low: -1.7, high: 0.7 })).toEqual({
      rate: "no break-even",
      interval: "95% CI of the rate −1.7 to 0.7 bps",
    });
    expect(breakEvenNumber(rate)).toEqual({ rate: "62.5 bps", interval: "95% CI 20.5 to 108.3" });
    expect(breakEvenNumber({ value: 62.45, low: NaN, high: NaN })).toEqual({
      rate: "62.5 bps",
      interval: "",
    });
    expect(breakEvenNumber({ value: NaN, low: NaN, high: NaN })).toEqual({
      rate: null,
      interval: "",
    });
    const net = { value: 0.109, low: 0.0206, high: 0.2057 };
    expect(netText(0.1317, { oneWayBps: 10, net, sessions: 501 })).toBe(
      "At 10 bps one way, its annual return falls from 13.2% to 10.9% (95% CI 2.1% to 20.6%; 501 sessions).",
    );
  });

  test("list items", () => {
    expect([["a"], ["a", "b"], ["a", "b", "c"]].map(andText)).toEqual([
      "a",
      "a and b",
      "a, b and c",
    ]);
  });
});
