import { expect, test } from "vitest";
import { checkOptions, FINITE, TEXT } from "../../../src/base/arguments/check_options.ts";

const check = (options: unknown) => checkOptions("build", options, { seed: FINITE, size: TEXT });

test("checkOptions() takes known options, also undefined ones, and none", () => {
  for (const options of [{}, { seed: 7 }, { size: undefined, seed: 0 }]) {
    expect(() => check(options)).not.toThrow();
  }
});

test("checkOptions() names the option that there is not, and those that there are", () => {
  expect(() => check({ seed: 7, seeds: 8 })).toThrow(
    new TypeError(
      'Cannot build: expected one of the options seed, size, got "seeds"; did you mean seed?',
    ),
  );
  expect(() => check({ toString: 1 })).toThrow(TypeError);
});

test.each([[null, "null"], ["small", '"small"'], [["seed"], "an array of 1"], [7, "7"]])(
  "checkOptions() refuses %j, which is no object of options",
  (options, found) => {
    expect(() => check(options)).toThrow(
      `Cannot build: expected an object of options ({ seed, size }), got ${found}`,
    );
  },
);

test("checkOptions() gives the near name first where there are many", () => {
  const names = "alpha beta gamma delta epsilon zeta eta theta iota".split(" ");
  const rules = Object.fromEntries(names.map((name) => [name, FINITE]));
  expect(() => checkOptions("build", { gama: 1 }, rules)).toThrow(
    `Cannot build: expected one of its options, got "gama"; did you mean gamma? All of them: ${
      names.join(", ")
    }`,
  );
});
