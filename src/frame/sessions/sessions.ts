import pl, { type DataFrame } from "nodejs-polars";
import type { DateInput } from "../../arguments/date_input.ts";
import { readSessions } from "./read_sessions.ts";

/**
 * The sessions of the US market from one date through another, both included, ascending.
 *
 * One row per session of the New York Stock Exchange. Columns: `date` (Date); `open` and `close` (Datetime in
 * milliseconds, UTC; 09:30 and 16:00 in New York unless the session is short); `early_close` (Boolean, true if the
 * session closes before 16:00). Holidays follow the rules of the exchange from 1990 to 2060; extraordinary closures are
 * those that were known when this version was made. Sends nothing.
 *
 * @param from First date: text as `2026-11-19`, a `Temporal.PlainDate`, or a `Date` at midnight UTC
 * @param to Last date
 * @returns The sessions (sessions × 4); without rows if the market was closed on all days
 * @throws {TypeError} If one is no date
 * @throws {RangeError} If the calendar does not cover a date, or `to` is before `from`
 * @example
 * ```ts
 * import { sessions } from "scoreframe";
 *
 * const week = sessions("2026-11-23", "2026-11-27"); // Thanksgiving is on the 26th
 * if (week.height !== 4) throw new Error("four sessions expected");
 * ```
 */
export function sessions(from: DateInput, to: DateInput): DataFrame {
  const rows = readSessions("list the sessions", from, to);
  const instants = pl.Datetime("ms", "UTC");
  return pl.DataFrame([
    pl.Series("date", rows.map(({ date }) => new Date(date)), pl.Date),
    pl.Series("open", rows.map(({ openMs }) => new Date(openMs)), instants),
    pl.Series("close", rows.map(({ closeMs }) => new Date(closeMs)), instants),
    pl.Series("early_close", rows.map(({ isShort }) => isShort), pl.Bool),
  ]);
}
