import pl, { type DataFrame } from "nodejs-polars";
import { beforeAll, describe, expect, test } from "vitest";
import { analyzeFactor } from "../../../src/analysis/factor/analyze_factor.ts";
import { cutSample } from "../../../src/analysis/factor/analysis_sample.ts";
import { FactorAnalysis } from "../../../src/analysis/factor/factor_analysis.ts";
import { SAMPLE_MARKET, SAMPLE_SCORES } from "../../helpers/sample_analysis.ts";

// The 30th and the 110th of 140 sessions from 4 January 2010 on.
const PERIOD = { first: "2010-02-16", last: "2010-06-10" };
const OPTIONS = { entry: "same", progress: false, lags: [1, 2, 3, 5, 8, 13, 21] } as const;

let cut: FactorAnalysis;
let anew: FactorAnalysis;
beforeAll(async () => {
  const { prices } = SAMPLE_MARKET;
  const date = pl.col("date");
  const own = SAMPLE_SCORES.filter(
    date.gtEq(pl.lit(new Date(PERIOD.first))).and(date.ltEq(pl.lit(new Date(PERIOD.last)))),
  );
  const whole = await analyzeFactor(SAMPLE_SCORES, prices, OPTIONS);
  cut = new FactorAnalysis(cutSample(whole.sample, PERIOD));
  anew = await analyzeFactor(own, prices, OPTIONS);
});

/** Numbers of columns, rounded to what sums of another order leave. */
function numbers(frame: DataFrame, names: readonly string[]): readonly unknown[] {
  return names.map((name) =>
    (frame.getColumn(name).toArray() as unknown[]).map((value) =>
      typeof value === "number" ? Number(value.toPrecision(9)) : value
    )
  );
}

describe("an analysis within a period", () => {
  test.each<[string, (one: FactorAnalysis) => DataFrame, readonly string[]]>([
    ["mean IC", ({ summary }) => summary.table, ["horizon", "sessions", "mean", "low", "high"]],
    ["decay", ({ decayMeans }) => decayMeans, ["group", "sessions", "mean", "low"]],
    ["half-life", ({ halfLife }) => halfLife, ["half_life"]],
    ["quantile returns", ({ quantileReturns }) => quantileReturns, ["quantile", "mean", "low"]],
    ["spread", ({ spread }) => spread.summary, ["horizon", "mean", "low", "high", "t"]],
    ["years", ({ stability }) => stability.table, ["part", "mean", "sessions"]],
    ["halves", ({ detail }) => detail.halves.table, ["part", "mean", "sessions"]],
    [
      "turnover over each horizon",
      // At one session the first of the period is compared with the session before it.
      ({ detail }) =>
        detail.turnoverByPeriod.filter(pl.col("period").gt(pl.lit(1))).sort(["period", "quantile"]),
      ["period", "quantile", "mean"],
    ],
    ["rolling spread", ({ detail }) => detail.rollingSpread, ["session", "mean", "window"]],
    [
      "wealth of quantiles",
      ({ detail }) => detail.cumulativeQuantileReturns.sort(["quantile", "date"]),
      ["quantile", "date", "wealth", "all_names", "relative"],
    ],
    ["coverage", ({ detail }) => detail.coverage.bySession.tail(80), ["session", "rows", "scored"]],
  ])("has the same %s as an analysis of its scores alone", (_, read, names) => {
    expect(numbers(read(cut), names)).toEqual(numbers(read(anew), names));
  });

  test("counts its own rows and sessions", () => {
    expect(cut.aligned.loss.rows).toBe(anew.aligned.loss.rows);
    expect(cut.text.split(". ")[0]).toBe(anew.text.split(". ")[0]);
  });

  test("enters nothing in the trial log", () => {
    expect(cut.trialLog.count).toBe(anew.trialLog.count);
  });
});
