import { givenList } from "./given_list.ts";

/** Description of a list of whole numbers. */
export interface WholesOf {
  /** Name of the option. */
  readonly name: string;
  /** The counted thing. */
  readonly unit: string;
  /** Example of the option. */
  readonly example: string;
}

/**
 * Whole numbers of at least 1, or one of them.
 *
 * @param action What needs them, worded to follow "Cannot"
 * @throws {RangeError} If it is neither, or an empty list
 */
export function readWholes(
  action: string,
  value: unknown,
  { name, unit, example }: WholesOf,
): readonly number[] {
  const list = typeof value === "number" ? [value] : value;
  const isRight = Array.isArray(list) && list.length > 0 &&
    list.every((one) => Number.isSafeInteger(one) && one >= 1);
  if (isRight) return list as readonly number[];
  throw new RangeError(
    `Cannot ${action}: expected ${name} to be whole numbers of ${unit}, at least 1, such as ${example}, got ` +
      givenList(value),
  );
}
