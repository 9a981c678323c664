import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { coverage } from "../../src/frame/coverage_frame.ts";
import { shownType } from "./_dtype.ts";

function release(rows: [date: string, score: number | null][]) {
  return pl.DataFrame([
    pl.Series("date", rows.map(([date]) => new Date(date)), pl.Date),
    pl.Series("ticker", rows.map((_, i) => `T${i}`), pl.Categorical),
    pl.Series("ecpnd_score", rows.map(([, score]) => score), pl.Float64),
  ]);
}

const SMALL = release([
  ["2026-08-14", 0],
  ["2026-08-13", 0.5],
  ["2026-08-13", null],
  ["2026-08-13", 1],
]);

describe("coverage()", () => {
  test("counts rows with and without a score for each session, in order", () => {
    expect(coverage(SMALL).rows()).toEqual([
      [new Date("2026-08-13"), 3, 2, 1, 2 / 3],
      [new Date("2026-08-14"), 1, 1, 0, 1],
    ]);
  });

  test("counts in whole numbers", () => {
    const counted = coverage(SMALL);
    const types = ["row_count", "scored", "missing"].map((name) => shownType(counted, name));
    expect([...types, shownType(counted, "share")]).toEqual(["i32", "i32", "i32", "f64"]);
  });

  test("refuses a frame without dates", () => {
    expect(() => coverage(SMALL.drop("date"))).toThrow("Cannot count the coverage");
    expect(() => coverage(SMALL.drop("ecpnd_score"))).toThrow("the frame has date, ticker");
    expect(() => coverage(undefined as never)).toThrow("a DataFrame is required, got nothing");
  });
});
