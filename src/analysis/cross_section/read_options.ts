import type { Expr } from "nodejs-polars";
import { type Rule, ruleOf, whole } from "../../base/arguments/check_options.ts";

/** Number of stocks below which a session has no correlation: one stock has no rank. */
export const MIN_NAMES: Rule<number> = whole(2);
/** Number of stocks below which a session has no correlation if nothing is said. */
export const DEFAULT_MIN_NAMES = 10;

/** A number of sessions. */
export const SESSION_COUNT: Rule<number> = whole(1);

/** A condition on rows. */
export const CONDITION: Rule<Expr> = ruleOf(
  'an expression such as pl.col("raw").gtEq(5)',
  isExpression,
);

/** Tests if a value is a Polars expression. */
export function isExpression(value: unknown): boolean {
  return typeof value === "object" && value !== null && "_expr" in value;
}
