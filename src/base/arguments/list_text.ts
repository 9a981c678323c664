import { describe } from "../contract/violation.ts";
import { groupThousands } from "../wording/group_thousands.ts";

const SHOWN = 6;
const LONGEST = 40;

const MOST = 6;

/** Names in a message, each cut to 40 characters: the first six, and how many more there are. */
export function listText(names: readonly string[], shown = SHOWN): string {
  if (names.length === 0) return "(none)";
  const first = names.slice(0, shown).map(cut).join(", ");
  const rest = names.length - shown;
  return rest > 0 ? `${first} and ${groupThousands(rest)} more` : first;
}

function cut(name: string): string {
  if (name === "") return '""';
  if (name.length <= LONGEST) return describe(name).slice(1, -1);
  return `${describe(name.slice(0, LONGEST)).slice(1, -1)}… (${groupThousands(name.length)} ` +
    "characters)";
}

/** Description of an argument for a list, for errors: the values of a short list of numbers and texts, otherwise the kind. */
export function givenList(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0 || value.some(isNested)) {
    return Array.isArray(value) && value.length === 0 ? "an empty array" : describe(value);
  }
  const more = value.length > MOST ? `, … ${value.length} in all` : "";
  return `[${value.slice(0, MOST).map(describe).join(", ")}${more}]`;
}

function isNested(value: unknown): boolean {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Expectation instead of a value, and the remedy. */
interface Expectation {
  /** Expectation, to stand behind "expected". */
  readonly expected: string;
  /** Remedy. */
  readonly advice: string;
}

/**
 * The error for an argument of another kind.
 *
 * @param action Action, worded to follow "Cannot"
 * @param value Given value
 */
export function wrongKind(
  action: string,
  value: unknown,
  { expected, advice }: Expectation,
): TypeError {
  return new TypeError(`Cannot ${action}: expected ${expected}, got ${describe(value)}; ${advice}`);
}
