import { isObject, isPlainObject } from "../contract/is_object.ts";
import { nearestName } from "./nearest_name.ts";
import { usualName } from "./usual_names.ts";
import { describe } from "../contract/violation.ts";
import { groupThousands } from "../wording/group_thousands.ts";

/** Kind of value that an option takes. */
export interface OptionRule {
  /** In words, to stand behind "to be". */
  readonly required: string;
  /** True if a value is of this kind. */
  readonly accepts: (value: unknown) => boolean;
  /**
   * True if a value that is not accepted is at least of the right kind, so that it is out of range.
   *
   * @default one that is not accepted is of another kind
   */
  readonly isKind?: (value: unknown) => boolean;
  /**
   * Example of the option, for a caller who gave something else than an object of options.
   *
   * @default an option that is not shown there
   */
  readonly example?: string;
}

/** A rule for each option of a verb; the type keeps it level with the interface of the options. */
export type OptionRules<Options> = { readonly [Name in keyof Required<Options>]: OptionRule };

/** `true` or `false`. */
export const FLAG: OptionRule = ruleOf("true or false", (value) => typeof value === "boolean");
/** Any text. */
export const TEXT: OptionRule = ruleOf("text", (value) => typeof value === "string");
/** Any function. */
export const FUNCTION: OptionRule = ruleOf("a function", (value) => typeof value === "function");
/** Any number; which ones make sense is for its reader to say. */
export const NUMBER: OptionRule = ruleOf("a number", (value) => typeof value === "number");
/** A signal that cancels. */
export const SIGNAL: OptionRule = ruleOf(
  "an AbortSignal",
  (value) => value instanceof AbortSignal,
);
/** Any object. */
export const OBJECT: OptionRule = ruleOf("an object", isObject);
/** A number that a timer or a counter can have. */
export const AMOUNT: OptionRule = {
  ...ruleOf("a number of at least 0", (value) => typeof value === "number" && value >= 0),
  isKind: (value) => typeof value === "number",
};
/** Any value: its reader refuses what is wrong, with a better message than a type check could give. */
export const ANY_VALUE: OptionRule = ruleOf("anything", () => true);
/** A value like those of {@link ANY_VALUE}, which a message shows by an example. */
export function valueLike(example: string): OptionRule {
  return { ...ANY_VALUE, example };
}

/** Provenance columns: all, none or some; the names are read with the frame. */
export const PROVENANCE: OptionRule = ruleOf(
  "true, false or an array of column names",
  (value) => typeof value === "boolean" || Array.isArray(value),
);

/** One of a few texts. */
export function oneOf(...texts: readonly string[]): OptionRule {
  const quoted = texts.map((text) => JSON.stringify(text));
  const required = texts.length > 3 ? `one of ${quoted.join(", ")}` : quoted.join(" or ");
  return ruleOf(required, (value) => typeof value === "string" && texts.includes(value));
}

/** One of the numbers that a result has. */
export function among(numbers: readonly number[]): OptionRule {
  return {
    ...ruleOf(
      numbers.length === 1 ? `${numbers[0]}` : `one of ${numbers.join(", ") || "none"}`,
      (value) => numbers.includes(value as number),
    ),
    isKind: () => true,
  };
}

/** The path of a file whose name ends in one of several ways. */
export function pathEnding(...endings: readonly string[]): OptionRule {
  return ruleOf(
    `the name of a file that ends with ${endings.join(", ")}`,
    (value) =>
      typeof value === "string" && endings.some((end) => value.toLowerCase().endsWith(end)),
  );
}

/** A test for a list that is not empty, of values that are each accepted and occur once. */
export function isListOf(accepts: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) =>
    Array.isArray(value) && value.length > 0 && value.every(accepts) &&
    new Set(value).size === value.length;
}

/** A whole number of at least one, up to another if there is one. */
export function whole(from: number, to = Number.MAX_SAFE_INTEGER): OptionRule {
  const range = to === Number.MAX_SAFE_INTEGER
    ? `of at least ${from}`
    : `from ${from} to ${groupThousands(to)}`;
  return {
    ...ruleOf(
      `a whole number ${range}`,
      (value) =>
        Number.isSafeInteger(value) && from <= (value as number) && (value as number) <= to,
    ),
    isKind: (value) => typeof value === "number",
  };
}

/** A number between two others, or one of them. */
export function between(least: number, most: number, unit = ""): OptionRule {
  return {
    ...ruleOf(
      `a number${unit && ` of ${unit}`} from ${least} to ${groupThousands(most)}`,
      (value) => typeof value === "number" && least <= value && value <= most,
    ),
    isKind: (value) => typeof value === "number",
  };
}

/** Any number but NaN and the infinite ones. */
export const FINITE: OptionRule = {
  ...ruleOf("a finite number", Number.isFinite),
  isKind: (value) => typeof value === "number",
};
/** A finite number of at least 0. */
export const FINITE_AMOUNT: OptionRule = {
  ...ruleOf(
    "a finite number of at least 0",
    (value) => Number.isFinite(value) && (value as number) >= 0,
  ),
  isKind: (value) => typeof value === "number",
};
/** A mean length of blocks of values. */
export const BLOCK_LENGTH: OptionRule = {
  required: "a number of at least 1",
  accepts: (value) => typeof value === "number" && value >= 1,
  isKind: (value) => typeof value === "number",
};
/** A size in a picture. */
export const PIXELS: OptionRule = between(50, 5000, "pixels");

/**
 * Refuses options that a function does not have, and values that they cannot take: in a notebook no compiler does, and
 * an option that is ignored gives other numbers than the caller meant.
 *
 * @param action Action of the function, worded to follow "Cannot", such as `call scores()`
 * @param options The caller's options; one that is undefined counts as left out
 * @param rules A rule for each option, or the names of the options if the function reads their values itself
 * @throws {TypeError} With the unknown option and the nearest known one, or a value of another kind
 * @throws {RangeError} If a value is of the right kind and out of range
 */
export function checkOptions(
  action: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>> | readonly string[],
): void {
  assertOptions(action, options, isNames(rules) ? anyValues(rules) : rules);
}

/**
 * Refuses a value that an option cannot take, for a function that reads its options one by one.
 *
 * @throws {TypeError} If the value is of another kind
 * @throws {RangeError} If it is of the right kind and out of range
 */
export function checkOption(action: string, name: string, value: unknown, rule: OptionRule): void {
  if (!rule.accepts(value)) throw wrongValue({ action, name, value }, rule);
}

/** A rule that takes any value, for each name. */
export function anyValues(names: readonly string[]): Readonly<Record<string, OptionRule>> {
  return Object.fromEntries(names.map((name) => [name, ANY_VALUE]));
}

function assertOptions(
  action: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  if (!isPlainObject(options)) {
    const examples = Object.entries(rules).filter(([, { example }]) => example !== undefined)
      .map(([name, { example }]) => `${name}: ${example}`);
    const such = examples.length === 0 ? "" : `, such as { ${examples.join(", ")} }`;
    throw new TypeError(
      `Cannot ${action}: expected an object of options${such}, got ${describe(options)}`,
    );
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw unknownOption(action, name, rules);
    if (value !== undefined) checkOption(action, name, value, rule);
  }
}

function unknownOption(
  action: string,
  name: string,
  rules: Readonly<Record<string, OptionRule>>,
): TypeError {
  const known = Object.keys(rules);
  const nearest = nearestName(name, known) ?? usualName(name, known);
  const outer = Object.entries(rules).find(([, { example = "" }]) => example.includes(`${name}: `));
  const hint = outer !== undefined
    ? `; it belongs in ${outer[0]}, such as { ${outer[0]}: ${outer[1].example} }`
    : nearest === null
    ? ""
    : `; did you mean ${nearest}?${exampleOf(nearest, rules)}`;
  const options = `${known.length === 1 ? "the option" : "one of the options"} ${known.join(", ")}`;
  return new TypeError(`Cannot ${action}: expected ${options}, got ${describe(name)}${hint}`);
}

function exampleOf(name: string, rules: Readonly<Record<string, OptionRule>>): string {
  const example = rules[name]?.example;
  return example === undefined ? "" : ` such as { ${name}: ${example} }`;
}

function wrongValue(
  given: { readonly action: string; readonly name: string; readonly value: unknown },
  rule: OptionRule,
): TypeError {
  const { action, name, value } = given;
  const message = `Cannot ${action}: expected ${name} to be ${rule.required}, got ${
    describe(value)
  }`;
  return rule.isKind?.(value) === true ? new RangeError(message) : new TypeError(message);
}

function isNames(rules: object): rules is readonly string[] {
  return Array.isArray(rules);
}

function ruleOf(required: string, accepts: (value: unknown) => boolean): OptionRule {
  return { required, accepts };
}
