import { describe } from "../contract/violation.ts";

/** What was expected instead of a value, and how to get it. */
export interface Expectation {
  /** What was expected, to stand behind "expected". */
  readonly expected: string;
  /** What to do. */
  readonly advice: string;
}

/**
 * The error for an argument of another kind.
 *
 * @param action What was tried, to stand behind "Cannot"
 * @param value What was given
 */
export function wrongKind(
  action: string,
  value: unknown,
  { expected, advice }: Expectation,
): TypeError {
  return new TypeError(`Cannot ${action}: expected ${expected}, got ${describe(value)}; ${advice}`);
}
