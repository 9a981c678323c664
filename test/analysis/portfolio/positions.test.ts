import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { portfolioReturns, positions, type Weights } from "../../../src/analysis/mod.ts";
import { dateAfter, rowsOf } from "../series/_frames.ts";

const SESSIONS = 40;

/** Scores and returns of A and B in every session: A earns one percent, B nothing. */
const data = pl.DataFrame(
  Array.from({ length: SESSIONS }, (_, d) =>
    ["A", "B"].map((ticker) => ({
      session: dateAfter(d),
      ticker,
      score: null,
      return_1: ticker === "A" ? 0.01 : 0,
    }))).flat(),
  { schema: { session: pl.Utf8, ticker: pl.Utf8, score: pl.Float64, return_1: pl.Float64 } },
);

/** Half long A, half short B, in every so manieth session. */
function weightsEvery(step: number): DataFrame {
  const sessions = Array.from({ length: SESSIONS }, (_, d) => d).filter((d) => d % step === 0);
  return pl.DataFrame({
    session: sessions.flatMap((d) => [dateAfter(d), dateAfter(d)]),
    ticker: sessions.flatMap(() => ["A", "B"]),
    weight: sessions.flatMap(() => [0.5, -0.5]),
  });
}

/** Gross exposure by session of the data, 0 without positions. */
function exposures(held: Weights): number[] {
  const gross = new Map<string, number>();
  for (const { session, weight } of rowsOf(held.data)) {
    gross.set(String(session), (gross.get(String(session)) ?? 0) + Math.abs(Number(weight)));
  }
  return Array.from({ length: SESSIONS }, (_, d) => gross.get(dateAfter(d)) ?? 0);
}

const sessions = Array.from({ length: SESSIONS }, (_, d) => dateAfter(d));

test("a frame of weekly weights needs the sessions in between", () => {
  const friday = weightsEvery(7);
  expect(() => positions(friday, { holding: 5 })).toThrow(
    "usually 5 weekdays apart (2026-01-01, 2026-01-08, 2026-01-15); name those of the prices",
  );
  expect(exposures(positions(friday, { holding: 7, sessions }))).toEqual(Array(SESSIONS).fill(1));
});

describe("positions of weekly weights", () => {
  test("have the full exposure, held for a week, from the first weights on", () => {
    expect(exposures(positions(weightsEvery(5), { holding: 5, sessions }))).toEqual(
      Array(SESSIONS).fill(1),
    );
  });

  test("have it held for two weeks, from when two of them overlap", () => {
    const gross = exposures(positions(weightsEvery(5), { holding: 10, sessions }));
    expect(gross).toEqual([...Array(5).fill(0), ...Array(35).fill(1)]);
  });

  test("are closed in between where they are held for less than a week", () => {
    const held = positions(weightsEvery(5), { holding: 2, sessions });
    expect(exposures(held).slice(0, 7)).toEqual([1, 1, 0, 0, 0, 1, 1]);
    const book = portfolioReturns(data, held);
    const traded = book.getColumn("traded").toArray() as number[];
    // Opened for 1; A grew to 0.505 of 1.005 after one session, to 0.51005 of 1.01005 after two, and is closed.
    expect(traded.slice(0, 6)).toEqual([
      1,
      0,
      expect.closeTo((0.5 * 1.01 ** 2 + 0.5) / (0.5 + 0.5 * 1.01 ** 2), 12),
      0,
      0,
      1,
    ]);
    expect(book.getColumn("return").toArray().slice(2, 5)).toEqual([0, 0, 0]);
  });
});

test("positions of daily weights are the mean of the last ones, from when there are as many", () => {
  const gross = exposures(positions(weightsEvery(1), { holding: 5, sessions }));
  expect(gross).toEqual([...Array(4).fill(0), ...Array(36).fill(1)]);
});

test("weights in between are those of a set that is left alone", () => {
  const held = positions(weightsEvery(5), { holding: 5, sessions });
  const drifting = portfolioReturns(data, held).getColumn("traded").toArray() as number[];
  const plain = portfolioReturns(data, weightsEvery(5)).getColumn("traded").toArray();
  expect(drifting).toEqual(plain);
  expect(drifting.slice(0, 5)).toEqual([1, 0, 0, 0, 0]);
});
