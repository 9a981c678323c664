import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  forwardReturns,
  informationCoefficient,
  meanReturnByQuantile,
  quantileSpread,
  quantileTurnover,
  quantize,
  rankAutocorrelation,
} from "../../../src/analysis/mod.ts";
import { cellsOfFrame, differences, EXPECTED, readInputs, type Table } from "./_tables.ts";

const compat = "alphalens" as const;
const { scores, prices, groups } = readInputs();
const returns = forwardReturns(prices, { periods: [1, 5, 10], compat });
const aligned = align(scores, returns, { groups, compat });
const quantized = quantize(aligned, { compat });
const table = (name: string) => EXPECTED[name] as Table;
const tables = (name: string) => EXPECTED[name] as Table[];

/** Compares one column of a long frame, whose horizons are the columns of the table. */
function expectTable(
  frame: DataFrame,
  keys: readonly string[],
  of: { column: string; table: Table },
) {
  const ours = cellsOfFrame(frame, keys, { [of.column]: "HD" });
  const cells = of.table.index.length * 3;
  expect(differences(ours, of.table)).toEqual({ cells, wrong: [] });
}

test("forwardReturns(), align() and quantize() keep the rows that alphalens keeps, with its returns and quantiles", () => {
  const ours = cellsOfFrame(quantized.data, ["session", "ticker"], {
    return_1: "1D",
    return_5: "5D",
    return_10: "10D",
    score: "factor",
    group: "group",
    quantile: "factor_quantile",
  });
  expect(quantized.data.height).toBe(3321);
  expect(differences(ours, table("factor_data"))).toEqual({ cells: 3321 * 6, wrong: [] });
});

describe("informationCoefficient()", () => {
  test.each(
    [
      ["ic", ["session"], {}],
      ["ic_group", ["session", "group"], { by: "group" }],
      ["ic_group_adjust", ["session"], { groupNeutral: true }],
    ] as const,
  )("has the values of %s", (name, keys, options) => {
    const ic = informationCoefficient(aligned, { ...options, compat });
    expectTable(ic, keys, { column: "ic", table: table(name) });
  });

  test.each(
    [
      ["mean_ic_monthly", ["month"], ["month"]],
      ["mean_ic_monthly_group", ["month", "group"], ["month", "group"]],
    ] as const,
  )("has the values of %s, whose months are named by their last day", (name, keys, by) => {
    const ic = informationCoefficient(aligned, { by, compat });
    const named = table(name).index.map(([month, ...rest]) => [String(month).slice(0, 7), ...rest]);
    expectTable(ic, keys, { column: "ic", table: { ...table(name), index: named } });
  });
});

describe("meanReturnByQuantile()", () => {
  test.each(
    [
      ["mean_return_by_quantile", ["quantile"], {}],
      ["mean_return_by_quantile_bydate", ["quantile", "session"], { bySession: true }],
      ["mean_return_by_quantile_group", ["quantile", "group"], { by: "group" }],
      ["mean_return_by_quantile_bydate_group", ["quantile", "session", "group"], {
        by: "group",
        bySession: true,
      }],
    ] as const,
  )("has the values and errors of %s, demeaned or not", (name, keys, options) => {
    const means = meanReturnByQuantile(quantized, { ...options, compat });
    const excessError = "bySession" in options ? "standard_error" : "excess_standard_error";
    const [plain, plainError] = tables(`${name}_demeaned=False`);
    expectTable(means, keys, { column: "mean", table: plain! });
    expectTable(means, keys, { column: "standard_error", table: plainError! });
    const [excess, error] = tables(`${name}_demeaned=True`);
    expectTable(means, keys, { column: "mean_excess", table: excess! });
    expectTable(means, keys, { column: excessError, table: error! });
  });
});

test("quantileSpread() has the values and errors of the spread", () => {
  const { data } = quantileSpread(quantized, { compat });
  const [spread, error] = tables("spread");
  expectTable(data, ["session"], { column: "spread", table: spread! });
  expectTable(data, ["session"], { column: "standard_error", table: error! });
});

describe.each([1, 5, 10])("over %i sessions", (period) => {
  test("quantileTurnover() has the values of every bucket", () => {
    const turnover = quantileTurnover(quantized, { period, compat });
    for (const quantile of [1, 2, 3, 4, 5]) {
      const expected = table(`turnover:q${quantile}:${period}`);
      const key = String(expected.columns[0]);
      const ours = cellsOfFrame(
        turnover.filter(pl.col("quantile").eq(pl.lit(quantile))),
        ["session"],
        { turnover: key },
      );
      expect(differences(ours, expected)).toEqual({ cells: 90, wrong: [] });
    }
  });

  test("rankAutocorrelation() has the values", () => {
    const expected = table(`rank_autocorr:${period}`);
    const ours = cellsOfFrame(rankAutocorrelation(aligned, { period, compat }), ["session"], {
      autocorrelation: String(expected.columns[0]),
    });
    expect(differences(ours, expected)).toEqual({ cells: 90, wrong: [] });
  });
});
