import { describe, expect, test } from "vitest";
import {
  fTail,
  normalCdf,
  normalQuantile,
  normalTwoSided,
  studentCdf,
  studentQuantile,
  studentTwoSided,
} from "../../../../src/analysis/inference/distribution/distributions.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { knownInference } from "../../known/inference.ts";

const known = (await knownInference()).distributions;

describe("the distributions are scipy's", () => {
  test("Student's t, also far out", () => {
    for (const [x, df, below, twoSided] of known.student) {
      expectNear(studentCdf(x, df), below, 1e-12);
      expectNear(studentTwoSided(x, df), twoSided, 1e-12);
    }
    for (const [p, df, quantile] of known.studentQuantiles) {
      expectNear(studentQuantile(p, df), quantile, 1e-12);
    }
  });

  test("the normal, also far out", () => {
    for (const [p, quantile, below] of known.normal) {
      expectNear(normalQuantile(p), quantile, 1e-13);
      expectNear(normalCdf(quantile), below, 1e-13);
    }
    expect(normalQuantile(0.5)).toBe(0);
    expectNear(normalTwoSided(-1.959963984540054), 0.05, 1e-13);
  });

  test("the tail of F", () => {
    for (const [x, a, b, tail] of known.f) expectNear(fTail(x, a, b), tail, 1e-11);
    expect(fTail(0, 2, 5)).toBe(1);
  });
});
