import { noteCall } from "../runtime/export_mark.ts";
import { isObject, isPlainObject } from "../contract/json_text.ts";
import { givenList } from "./list_text.ts";
import { nearestName, plain } from "./nearest_name.ts";
import { describe } from "../contract/violation.ts";
import { groupThousands } from "../wording/group_thousands.ts";

// Names that pandas, alphalens, seaborn, requests and other clients have for what an option here is called.
const USUAL: Readonly<Record<string, readonly string[]>> = {
  apiKey: ["token", "secret", "auth", "password", "credentials", "api_token"],
  baseUrl: ["host", "endpoint", "server", "address", "base"],
  timeoutMs: ["timeoutseconds", "patience"],
  maxRetries: ["retries", "retry", "attempts"],
  at: ["asof", "as_of", "date", "datetime", "time", "when", "timestamp", "on", "ts"],
  asOf: ["at", "date", "time", "when"],
  ticker: ["symbol", "sid", "name", "stock"],
  tickers: ["symbols", "universe", "names", "stocks", "assets"],
  snapshotId: ["id", "snapshot", "set", "set_id"],
  sessions: ["start", "end", "begin", "since", "until", "date_range", "dates", "days"],
  from: ["start", "begin", "since", "start_date", "first"],
  to: ["end", "until", "end_date", "last"],
  every: ["freq", "frequency", "interval", "step"],
  delayMs: ["delay", "lag", "offset"],
  periods: ["horizon", "horizons", "forward", "windows", "holding_period"],
  horizon: ["period", "periods"],
  quantiles: ["bins", "buckets", "q", "n_quantiles", "n_bins", "deciles"],
  groups: ["sector", "sectors", "groupby", "group", "industry", "by_group"],
  oneWayBps: ["costs", "cost", "fees", "bps", "tcost", "transaction_cost"],
  color: ["hue", "c", "colour", "by", "groupby", "legend"],
  mark: ["kind", "type", "style", "chart"],
  scale: ["dpi", "resolution"],
  widthPx: ["width", "figsize", "size"],
  title: ["name", "heading", "label"],
  parts: ["sections", "include", "tables"],
  separator: ["sep", "delimiter"],
  dateFormat: ["date_format", "format", "dayfirst", "parse_dates"],
  close: ["price", "px", "adj_close", "prices", "value"],
  date: ["date_col", "index", "time", "day"],
};

/** A rule as far as a check reads it. */
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
   * Throws what is wrong with a value, for a reader that says more than `required` does.
   *
   * @default the error is made of `required`
   */
  readonly read?: (action: string, value: unknown, name: string) => unknown;
  /**
   * Example of the option, for a caller who gave something else than an object of options.
   *
   * @default an option that is not shown there
   */
  readonly example?: string | undefined;
  /**
   * True if the option must be given.
   *
   * @default false
   */
  readonly isNeeded?: boolean;
}

/**
 * A rule for the values of a type. `of` is never there: it makes the type invariant, so that a rule that takes more or
 * fewer values than an option has does not compile.
 */
export interface Rule<Value> extends OptionRule {
  /** The type. */
  readonly of?: (value: Value) => Value;
}

/** A rule for an option that must be given. */
export interface NeededRule<Value> extends Rule<Value> {
  readonly isNeeded: true;
}

/**
 * A rule for each option of a verb; the type keeps names, values and what must be given level with the interface of the
 * options.
 */
export type OptionRules<Options> = {
  readonly [Name in keyof Options]-?: undefined extends Options[Name]
    ? Rule<Exclude<Options[Name], undefined>>
    : object extends Pick<Options, Name> ? Rule<Options[Name]>
    : NeededRule<Options[Name]>;
};

/** A rule of its own; where no type of its values follows from the test, it is that of the option. */
export function ruleOf<Value>(
  required: string,
  accepts: (value: unknown) => boolean,
  more: Pick<OptionRule, "isKind" | "example"> = {},
): Rule<Value> {
  return { required, accepts, ...more };
}

/** A rule for an option that must be given. */
export function needed<Value>(rule: Rule<Value>, example?: string): NeededRule<Value> {
  return { ...rule, isNeeded: true, ...(example !== undefined && { example }) };
}

/** A rule whose values a reader reads: it throws for those that it cannot read. */
export function ruleBy<Value>(
  required: string,
  read: (action: string, value: Value, name: string) => unknown,
  example?: string,
): Rule<Value> {
  const accepts = (value: unknown) => {
    try {
      read("", value as Value, "");
      return true;
    } catch {
      return false;
    }
  };
  return { required, accepts, read: read as NonNullable<OptionRule["read"]>, example };
}

/** A rule for numbers: another number is out of range. */
export function numbers(
  required: string,
  accepts: (value: number) => boolean,
  example?: string,
): Rule<number> {
  const isSuch = (value: unknown) => isNumber(value) && accepts(value);
  return ruleOf(required, isSuch, { isKind: isNumber, example });
}

/** `true` or `false`. */
export const FLAG: Rule<boolean> = ruleOf("true or false", (value) => typeof value === "boolean");
/** Any text. */
export const TEXT: Rule<string> = ruleOf("text", isText);
/** Text that is not blank. */
export const FILLED: Rule<string> = ruleOf(
  "a text that is not blank",
  (value) => isText(value) && value.trim() !== "",
);
/** Names of columns. */
export const COLUMN_NAMES: Rule<readonly string[]> = ruleOf(
  "an array of column names",
  (value) => Array.isArray(value) && value.every(isText),
);
/** A signal that cancels. */
export const SIGNAL: Rule<AbortSignal> = ruleOf(
  "an AbortSignal",
  (value) => value instanceof AbortSignal,
);
/** A number that a timer or a counter can have. */
export const AMOUNT: Rule<number> = numbers("a number of at least 0", (value) => value >= 0);
/** Any number but NaN and the infinite ones. */
export const FINITE: Rule<number> = numbers("a finite number", Number.isFinite);
/** A finite number of at least 0. */
export const FINITE_AMOUNT: Rule<number> = numbers(
  "a finite number of at least 0",
  (value) => Number.isFinite(value) && value >= 0,
);
/** A mean length of blocks of values. */
export const BLOCK_LENGTH: Rule<number> = numbers("a number of at least 1", (value) => value >= 1);
/** A size in a picture. */
export const PIXELS: Rule<number> = between(50, 5000, "pixels");

/** Any function. */
export function anyFunction<Value extends (...given: never[]) => unknown>(): Rule<Value> {
  return ruleOf("a function", (value) => typeof value === "function");
}

/** An object with options or fields of its own, whose reader checks them. */
export function objectLike<Value extends object>(example?: string): Rule<Value> {
  const such = example === undefined ? "" : ` such as ${example}`;
  return ruleOf(`an object${such}`, isObject, { example });
}

/** One of a few texts. */
export function oneOf<const Texts extends readonly string[]>(...texts: Texts): Rule<Texts[number]> {
  const quoted = texts.map((text) => JSON.stringify(text));
  const required = texts.length > 3 ? `one of ${quoted.join(", ")}` : quoted.join(" or ");
  return ruleOf(required, (value) => isText(value) && texts.includes(value));
}

/** A value that one rule or the other accepts. */
export function either<One, Other>(one: Rule<One>, other: Rule<Other>): Rule<One | Other> {
  return ruleOf(
    `${one.required} or ${other.required}`,
    (value) => one.accepts(value) || other.accepts(value),
    { isKind: (value) => one.isKind?.(value) === true || other.isKind?.(value) === true },
  );
}

/** A list that is not empty, of values that are each accepted. */
export function severalOf<Value>(
  required: string,
  accepts: (value: unknown) => boolean,
): Rule<readonly Value[]> {
  return ruleOf(
    required,
    (value) => Array.isArray(value) && value.length > 0 && value.every(accepts),
    { isKind: Array.isArray },
  );
}

/** Exactly one value. */
export function exactly<const Value>(only: Value): Rule<Value> {
  return ruleOf(JSON.stringify(only), (value) => value === only);
}

/** One of the numbers that a result has. */
export function among(numbers: readonly number[]): Rule<number> {
  return ruleOf(
    numbers.length === 1 ? `${numbers[0]}` : `one of ${numbers.join(", ") || "none"}`,
    (value) => numbers.includes(value as number),
    { isKind: () => true },
  );
}

/** The path of a file whose name ends in one of several ways. */
export function pathEnding(...endings: readonly string[]): Rule<string> {
  return ruleOf(
    `the name of a file that ends with ${endings.join(", ")}`,
    (value) => isText(value) && endings.some((end) => value.toLowerCase().endsWith(end)),
  );
}

/** A test for a list that is not empty, of values that are each accepted and occur once. */
export function isListOf(accepts: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) =>
    Array.isArray(value) && value.length > 0 && value.every(accepts) &&
    new Set(value).size === value.length;
}

/** A whole number of at least one, up to another if there is one. */
export function whole(from: number, to: number = Number.MAX_SAFE_INTEGER): Rule<number> {
  const range = to === Number.MAX_SAFE_INTEGER
    ? `of at least ${from}`
    : `from ${from} to ${groupThousands(to)}`;
  return numbers(
    `a whole number ${range}`,
    (value) => Number.isSafeInteger(value) && from <= value && value <= to,
  );
}

/** Whole numbers of at least 1 of a unit, or one of them. */
export function wholes(unit: string, example: string): Rule<number | readonly number[]> {
  const { accepts } = whole(1);
  return ruleOf(
    `whole numbers of ${unit}, at least 1, such as ${example}`,
    (value) => accepts(value) || (Array.isArray(value) && value.length > 0 && value.every(accepts)),
    { isKind: () => true, example },
  );
}

/** A number between two others, or one of them. */
export function between(least: number, most: number, unit = ""): Rule<number> {
  return numbers(
    `a number${unit && ` of ${unit}`} from ${least} to ${groupThousands(most)}`,
    (value) => least <= value && value <= most,
  );
}

const CALL = /^call (\w+)\(\)/;

/**
 * Refuses options that a function does not have, and values that they cannot take: in a notebook no compiler does, and
 * an option that is ignored gives other numbers than the caller meant. The call is kept for the marks of exported files.
 *
 * @param action Action of the function, worded to follow "Cannot", such as `call scores()`
 * @param options The caller's options; one that is undefined counts as left out
 * @param rules A rule for each option
 * @throws {TypeError} With the unknown option and the nearest known one, or a value of another kind
 * @throws {RangeError} If a value is of the right kind and out of range
 */
export function checkOptions(
  action: string,
  options: unknown,
  rules: Readonly<Record<string, OptionRule>>,
): void {
  if (!isPlainObject(options)) {
    const examples = Object.entries(rules).filter(([, { example }]) => example !== undefined)
      .map(([name, { example }]) => `${name}: ${example}`);
    const such = examples.length === 0
      ? ` ({ ${Object.keys(rules).join(", ")} })`
      : `, such as { ${examples.join(", ")} }`;
    throw new TypeError(
      `Cannot ${action}: expected an object of options${such}, got ${describe(options)}`,
    );
  }
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw unknownOption(action, name, rules);
    if (value !== undefined) checkOption(action, name, value, rule);
  }
  const [, called] = CALL.exec(action) ?? [];
  if (called !== undefined) noteCall(called, options);
  for (const [name, rule] of Object.entries(rules)) {
    if (rule.isNeeded !== true || (options as Given)[name] !== undefined) continue;
    checkOption(action, name, undefined, rule);
  }
}

/**
 * Refuses a value that an option cannot take, for a function that reads its options one by one.
 *
 * @throws {TypeError} If the value is of another kind
 * @throws {RangeError} If it is of the right kind and out of range
 */
export function checkOption(action: string, name: string, value: unknown, rule: OptionRule): void {
  if (rule.read !== undefined) rule.read(action, value, name);
  else if (!rule.accepts(value)) throw wrongValue({ action, name, value }, rule);
}

type Given = Readonly<Record<string, unknown>>;

const FEW_NAMES = 8;

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
  // After a long list nobody would see it.
  return new TypeError(
    hint !== "" && known.length > FEW_NAMES
      ? `Cannot ${action}: expected one of its options, got ${describe(name)}${hint} All of ` +
        `them: ${known.join(", ")}`
      : `Cannot ${action}: expected ${options}, got ${describe(name)}${hint}`,
  );
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
  const such = value === undefined && rule.example !== undefined ? `, such as ${rule.example}` : "";
  const message = `Cannot ${action}: expected ${name} to be ${rule.required}${such}, got ` +
    givenList(value);
  return rule.isKind?.(value) === true ? new RangeError(message) : new TypeError(message);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

/** The known option that other tools call by a given name; `null` if there is none. */
function usualName(name: string, known: readonly string[]): string | null {
  const given = plain(name);
  return known.find((option) => USUAL[option]?.some((other) => plain(other) === given)) ?? null;
}
