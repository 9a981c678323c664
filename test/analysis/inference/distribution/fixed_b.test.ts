import { describe, expect, test } from "vitest";
import { fixedB } from "../../../../src/analysis/inference/test_mean.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { knownInference } from "../../known/inference.ts";

describe("fixedB", () => {
  test("has the critical values of Kiefer and Vogelsang's table", () => {
    expectNear(fixedB(0.1).critical, 1.96 + 0.29694 + 0.00416 - 0.0005324);
    expectNear(fixedB(1).critical, 4.813);
  });

  test("is within two percent of the exact values, which the table rounds", async () => {
    for (const [b, exact] of (await knownInference()).fixedB) {
      expectNear(fixedB(b).critical, exact, 0.02);
    }
  });

  test("gives the p value that belongs to each critical value", () => {
    expectNear(fixedB(0.2).pOf(fixedB(0.2).critical), 0.05, 1e-12);
    expectNear(fixedB(0.2).pOf(-1.2816 - 0.2 * 1.304 - 0.04 * 0.5135 + 0.008 * 0.3386), 0.2, 1e-12);
  });

  test("is the normal distribution where the lags span nothing", () => {
    expectNear(fixedB(0).pOf(1.5), 0.1336, 0.01);
    expectNear(fixedB(0).fourFifths, 0.8416, 0.001);
  });

  test("falls with the ratio, beyond the table too", () => {
    const p = [0, 0.5, 1, 2, 3, 5, 8].map((t) => fixedB(0.1).pOf(t));
    expect(p[0]).toBe(1);
    expect(p).toEqual(p.toSorted((a, b) => b - a));
    expect(new Set(p).size).toBe(p.length);
  });
});
