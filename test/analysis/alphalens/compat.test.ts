import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  align,
  alphaBeta,
  cumulativeReturns,
  factorReturns,
  factorWeights,
  forwardReturns,
  informationCoefficient,
  informationTable,
  meanReturnByQuantile,
  portfolioReturns,
  positions,
  quantileSpread,
  quantileStatistics,
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
const compared = new Set<string>();

function table(name: string): Table {
  return tables(name)[0]!;
}

function tables(name: string): readonly Table[] {
  compared.add(name);
  return [EXPECTED[name]!].flat();
}

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

const combinations = [true, false].flatMap((demeaned) =>
  [false, true].flatMap((groupAdjust) =>
    [false, true].map((equalWeight) => ({ demeaned, groupAdjust, equalWeight }))
  )
);

describe.each(combinations)("with %o", ({ demeaned, groupAdjust, equalWeight }) => {
  const word = (flag: boolean) => flag ? "True" : "False";
  const name = (what: string) =>
    `${what}:demeaned=${word(demeaned)},group_adjust=${word(groupAdjust)},` +
    `equal_weight=${word(equalWeight)}`;
  const weights = factorWeights(aligned, {
    weighting: equalWeight ? "equal" : "factor",
    neutral: demeaned ? "market" : "none",
    byGroup: groupAdjust,
    compat,
  });
  const returns = factorReturns(aligned, weights, { compat });

  test("factorWeights() has the weights", () => {
    const ours = cellsOfFrame(weights.data, ["session", "ticker"], { weight: "factor" });
    expect(differences(ours, table(name("factor_weights")))).toEqual({ cells: 3321, wrong: [] });
  });

  test("factorReturns() has the returns", () => {
    expectTable(returns, ["session"], { column: "return", table: table(name("factor_returns")) });
  });

  test("alphaBeta() has alpha and beta", () => {
    const rows = alphaBeta(returns, aligned, { compat }).toRecords();
    const ours = new Map(rows.flatMap((row) => [
      [`Ann. alpha|${row.horizon}D`, row.annual_alpha],
      [`beta|${row.horizon}D`, row.beta],
    ]));
    const expected = table(name("factor_alpha_beta"));
    expect(differences(ours, expected)).toEqual({ cells: 6, wrong: [] });
  });

  test("cumulativeReturns() of portfolioReturns() has the wealth of one session", () => {
    const wealth = cumulativeReturns(portfolioReturns(aligned, weights), { compat });
    const ours = cellsOfFrame(wealth, ["date"], { wealth: "value" });
    const expected = table(name("factor_cumulative_returns"));
    expect(differences(ours, expected)).toEqual({ cells: 90, wrong: [] });
  });

  test("positions() has the positions, which end after the last signal", () => {
    const held = positions(weights, { holding: 1, compat });
    const ours = new Map(
      held.data.toRecords().map((row) => [
        `${(row.session as unknown as Date).toISOString().slice(0, 10)}|${row.ticker}`,
        row.weight,
      ]),
    );
    const expected = table(name("factor_positions"));
    expect(differences(ours, expected)).toEqual({ cells: 91 * 40, wrong: [] });
  });
});

test("informationTable() has the values, which take overlapping windows for independent", () => {
  const ours = cellsOfFrame(informationTable(informationCoefficient(aligned, { compat })), [], {
    mean: "HD|IC Mean",
    deviation: "HD|IC Std.",
    ratio: "HD|Risk-Adjusted IC",
    t: "HD|t-stat(IC)",
    p: "HD|p-value(IC)",
    skewness: "HD|IC Skew",
    kurtosis: "HD|IC Kurtosis",
  });
  expect(differences(ours, table("information_table"))).toEqual({ cells: 21, wrong: [] });
  const means = new Map(
    [...ours].filter(([key]) => key.endsWith("Mean")).map(([key, mean]) => [
      key.replace("IC Mean", "value"),
      mean,
    ]),
  );
  expect(differences(means, table("mean_ic"))).toEqual({ cells: 3, wrong: [] });
});

test("informationTable() of groups has the mean of each", () => {
  const ic = informationCoefficient(aligned, { by: "group", compat });
  const ours = new Map(
    ["Banks", "Energy", "Health", "Tech"].flatMap((group) =>
      informationTable(ic.filter(pl.col("group").eq(pl.lit(group)))).toRecords().map((row) =>
        [`${group}|${row.horizon}D`, row.mean] as const
      )
    ),
  );
  expect(differences(ours, table("mean_ic_group"))).toEqual({ cells: 12, wrong: [] });
});

test("quantileStatistics() has the values", () => {
  const statistics = quantileStatistics(quantized).withColumns(
    pl.col("share").mul(pl.lit(100)).alias("percent"),
  );
  const ours = cellsOfFrame(statistics, ["quantile"], {
    min: "min",
    max: "max",
    mean: "mean",
    deviation: "std",
    rows: "count",
    percent: "count %",
  });
  expect(differences(ours, table("quantile_statistics"))).toEqual({ cells: 30, wrong: [] });
});

test("cumulativeReturns() takes a null return for 0 in compat, and leaves its wealth null without", () => {
  const session = ["2026-10-28", "2026-10-29", "2026-10-30"];
  const earned = pl.DataFrame({ session, return: [0.5, null, 0.5] });
  const wealth = (options: object) =>
    cumulativeReturns(earned, options).getColumn("wealth").toArray();
  expect(wealth({ compat })).toEqual([1.5, 1.5, 2.25]);
  expect(wealth({})).toEqual([1.5, null, 2.25]);
});

test("another library than alphalens is refused", () => {
  const earned = pl.DataFrame({ session: ["2026-10-30"], return: [0.5] });
  const wrong = { compat: "zipline" } as never;
  expect(() => cumulativeReturns(earned, wrong)).toThrow(/compat .*"alphalens"/);
  expect(() => alphaBeta(earned, earned, wrong)).toThrow(TypeError);
});

test("every table of alphalens was compared", () => {
  const { forward_return_columns: columns, ...tables } = EXPECTED;
  expect(columns).toEqual(aligned.periods.map((horizon) => `${horizon}D`));
  // What is not offered: mean wealth around each score, and a portfolio of calendar days.
  expect(Object.keys(tables).filter((name) => !compared.has(name))).toEqual([
    "average_cumulative_return_by_quantile",
    "pyfolio",
  ]);
  expect(Object.keys(EXPECTED).length).toBe(80);
});
