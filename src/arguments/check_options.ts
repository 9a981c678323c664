import { nearestName } from "./nearest_name.ts";
import { describe } from "../contract/violation.ts";

/** What the value of an option must be. */
export interface OptionRule {
  /** In words, to stand behind "to be". */
  readonly required: string;
  /** Whether a value is that. */
  readonly accepts: (value: unknown) => boolean;
  /**
   * Whether a value that is not accepted is at least of the right kind, so that it is out of range.
   *
   * @default one that is not accepted is of another kind
   */
  readonly isKind?: (value: unknown) => boolean;
  /**
   * How the option looks, for a caller who gave something else than an object of options.
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

/** Which provenance columns: all, none or some; the names are read with the frame. */
export const PROVENANCE: OptionRule = ruleOf(
  "true, false or an array of column names",
  (value) => typeof value === "boolean" || Array.isArray(value),
);

/** One of a few texts. */
export function oneOf(...texts: readonly string[]): OptionRule {
  const required = texts.map((text) => JSON.stringify(text)).join(" or ");
  return ruleOf(required, (value) => typeof value === "string" && texts.includes(value));
}

/**
 * Refuses options that a function does not have, and values that they cannot take: in a notebook no compiler does, and
 * an option that is ignored gives other numbers than the caller meant.
 *
 * @param name The function, such as `scores()`
 * @param options What the caller gave; an option that is undefined counts as left out
 * @param rules A rule for each option
 * @throws {TypeError} With the unknown option and the nearest known one, or a value of another kind
 * @throws {RangeError} If a value is of the right kind and out of range
 */
export function checkOptions(
  name: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  assertOptions(`call ${name}`, options, rules);
}

/**
 * The same for a function that reads the values of its options by itself.
 *
 * @param action What the function does, to stand behind "Cannot"
 * @param options What the caller gave
 * @param known Names of the options that there are
 * @throws {TypeError} If it is no object of options, or has another one
 */
export function assertKnownOptions(
  action: string,
  options: unknown,
  known: readonly string[],
): void {
  assertOptions(action, options, Object.fromEntries(known.map((name) => [name, ANY_VALUE])));
}

function assertOptions(
  action: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  if (!isObject(options) || Array.isArray(options)) {
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
    if (value !== undefined && !rule.accepts(value)) {
      throw wrongValue({ action, name, value }, rule);
    }
  }
}

function unknownOption(
  action: string,
  name: string,
  rules: Readonly<Record<string, OptionRule>>,
): TypeError {
  const known = Object.keys(rules);
  const nearest = nearestName(name, known);
  const outer = Object.entries(rules).find(([, { example = "" }]) => example.includes(`${name}: `));
  const hint = outer !== undefined
    ? `; it belongs in ${outer[0]}, such as { ${outer[0]}: ${outer[1].example} }`
    : nearest === null
    ? ""
    : `; did you mean ${nearest}?`;
  return new TypeError(
    `Cannot ${action}: expected options of ${known.join(", ")}, got ${describe(name)}${hint}`,
  );
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

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function ruleOf(required: string, accepts: (value: unknown) => boolean): OptionRule {
  return { required, accepts };
}
