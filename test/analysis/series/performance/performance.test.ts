import { describe, expect, test } from "vitest";
import { cumulativeReturns } from "../../../../src/analysis/series/wealth/cumulative_returns.ts";
import { performance } from "../../../../src/analysis/series/performance/performance.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { knownInference } from "../../known/inference.ts";
import { byDay } from "../_frames.ts";

const known = (await knownInference()).performance as Readonly<Record<string, number>>;
const returns = known["returns"] as unknown as readonly number[];

const NAMES = {
  wealth: "wealth",
  annual_return: "annualReturn",
  arithmetic_return: "arithmeticReturn",
  volatility: "volatility",
  sharpe: "sharpe",
  sharpe_error: "sharpeError",
  sortino: "sortino",
  max_drawdown: "maxDrawdown",
  calmar: "calmar",
  skewness: "skewness",
  excess_kurtosis: "excessKurtosis",
  probabilistic_sharpe: "probabilistic",
  deflated_sharpe: "deflated",
} as const;

function measure(values: readonly (number | null)[], options = {}) {
  return performance(byDay("return", values), { periodsPerYear: 252, ...options }).toRecords()[0]!;
}

describe("performance", () => {
  test("has the numbers that pandas and scipy give", () => {
    const row: Readonly<Record<string, unknown>> = measure(returns, {
      variants: 12,
      variantDeviation: known["variantDeviation"],
    });
    for (const [ours, theirs] of Object.entries(NAMES)) expectNear(row[ours], known[theirs]!);
    expect(row).toMatchObject({ sessions: 300, missing: 0, variants: 12, reason: null });
  });

  test("counts null returns and measures the others", () => {
    const row = measure([null, ...returns, null]);
    expect(row).toMatchObject({ sessions: 300, missing: 2 });
    expectNear(row["sharpe"], known["sharpe"]!);
  });

  test("has a deflated ratio that is the probabilistic one for one variant, and falls with more", () => {
    const at = (variants: number) => measure(returns, { variants })["deflated_sharpe"] as number;
    expectNear(at(1), known["probabilistic"]!);
    expect(at(2)).toBeLessThan(at(1));
    expect(at(100)).toBeLessThan(at(2));
  });

  test("states no ratio for fewer than 20 returns", () => {
    expect(measure(returns.slice(0, 19))).toMatchObject({
      sessions: 19,
      sharpe: null,
      sharpe_error: null,
      sortino: null,
      calmar: null,
      annual_return: null,
      deflated_sharpe: null,
      reason: "too_few_windows",
    });
    expect(measure([])).toMatchObject({ sessions: 0, wealth: 1, max_drawdown: 0, sharpe: null });
  });

  test("states no ratio for returns that do not vary", () => {
    expect(measure(Array(30).fill(0.1))).toMatchObject({
      volatility: 0,
      sharpe: null,
      sortino: null,
      calmar: null,
      reason: "no_variance",
    });
  });

  test("survives the loss of everything", () => {
    const row = measure([...returns.slice(0, 40), -1]);
    expect(row).toMatchObject({
      ...{ wealth: 0, annual_return: -1, max_drawdown: -1, calmar: null },
      ...{ sharpe: null, sortino: null, reason: "total_loss" },
    });
  });

  test("takes a loss of more than everything for the end, whatever comes after it", () => {
    const row = measure([...returns.slice(0, 40), -1.5, -3, 0.5]);
    expect(row).toMatchObject({ wealth: 0, annual_return: -1, max_drawdown: -1, sharpe: null });
    const wealth = cumulativeReturns(byDay("return", [0.5, -1.5, -3, 0.5])).getColumn("wealth");
    expect(wealth.toArray()).toEqual([1.5, 0, 0, 0]);
  });

  test("counts the sessions between the first return and the last as the year's", () => {
    const rare = Array.from({ length: 101 }, (_, i) => i % 5 === 0 ? 0.01 : null);
    const row = measure([...rare, null, null]);
    expect(row).toMatchObject({ sessions: 21, missing: 82 });
    expect(row["annual_return"]).toBeCloseTo((1.01 ** 21) ** (252 / 101) - 1, 12);
  });

  test("refuses numbers of variants that are none", () => {
    expect(() => measure(returns, { variants: 0 })).toThrow(RangeError);
    expect(() => measure(returns, { variantDeviation: -1 })).toThrow(RangeError);
    expect(() => measure(returns, { years: 1 })).toThrow(/years/);
  });
});
