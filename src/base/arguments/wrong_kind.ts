import { describe } from "../contract/violation.ts";

/** Expectation instead of a value, and the remedy. */
export interface Expectation {
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
