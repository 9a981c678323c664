import { expect, test } from "vitest";
import {
  anyFunction,
  checkOption,
  either,
  exactly,
  FINITE,
  FLAG,
  numbers,
  oneOf,
  type OptionRule,
  type OptionRules,
  ruleBy,
  TEXT,
} from "../../../src/base/arguments/check_options.ts";

interface Options {
  readonly decimal?: "." | ",";
  readonly rows?: number;
  readonly isLazy?: boolean;
  readonly layout?: "long" | "wide" | null;
  readonly ask?: (message: string) => string | null;
}

const RULES: OptionRules<Options> = {
  decimal: oneOf(".", ","),
  rows: FINITE,
  isLazy: FLAG,
  layout: either(oneOf("long", "wide"), exactly(null)),
  ask: anyFunction(),
};

// Each of these drifts is a compile error, which `deno check` requires here.
const _DRIFTS: readonly OptionRules<Options>[] = [
  // @ts-expect-error a value of the type that the rule refuses
  { ...RULES, decimal: oneOf(".") },
  // @ts-expect-error a value that the type does not have
  { ...RULES, layout: oneOf("long", "wide", "tall") },
  // @ts-expect-error a rule for another type
  { ...RULES, rows: TEXT },
  // @ts-expect-error an option without a rule
  { decimal: RULES.decimal, rows: RULES.rows, isLazy: RULES.isLazy, layout: RULES.layout },
  // @ts-expect-error a rule without an option
  { ...RULES, colour: TEXT },
];

const check = (rule: OptionRule, value: unknown) => () => checkOption("build", "part", value, rule);

test("a rule of one or another takes both, and says both", () => {
  const rule = either(oneOf("a", "b"), exactly(null));
  expect(check(rule, "b")).not.toThrow();
  expect(check(rule, null)).not.toThrow();
  expect(check(rule, "c")).toThrow(
    new TypeError('Cannot build: expected part to be "a" or "b" or null, got "c"'),
  );
});

test("a number that a rule refuses is out of range, anything else is of another kind", () => {
  const half = numbers("a number below one half", (value) => value < 0.5);
  expect(check(half, 0.4)).not.toThrow();
  expect(check(half, 0.5)).toThrow(
    new RangeError("Cannot build: expected part to be a number below one half, got 0.5"),
  );
  expect(check(half, "0.4")).toThrow(TypeError);
});

test("a rule with a reader refuses in the words of the reader", () => {
  const even = ruleBy<number>("an even number", (action, value, name) => {
    if (value % 2 !== 0) throw new RangeError(`Cannot ${action}: ${name} is odd`);
  });
  expect(even.accepts(2)).toBe(true);
  expect(even.accepts(3)).toBe(false);
  expect(check(even, 2)).not.toThrow();
  expect(check(even, 3)).toThrow(new RangeError("Cannot build: part is odd"));
});
