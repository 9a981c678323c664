import { FINITE_AMOUNT, type Rule, ruleOf } from "../../../base/arguments/check_options.ts";

/** Rates of one-way costs that a table has if none are given, in basis points. */
const USUAL_RATES: readonly number[] = [0, 5, 10, 20, 50];
/** The one-way cost that stands for usual trading, in basis points. */
export const USUAL_RATE = 10;

/** Rates of one-way costs in basis points, or one of them. */
export const RATES: Rule<number | readonly number[]> = ruleOf(
  "rates of at least 0 basis points, such as [0, 5, 10]",
  (value) => {
    const list = [value].flat();
    return list.length > 0 && list.every(FINITE_AMOUNT.accepts);
  },
  { isKind: () => true },
);

/** The rates that are given, or the usual ones. */
export function ratesOf(given: number | readonly number[] = USUAL_RATES): readonly number[] {
  return [given].flat();
}
