import { expect } from "vitest";

/** Expects a number to be another one up to a relative error of 1e-9. */
export function expectNear(actual: unknown, expected: number, relative = 1e-9): void {
  expect(actual, `expected ${expected}`).toBeTypeOf("number");
  const error = Math.abs(Number(actual) - expected) / Math.max(Math.abs(expected), 1e-300);
  expect(error, `${actual} beside ${expected}`).toBeLessThanOrEqual(relative);
}
