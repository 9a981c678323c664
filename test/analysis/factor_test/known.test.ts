import { readFileSync } from "node:fs";
import { hindsightBias } from "../../../src/analysis/factor_test/reconcile.ts";
import { join } from "node:path";
import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  combine,
  doubleSort,
  eventReturns,
  factorCorrelation,
  factorCoverage,
  famaMacBeth,
  forwardReturns,
  informationCoefficient,
  informationSummary,
  marketRegimes,
  orthogonalize,
  stability,
} from "../../../src/analysis/mod.ts";
import { readInputs } from "../alphalens/_tables.ts";
import { shuffled } from "../_frames.ts";

// Made by known/make_factor_test.py with pandas and statsmodels.
const KNOWN = JSON.parse(
  readFileSync(join(import.meta.dirname!, "../known/factor_test.json"), "utf8"),
);
const { scores, prices, groups } = readInputs();
const returns = forwardReturns(prices, {
  periods: [1, 5],
  ended: "null",
  // The weekdays of pandas, holidays among them.
  calendar: "own",
});
const aligned = align(scores, returns, { entry: "same", groups });
const size = Float64Array.from({ length: aligned.data.height }, (_, row) => row * 37 % 101 / 10);
const data = aligned.data.withColumns(pl.Series("size", size, pl.Float64));

const ofFive = (frame: DataFrame) => frame.filter(pl.col("horizon").eq(pl.lit(5)));
const valuesOf = (frame: DataFrame, column: string) => frame.getColumn(column).toArray();

function expectClose(ours: readonly unknown[], theirs: readonly (number | null)[]): void {
  const wrong = theirs.flatMap((expected, i) => {
    const got = ours[i];
    if (expected === null || typeof got !== "number") {
      return got === expected ? [] : [[i, expected, got]];
    }
    return Math.abs(got - expected) <= 1e-9 * Math.abs(expected) + 1e-12
      ? []
      : [[i, expected, got]];
  });
  expect({ height: ours.length, wrong: wrong.slice(0, 5) }).toEqual({
    height: theirs.length,
    wrong: [],
  });
}

describe("famaMacBeth()", () => {
  test.each([["none", ""], ["rank", "_rank"], ["zscore", "_zscore"]] as const)(
    "with transform %s has the coefficients of statsmodels in every session",
    (transform, name) => {
      const known = KNOWN[`fama_macbeth${name}`] as (number | null)[][];
      const rows = ofFive(famaMacBeth(data, { on: ["score", "size"], transform, bySession: true }));
      expectClose(valuesOf(rows, "value"), known.flatMap((fit) => fit.slice(0, 3)));
      expectClose(valuesOf(rows, "r_squared"), known.flatMap((fit) => [fit[3]!, fit[3]!, fit[3]!]));
    },
  );

  test("gives one row a coefficient, with the mean over sessions", () => {
    const rows = ofFive(famaMacBeth(data, { on: ["score", "size"] })).toRecords();
    const known = (KNOWN.fama_macbeth as (number | null)[][]).filter(([first]) => first !== null);
    const mean = (i: number) => known.reduce((sum, fit) => sum + fit[i]!, 0) / known.length;
    expect(rows.map(({ term }) => term)).toEqual(["intercept", "score", "size"]);
    expectClose(rows.map((row) => row.mean), [mean(0), mean(1), mean(2)]);
    expect(rows.map(({ sessions }) => sessions)).toEqual([
      known.length,
      known.length,
      known.length,
    ]);
  });

  test("has the coefficients and the Newey-West errors of linearmodels", () => {
    const { params, errors } = KNOWN.linearmodels;
    const inference = { method: "newey-west", lag: 4, correction: true } as const;
    const rows = ofFive(famaMacBeth(data, { on: ["score", "size"], inference }));
    expectClose(valuesOf(rows, "mean"), params);
    expectClose(valuesOf(rows, "standard_error"), errors);
  });

  test("says that columns cannot be told apart", () => {
    const twice = data.withColumns(pl.col("size").mul(pl.lit(2)).alias("double"));
    const rows = famaMacBeth(twice, { on: ["size", "double"], bySession: true });
    expect(new Set(valuesOf(rows, "reason"))).toEqual(new Set(["rank_deficient"]));
    expect(rows.getColumn("value").nullCount()).toBe(rows.height);
  });
});

describe("doubleSort()", () => {
  test.each(["independent", "dependent"] as const)(
    "%s has the cells and spreads of pandas",
    (kind) => {
      const sorted = doubleSort(data, { first: "size", quantiles: [2, 3], kind });
      expectClose(valuesOf(ofFive(sorted.cells), "mean"), KNOWN[kind].cells);
      expectClose(valuesOf(ofFive(sorted.spreads), "mean"), [KNOWN[kind].size, KNOWN[kind].score]);
    },
  );

  test("does not depend on the order of rows", () => {
    const of = (frame: DataFrame) => doubleSort(frame, { first: "size" }).cells.toRecords();
    expect(JSON.stringify(of(shuffled(data, 3)))).toBe(JSON.stringify(of(data)));
  });
});

test("orthogonalize() leaves the residuals of statsmodels", () => {
  const left = orthogonalize(shuffled(data, 5), ["size"]);
  expectClose(valuesOf(left, "score"), KNOWN.residuals);
  const correlation = factorCorrelation(orthogonalize(data, ["score"]), ["score", "size"]);
  expect(new Set(valuesOf(correlation, "reason"))).toEqual(new Set(["constant_scores"]));
});

test("eventReturns() has the abnormal returns of pandas", () => {
  const events = data.filter(pl.col("score").gt(pl.lit(0.97))).select("session", "ticker");
  const rows = eventReturns(shuffled(events, 2), returns, { before: 1, after: 2 }).toRecords();
  const of = (offset: number) => rows.find((row) => row.offset === offset)!;
  const offsets = [-1, 0, 2];
  expectClose(
    offsets.map((offset) => of(offset).mean),
    KNOWN.events.map(([mean]: number[]) => mean),
  );
  expect(offsets.map((offset) => of(offset).n)).toEqual(KNOWN.events.map(([, n]: number[]) => n));
  expect([of(-1).cumulative, of(0).cumulative]).toEqual([-of(0).mean!, 0]);
});

describe("combine()", () => {
  test("gives the mean of ranks, which any column alone keeps", () => {
    const alone = combine(data, { on: ["score"] });
    const ics = (frame: DataFrame) => valuesOf(informationCoefficient(frame), "ic");
    expectClose(ics(alone), ics(data) as (number | null)[]);
  });

  test("gives the weighted means of the ranks of pandas", () => {
    const last = (options: Omit<Parameters<typeof combine>[1], "on">) => {
      const scores = valuesOf(combine(data, { on: ["score", "size"], ...options }), "score");
      return scores.slice(scores.length - KNOWN.combined.length);
    };
    expectClose(last({ weights: [1, 3] }), KNOWN.combined);
    expectClose(last({ weights: [0.25, 0.75] }), KNOWN.combined);
    expectClose(last({ method: "inverse-turnover" }), KNOWN.slow);
    expect(() => last({ weights: [1, 0] })).toThrow(RangeError);
  });

  test("turns a column with a negative weight round, and stays within half of 0", () => {
    const session = "2026-10-30";
    const rows = pl.DataFrame({
      session: [session, session, session, session],
      ticker: ["A", "B", "C", "D"],
      score: [0.1, 0.2, 0.5, 0.9],
      cost: [40, 10, 20, 30],
    });
    // Ranks of the score: −0.375, −0.125, 0.125, 0.375; of the cost: 0.375, −0.375, −0.125, 0.125.
    const scoresOf = (weights: readonly number[]) =>
      valuesOf(combine(rows, { on: ["score", "cost"], weights }), "score");
    expect(scoresOf([1, -1])).toEqual([-0.375, 0.125, 0.125, 0.125]);
    expect(scoresOf([3, -1])).toEqual([-0.375, 0, 0.125, 0.25]);
    expect(scoresOf([-1, -1])).toEqual(scoresOf([1, 1]).map((score) => 0 - Number(score)));
    for (const weight of [NaN, Infinity, "1"]) {
      expect(() => scoresOf([1, weight as number])).toThrow(/weights .*numbers/);
    }
  });

  test("weighs slow columns more, by what they did before", () => {
    const slow = data.withColumns(
      pl.col("ticker").cast(pl.Categorical).cast(pl.UInt32).cast(pl.Float64).alias("slow"),
    )
      .withColumns(pl.col("slow").plus(pl.col("size").mul(pl.lit(0.5))).alias("slow"));
    const combined = combine(slow, { on: ["size", "slow"], method: "inverse-turnover" });
    const last = combined.filter(
      pl.col("session").eq(pl.lit(new Date("2023-06-30")).cast(pl.Date)),
    );
    const toSlow = factorCorrelation(last, ["score", "slow"]).getColumn("correlation").toArray()[0];
    const toSize = factorCorrelation(last, ["score", "size"]).getColumn("correlation").toArray()[0];
    expect(Number(toSlow)).toBeGreaterThan(Number(toSize));
    const early = combine(
      slow.filter(pl.col("session").lt(pl.lit(new Date("2023-05-01")).cast(pl.Date))),
      { on: ["size", "slow"], method: "inverse-turnover" },
    );
    expect(valuesOf(early, "score")).toEqual(valuesOf(combined, "score").slice(0, early.height));
  });
});

test("factorCoverage() counts names, gaps and the exact scores of piles", () => {
  const frame = pl.DataFrame([
    pl.Series(
      "session",
      ["2026-10-28", "2026-10-28", "2026-10-29", "2026-10-29", "2026-10-30"],
      pl.Utf8,
    ),
    pl.Series("ticker", ["A", "B", "A", "C", "A"], pl.Utf8),
    pl.Series("score", [0.5, 0, null, 1, null], pl.Float64),
  ]);
  const { bySession, gaps } = factorCoverage(frame);
  const counts = (name: string) => valuesOf(bySession, name);
  expect(counts("rows")).toEqual([2, 2, 1]);
  expect(counts("scored")).toEqual([2, 1, 0]);
  expect([counts("zeros"), counts("halves"), counts("ones")]).toEqual([[1, 0, 0], [1, 0, 0], [
    0,
    1,
    0,
  ]]);
  expect([counts("entered"), counts("left"), counts("expired")]).toEqual([[0, 1, 0], [0, 1, 1], [
    0,
    1,
    0,
  ]]);
  expect(gaps.toRecords()).toEqual([{
    ticker: "A",
    first_session: new Date("2026-10-29"),
    last_session: new Date("2026-10-30"),
    sessions: 2,
  }]);
});

test("factorCoverage() has the difference of unscored and scored names that pandas has", () => {
  const [mean, sessions] = KNOWN.unscored;
  const [row] = ofFive(factorCoverage(data).unscored).toRecords();
  expectClose([row!["mean"]], [mean]);
  expect(row!["sessions"]).toBe(sessions);
});

test("hindsightBias() has the coefficients of scipy for both, in the sessions of both", () => {
  const [latest, known, sessions] = KNOWN.bias;
  const later = data.withColumns(pl.col("score").plus(pl.col("return_5")).alias("score"));
  const [row] = ofFive(hindsightBias(later, aligned)).toRecords();
  expectClose([row!["latest"], row!["known"], row!["mean"]], [latest, known, latest - known]);
  expect(row!["sessions"]).toBe(sessions);
});

test("hindsightBias() leaves out sessions that only one of both has", () => {
  const first = pl.col("session").eq(pl.lit(new Date("2023-03-01")).cast(pl.Date));
  const [row] = hindsightBias(data.filter(first.not()), aligned).toRecords();
  const [all] = hindsightBias(data, aligned).toRecords();
  expect(row!["sessions"]).toBe(Number(all!["sessions"]) - 1);
  expect(row).toMatchObject({ latest: row!["known"], mean: 0 });
});

test("hindsightBias() is nothing for the same scores, and tests the difference for others", () => {
  const [same] = hindsightBias(aligned, aligned).toRecords();
  expect(same).toMatchObject({ mean: 0, p: null });
  const noise = orthogonalize(data, ["score"]).withColumns(pl.col("size").alias("score"));
  const rows = hindsightBias(aligned, noise).toRecords();
  expect(Number(rows[0]!.mean)).toBeCloseTo(Number(rows[0]!.latest) - Number(rows[0]!.known), 12);
});

test("marketRegimes() splits sessions by what was known before them, for stability()", () => {
  const periods = marketRegimes(aligned);
  const names = valuesOf(periods, "period");
  expect(names.slice(0, 21)).toEqual(Array(21).fill(null));
  const count = (name: string) => names.filter((period) => period === name).length;
  expect(count("high") - count("low")).toBeLessThan(2);
  expect(count("high") + count("low")).toBe(names.length - 21);
  const cut = marketRegimes(
    data.filter(pl.col("session").ltEq(pl.lit(new Date("2023-05-31")).cast(pl.Date))),
  );
  expect(valuesOf(cut, "period").filter((period) => period === null).length).toBe(21);
  const { table } = stability(informationCoefficient(aligned), { by: periods });
  expect(new Set(valuesOf(table, "part"))).toEqual(new Set(["high", "low"]));
});

test("marketRegimes() knows rising markets and dispersion, each from returns before the session", () => {
  const frame = pl.DataFrame({
    session: ["2026-10-26", "2026-10-27", "2026-10-28", "2026-10-29", "2026-10-30"]
      .flatMap((session) => [session, session]),
    ticker: Array.from({ length: 10 }, (_, i) => i % 2 === 0 ? "A" : "B"),
    score: Array(10).fill(0.5),
    return_1: [0.01, 0.01, -0.05, 0.05, -0.02, -0.02, 0.5, -0.5, 0, 0],
  });
  expect(valuesOf(marketRegimes(frame, { by: "direction", window: 1 }), "period"))
    .toEqual([null, "up", "up", "down", "up"]);
  // Deviations of 0, 0.0707, 0 and 0.707; their median is 0.0354.
  expect(valuesOf(marketRegimes(frame, { by: "dispersion", window: 1 }), "period"))
    .toEqual([null, "low", "high", "low", "high"]);
  const { tables: { joint } } = stability(informationCoefficient(aligned), {
    by: marketRegimes(aligned, { by: "direction" }),
  });
  expect(valuesOf(joint, "parts")).toEqual(Array(joint.height).fill(2));
  expect(() => marketRegimes(frame, { by: "trend" as "direction" })).toThrow(
    '"volatility" or "direction" or "dispersion", got "trend"',
  );
});

test("famaMacBeth() and doubleSort() estimate errors as they are told", () => {
  const inference = { method: "newey-west", lag: 4 } as const;
  const slopes = famaMacBeth(aligned, { inference }).toRecords();
  const series = famaMacBeth(aligned, { bySession: true }).filter(
    pl.col("term").eq(pl.lit("score")).and(pl.col("horizon").eq(pl.lit(1))),
  );
  const own = informationSummary(series, { value: "value", inference }).table.toRecords()[0]!;
  const row = slopes.find((one) => one["term"] === "score" && one["horizon"] === 1)!;
  expect(row["standard_error"]).toBe(own["standard_error"]);
  expect(row["standard_error"]).not.toBe(
    famaMacBeth(aligned).toRecords().find((one) => one["term"] === "score")!["standard_error"],
  );
  const sized = aligned.data.withColumns(pl.col("return_1").alias("size"));
  const of = (options: object) =>
    valuesOf(doubleSort(sized, { first: "size", ...options }).spreads, "standard_error")[0];
  expect(of({ inference })).not.toBe(of({}));
  expect(() => famaMacBeth(aligned, { inference: { method: "white" } as never })).toThrow(
    RangeError,
  );
  expect(() => doubleSort(sized, { first: "size", inference: { method: "ewc", lag: 1 } as never }))
    .toThrow(TypeError);
});
