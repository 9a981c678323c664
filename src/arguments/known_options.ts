import { describe } from "../contract/violation.ts";

/**
 * Refuses options that a function does not have: in a notebook no compiler does, and an option that is ignored gives
 * something else than was asked for.
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
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(
      `Cannot ${action}: an object of options is required, got ${describe(options)}`,
    );
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `Cannot ${action}: its options are ${known.join(", ")}, got ${describe(unknown)}`,
  );
}
