import { describe } from "../../../base/contract/violation.ts";

const MOST_PER_YEAR = 366;

/** Refuses an impossible number of periods per year. */
export function assertPeriodsPerYear(action: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value === "number" && value > 0 && value <= MOST_PER_YEAR) return;
  throw new RangeError(
    `Cannot ${action}: expected periodsPerYear to be a number above 0 and at most ${MOST_PER_YEAR}, ` +
      `such as 12 for monthly returns, got ${describe(value)}`,
  );
}
