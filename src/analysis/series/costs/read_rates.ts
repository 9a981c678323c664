import { givenList } from "../../../base/arguments/given_list.ts";

/**
 * Rates of one-way costs in basis points, or one of them.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {RangeError} If one is not a number of at least 0, or there is none
 */
export function readRates(action: string, value: unknown): readonly number[] {
  const list = typeof value === "number" ? [value] : value;
  const isRight = Array.isArray(list) && list.length > 0 &&
    list.every((rate) => Number.isFinite(rate) && rate >= 0);
  if (isRight) return list as readonly number[];
  throw new RangeError(
    `Cannot ${action}: expected oneWayBps to be rates of at least 0 basis points, such as [0, 5, 10], got ` +
      givenList(value),
  );
}
