import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { coverage } from "../../../src/frames/vintage/coverage_frame.ts";
import { shownType } from "../frame/_dtype.ts";
import { SMALL_RELEASE } from "../../helpers/release_frame.ts";

test("dates as pandas has them are dates, a NaN is no score, and a row twice is refused", () => {
  const rows = pl.DataFrame([
    pl.Series("date", [new Date("2026-10-26"), new Date("2026-10-26")], pl.Datetime("us")),
    pl.Series("ticker", ["A", "B"], pl.Utf8),
    pl.Series("ecpnd_score", [0.5, NaN], pl.Float64),
  ]);
  expect(coverage(rows).rows()).toEqual([[new Date("2026-10-26"), 2, 1, 1, 0.5]]);
  expect(() => coverage(pl.concat([rows, rows]))).toThrow(
    "expected one row for each date and ticker, got several on 2026-10-26",
  );
});

describe("coverage()", () => {
  test("counts rows with and without a score for each session, in order", () => {
    expect(coverage(SMALL_RELEASE).rows()).toEqual([
      [new Date("2026-08-13"), 3, 2, 1, 2 / 3],
      [new Date("2026-08-14"), 1, 1, 0, 1],
    ]);
  });

  test("counts in whole numbers", () => {
    const counted = coverage(SMALL_RELEASE);
    const types = ["row_count", "scored", "missing"].map((name) => shownType(counted, name));
    expect([...types, shownType(counted, "share")]).toEqual(["i32", "i32", "i32", "f64"]);
  });

  test("refuses a frame without dates", () => {
    expect(() => coverage(SMALL_RELEASE.drop("date"))).toThrow("count the coverage");
    expect(() => coverage(SMALL_RELEASE.drop("ecpnd_score"))).toThrow("got date, ticker");
    expect(() => coverage(undefined as never)).toThrow(TypeError);
  });
});
