import { type CalendarDate, isCalendarDate } from "../../../base/contract/instant.ts";

const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
// Dates that pandas and databases store as times.
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[T ]00:00(:00(\.0+)?)?(Z|\+00:?00)?$/;

/** Parses a date such as `2026-11-19`, `20261119` or `2026-11-19 00:00:00`; `null` for any other text. */
export function dateOfText(text: string): CalendarDate | null {
  const date = COMPACT.test(text)
    ? text.replace(COMPACT, "$1-$2-$3")
    : text.replace(MIDNIGHT, "$1");
  return isCalendarDate(date) ? date : null;
}
