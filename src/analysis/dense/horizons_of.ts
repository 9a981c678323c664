import type { DenseScores } from "./dense_scores.ts";

/**
 * The horizons of the returns.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {RangeError} If there are no returns
 */
export function horizonsOf(
  action: string,
  { periods }: Pick<DenseScores, "periods">,
): readonly number[] {
  if (periods.length > 0) return periods;
  throw new RangeError(
    `Cannot ${action}: expected returns in columns such as return_1, got none; align() joins scores with them`,
  );
}
