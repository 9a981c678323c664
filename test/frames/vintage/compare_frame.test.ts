import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { toChangeFrame, toChangeSummary } from "../../../src/frames/vintage/compare_frame.ts";
import { frameOf } from "../frame/_score_frames.ts";

const before = frameOf({ scores: { A: 0.5, B: 0.2, C: null, D: 0.9, E: 0, G: 0.5 } });
const after = frameOf({ scores: { A: 0.25, B: null, C: 0.4, E: 0, F: 0.7, G: 0.5 } });

test("a NaN of pandas is no score, and like another one", () => {
  const frame = (scores: (number | null)[]) =>
    pl.DataFrame([
      pl.Series("ticker", ["A", "B"], pl.Utf8),
      pl.Series("ecpnd_score", scores, pl.Float64),
    ]);
  expect(toChangeFrame(frame([NaN, 0.5]), frame([NaN, NaN])).getColumn("change").toArray())
    .toEqual(["unchanged", "value_to_null"]);
});

describe("toChangeFrame()", () => {
  const rows = toChangeFrame(before, after).toRecords();
  const row = (ticker: string) => rows.find((entry) => entry.ticker === ticker)!;

  test("has one row for each ticker of either frame, alphabetical, with what happened to it", () => {
    expect(rows.map(({ ticker, change }) => [ticker, change])).toEqual([
      ["A", "moved"],
      ["B", "value_to_null"],
      ["C", "null_to_value"],
      ["D", "removed"],
      ["E", "unchanged"],
      ["F", "added"],
      ["G", "unchanged"],
    ]);
  });

  test("gives the move from before to after, and none without both values", () => {
    expect(row("A")).toMatchObject({ before: 0.5, after: 0.25, move: -0.25 });
    expect(row("E")).toMatchObject({ before: 0, after: 0, move: 0 });
    expect(row("B")).toMatchObject({ before: 0.2, after: null, move: null });
    expect(row("F")).toMatchObject({ before: null, after: 0.7, move: null });
  });

  test("ranks the highest score first, shares the average of ties, and counts a rise as positive", () => {
    // Before: D 0.9, A and G 0.5, B 0.2, E 0. After: F 0.7, G 0.5, C 0.4, A 0.25, E 0.
    expect(row("A")).toMatchObject({ rank_before: 2.5, rank_after: 4, rank_shift: -1.5 });
    expect(row("G")).toMatchObject({ rank_before: 2.5, rank_after: 2, rank_shift: 0.5 });
    expect(row("E")).toMatchObject({ rank_before: 5, rank_after: 5, rank_shift: 0 });
    expect(row("B")).toMatchObject({ rank_before: 4, rank_after: null, rank_shift: null });
  });

  test("refuses two factors, a repeated ticker and a frame without scores", () => {
    const ecqdi = frameOf({ factor: "ecqdi" });
    expect(() => toChangeFrame(before, ecqdi)).toThrow("got ecpnd_score and ecqdi_score");
    const twice = before.vstack(after);
    expect(() => toChangeFrame(twice, after)).toThrow('"A" in the first');
    expect(() => toChangeFrame(before, twice)).toThrow('"A" in the second');
    expect(() => toChangeFrame(before.select("ticker"), after)).toThrow("ecqdi_score, got ticker");
  });
});

test("toChangeFrame() refuses a frame with the scores of both factors, and one without tickers", () => {
  const both = before.rename({ status: "ecqdi_score" });
  expect(() => toChangeFrame(both, after)).toThrow(
    "a ticker column and one of ecpnd_score, ecqdi_score, got ticker, ecpnd_score",
  );
  expect(() => toChangeFrame(before.drop("ticker"), after)).toThrow("ecqdi_score, got ecpnd_score");
});

describe("toChangeSummary()", () => {
  test("has a row for each kind of change, even of those that did not occur", () => {
    const summary = toChangeSummary(toChangeFrame(before, before)).toRecords();
    expect(summary.map(({ change, tickers }) => [change, tickers])).toEqual([
      ["added", 0],
      ["removed", 0],
      ["value_to_null", 0],
      ["null_to_value", 0],
      ["moved", 0],
      ["unchanged", 6],
    ]);
    expect(summary[4]).toMatchObject({ mean_abs_move: null, max_abs_rank_shift: null });
  });

  test("gives mean and largest size of the moves, whichever way they went", () => {
    const earlier = frameOf({ scores: { A: 0.5, B: 0.25 } });
    const later = frameOf({ scores: { A: 0, B: 0.5 } });
    const moved = toChangeSummary(toChangeFrame(earlier, later)).toRecords()[4];
    expect(moved).toEqual({
      change: "moved",
      tickers: 2,
      mean_abs_move: 0.375,
      max_abs_move: 0.5,
      mean_abs_rank_shift: 1,
      max_abs_rank_shift: 1,
    });
  });
});
