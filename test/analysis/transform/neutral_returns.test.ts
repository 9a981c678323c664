import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  forwardReturns,
  informationCoefficient,
  informationSummary,
  neutralize,
  neutralReturns,
} from "../../../src/analysis/mod.ts";
import { marketSessions } from "../_frames.ts";

const NAMES = 14;
const noise = (d: number, i: number) => Math.sin(1.7 * d * d + 3.1 * i * i + 0.9 * d * i);
const beta = (i: number) => Math.cos(3 * i);
const cells = marketSessions(80).flatMap((date, d) =>
  Array.from({ length: NAMES }, (_, i) => ({ date, d, i, ticker: `T${10 + i}` }))
);
const closes = new Float64Array(NAMES).fill(100);
const prices = pl.DataFrame(cells.map(({ date, d, i, ticker }) => {
  if (d > 0) {
    closes[i]! *= 1 + 0.01 * beta(i) * Math.sin(d) ** 2 + 0.01 * noise(d, i) +
      0.004 * noise(d - 1, i + 1);
  }
  return { date, ticker, close: closes[i]! };
}));
const scores = pl.DataFrame(
  cells.map(({ date, d, i, ticker }) => ({
    date,
    ticker,
    score: 0.8 * beta(i) + noise(d, i + 1),
    sector: i % 2 === 0 ? "even" : "odd",
    beta: i === 3 && d % 2 === 0 ? null : beta(i),
  })),
);
const returns = await forwardReturns(prices, { periods: [1, 5], calendar: "own" });
const alignedTo = (frame: DataFrame) => align(frame, returns, { entry: "same", score: "score" });
const aligned = alignedTo(scores);
const BOTH = { group: "sector", on: ["beta"] };

describe("neutralReturns()", () => {
  test("has the residuals of numpy.linalg.lstsq", () => {
    const first = (neutral: DataFrame) => {
      const day = neutral.filter(
        pl.col("session").cast(pl.Utf8).eq(pl.lit(cells[10 * NAMES]!.date)),
      );
      return day.getColumn("return_1").toArray().slice(0, 3) as number[];
    };
    const near = (found: readonly number[], expected: readonly number[]) =>
      expected.forEach((value, i) => expect(found[i]).toBeCloseTo(value, 8));
    near(first(neutralReturns(aligned, scores, BOTH).data), [
      -0.00278221,
      -0.00577477,
      -0.00384162,
    ]);
    near(first(neutralReturns(aligned, scores, { group: "sector" }).data), [
      ...[0.00110872, -0.00997963, -0.00030232],
    ]);
  });

  test("has the IC of residual scores with residual returns that scipy gives", () => {
    const residual = alignedTo(neutralize(scores, { ...BOTH, score: "score" }).data);
    const neutral = neutralReturns(residual, scores, BOTH);
    const means = informationSummary(informationCoefficient(neutral)).table.getColumn("mean");
    expect(means.toArray()).toEqual([
      expect.closeTo(0.3715120322715259, 12),
      expect.closeTo(0.13936996336996338, 12),
    ]);
  });

  test("says what was removed in each session and horizon, and whom it left out", () => {
    const { removed } = neutralReturns(aligned, scores, BOTH);
    expect(removed.height).toBe(2 * 80);
    const [first, second] = removed.toRecords();
    expect([first!.n, first!.left_out, second!.n, second!.left_out]).toEqual([13, 1, 14, 0]);
    const mean = (horizon: number) =>
      removed.filter(pl.col("horizon").eq(horizon)).getColumn("r_squared").mean();
    expect(mean(1)).toBeCloseTo(0.31135706391536916, 12);
    expect(mean(5)).toBeCloseTo(0.5648276294676629, 12);
    expect(removed.filter(pl.col("reason").isNotNull()).toRecords().map(({ reason }) => reason))
      .toEqual(Array(6).fill("too_few_names"));
  });

  test("says it in a sentence for each horizon", () => {
    expect(String(neutralReturns(aligned, scores, BOTH))).toBe(
      "At 1 session, groups and exposures explain 31.1% of the variance of the returns, on average over 79 sessions; 1 session " +
        "without residuals. At 5 sessions, groups and exposures explain 56.5% of the variance of the returns, on average over 75 " +
        "sessions; 5 sessions without residuals.",
    );
  });

  test("regresses over scored stocks only, whatever the returns of others are", () => {
    const unscored = pl.when(pl.col("ticker").isIn(["T10", "T13"])).then(pl.lit(null))
      .otherwise(pl.col("score")).alias("score");
    const some = alignedTo(scores.withColumns(unscored));
    const { data, removed } = neutralReturns(some, scores, BOTH);
    expect(removed.toRecords()[1]!.n).toBe(NAMES - 2);
    const alone = alignedTo(scores.filter(pl.col("ticker").isIn(["T10", "T13"]).not()));
    const expected = neutralReturns(alone, scores, BOTH).data;
    const own = data.filter(pl.col("score").isNotNull());
    expect(own.getColumn("return_1").toArray()).toEqual(expected.getColumn("return_1").toArray());
  });

  test("keeps rows, scores and the alignment as they are", () => {
    const before = aligned.data.getColumn("return_1").toArray();
    const { data } = neutralReturns(aligned, scores, BOTH);
    expect(
      data.drop("return_1", "return_5").frameEqual(
        aligned.data.drop("return_1", "return_5", "known_at"),
      ),
    ).toBe(true);
    expect(aligned.data.getColumn("return_1").toArray()).toEqual(before);
  });

  test("has no residuals where the exposures cannot be told apart, or nothing varies", () => {
    const session = Array(6).fill("2026-10-30");
    const ticker = ["A", "B", "C", "D", "E", "F"];
    const data = (gains: readonly number[]) =>
      pl.DataFrame({ session, ticker, score: [1, 2, 3, 4, 5, 6], return_1: [...gains] });
    const known = pl.DataFrame({
      ...{ session, ticker },
      size: [1, 2, 3, 4, 5, 6],
      twice: [2, 4, 6, 8, 10, 12],
    });
    const reasonOf = (gains: readonly number[], on: readonly string[]) => {
      const neutral = neutralReturns(data(gains), known, { on });
      expect(neutral.data.getColumn("return_1").nullCount()).toBe(6);
      return neutral.removed.toRecords()[0]!.reason;
    };
    expect(reasonOf([0.1, 0.3, 0.2, 0.5, 0.4, 0.6], ["size", "twice"])).toBe("rank_deficient");
    expect(reasonOf([0.1, 0.1, 0.1, 0.1, 0.1, 0.1], ["size"])).toBe("constant_returns");
  });

  test("refuses what it cannot read", () => {
    expect(() => neutralReturns(aligned, scores, {})).toThrow(
      "Cannot neutralize returns: expected",
    );
    expect(() => neutralReturns(aligned, scores, { on: ["size"] })).toThrow("size");
    expect(() => neutralReturns(aligned, pl.concat([scores, scores.head(1)]), BOTH)).toThrow(
      /got \d{4}-\d\d-\d\d T10 again in row 1120/,
    );
  });
});
