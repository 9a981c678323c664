import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { quantileTurnover, rankAutocorrelation } from "../../../src/analysis/mod.ts";

// Scores of three Fridays in a row of sessions; the sessions between them have rows without a score.
const SESSIONS = ["02", "05", "06", "07", "08", "09", "12", "13", "14", "15", "16"]
  .map((day) => `2026-01-${day}`);
const FRIDAYS: Readonly<Record<string, readonly number[]>> = {
  "2026-01-02": [1, 2, 3, 4],
  "2026-01-09": [1, 3, 2, 4],
  "2026-01-16": [4, 3, 2, 1],
};
const TICKERS = ["A", "B", "C", "D"];

function rowsOf(scored: Readonly<Record<string, readonly number[]>>): DataFrame {
  const cells = SESSIONS.flatMap((session) =>
    TICKERS.map((ticker, i) => ({ session, ticker, score: scored[session]?.[i] ?? null }))
  );
  const of = (name: keyof typeof cells[number]) => cells.map((cell) => cell[name]);
  const scores = of("score") as (number | null)[];
  return pl.DataFrame([
    pl.Series("session", of("session"), pl.Utf8),
    pl.Series("ticker", of("ticker"), pl.Utf8),
    pl.Series("score", scores, pl.Float64),
    pl.Series(
      "quantile",
      scores.map((score) => score === null ? null : score <= 2 ? 1 : 2),
      pl.Int32,
    ),
  ]);
}
const valuesOf = (frame: DataFrame, name: string) =>
  frame.getColumn(name).toArray() as (number | null)[];
const places = (...filled: readonly (readonly [number, number])[]) =>
  SESSIONS.map((_, i) => filled.find(([place]) => place === i)?.[1] ?? null);

describe("scores of Fridays", () => {
  const fridays = rowsOf(FRIDAYS);

  test("are compared with those of the Friday before: 1 − 6·2/(4·15) = 0.8, and 1 − 6·18/60 = −0.8", () => {
    const found = valuesOf(rankAutocorrelation(fridays, { minNames: 2 }), "autocorrelation");
    const expected = places([5, 0.8], [10, -0.8]);
    for (const [i, value] of expected.entries()) {
      if (value === null) expect(found[i]).toBeNull();
      else expect(found[i]).toBeCloseTo(value, 12);
    }
    const all = rankAutocorrelation(fridays, { minNames: 2, names: "all" });
    expect(valuesOf(all, "autocorrelation")[5]).toBeCloseTo(0.8, 12);
  });

  test("have the turnover of their buckets since the Friday before", () => {
    const turnover = quantileTurnover(fridays);
    const of = (quantile: number) =>
      valuesOf(turnover.filter(pl.col("quantile").eq(quantile)), "turnover");
    // {A, B} → {A, C} → {C, D}: half are new each time; {C, D} → {B, D} → {A, B}, too.
    expect(of(1)).toEqual(places([5, 0.5], [10, 0.5]));
    expect(of(2)).toEqual(places([5, 0.5], [10, 0.5]));
  });

  test("are compared with neighbouring sessions, or with other signals, where that is asked", () => {
    const none = places();
    const sessions = { compare: "sessions", minNames: 2 } as const;
    expect(valuesOf(rankAutocorrelation(fridays, sessions), "autocorrelation")).toEqual(none);
    const five = { period: 5, minNames: 2 };
    expect(valuesOf(rankAutocorrelation(fridays, five), "autocorrelation")[10]).toBeCloseTo(
      -0.8,
      12,
    );
    const two = { period: 2, compare: "signals", minNames: 2 } as const;
    // 1, 2, 3, 4 and 4, 3, 2, 1.
    expect(valuesOf(rankAutocorrelation(fridays, two), "autocorrelation")).toEqual(
      places([10, -1]),
    );
    expect(valuesOf(quantileTurnover(fridays, { compare: "sessions" }), "turnover"))
      .toEqual(SESSIONS.flatMap(() => [null, null]));
  });
});

test("a session without scores among daily ones is a gap, and stays one", () => {
  const daily = Object.fromEntries(
    SESSIONS.map((session, i) => [session, i === 4 ? [] : [1, 2, 3, 4]] as const),
  );
  const found = valuesOf(rankAutocorrelation(rowsOf(daily), { minNames: 2 }), "autocorrelation");
  expect(found.map((value) => value === null)).toEqual(
    SESSIONS.map((_, i) => i === 0 || i === 4 || i === 5),
  );
});

test("another word for the comparison is refused", () => {
  expect(() => quantileTurnover(rowsOf(FRIDAYS), { compare: "weeks" as never }))
    .toThrow('"sessions" or "signals"');
});
