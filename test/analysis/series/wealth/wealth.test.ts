import fc from "fast-check";
import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  cumulativeReturns,
  drawdowns,
} from "../../../../src/analysis/series/wealth/cumulative_returns.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { byDay, rowsOf, shuffled } from "../_frames.ts";

describe("cumulativeReturns", () => {
  test("starts from 1 before the first return, and goes on over null returns, which it counts", () => {
    const rows = rowsOf(cumulativeReturns(byDay("return", [0.1, null, -0.5, null])));
    expect(rows.map(({ date, missing }) => [date, missing])).toEqual([
      ["2026-01-01", 0],
      ["2026-01-02", 1],
      ["2026-01-03", 1],
      ["2026-01-04", 2],
    ]);
    expect(rows[0]!["wealth"]).toBe(1.1);
    expect(rows[1]).toMatchObject({ return: null, wealth: null });
    expectNear(rows[2]!["wealth"] as number, 0.55);
  });

  test("begins on the session of the first entry with a wealth of 1, where the returns tell it", () => {
    const returns = pl.DataFrame({
      date: ["2026-01-06", "2026-01-07"],
      from: ["2026-01-05", "2026-01-06"],
      return: [-0.5, 0.5],
    });
    expect(rowsOf(cumulativeReturns(returns)).map(({ date, wealth }) => [date, wealth])).toEqual([
      ["2026-01-05", 1],
      ["2026-01-06", 0.5],
      ["2026-01-07", 0.75],
    ]);
    expect(rowsOf(drawdowns(returns))[0]).toMatchObject({
      peak: "2026-01-05",
      trough: "2026-01-06",
    });
  });

  test("refuses to compound windows of several sessions", () => {
    expect(() => cumulativeReturns(byDay("return", [0.1]), { horizon: 5 })).toThrow(
      /got returns over 5/,
    );
  });

  test("gives equal bytes for rows in any order", () => {
    const frame = byDay("return", Array.from({ length: 50 }, (_, i) => Math.sin(i) / 20));
    expect(cumulativeReturns(shuffled(frame)).toRecords()).toEqual(
      cumulativeReturns(frame).toRecords(),
    );
  });

  test("has no rows for no returns", () => {
    expect(cumulativeReturns(byDay("return", [])).shape).toEqual({ height: 0, width: 4 });
  });
});

describe("drawdowns", () => {
  test("counts the start as a peak", () => {
    expect(rowsOf(drawdowns(byDay("return", [-0.5, 0.5, 0.1])))).toEqual([{
      depth: -0.5,
      peak: null,
      trough: "2026-01-01",
      recovery: null,
      sessions: 3,
      to_trough: 1,
    }]);
  });

  test("gives each fall its peak, trough, recovery and length, the deepest first", () => {
    const rows = rowsOf(drawdowns(byDay("return", [1, -0.25, 1, null, -0.5, -0.5, 7, 0])));
    expect(rows).toEqual([
      {
        depth: -0.75,
        peak: "2026-01-03",
        trough: "2026-01-06",
        recovery: "2026-01-07",
        sessions: 4,
        to_trough: 3,
      },
      {
        depth: -0.25,
        peak: "2026-01-01",
        trough: "2026-01-02",
        recovery: "2026-01-03",
        sessions: 2,
        to_trough: 1,
      },
    ]);
  });

  test("finds none where wealth never falls", () => {
    expect(drawdowns(byDay("return", [0, 0.1, 0.2])).height).toBe(0);
    expect(drawdowns(byDay("return", [])).height).toBe(0);
  });

  test("has the depth of wealth over its running maximum, at the deepest", () => {
    const returns = fc.array(fc.double({ min: -0.5, max: 0.5, noNaN: true }), { maxLength: 30 });
    fc.assert(
      fc.property(returns, (values) => {
        let [wealth, top, deepest] = [1, 1, 0];
        for (const value of values) {
          wealth *= 1 + value;
          top = Math.max(top, wealth);
          deepest = Math.min(deepest, wealth / top - 1);
        }
        const [first] = drawdowns(byDay("return", values)).toRecords();
        expect(first?.["depth"] ?? 0).toBe(deepest);
      }),
      { numRuns: 50, seed: 3 },
    );
  });
});
