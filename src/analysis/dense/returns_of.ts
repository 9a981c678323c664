import { countText } from "../../base/wording/number_text.ts";
import type { DenseScores } from "./dense_scores.ts";

/**
 * The forward returns of one horizon.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {RangeError} If they were not computed
 */
export function returnsOf(action: string, dense: DenseScores, horizon: number): Float64Array {
  const returns = dense.returns.get(horizon);
  if (returns !== undefined) return returns;
  throw new RangeError(
    `Cannot ${action}: expected returns over ${countText(horizon, "session")}, got those over ` +
      `${dense.periods.join(", ") || "none"}; add ${horizon} to the periods of forwardReturns()`,
  );
}
