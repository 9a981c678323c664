import { weekdaysTo } from "../dense/days.ts";
import {
  FREQUENCIES,
  medianGap,
  PERIODS_PER_YEAR,
  seenFrequency,
} from "../../frames/prices/dates/frequency.ts";
import type { OptionRules } from "../../base/arguments/check_options.ts";
import { fromEpochDay, WEEKDAY, weekdayOf } from "../../base/calendar/civil_date.ts";
import type { SessionSeries } from "../inference/tested_mean.ts";
import { countText } from "../../base/wording/number_text.ts";
import { groupThousands } from "../../base/wording/group_thousands.ts";

/** Option of annualised numbers. */
export interface AnnualOptions {
  /**
   * Returns of one period in a year: 12 for monthly returns. Required for series whose sessions are further apart than a day.
   *
   * @default 252, if the sessions are days of a market
   */
  readonly periodsPerYear?: number;
}

/** Accepted options of annualised numbers. */
export const ANNUAL_RULES: OptionRules<AnnualOptions> = { periodsPerYear: PERIODS_PER_YEAR };

const SESSIONS = FREQUENCIES.daily.perYear;
// Weekdays of a year.
const WEEKDAYS = 261;
// Two sessions have a distance, but no usual one.
const LEAST_MEASURED = 4;
// Two of seven days are on weekends; a market that trades on them has 365 days.
const FEW = 0.05;

/**
 * Periods in a year of a series: the given number, else 252 if its sessions are days.
 *
 * @throws {RangeError} If the sessions are weeks or months apart or lie on weekends, and nobody said how many a year has
 */
export function periodsOfYear(
  action: string,
  { days, places }: Pick<SessionSeries, "days" | "places">,
  given: number | undefined,
): number {
  // Sessions that are named keep their distance, whichever of them the series has.
  const apart = days.length < 2 ? 1 : weekdaysApart(days, places);
  if (given !== undefined) {
    assertSpacing(action, days, { apart, given });
    return given;
  }
  if (apart > 1) {
    const seen = seenFrequency(days);
    const perYear = seen === null || seen === "daily" ? 12 : FREQUENCIES[seen].perYear;
    throw new RangeError(
      `Cannot ${action}: expected periodsPerYear, because the sessions are ` +
        `${medianGap(days)} days apart (${firstDays(days)}), got none; ` +
        `give periodsPerYear: ${perYear} if each return is ` +
        "of such a period, or the option sessions if each is of one session among others",
    );
  }
  const weekends = days.filter((day) =>
    [WEEKDAY.saturday, WEEKDAY.sunday].includes(weekdayOf(day) as 0)
  );
  if (weekends.length <= Math.max(1, FEW * days.length)) return SESSIONS;
  throw new RangeError(
    `Cannot ${action}: expected periodsPerYear, because ` +
      `${groupThousands(weekends.length)} sessions are on weekends, got none; ` +
      "give periodsPerYear: 365 if the market trades every day",
  );
}

/** Refuses a number of periods that the dates contradict: 252 for returns of months. */
function assertSpacing(
  action: string,
  days: Int32Array,
  { apart, given }: { readonly apart: number; readonly given: number },
): void {
  const seen = WEEKDAYS / Math.max(1, apart);
  if (days.length < LEAST_MEASURED || (given <= 2 * seen && given >= seen / 2)) return;
  throw new RangeError(
    `Cannot ${action}: expected periodsPerYear of about ${perYearText(days, apart)}, because the ` +
      `sessions are ${medianGap(days)} days apart (${firstDays(days)}), got ${given}; give what ` +
      "they are, or the option sessions if each return is of one session among others",
  );
}

/**
 * Refuses two series of different spacing: a return of a month explains no return of a day.
 *
 * @param names What the two are called
 */
export function assertSameSpacing(
  action: string,
  [one, other]: readonly [SessionSeries, SessionSeries],
  names: readonly [string, string],
): void {
  if (Math.min(one.days.length, other.days.length) < LEAST_MEASURED) return;
  const [a, b] = [one, other].map(({ days, places }) => Math.max(1, weekdaysApart(days, places)));
  if (a! < 2 * b! && b! < 2 * a!) return;
  const [fine, coarse] = a! < b! ? names : names.toReversed();
  const gaps = [one, other].map(({ days }) => countText(medianGap(days), "day")).join(" and ");
  throw new RangeError(
    `Cannot ${action}: expected ${names[0]} and ${
      names[1]
    } of the same spacing, got sessions that are ${gaps} apart; ` +
      `compound the shorter ones over the longer: cumulativeReturns(${fine}).withColumns(` +
      `pl.col("wealth").shift(1).fillNull(pl.lit(1))).join(${coarse}.select("date"), { on: "date" })` +
      `.select("date", pl.col("wealth").shift(-1).div(pl.col("wealth")).sub(1).alias("return"))`,
  );
}

/** The median of the weekdays from one session to the next. */
function weekdaysApart(days: Int32Array, places: Int32Array): number {
  const steps = days.subarray(1).map((day, i) =>
    Math.round((weekdaysTo(day) - weekdaysTo(days[i]!)) / Math.max(1, places[i + 1]! - places[i]!))
  ).sort();
  return steps[Math.floor((steps.length - 1) / 2)]!;
}

function firstDays(days: Int32Array): string {
  return [...days.subarray(0, 3)].map(fromEpochDay).join(", ") + (days.length > 3 ? ", …" : "");
}

function perYearText(days: Int32Array, apart: number): string {
  const seen = apart <= 1 ? "daily" : seenFrequency(days);
  return seen === null || (seen === "daily" && apart > 1)
    ? (WEEKDAYS / apart).toFixed(0)
    : String(FREQUENCIES[seen].perYear);
}
