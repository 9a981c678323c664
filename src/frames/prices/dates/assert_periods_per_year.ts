import { numbers, type Rule } from "../../../base/arguments/check_options.ts";

const MOST_PER_YEAR = 366;

/** Periods of a year. */
export const PERIODS_PER_YEAR: Rule<number> = numbers(
  `a number above 0 and at most ${MOST_PER_YEAR}, such as 12 for monthly returns`,
  (value) => value > 0 && value <= MOST_PER_YEAR,
  "252",
);
