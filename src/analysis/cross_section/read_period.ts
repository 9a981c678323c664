import { describe } from "../../contract/violation.ts";

/**
 * A number of sessions to look back; 1 if none is given.
 *
 * @throws {RangeError} If it is no positive whole number
 */
export function readPeriod(action: string, period: unknown = 1): number {
  if (Number.isInteger(period) && (period as number) >= 1) return period as number;
  throw new RangeError(
    `Cannot ${action}: a whole number of sessions from 1 is required as period, got ` +
      describe(period),
  );
}
