import { describe } from "../../../base/contract/violation.ts";
import { type CalendarDate, isCalendarDate } from "../../../base/contract/instant.ts";

/**
 * Sessions with new weights in which a book is traded to them: `signal`: at each; `weekly`, `monthly`: at the first
 * of each calendar week or month; a number: at the first in each span of so many sessions; dates: at the first on or after each.
 */
export type Rebalance = "signal" | "weekly" | "monthly" | number | readonly CalendarDate[];

/**
 * Weights of a book until it is traded again: `drift`: they move with prices; `restore`: the book is brought back to its
 * weights in every session, and that is traded; `cash`: it is closed after one session.
 */
export type Between = "drift" | "restore" | "cash";

/** Rebalancing of a book, and its weights in between. */
export interface BookRules {
  /** Sessions with new weights in which the book is traded to them. @default "signal" */
  readonly rebalance?: Rebalance;
  /** Weights in between. @default "drift" */
  readonly between?: Between;
}

/** Names of the options of a book. */
export const BOOK_OPTIONS = ["rebalance", "between"] as const;

/**
 * Reads the rules of a book, with every default stated.
 *
 * @throws {TypeError} If an option has none of its values
 * @throws {RangeError} If a number of sessions is not a whole number of at least 1
 */
export function readBookRules(
  action: string,
  { rebalance = "signal", between = "drift" }: BookRules,
): Required<BookRules> {
  if (!["drift", "restore", "cash"].includes(between)) {
    throw new TypeError(
      `Cannot ${action}: expected between to be "drift", "restore" or "cash", got ` +
        `${describe(between)}; "drift" lets the portfolio drift until the next trade`,
    );
  }
  if (typeof rebalance === "number") {
    if (Number.isSafeInteger(rebalance) && rebalance >= 1) return { rebalance, between };
    throw new RangeError(
      `Cannot ${action}: expected rebalance to be a whole number of sessions, at least 1, got ` +
        `${describe(rebalance)}; 21 is about a month`,
    );
  }
  const isKnown = typeof rebalance === "string"
    ? ["signal", "weekly", "monthly"].includes(rebalance)
    : Array.isArray(rebalance) && rebalance.length > 0 && rebalance.every(isCalendarDate);
  if (isKnown) return { rebalance, between };
  throw new TypeError(
    `Cannot ${action}: expected rebalance to be "signal", "weekly", "monthly", a number of sessions ` +
      `or an array of dates such as ["2026-01-02"], got ${describe(rebalance)}; "signal" trades ` +
      "whenever there are new weights",
  );
}
