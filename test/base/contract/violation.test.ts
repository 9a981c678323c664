import { expect, test } from "vitest";
import { ContractViolation, describe } from "../../../src/base/contract/violation.ts";

test("a violation names the place, what was expected there, and what was found", () => {
  const violation = new ContractViolation("$.rows", "any of these", "many");
  expect(violation.message).toBe('Cannot read $.rows: expected any of these, got "many"');
  expect(violation).toMatchObject({ path: "$.rows", required: "any of these", received: '"many"' });
});

test.each([
  [undefined, "nothing"],
  [null, "null"],
  [0, "0"],
  ["0", '"0"'],
  [[1, 2], "an array of 2"],
  [{}, "an object with the fields (none)"],
  [{ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 }, "an object with the fields a, b, c, d, e, f"],
])("describe(%j) is %s", (value, text) => {
  expect(describe(value)).toBe(text);
});

test.each([
  ["a name of a field", new ContractViolation("$", "an object", { ["x".repeat(1e6)]: 1 })],
  ["a place", new ContractViolation(`$.${"x".repeat(1e6)}`, "a number", 1)],
  ["a rule", new ContractViolation("$", `"${"x".repeat(1e6)}" as before`, 1)],
  ["a text", new ContractViolation("$", "a number", "x".repeat(1e6))],
])("a violation with %s of megabytes has a message that can be read", (_, { message }) => {
  expect(message.length).toBeLessThan(600);
  expect(message).toContain("…");
});

test("describe() cuts a long text after 80 characters, and masks a key", () => {
  expect(describe("x".repeat(78))).toBe(`"${"x".repeat(78)}"`);
  expect(describe("x".repeat(79))).toBe(`"${"x".repeat(79)}…`);
  // In parts, so that this file holds nothing that looks like a key.
  const key = ["svc", "live", "0123456789abcdef"].join("_");
  expect(describe(`Bearer ${key}`)).not.toContain("0123456789");
});
