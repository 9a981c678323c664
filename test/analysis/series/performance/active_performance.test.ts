import { describe, expect, test } from "vitest";
import { activePerformance } from "../../../../src/analysis/series/performance/performance.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { byDay, shuffled } from "../_frames.ts";

const YEAR = { periodsPerYear: 252 };
const TILT = Array.from({ length: 40 }, (_, i) => 0.001 * ((i * 7) % 11 - 4));
const MARKET = Array.from({ length: 40 }, (_, i) => 0.001 * ((i * 5) % 7 - 3));

function measure(tilt: readonly (number | null)[], market: readonly (number | null)[]) {
  return activePerformance(byDay("return", tilt), byDay("return", market), YEAR).toRecords()[0]!;
}

describe("activePerformance()", () => {
  test("has the numbers that numpy and scipy give", () => {
    const row = measure(TILT, MARKET);
    expect(row).toMatchObject({ sessions: 40, missing: 0, reason: null });
    expectNear(row["active_return"], 0.2646);
    expectNear(row["active_low"], 0.2032866245414332);
    expectNear(row["active_high"], 0.3259133754585669);
    expectNear(row["p"], 0.00027806969682643605);
    expectNear(row["tracking_error"], 0.06308455863728887);
    expectNear(row["information_ratio"], 4.194370313682383);
    expectNear(row["information_ratio_low"], -0.9898296282881035);
    expectNear(row["information_ratio_high"], 9.37857025565287);
    expectNear(row["max_active_drawdown"], -0.007971091719845114);
  });

  test("is over the sessions of both, in any order of the rows", () => {
    const whole = activePerformance(
      shuffled(byDay("return", [...TILT, 0.5, null])),
      shuffled(byDay("return", [...MARKET, null, 0.5, 0.9])),
      YEAR,
    ).toRecords()[0]!;
    expect(whole).toEqual({ ...measure(TILT, MARKET), missing: 2 });
  });

  test("states no ratio and no interval for fewer than 20 sessions", () => {
    expect(measure(TILT.slice(0, 19), MARKET)).toMatchObject({
      sessions: 19,
      active_return: null,
      active_low: null,
      p: null,
      tracking_error: null,
      information_ratio: null,
      reason: "too_few_windows",
    });
    expect(measure([], MARKET)).toMatchObject({ sessions: 0, active_return: null });
  });

  test("has no ratio where the portfolio is its benchmark", () => {
    expect(measure(TILT, TILT)).toMatchObject({
      active_return: 0,
      active_low: null,
      tracking_error: 0,
      information_ratio: null,
      max_active_drawdown: 0,
      reason: "no_variance",
    });
  });

  test("refuses returns over windows that overlap", () => {
    const fiveSessions = byDay("return", TILT);
    expect(() => activePerformance(fiveSessions, fiveSessions, { horizon: 5 })).toThrow(
      "Cannot measure the active performance: expected returns of one session, got returns over 5",
    );
  });
});
