import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { compare } from "../../../src/client/compare.ts";

function release(rows: [date: string, ticker: string, score: number | null][], text = false) {
  return pl.DataFrame([
    pl.Series("date", rows.map(([date]) => new Date(date)), pl.Date),
    pl.Series("ticker", rows.map(([, ticker]) => ticker), text ? pl.Utf8 : pl.Categorical),
    pl.Series("ecpnd_score", rows.map(([, , score]) => score), pl.Float64),
  ]);
}

const BEFORE = release([
  ["2026-08-13", "A", 0.5],
  ["2026-08-13", "B", 0],
  ["2026-08-13", "NA", null],
  ["2026-08-14", "A", 0.25],
  ["2026-08-14", "B", null],
]);

describe("compare() of two releases", () => {
  test("tells what moved, came, went, appeared and vanished, by session and ticker", () => {
    const after = release([
      ["2026-08-13", "A", 0.75],
      ["2026-08-13", "B", null],
      ["2026-08-13", "NA", null],
      ["2026-08-14", "B", 0],
      ["2026-08-17", "A", 1],
    ], true);
    const { changes, summary } = compare(BEFORE, after);
    const day = (date: string) => new Date(date);
    expect(changes.rows()).toEqual([
      [day("2026-08-13"), "A", "moved", 0.5, 0.75, 0.25],
      [day("2026-08-13"), "B", "value_to_null", 0, null, null],
      [day("2026-08-14"), "A", "removed", 0.25, null, null],
      [day("2026-08-14"), "B", "null_to_value", null, 0, null],
      [day("2026-08-17"), "A", "added", null, 1, null],
    ]);
    expect(summary.rows()).toEqual([
      ["added", 1, 1, 1, null, null],
      ["removed", 1, 1, 1, null, null],
      ["value_to_null", 1, 1, 1, null, null],
      ["null_to_value", 1, 1, 1, null, null],
      ["moved", 1, 1, 1, 0.25, 0.25],
      ["unchanged", 1, 1, 1, null, null],
    ]);
  });

  test.each(
    [
      ["in both with other values", ["2026-08-13", "A", 0.5], ["2026-08-13", "A", 0.75]],
      ["with one value", ["2026-08-13", "A", 0.5], ["2026-08-13", "A", 0.5]],
      ["where the other release has no such row", ["2026-08-18", "A", 0.5], [
        "2026-08-18",
        "A",
        0.5,
      ]],
    ] as const,
  )("refuses a date and ticker that repeat %s", (_, first, second) => {
    const repeated = release([[...first], [...second]]);
    for (const [a, b] of [[repeated, BEFORE], [BEFORE, repeated], [repeated, repeated]] as const) {
      expect(() => compare(a, b)).toThrow(TypeError);
      expect(() => compare(a, b)).toThrow("each date and");
    }
  });

  test("gives no changes between a release and itself", () => {
    const { changes, summary } = compare(BEFORE, BEFORE);
    expect(changes.height).toBe(0);
    expect(summary.rows()).toEqual([
      ["added", 0, 0, 0, null, null],
      ["removed", 0, 0, 0, null, null],
      ["value_to_null", 0, 0, 0, null, null],
      ["null_to_value", 0, 0, 0, null, null],
      ["moved", 0, 0, 0, null, null],
      ["unchanged", 5, 2, 3, 0, 0],
    ]);
  });

  test("counts rows, sessions and tickers each once, and the size of a move without its sign", () => {
    const after = release([
      ["2026-08-13", "A", 0.25],
      ["2026-08-13", "B", 0.5],
      ["2026-08-13", "NA", null],
      ["2026-08-14", "A", 0],
      ["2026-08-14", "B", null],
    ]);
    // A moves by -0.25 in two sessions, B by 0.5 in one of them.
    expect(compare(BEFORE, after).summary.row(4)).toEqual(["moved", 3, 2, 2, 1 / 3, 0.5]);
  });

  test("refuses two factors", () => {
    expect(() => compare(BEFORE, BEFORE.rename({ ecpnd_score: "ecqdi_score" })))
      .toThrow("expected two frames of one factor, got ecpnd_score and ecqdi_score");
  });
});
