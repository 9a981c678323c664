import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  fTail,
  normalCdf,
  normalQuantile,
  normalTwoSided,
  studentQuantile,
  studentTwoSided,
} from "../../../../src/analysis/inference/distributions.ts";
import { expectNear } from "../../../helpers/expect_near.ts";
import { knownInference } from "../../known/inference.ts";

const known = (await knownInference()).distributions;
// Made by make_distributions.py with 60 digits; the columns end with the value.
const wide: Readonly<Record<string, readonly (readonly number[])[]>> = JSON.parse(
  await readFile(join(import.meta.dirname!, "../../known/distributions.json"), "utf8"),
);

describe("the distributions are scipy's", () => {
  test("Student's t, also far out", () => {
    for (const [x, df, , twoSided] of known.student) {
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

describe("the distributions over wide ranges, to 2e-13", () => {
  const near = 2e-13;

  test("Student's t, with 1 to 100,000 degrees of freedom, out to 1e-290", () => {
    for (const [t, df, tail] of wide["studentTail"]!) {
      expectNear(studentTwoSided(t!, df!), 2 * tail!, near);
    }
    for (const [p, df, t] of wide["studentQuantile"]!) {
      expectNear(studentQuantile(p!, df!), t!, near);
    }
  });

  test("the normal, out to 1e-299", () => {
    for (const [z, tail] of wide["normalTail"]!) {
      expectNear(normalCdf(-z!), tail!, near);
      expectNear(normalCdf(z!), 1 - tail!, near);
    }
    for (const [p, z] of wide["normalQuantile"]!) expectNear(normalQuantile(p!), z!, near);
  });

  test("the tail of F", () => {
    for (const [f, df1, df2, tail] of wide["fTail"]!) {
      expectNear(fTail(f!, df1!, df2!), tail!, near);
    }
  });

  test("at their ends", () => {
    expect([normalCdf(-Infinity), normalCdf(0), normalCdf(Infinity), normalCdf(NaN)])
      .toEqual([0, 0.5, 1, NaN]);
    expect([0, 0.5, 1, -0.1, 1.1, NaN].map((p) => normalQuantile(p)))
      .toEqual([-Infinity, 0, Infinity, NaN, NaN, NaN]);
    expect([studentTwoSided(-Infinity, 3), studentTwoSided(0, 3)]).toEqual([0, 1]);
    expect([studentTwoSided(NaN, 3), studentTwoSided(1, NaN)]).toEqual([NaN, NaN]);
    expect([0, 0.5, 1, NaN].map((p) => studentQuantile(p, 3))).toEqual([
      -Infinity,
      0,
      Infinity,
      NaN,
    ]);
    expect([fTail(Infinity, 2, 3), fTail(NaN, 2, 3), fTail(1, 0, 3)]).toEqual([0, NaN, NaN]);
  });

  // A Cauchy distribution: its quantile at p is 1 / (pi p), and its tail at t is 1 / (pi t), to all digits.
  test("where squares of t would overflow", () => {
    expectNear(studentQuantile(1e-250, 1), -1e250 / Math.PI, 1e-12);
    expectNear(studentTwoSided(-1e200, 1), 2e-200 / Math.PI, 1e-12);
  });
});
