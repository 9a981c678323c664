import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { cumulativeQuantileReturns } from "../../../../src/analysis/series/wealth/cumulative_returns.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { rowsOf, shuffled } from "../_frames.ts";

const SESSIONS = ["2026-10-28", "2026-10-29", "2026-10-30"];
// The upper quantile holds nothing in the second session; C is in none.
const data = pl.DataFrame({
  session: SESSIONS.flatMap((session) => [session, session, session]),
  ticker: SESSIONS.flatMap(() => ["A", "B", "C"]),
  score: [0.1, 0.9, 0.5, 0.1, 0.9, 0.5, 0.1, 0.9, 0.5],
  quantile: [1, 2, null, 1, null, null, 1, 2, null],
  return_1: [0.1, 0.5, 0, -0.5, 0.2, 0, 1, 2, 0],
  return_5: [9, 9, 9, 9, 9, 9, 9, 9, 9],
});

describe("cumulativeQuantileReturns()", () => {
  const rows = rowsOf(cumulativeQuantileReturns(data));

  test("compounds what one session after another earns in each quantile, from 1 before the first", () => {
    // What the last session's rows earn is earned by the Monday after it.
    expect(rows.map(({ quantile, date }) => [quantile, date])).toEqual(
      [1, 2].flatMap((quantile) => [...SESSIONS, "2026-11-02"].map((date) => [quantile, date])),
    );
    for (const [i, wealth] of [1, 1.1, 0.55, 1.1].entries()) {
      expectNear(rows[i]!["wealth"] as number, wealth);
    }
  });

  test("has null where a quantile holds nothing, and goes on from the last value", () => {
    expect(rows[6]).toMatchObject({ wealth: null, relative: null });
    expectNear(rows[7]!["wealth"] as number, 4.5);
  });

  test("compares a quantile with all stocks over the sessions in which it has a return", () => {
    expectNear(rows[1]!["all_names"] as number, 1.2);
    expectNear(rows[7]!["all_names"] as number, 1.2 * 0.9 * 2);
    expectNear(rows[1]!["relative"] as number, 1.1 / 1.2);
    expectNear(rows[7]!["relative"] as number, (1.5 / 1.2) * (3 / 2));
  });

  test("gives equal bytes for rows in any order", () => {
    expect(cumulativeQuantileReturns(shuffled(data)).toRecords()).toEqual(
      cumulativeQuantileReturns(data).toRecords(),
    );
  });

  test("refuses longer horizons alone, which overlap, means, and rows without quantiles", () => {
    expect(() => cumulativeQuantileReturns(data.drop("return_1"))).toThrow(RangeError);
    const means = pl.DataFrame({ session: [SESSIONS[0]], horizon: [1], quantile: [1], mean: [0] });
    expect(() => cumulativeQuantileReturns(means)).toThrow("give the result of quantize()");
    expect(() => cumulativeQuantileReturns(data.drop("quantile"))).toThrow(TypeError);
  });
});
