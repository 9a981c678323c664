import type { DataFrame } from "nodejs-polars";
import { wrongKind } from "../../base/arguments/list_text.ts";
import { assertRows } from "../../frames/frame/assert_frame.ts";

const ACTION = "analyse a factor";
const CALL = "write analyzeFactor(scores, prices)";

/**
 * Refuses anything but scores and prices.
 *
 * @throws {TypeError} If one of them is missing or not a frame, or the two are swapped
 * @throws {RangeError} If one of them has no row
 */
export function assertInputs(scores: unknown, prices: unknown): asserts scores is DataFrame {
  if (prices === undefined) {
    throw wrongKind(ACTION, prices, {
      expected: "prices beside the scores",
      advice: `${CALL} with a frame of date, ticker and close, or the path of a file of them`,
    });
  }
  assertRows(ACTION, scores, "scores");
  if (typeof prices !== "string") assertRows(`${ACTION} with these prices`, prices, "prices");
  if (typeof prices !== "string" && areSwapped(scores, prices as DataFrame)) {
    throw wrongKind(ACTION, scores, {
      expected: "scores first and prices second",
      advice: `these are prices; ${CALL}`,
    });
  }
}

function areSwapped({ columns }: DataFrame, prices: DataFrame): boolean {
  if (!columns.includes("close")) return false;
  const hasScore = prices.columns.some((name) => name === "score" || name.endsWith("_score"));
  return hasScore && !prices.columns.includes("close");
}
