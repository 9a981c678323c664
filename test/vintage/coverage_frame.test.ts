import { describe, expect, test } from "vitest";
import { coverage } from "../../src/vintage/coverage_frame.ts";
import { shownType } from "../frame/_dtype.ts";
import { SMALL_RELEASE } from "../helpers/release_frame.ts";

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
    expect(() => coverage(SMALL_RELEASE.drop("date"))).toThrow("Cannot count the coverage");
    expect(() => coverage(SMALL_RELEASE.drop("ecpnd_score"))).toThrow("got date, ticker");
    expect(() => coverage(undefined as never)).toThrow("expected a DataFrame, got nothing");
  });
});
