import { describe } from "../../contract/violation.ts";

/**
 * Below how many names a session has no correlation; 10 if nothing is given.
 *
 * @throws {RangeError} If it is no whole number from 2 on: one name has no rank
 */
export function readMinNames(action: string, minNames: unknown = 10): number {
  if (Number.isInteger(minNames) && (minNames as number) >= 2) return minNames as number;
  throw new RangeError(
    `Cannot ${action}: a whole number of names from 2 is required as minNames, got ` +
      describe(minNames),
  );
}
