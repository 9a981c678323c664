import { describe, expect, test } from "vitest";
import { pPhrase, pText } from "../../../src/base/wording/number_text.ts";

describe("a p value as text", () => {
  test.each([
    [0, "< 0.0001", "p < 0.0001"],
    [3e-5, "< 0.0001", "p < 0.0001"],
    [0.0001, "0.0001", "p = 0.0001"],
    [0.00012345, "0.00012", "p = 0.00012"],
    [0.0316, "0.032", "p = 0.032"],
    [0.0949, "0.095", "p = 0.095"],
    [0.0951, "0.10", "p = 0.10"],
    [0.6, "0.60", "p = 0.60"],
    [1, "1.00", "p = 1.00"],
  ])("%d is %s, and %s in a sentence", (p, text, phrase) => {
    expect(pText(p)).toBe(text);
    expect(pPhrase(p)).toBe(phrase);
  });
});
