import type { TableFrame } from "../typed/table_frame.ts";
import type { DateInput } from "../../../base/arguments/date_input.ts";
import { instantOf } from "../../../base/contract/instant.ts";
import { checkOptions, type OptionRules } from "../../../base/arguments/check_options.ts";
import { calendarSpan, toEpochDay } from "../../../base/calendar/civil_date.ts";
import type { Session } from "../../../base/calendar/list_sessions.ts";
import { frameOfObjects } from "../typed/frame_of.ts";
import { readSessions } from "./read_sessions.ts";

const COLUMNS = {
  date: "date",
  open: "instant",
  close: "instant",
  early_close: "flag",
} as const;

/** Sessions that are listed. */
export interface SessionsOptions {
  /**
   * The first session of each calendar week or month between the dates, or every n-th session from the first one on.
   *
   * @default every session
   */
  readonly every?: "week" | "month" | number;
}

const RULES: OptionRules<SessionsOptions> = {
  every: {
    required: '"week", "month" or a whole number of sessions of at least 1',
    accepts: (value) =>
      value === "week" || value === "month" ||
      (Number.isSafeInteger(value) && (value as number) >= 1),
    isKind: (value) => typeof value === "number",
  },
};

/**
 * Lists the sessions of the US market between two dates, both included, ascending.
 *
 * One row per session of the New York Stock Exchange. Columns: `date` (Date); `open` and `close` (Datetime in milliseconds,
 * UTC; 09:30 and 16:00 in New York unless the session is short); `early_close` (Boolean, true if the session closes before
 * 16:00). Holidays follow the rules of the exchange from 1962 to 2060; extraordinary closures are those known at the release of
 * this version. Sends nothing.
 *
 * @param from First date: text as `2026-11-19`, a `Temporal.PlainDate`, or a `Date` at midnight UTC
 * @param to Last date
 * @param options `every`: fewer of them
 * @returns The sessions (sessions × 4); no rows if the market was closed on all days
 * @throws {TypeError} If one is not a date, or an option does not exist
 * @throws {RangeError} If the calendar does not cover a date, or `to` is before `from`
 * @example
 * ```ts
 * import { sessions } from "scoreframe";
 *
 * const week = sessions("2026-11-23", "2026-11-27"); // Thanksgiving is on the 26th
 * if (week.height !== 4) throw new Error("four sessions expected");
 * ```
 */
export function sessions(
  from: DateInput,
  to: DateInput,
  options: SessionsOptions = {},
): TableFrame<typeof COLUMNS> {
  checkOptions("call sessions()", options, RULES);
  const rows = firstOfEach(readSessions("list the sessions", from, to), options.every ?? 1);
  return frameOfObjects(rows, COLUMNS, {
    open: ({ openMs }) => instantOf(openMs),
    close: ({ closeMs }) => instantOf(closeMs),
    early_close: ({ isShort }) => isShort,
  });
}

function firstOfEach(
  rows: readonly Session[],
  every: "week" | "month" | number,
): readonly Session[] {
  if (typeof every === "number") return rows.filter((_, i) => i % every === 0);
  const periods = rows.map(({ date }) => calendarSpan(toEpochDay(date), every));
  return rows.filter((_, i) => periods[i] !== periods[i - 1]);
}
