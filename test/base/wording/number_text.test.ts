import { expect, test } from "vitest";
import {
  countText,
  decimalText,
  intervalText,
  numberText,
  percentText,
} from "../../../src/base/wording/number_text.ts";

test.each([
  [0.1673, 1, "16.7%"],
  [-0.0514, 1, "−5.1%"],
  [-0.0001, 1, "0.0%"],
  [33.997, 0, "3,400%"],
  [0.95, 0, "95%"],
])("a share of %f with %i decimals is %s", (share, decimals, text) => {
  expect(percentText(share, decimals)).toBe(text);
});

test.each([
  [1, "session", undefined, "1 session"],
  [2520, "session", undefined, "2,520 sessions"],
  [0, "row", undefined, "0 rows"],
  [2, "copy", "copies", "2 copies"],
  [1, "copy", "copies", "1 copy"],
])("%i of %s is %s", (count, noun, plural, text) => {
  expect(countText(count, noun, plural)).toBe(text);
});

test.each([
  [0.0312, "0.031"],
  [-0.0006, "−0.000600"],
  [1234.5, "1,234.500"],
  [0, "0.000"],
])("%f is %s", (value, text) => {
  expect(numberText(value)).toBe(text);
});

test("a negative number has a true minus sign, and what rounds to zero has none", () => {
  expect(decimalText(-1234.56, 1)).toBe("−1,234.6");
  expect(decimalText(-0.04, 1)).toBe("0.0");
});

test("a confidence interval says its level, or that there is none", () => {
  expect(intervalText([0.009, 0.0386], 3)).toBe("95% CI 0.009 to 0.039");
  expect(intervalText([-0.0514, 0.2], percentText)).toBe("95% CI −5.1% to 20.0%");
  // The sign of an end is what an interval is read for.
  expect(intervalText([-0.0003, 0.227], percentText)).toBe("95% CI −0.03% to 22.7%");
  expect(intervalText([0.0004, 0], 3)).toBe("95% CI 0.0004 to 0.000");
  expect(intervalText([null, 0.2], 3)).toBe("no confidence interval");
  expect(intervalText([0.1, NaN], 3)).toBe("no confidence interval");
});
