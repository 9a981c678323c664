import type { DenseScores } from "./dense_scores.ts";

/**
 * The forward returns of one horizon.
 *
 * @param action What needs them, to stand behind "Cannot"
 * @throws {RangeError} If they were not computed
 */
export function returnsOf(action: string, dense: DenseScores, horizon: number): Float64Array {
  const returns = dense.returns.get(horizon);
  if (returns !== undefined) return returns;
  throw new RangeError(
    `Cannot ${action}: the returns of ${horizon} session${
      horizon === 1 ? "" : "s"
    } are required, ` +
      `got those of ${dense.periods.join(", ") || "none"}; add ${horizon} to the periods of ` +
      "forwardReturns()",
  );
}
