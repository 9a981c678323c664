import { describe, expect, test } from "vitest";
import {
  alphaBeta,
  type AlphaBetaOptions,
} from "../../../../src/analysis/series/performance/alpha_beta.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { knownInference } from "../../known/inference.ts";
import { byDay, shuffled } from "../_frames.ts";

// The sessions of these series are days, one after the other.
const YEAR = { periodsPerYear: 252 };

const known = (await knownInference()).regression[0]!;
const returns = byDay("return", known.returns);
const market = byDay("return", known.market);

test("alpha and beta are statsmodels' coefficients with errors by cosines", () => {
  const [alpha, beta] = alphaBeta(returns, market, YEAR).toRecords();
  expectNear(alpha!["value"], known.coefficients[0]!);
  expectNear(beta!["value"], known.coefficients[1]!);
  expectNear(alpha!["standard_error"], known.standardErrors[0]!);
  expectNear(beta!["p"], known.p[1]!, 1e-8);
  expectNear(alpha!["r_squared"], known.rSquared);
  expectNear(alpha!["annual_arithmetic"], 252 * known.coefficients[0]!);
  expectNear(alpha!["annual_compounded"], (1 + known.coefficients[0]!) ** 252 - 1);
  expect(beta).toMatchObject({
    term: "beta",
    n: 300,
    df: 8,
    annual_arithmetic: null,
    reason: null,
  });
});

test("sessions without one of the two returns are left out, whatever the order of rows", () => {
  const partial = byDay("return", known.market.map((value, i) => i < 7 ? null : value));
  const [alpha] = alphaBeta(shuffled(returns), shuffled(partial), YEAR).toRecords();
  expect(alpha!["n"]).toBe(293);
  expect(alpha).toEqual(alphaBeta(returns, partial.tail(293), YEAR).toRecords()[0]);
});

test("a market that does not move, and one without common sessions, give reasons", () => {
  const flat = byDay("return", known.market.map(() => 0.01));
  expect(alphaBeta(returns, flat, YEAR).toRecords()[1]).toMatchObject({
    value: null,
    n: 300,
    reason: "rank_deficient",
  });
  expect(alphaBeta(returns, byDay("return", []), YEAR).toRecords()[0]).toMatchObject({
    value: null,
    n: 0,
    reason: "too_few_windows",
  });
});

describe("the errors that papers print", () => {
  let state = 7;
  const numbers = Array.from({ length: 120 }, () => {
    state = Number((BigInt(state) * 1_103_515_245n + 12_345n) % 2_147_483_648n);
    return state / 2_147_483_648 - 0.5;
  });
  const x = numbers.slice(0, 60).map((value) => 0.02 * value);
  const y = x.map((value, i) => 0.0004 + 0.8 * value + 0.01 * numbers[60 + i]!);
  const table = (inference: AlphaBetaOptions["inference"]) =>
    alphaBeta(byDay("return", y), byDay("return", x), { ...YEAR, ...inference && { inference } })
      .toRecords();

  // statsmodels 0.15.0: OLS(y, add_constant(x)).fit(cov_type="HAC", cov_kwds={"maxlags", "use_correction"}).
  test.each([
    [6, false, 0.0003006040879574463, 0.048034411772857395, 0.0405680684959285],
    [6, true, 0.00030574299162474647, 0.048855572311602584, 0.044062431134356386],
    [0, false, 0.00038425672376325736, 0.05826859354562557, 0.10913653485439496],
  ])("are statsmodels' with lag %i, corrected %s", (lag, correction, alphaError, betaError, p) => {
    const [alpha, beta] = table({ method: "newey-west", lag, correction });
    expectNear(alpha!["value"], 0.000615612419311593);
    expectNear(alpha!["standard_error"], alphaError);
    expectNear(beta!["standard_error"], betaError);
    expectNear(alpha!["p"], p);
    expect(alpha).toMatchObject({ df: null, n: 60 });
  });

  test("are asked for by name and lag", () => {
    expect(() => table({ method: "hac" as "newey-west", lag: 6 })).toThrow('"newey-west"');
    expect(() => table({ method: "newey-west" } as { method: "newey-west"; lag: number })).toThrow(
      "lag",
    );
  });
});
