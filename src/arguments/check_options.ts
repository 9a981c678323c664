import { nearestName } from "./nearest_name.ts";
import { describe } from "../contract/violation.ts";
import { ContractError } from "../errors.ts";

/** What the value of an option must be. */
export interface OptionRule {
  /** In words, to stand behind "must be". */
  readonly required: string;
  /** Whether a value is that. */
  readonly accepts: (value: unknown) => boolean;
  /**
   * How the option looks, if a caller must give it.
   *
   * @default an option that may be left out
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
export const AMOUNT: OptionRule = ruleOf(
  "a number of at least 0",
  (value) => typeof value === "number" && value >= 0,
);
/** A value that the verb reads and refuses itself, with a better message than a type check could give. */
export const READ_BY_VERB: OptionRule = ruleOf("anything", () => true);
/** A value like those of {@link READ_BY_VERB}, which cannot be left out. */
export function neededLike(example: string): OptionRule {
  return { ...READ_BY_VERB, example };
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
 * Refuses options that a verb does not have, and values that they cannot take: in a notebook no compiler does, and an
 * option that is ignored gives other numbers than were asked for.
 *
 * @param verb What is called, such as `scores()`
 * @param options What the caller gave; an option that is undefined counts as left out
 * @param rules A rule for each option
 * @throws {ContractError} With the offending option, and the nearest known one
 */
export function checkOptions(
  verb: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  if (!isObject(options) || Array.isArray(options)) {
    const examples = Object.entries(rules).filter(([, { example }]) => example !== undefined)
      .map(([name, { example }]) => `${name}: ${example}`);
    const such = examples.length === 0 ? "" : `, such as { ${examples.join(", ")} }`;
    throw new ContractError(
      `Cannot call ${verb}: an object of options is required${such}, got ${describe(options)}`,
    );
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw unknownOption(verb, name, Object.keys(rules));
    if (value === undefined || rule.accepts(value)) continue;
    throw new ContractError(
      `Cannot call ${verb}: ${name} must be ${rule.required}, got ${describe(value)}`,
    );
  }
}

function unknownOption(verb: string, name: string, known: readonly string[]): ContractError {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
  return new ContractError(
    `Cannot call ${verb}: its options are ${known.join(", ")}, got ${describe(name)}${hint}`,
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function ruleOf(required: string, accepts: (value: unknown) => boolean): OptionRule {
  return { required, accepts };
}
