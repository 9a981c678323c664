import { describe, expect, test } from "vitest";
import { Timeline } from "../../../src/server/timeline/timeline.ts";
import type { CheckInput } from "../../../src/base/store/checks/complete_check.ts";

const at = (hour: string) => `2026-11-20T${hour}:00.000Z`;

function input(factor: "ecpnd" | "ecqdi", checkedAt: string): CheckInput {
  return {
    factor,
    universe: "US research universe",
    factorVersion: `${factor}-v1`,
    checkedAt,
    dataThrough: checkedAt,
    pricesThrough: "2026-11-19",
    rows: { tickers: ["A", "B", "NA"], scores: [0.5, 0.25, null] },
    callSourceDelayed: false,
    benchmarkCurrent: true,
    priceTickersCurrent: 3,
    priceTickersTracked: 3,
    pendingCalls: 0,
    failedCalls: 0,
    pendingFactorCalls: 0,
  };
}

describe("a timeline", () => {
  test("corrects the numbers of its factor from its time on, and no others", () => {
    const scores = { A: 0, B: null, ZZZ: 1 };
    const timeline = new Timeline([{
      kind: "correction",
      at: at("12:00"),
      factor: "ecpnd",
      scores,
    }]);
    const scoresOf = (factor: "ecpnd" | "ecqdi", hour: string) =>
      timeline.correct(input(factor, at(hour))).rows.scores;
    expect(scoresOf("ecpnd", "11:59")).toEqual([0.5, 0.25, null]);
    expect(scoresOf("ecpnd", "12:00")).toEqual([0, null, null]);
    expect(scoresOf("ecqdi", "12:00")).toEqual([0.5, 0.25, null]);
  });

  test("takes checks out from the beginning of an outage until before its end", () => {
    const timeline = new Timeline([
      { kind: "outage", from: at("12:00"), until: at("14:00"), factor: "ecqdi" },
    ]);
    const hidden = ["11:59", "12:00", "13:59", "14:00"].map((hour) =>
      timeline.hides("ecqdi", at(hour))
    );
    expect(hidden).toEqual([false, true, true, false]);
    expect(timeline.hides("ecpnd", at("13:00"))).toBe(false);
  });

  test("holds the first set back until before the time that is given", () => {
    const timeline = new Timeline([{ kind: "no_first_set", until: at("14:00") }]);
    expect([timeline.hides("ecpnd", at("13:59")), timeline.hides("ecpnd", at("14:00"))])
      .toEqual([true, false]);
  });

  test("puts the release in place that was named last by then", () => {
    const replaced = (hour: string, downloadSha256: string | null) =>
      ({ kind: "release_replaced", at: at(hour), factor: "ecpnd", downloadSha256 }) as const;
    const timeline = new Timeline([
      replaced("14:00", null),
      replaced("12:00", "aa"),
      replaced("12:00", "bb"),
    ]);
    expect(
      ["11:59", "12:00", "13:59", "14:00"].map((hour) => timeline.releaseAt("ecpnd", at(hour))),
    )
      .toEqual([undefined, "bb", "bb", null]);
    expect(timeline.releaseAt("ecqdi", at("14:00"))).toBeUndefined();
  });
});
