import { expect, test } from "vitest";
import { alphaBeta } from "../../../../src/analysis/series/performance/alpha_beta.ts";
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
