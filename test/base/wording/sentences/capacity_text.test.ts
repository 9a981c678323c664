import { describe, expect, test } from "vitest";
import {
  amountText,
  capacityText,
  holdingText,
  limitText,
} from "../../../../src/base/wording/sentences/cost_text.ts";

describe("sentences on capacity and holding period", () => {
  test.each([
    [0, "0"],
    [840_000, "840,000"],
    [999_999, "1 million"],
    [2_254_000, "2.25 million"],
    [73_400_000, "73.4 million"],
    [1e9, "1 billion"],
    [999_900_000_000, "1 trillion"],
    [5.5e15, "5,500 trillion"],
  ])("write the amount %d as %s", (amount, text) => {
    expect(amountText(amount)).toBe(text);
  });

  test("state the break-even capital with its interval, and that there is none", () => {
    expect(capacityText({ value: 2_250_000, low: 1_100_000, high: 4e6 }, 1_250)).toBe(
      "With market impact, the portfolio's mean net return reaches zero at a capital of 2.25 million " +
        "(95% CI 1.1 million to 4 million; 1,250 sessions), in the currency of the volumes.",
    );
    expect(capacityText({ value: 0, low: null, high: null }, 30)).toBe(
      "The portfolio has no capacity, because its mean return net of the spread is not above zero " +
        "(no confidence interval; 30 sessions).",
    );
    expect(limitText(1e8, 0.625)).toBe(
      "A capital of 100 million stays within the participation limit in 62.5% of the sessions with trades.",
    );
  });

  test("state the best holding period with its adjusted test, as a choice after the fact", () => {
    const best = {
      ...{ holding: 5, oneWayBps: 10, net: { value: 0.00047, low: 0.0001, high: 0.0008 } },
      ...{ n: 400, compared: 3, p: 0.02 },
    };
    expect(holdingText(best)).toBe(
      "With positions held for 5 sessions and a cost of 10 bps one way, the portfolio's mean net return is " +
        "4.7 bps a session (95% CI 1.0 to 8.0; 400 sessions; p = 0.02, adjusted by Holm's method). " +
        "It is the best of 3 holding periods, chosen after the fact, which overstates it.",
    );
    const alone = holdingText({
      ...{ holding: 1, oneWayBps: 2.5, net: { value: -0.00047, low: null, high: null } },
      ...{ n: 12, compared: 1, p: null },
    });
    expect(alone).toBe(
      "With positions held for 1 session and a cost of 2.5 bps one way, the portfolio's mean net return is " +
        "−4.7 bps a session (no confidence interval; 12 sessions).",
    );
  });
});
