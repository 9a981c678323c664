import { SESSION_COUNT } from "../../cross_section/read_options.ts";
import { oneOf, type OptionRules, ruleOf } from "../../../base/arguments/check_options.ts";
import { type CalendarDate, isCalendarDate } from "../../../base/contract/instant.ts";

/** Rebalancing of a book, and its weights in between. */
export interface BookRules {
  /** Sessions with new weights in which the book is traded to them. @default "signal" */
  readonly rebalance?: "signal" | "weekly" | "monthly" | number | readonly CalendarDate[];
  /** Weights in between. @default "drift" */
  readonly between?: "drift" | "restore" | "cash";
}

/**
 * Sessions with new weights in which a book is traded to them: `signal`: at each; `weekly`, `monthly`: at the first
 * of each calendar week or month; a number: at the first in each span of so many sessions; dates: at the first on or after each.
 */
export type Rebalance = NonNullable<BookRules["rebalance"]>;

/**
 * Weights of a book until it is traded again: `drift`: they move with prices; `restore`: the book is brought back to its
 * weights in every session, and that is traded; `cash`: it is closed after one session.
 */
export type Between = NonNullable<BookRules["between"]>;

/** Accepted rules of a book. */
export const BOOK_RULES: OptionRules<BookRules> = {
  rebalance: ruleOf(
    'a whole number of sessions, at least 1, "signal", "weekly", "monthly", or an array of dates such as ' +
      '["2026-01-02"]; "signal" trades whenever there are new weights',
    (value) =>
      ["signal", "weekly", "monthly"].includes(value as string) || SESSION_COUNT.accepts(value) ||
      (Array.isArray(value) && value.length > 0 && value.every(isCalendarDate)),
    { isKind: (value) => typeof value === "number" },
  ),
  between: oneOf("drift", "restore", "cash"),
};

/** The rules of a book, with every default stated. */
export function bookRules(
  { rebalance = "signal", between = "drift" }: BookRules,
): Required<BookRules> {
  return { rebalance, between };
}
