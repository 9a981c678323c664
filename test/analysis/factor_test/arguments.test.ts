import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import {
  combine,
  doubleSort,
  factorCorrelation,
  rankAutocorrelation,
} from "../../../src/analysis/mod.ts";

const data = pl.DataFrame({
  session: Array(4).fill("2026-10-30"),
  ticker: ["A", "B", "C", "D"],
  score: [1, 2, 3, 4],
  size: [4, 2, 3, 1],
  return_1: [0.01, 0.02, 0.03, 0.04],
});

test("factorCorrelation() refuses an option that it does not have, with the one that was meant", () => {
  const typo = { minName: 2 } as never;
  expect(() => factorCorrelation(data, ["score", "size"], typo)).toThrow(/minNames\?/);
});

describe("a least number of names below two is refused", () => {
  const minNames = 1;
  test.each([
    ["factorCorrelation()", () => factorCorrelation(data, ["score", "size"], { minNames })],
    ["rankAutocorrelation()", () => rankAutocorrelation(data, { minNames })],
    ["doubleSort()", () => doubleSort(data, { first: "size", minNames: -1 })],
  ])("by %s", (_, call) => {
    expect(call).toThrow(/minNames .* at least 2, got -?1/);
  });
});

test("factorCorrelation() refuses anything but two columns", () => {
  expect(() => factorCorrelation(data, ["score"] as never)).toThrow(TypeError);
  expect(() => factorCorrelation(data, ["score", "size", "size"] as never)).toThrow(TypeError);
});

test("combine() refuses weights beside a method, one of which would be ignored", () => {
  const options = { on: ["score", "size"], weights: [1, 2], method: "inverse-turnover" } as const;
  expect(() => combine(data, options)).toThrow(/weights .* method/);
});
