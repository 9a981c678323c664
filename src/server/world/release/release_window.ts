import type { Factor } from "../../../base/contract/factor.ts";
import type { CalendarDate } from "../../../base/contract/instant.ts";
import {
  DAY_MS,
  type EpochDay,
  epochDayOf,
  fromEpochDay,
  yearMonthOf,
} from "../../../base/calendar/civil_date.ts";
import type { WorldModel } from "../world_model.ts";

/** The span of a release: whole months, and the sessions in them. */
export interface ReleaseWindow {
  /** First day of the nominal window. */
  readonly start: CalendarDate;
  /** Last day of the nominal window. */
  readonly end: CalendarDate;
  /** Last day of the nominal window, as a day number. */
  readonly endDay: EpochDay;
  /** Index of the first session in the window. */
  readonly firstSession: number;
  /** Index of the last session in the window. */
  readonly lastSession: number;
}

// Each factor is released on its own schedule.
const MONTHS_BEFORE: Readonly<Record<Factor, number>> = { ecpnd: 0, ecqdi: 1 };
const DAYS_BEFORE_LIVE = 5;

/** Window of a factor's release, which ends at the end of a month, days before the first live set. */
export function releaseWindowOf(model: WorldModel, factor: Factor): ReleaseWindow {
  const { calendar, liveFromMs, parameters } = model;
  const last = Math.floor(liveFromMs / DAY_MS) - DAYS_BEFORE_LIVE;
  const { year, month } = yearMonthOf(last + 1);
  const after = month - MONTHS_BEFORE[factor];
  const startDay = epochDayOf(year, after - Math.round(12 * parameters.years), 1);
  const endDay = epochDayOf(year, after, 1) - 1;
  return {
    start: fromEpochDay(startDay),
    end: fromEpochDay(endDay),
    endDay,
    firstSession: calendar.firstFrom(startDay),
    lastSession: calendar.firstFrom(endDay + 1) - 1,
  };
}
