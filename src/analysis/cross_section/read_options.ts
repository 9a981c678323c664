import { checkOption, whole } from "../../base/arguments/check_options.ts";
import type { Expr } from "nodejs-polars";
import { wrongKind } from "../../base/arguments/wrong_kind.ts";

/**
 * Number of stocks below which a session has no correlation; 10 if nothing is given.
 *
 * @throws {RangeError} If it is not a whole number of at least 2: one stock has no rank
 */
export function readMinNames(action: string, minNames: unknown = 10): number {
  checkOption(action, "minNames", minNames, whole(2));
  return minNames as number;
}

/**
 * A number of sessions to look back; 1 if none is given.
 *
 * @throws {RangeError} If it is not a positive whole number
 */
export function readPeriod(action: string, period: unknown = 1): number {
  checkOption(action, "period", period, whole(1));
  return period as number;
}

/**
 * Refuses anything but a Polars expression.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @param name Name of the option
 * @throws {TypeError} With what was given
 */
export function assertExpression(
  action: string,
  name: string,
  value: unknown,
): asserts value is Expr {
  if (typeof value === "object" && value !== null && "_expr" in value) return;
  throw wrongKind(action, value, {
    expected: `${name} to be an expression`,
    advice: `such as { ${name}: pl.col("score").gt(0.5) }`,
  });
}
