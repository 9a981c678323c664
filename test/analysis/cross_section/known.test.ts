import { readFileSync } from "node:fs";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  factorReturns,
  factorWeights,
  forwardReturns,
  informationCoefficient,
  meanReturnByQuantile,
  portfolioReturns,
  positions,
  quantize,
  rankAutocorrelation,
} from "../../../src/analysis/mod.ts";
import { readInputs } from "../alphalens/_tables.ts";

type Known = readonly (readonly [number | null, number])[];

// Made by known/make_cross_section.py with pandas and scipy.
const KNOWN = JSON.parse(
  readFileSync(join(import.meta.dirname!, "../known/cross_section.json"), "utf8"),
);
const { scores: plainScores, prices: whole, groups } = readInputs();
// The script puts the same gaps into the prices.
const closes = whole.getColumn("close").toArray() as (number | null)[];
const prices = whole.withColumns(
  pl.Series("close", closes.map((close, i) => i * 7919 % 31 === 0 ? null : close), pl.Float64),
);
const scores = plainScores.withColumns(
  pl.Series("score", roundedTo1(plainScores.getColumn("score").toArray()), pl.Float64),
);
const returns = forwardReturns(prices, {
  periods: [1, 5],
  ended: "null",
  // The weekdays of pandas, holidays among them.
  calendar: "own",
});
// The tables of pandas are over all scored stocks.
const universe = "scored";
const rounded = align(scores, returns, { entry: "same", groups, universe });
const plain = align(plainScores, returns, { entry: "same", universe });

function roundedTo1(values: readonly unknown[]): (number | null)[] {
  // Half to even in the tenths, as numpy rounds.
  return values.map((value) => {
    if (typeof value !== "number") return null;
    const tenths = value * 10;
    const floor = Math.floor(tenths);
    const isHalf = tenths - floor === 0.5;
    return (isHalf ? floor + floor % 2 : Math.round(tenths)) / 10;
  });
}

function expectClose(ours: readonly unknown[], theirs: readonly (number | null)[]): void {
  expect(ours.length).toBe(theirs.length);
  const wrong = theirs.flatMap((expected, i) => {
    const got = ours[i];
    if (expected === null || typeof got !== "number") {
      return got === expected ? [] : [[i, expected, got]];
    }
    return Math.abs(got - expected) <= 1e-9 * Math.abs(expected) + 1e-15
      ? []
      : [[i, expected, got]];
  });
  expect(wrong.slice(0, 5)).toEqual([]);
}

function expectIc(frame: DataFrame, known: Known, column = "ic"): void {
  expectClose(frame.getColumn(column).toArray(), known.map(([ic]) => ic));
  expect(frame.getColumn("n").toArray()).toEqual(known.map(([, n]) => n));
}

const of = (frame: DataFrame, key: string, value: number) =>
  frame.filter(pl.col(key).eq(pl.lit(value)));

describe("informationCoefficient() agrees with scipy", () => {
  test.each([1, 5])("over %i sessions, with piles, gaps and missing names", (h) => {
    const count = (known: Known) => known.filter(([ic]) => ic !== null).length;
    expect(count(KNOWN.spearman[h])).toBeGreaterThan(80);
    expectIc(of(informationCoefficient(rounded), "horizon", h), KNOWN.spearman[h]);
    const pearson = informationCoefficient(rounded, { method: "pearson" });
    expectIc(of(pearson, "horizon", h), KNOWN.pearson[h]);
    const neutral = informationCoefficient(rounded, { groupNeutral: true });
    expectIc(of(neutral, "horizon", h), KNOWN.neutral[h]);
  });

  test.each([1, 3])("at lag %i", (lag) => {
    expectIc(informationCoefficient(rounded, { lags: [lag] }), KNOWN.lags[lag]);
  });

  test("in the one-session form, which begins when the window is whole", () => {
    const ic = of(informationCoefficient(rounded, { form: "oneSession" }), "horizon", 5);
    expect(ic.getColumn("ic").toArray().slice(0, 4)).toEqual([null, null, null, null]);
    expectIc(ic.slice(4, ic.height - 4), KNOWN.one_session);
  });
});

test.each([1, 5])(
  "rankAutocorrelation() over %i sessions ranks among common names as scipy does",
  (period) => {
    expectIc(
      rankAutocorrelation(rounded, { period }),
      KNOWN.autocorrelation[period],
      "autocorrelation",
    );
  },
);

describe("quantize()", () => {
  const bucketsOf = (frame: DataFrame) =>
    frame.filter(pl.col("quantile").isNotNull()).toRecords().map((row) =>
      [(row.session as unknown as Date).toISOString().slice(0, 10), row.ticker, row.quantile].join(
        " ",
      )
    );
  const listed = (known: Record<string, Record<string, number>>) =>
    Object.entries(known).flatMap(([date, buckets]) =>
      Object.entries(buckets).map(([ticker, bucket]) => `${date} ${ticker} ${bucket}`)
    ).toSorted();

  test("without ties puts every name where pandas.qcut does, whatever ties do", () => {
    for (const ties of ["together", "edges", "first", "raise"] as const) {
      expect(bucketsOf(quantize(plain, { ties }).data).toSorted()).toEqual(listed(KNOWN.qcut));
    }
  });

  test("with bins puts every name where pandas.cut does", () => {
    expect(bucketsOf(quantize(rounded, { bins: 4 }).data).toSorted()).toEqual(listed(KNOWN.cut));
  });
});

test("meanReturnByQuantile() has the mean, deviation and count of every cell", () => {
  const cells = meanReturnByQuantile(quantize(plain), { bySession: true });
  const five = of(cells, "horizon", 5);
  const known = KNOWN.quantile_means.flat() as [number | null, number | null, number][];
  expectClose(five.getColumn("mean").toArray(), known.map(([mean]) => mean));
  expectClose(five.getColumn("deviation").toArray(), known.map(([, deviation]) => deviation));
  expect(five.getColumn("n").toArray()).toEqual(known.map(([, , n]) => n));
});

test("weights, positions and their returns are those of pandas", () => {
  const weights = factorWeights(plain);
  const one = of(factorReturns(plain, weights), "horizon", 1);
  expectClose(one.getColumn("return").toArray(), KNOWN.factor_returns);
  const portfolio = portfolioReturns(plain, positions(weights, { holding: 3 }));
  expectClose(portfolio.getColumn("return").toArray(), KNOWN.portfolio);
  expectClose(portfolio.getColumn("traded").toArray(), KNOWN.traded);
});

describe("ICs by an expression", () => {
  test("see a column that was joined to the rows, whose order does not matter", () => {
    const rows = rounded.data.rename({ group: "size" }).sort("score");
    const byGroup = informationCoefficient(rounded, { by: "group", minNames: 2 });
    const bySize = informationCoefficient(rows, { by: pl.col("size"), minNames: 2 });
    const sorted = (ics: DataFrame, part: string) =>
      ics.rename({ [part]: "part" }).sort(["session", "horizon", "part"])
        .select("session", "horizon", "part", "ic", "n").toRecords();
    expect(sorted(bySize, "part")).toEqual(sorted(byGroup, "group"));
    expect(bySize.getColumn("ic").isNotNull().toArray()).toContain(true);
  });
});
