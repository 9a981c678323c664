import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { rowsOf, toValue } from "../../../../src/report/chart/grammar/values.ts";

describe("toValue()", () => {
  test("keeps counts whole and rounds fractions to six digits", () => {
    expect(toValue(7_499_863)).toBe(7_499_863);
    expect(toValue(-12_345_678)).toBe(-12_345_678);
    expect(toValue(0.123456789)).toBe(0.123457);
    expect(toValue(NaN)).toBe(null);
    expect(toValue(-Infinity)).toBe(null);
  });
});

describe("rowsOf()", () => {
  const frame = pl.DataFrame([
    pl.Series("session", [new Date("2026-10-30"), new Date("2026-11-02")], pl.Date),
    pl.Series("at", [new Date("2026-10-30T20:00:00Z"), null], pl.Datetime("ms", "UTC")),
    pl.Series("ic", [null, 0.25], pl.Float64),
    pl.Series("reason", ["few_names", null], pl.Utf8),
  ]);

  test("gives dates and instants as text, and null as null", () => {
    expect(rowsOf(frame)).toEqual([
      { session: "2026-10-30", at: "2026-10-30T20:00:00.000Z", ic: null, reason: "few_names" },
      { session: "2026-11-02", at: null, ic: 0.25, reason: null },
    ]);
  });

  test("reads the columns that are asked for, in their order", () => {
    expect(rowsOf(frame, ["reason", "ic"])).toEqual([
      { reason: "few_names", ic: null },
      { reason: null, ic: 0.25 },
    ]);
  });

  test("gives no row of an empty frame", () => {
    expect(rowsOf(frame.head(0))).toEqual([]);
  });
});
