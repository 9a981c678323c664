import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  factorWeights,
  forwardReturns,
  informationCoefficient,
  quantize,
  rankAutocorrelation,
} from "../../src/analysis/mod.ts";

const NAMES = Array.from({ length: 12 }, (_, i) => String.fromCharCode(65 + i));

function dayOf(
  scores: readonly (number | null)[],
  returns: readonly (number | null)[] = [],
): DataFrame {
  const tickers = NAMES.slice(0, scores.length);
  return pl.DataFrame([
    pl.Series("session", tickers.map(() => "2026-10-30"), pl.Utf8),
    pl.Series("ticker", tickers, pl.Utf8),
    pl.Series("score", [...scores], pl.Float64),
    pl.Series(
      "return_1",
      tickers.map((_, i) => i < returns.length ? returns[i]! : i / 100),
      pl.Float64,
    ),
  ]);
}

const rising = NAMES.map((_, i) => i / 10);

describe("informationCoefficient()", () => {
  test.each([
    ["one name", dayOf([0.5]), 1, "too_few_names"],
    ["two names", dayOf([0.5, 0.6]), 2, "too_few_names"],
    ["no score", dayOf(NAMES.map(() => null)), 0, "too_few_names"],
    ["equal scores", dayOf(NAMES.map(() => 0.3)), 12, "constant_scores"],
    ["equal returns", dayOf(rising, NAMES.map(() => 0.01)), 12, "constant_returns"],
    ["no return", dayOf(rising, NAMES.map(() => null)), 0, "too_few_names"],
  ])("of %s is null and says why", (_, day, n, reason) => {
    for (const method of ["spearman", "pearson"] as const) {
      const [row] = informationCoefficient(day, { method }).toRecords();
      expect(row).toMatchObject({ ic: null, n, reason });
    }
  });

  test("of all names but one equal is a number", () => {
    const scores = NAMES.map((_, i) => i === 11 ? 1 : 0.5);
    const [row] = informationCoefficient(dayOf(scores)).toRecords();
    expect(row).toMatchObject({ n: 12, reason: null });
    // (66 − 11 · 5.5) / √(11 · 143) in ranks counted from the middle.
    expect(row!.ic).toBeCloseTo(0.48038446141526137, 12);
  });
});

describe("quantize()", () => {
  const bucketsOf = (day: DataFrame) => quantize(day).data.getColumn("quantile").toArray();

  test("puts equal scores into the middle bucket together", () => {
    expect(bucketsOf(dayOf(NAMES.map(() => 0.3)))).toEqual(NAMES.map(() => 3));
  });

  test("leaves nobody out because of a pile at the top", () => {
    const pile = NAMES.map((_, i) => i < 8 ? i / 10 : 1);
    expect(bucketsOf(dayOf(pile))).toEqual([1, 1, 1, 2, 2, 3, 3, 4, 5, 5, 5, 5]);
  });

  test("gives none to fewer names than buckets, and says why", () => {
    const { data, sizes } = quantize(dayOf([0.1, 0.2, 0.3]));
    expect(data.getColumn("quantile").toArray()).toEqual([null, null, null]);
    expect(sizes.getColumn("reason").toArray()).toEqual(Array(5).fill("too_few_names"));
  });

  test("puts a score on an edge into the lower bucket, whatever the numbers of names and buckets", () => {
    const wrong = [3, 6, 7, 9].flatMap((quantiles) =>
      NAMES.map((_, i) => rising.slice(0, i + 1)).flatMap((scores) => {
        const of = (ties: "edges" | "together") =>
          quantize(dayOf(scores), { quantiles, ties, minNames: 2 }).data.getColumn("quantile");
        const [edges, exact] = [of("edges").toArray().join(), of("together").toArray().join()];
        return edges === exact ? [] : [`${scores.length} names in ${quantiles}: ${edges}`];
      })
    );
    expect(wrong).toEqual([]);
  });

  test("says which share of names ties moved away from equal sizes", () => {
    const [row] = quantize(dayOf(NAMES.map(() => 0.3))).sizes.toRecords();
    // Of twelve names of equal score, two have the middle ranks.
    expect(row).toMatchObject({ scored: 12, moved: 10 / 12 });
  });

  test("raises where quantiles fall together, if it shall", () => {
    expect(() => quantize(dayOf(NAMES.map(() => 0.3)), { ties: "raise" })).toThrow(
      "got 0.3 twice on 2026-10-30",
    );
  });

  test("uses the breakpoints of a subset for all names", () => {
    const subset = pl.col("ticker").ltEq(pl.lit("D"));
    const { data } = quantize(dayOf(rising), { quantiles: 2, subset });
    expect(data.getColumn("quantile").toArray()).toEqual([1, 1, ...Array(10).fill(2)]);
  });
});

test.each(["common", "all"] as const)(
  "rankAutocorrelation() of %s names is null in a sample that is shorter than the period",
  (names) => {
    const [row] = rankAutocorrelation(dayOf(rising), { period: 5, names }).toRecords();
    expect(row).toMatchObject({ autocorrelation: null, n: 0, reason: "too_few_names" });
  },
);

test("weights of equal scores are 0, and a book of one name has no sides", () => {
  expect(factorWeights(dayOf(NAMES.map(() => 0.1))).data.getColumn("weight").toArray())
    .toEqual(NAMES.map(() => 0));
  expect(factorWeights(dayOf([0.4])).data.getColumn("weight").toArray()).toEqual([0]);
});

test("scores without any row are refused, not analysed as nothing", () => {
  const prices = pl.DataFrame({
    date: ["2026-10-29", "2026-10-30"],
    ticker: ["A", "A"],
    close: [1, 1.5],
  });
  const none = pl.DataFrame([
    pl.Series("date", [], pl.Utf8),
    pl.Series("ticker", [], pl.Utf8),
    pl.Series("score", [], pl.Float64),
  ]);
  expect(() => align(none, forwardReturns(prices, { periods: [1] }))).toThrow(RangeError);
});
