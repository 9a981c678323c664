import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { deriveScores } from "../../../../src/desk/dataset/sweep/derive_scores.ts";
import type { Variant } from "../../../../src/desk/dataset/sweep/variant.ts";

const PLAIN: Variant = {
  name: "v",
  weights: { a: 1 },
  transform: "none",
  lag: 0,
  universe: null,
};
const SESSIONS = Int32Array.from([100, 101, 104, 105]);

function scores(rows: readonly (readonly [number, string, number | null])[]): DataFrame {
  return pl.DataFrame([
    pl.Series("date", rows.map(([day]) => day), pl.Int32).cast(pl.Date),
    pl.Series("ticker", rows.map(([, ticker]) => ticker), pl.Utf8),
    pl.Series("score", rows.map(([, , score]) => score), pl.Float64),
  ]);
}

function derive(variant: Partial<Variant>, of: Readonly<Record<string, DataFrame>>) {
  const frame = deriveScores({ ...PLAIN, ...variant }, new Map(Object.entries(of)), SESSIONS);
  return frame.withColumns(pl.col("date").cast(pl.Int32)).rows()
    .map(([day, ticker, score]) => [day, ticker, score ?? null]);
}

describe("the scores of a variant", () => {
  test("are those of the factor, sorted, with null where there is none", () => {
    const a = scores([[101, "Y", null], [100, "X", 0.5]]);
    expect(derive({}, { a })).toEqual([[100, "X", 0.5], [101, "Y", null]]);
  });

  test("are used so many sessions later, and not at all after the last session", () => {
    const a = scores([[100, "X", 1], [101, "X", 2], [104, "X", 3], [102, "X", 9]]);
    // The 102nd day is no session: it stays, and the loss report counts it.
    expect(derive({ lag: 2 }, { a })).toEqual([[102, "X", 9], [104, "X", 1], [105, "X", 2]]);
  });

  test("are those of the days on which a name is in the universe", () => {
    const a = scores([[100, "X", 1], [100, "Y", 2], [101, "X", 3], [102, "X", 4], [103, "X", 5]]);
    // Days since 1970-01-01: 101 is 12 April.
    const universe = [
      { ticker: "X", from: "1970-04-12", to: "1970-04-12" },
      { ticker: "X", from: "1970-04-14" },
    ];
    expect(derive({ universe }, { a })).toEqual([[101, "X", 3], [103, "X", 5]]);
  });

  test("are those of the names of the universe", () => {
    const a = scores([[100, "X", 1], [100, "Y", 2]]);
    expect(derive({ universe: [{ ticker: "Y" }, { ticker: "Z" }] }, { a })).toEqual([[
      100,
      "Y",
      2,
    ]]);
  });

  test("are centred average ranks of the scored names of a session", () => {
    const a = scores([[100, "A", 5], [100, "B", 1], [100, "C", 5], [100, "D", null], [
      101,
      "A",
      7,
    ]]);
    // Ranks 2.5, 1, 2.5 of three names: (R - 2) / 3.
    expect(derive({ transform: "rank" }, { a })).toEqual([
      [100, "A", 0.5 / 3],
      [100, "B", -1 / 3],
      [100, "C", 0.5 / 3],
      [100, "D", null],
      [101, "A", 0],
    ]);
  });

  test("are z-scores by the deviation with n − 1, and none where all are equal", () => {
    const a = scores([[100, "A", 1], [100, "B", 3], [101, "A", 2], [101, "B", 2]]);
    expect(derive({ transform: "zscore" }, { a })).toEqual([
      [100, "A", -1 / Math.sqrt(2)],
      [100, "B", 1 / Math.sqrt(2)],
      [101, "A", null],
      [101, "B", null],
    ]);
  });

  test("add the factors by their weights, for names with rows in all of them", () => {
    const a = scores([[100, "A", 1], [100, "B", 2], [100, "C", 3]]);
    const b = scores([[100, "A", 10], [100, "C", null], [101, "A", 1]]);
    expect(derive({ weights: { a: 1, b: -0.5 } }, { a, b })).toEqual([
      [100, "A", -4],
      [100, "C", null],
    ]);
  });
});
