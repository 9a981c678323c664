import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { cumulativeQuantileReturns } from "../../../../src/analysis/series/wealth/cumulative_quantile_returns.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { rowsOf, shuffled } from "../_frames.ts";

type Cell = readonly [
  session: string,
  horizon: number,
  quantile: number,
  mean: number | null,
  excess: number | null,
];

function tableOf(cells: readonly Cell[]) {
  return pl.DataFrame([
    pl.Series("session", cells.map(([session]) => session), pl.Utf8),
    pl.Series("horizon", cells.map(([, horizon]) => horizon), pl.Int32),
    pl.Series("quantile", cells.map(([, , quantile]) => quantile), pl.Int32),
    pl.Series("mean", cells.map(([, , , mean]) => mean), pl.Float64),
    pl.Series("mean_excess", cells.map(([, , , , excess]) => excess), pl.Float64),
  ]);
}

// All names earn 20%, −50% and 100%; the upper bucket has no return in the second session.
const CELLS: readonly Cell[] = [
  ["2026-10-28", 1, 1, 0.1, -0.1],
  ["2026-10-28", 1, 2, 0.5, 0.3],
  ["2026-10-29", 1, 1, -0.5, 0],
  ["2026-10-29", 1, 2, null, null],
  ["2026-10-30", 1, 1, 1, 0],
  ["2026-10-30", 1, 2, 2, 1],
  ["2026-10-28", 5, 1, 9, 8],
  ["2026-10-28", 5, 2, 9, 8],
];

describe("cumulativeQuantileReturns()", () => {
  test("compounds the returns of one session of each bucket, from 1 before the first", () => {
    const rows = rowsOf(cumulativeQuantileReturns(tableOf(CELLS)));
    expect(rows.map(({ quantile, session }) => [quantile, session])).toEqual([
      [1, "2026-10-28"],
      [1, "2026-10-29"],
      [1, "2026-10-30"],
      [2, "2026-10-28"],
      [2, "2026-10-29"],
      [2, "2026-10-30"],
    ]);
    for (const [i, wealth] of [1.1, 0.55, 1.1].entries()) {
      expectNear(rows[i]!["wealth"] as number, wealth);
    }
  });

  test("has null where a bucket has no return, and goes on from the last value", () => {
    const upper = rowsOf(cumulativeQuantileReturns(tableOf(CELLS))).slice(3);
    expect(upper[1]).toMatchObject({ wealth: null, relative: null });
    expectNear(upper[2]!["wealth"] as number, 4.5);
  });

  test("compares a bucket with all names over the sessions in which it has a return", () => {
    const rows = rowsOf(cumulativeQuantileReturns(tableOf(CELLS)));
    expectNear(rows[1]!["all_names"] as number, 0.6);
    expectNear(rows[5]!["all_names"] as number, 1.2);
    expectNear(rows[0]!["relative"] as number, 1.1 / 1.2);
    expectNear(rows[5]!["relative"] as number, (1.5 / 1.2) * (3 / 2));
  });

  test("gives equal bytes for rows in any order", () => {
    const table = tableOf(CELLS);
    expect(cumulativeQuantileReturns(shuffled(table)).toRecords()).toEqual(
      cumulativeQuantileReturns(table).toRecords(),
    );
  });

  test("refuses longer horizons alone, which overlap, and a bucket that stands twice in a session", () => {
    const longer = tableOf(CELLS.filter(([, horizon]) => horizon === 5));
    expect(() => cumulativeQuantileReturns(longer)).toThrow("got none with horizon 1");
    expect(() => cumulativeQuantileReturns(tableOf([...CELLS, CELLS[0]!]))).toThrow(RangeError);
    expect(() => cumulativeQuantileReturns(tableOf(CELLS).drop("mean_excess"))).toThrow(TypeError);
  });

  test("has no rows for no sessions", () => {
    expect(cumulativeQuantileReturns(tableOf([])).shape).toEqual({ height: 0, width: 5 });
  });
});
