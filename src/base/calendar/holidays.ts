import {
  type EpochDay,
  epochDayOf,
  fromEpochDay,
  lastWeekday,
  nthWeekday,
  WEEKDAY,
  weekdayOf,
  yearMonthOf,
} from "./civil_date.ts";

// In 1968 the exchange closed on Wednesdays to work off its papers.
const PAPERWORK = [
  ...["06-12", "06-19", "06-26", "07-10", "07-17", "07-24", "07-31", "08-07", "08-14", "08-21"],
  ...["08-28", "09-11", "09-18", "09-25", "10-02", "10-09", "10-16", "10-23", "10-30", "11-20"],
  ...["12-04", "12-11", "12-18"],
];
/** Days on which the exchange was closed for a special reason, since 1962. */
export const EXTRAORDINARY_CLOSURES: Readonly<Record<string, string>> = {
  "1963-11-25": "funeral of President Kennedy",
  "1968-02-12": "Lincoln's birthday",
  "1968-04-09": "funeral of Martin Luther King",
  ...Object.fromEntries(PAPERWORK.map((day) => [`1968-${day}`, "backlog of papers"])),
  "1968-07-05": "the day after Independence Day",
  "1968-11-11": "Veterans Day",
  "1969-02-10": "snow",
  "1969-03-31": "funeral of President Eisenhower",
  "1969-07-21": "landing on the moon",
  "1972-12-28": "funeral of President Truman",
  "1973-01-25": "funeral of President Johnson",
  "1977-07-14": "blackout of New York",
  "1985-09-27": "Hurricane Gloria",
  "1994-04-27": "funeral of President Nixon",
  "2001-09-11": "attacks of September 11",
  "2001-09-12": "attacks of September 11",
  "2001-09-13": "attacks of September 11",
  "2001-09-14": "attacks of September 11",
  "2004-06-11": "funeral of President Reagan",
  "2007-01-02": "funeral of President Ford",
  "2012-10-29": "Hurricane Sandy",
  "2012-10-30": "Hurricane Sandy",
  "2018-12-05": "funeral of President G. H. W. Bush",
  "2025-01-09": "funeral of President Carter",
};

const EXTRAORDINARY_EARLY_CLOSES = ["1997-12-26", "1999-12-31", "2003-12-26"];
// Early closes of earlier years, of hours and weeks, are not known here.
const FIRST_EARLY_CLOSES = 1990;
const ONE_PM = 13 * 60;
const TWO_PM = 14 * 60;

/** The rule holidays of a year on which the exchange is closed, as observed, ascending. */
export function holidaysOf(year: number): readonly EpochDay[] {
  const monday = WEEKDAY.monday;
  const days = [
    newYearsDay(year),
    year >= 1998 ? nthWeekday(year, 1, monday, 3) : null,
    year >= 1971 ? nthWeekday(year, 2, monday, 3) : earlier(year, epochDayOf(year, 2, 22)),
    easterSunday(year) - 2,
    year >= 1971 ? lastWeekday(year, 5, monday) : earlier(year, epochDayOf(year, 5, 30)),
    year >= 2022 ? observed(epochDayOf(year, 6, 19)) : null,
    observed(epochDayOf(year, 7, 4)),
    nthWeekday(year, 9, monday, 1),
    hasElectionDay(year) ? nthWeekday(year, 11, monday, 1) + 1 : null,
    nthWeekday(year, 11, WEEKDAY.thursday, 4),
    observed(epochDayOf(year, 12, 25)),
  ];
  return days.filter((day) => day !== null).sort((a, b) => a - b);
}

/** The minute of the day, in New York, at which an early session closes; `null` for a full session. */
export function earlyCloseOf(day: EpochDay): number | null {
  const { year, month } = yearMonthOf(day);
  if (month !== 7 && month < 11) return null;
  if (year < FIRST_EARLY_CLOSES) return null;
  if (EXTRAORDINARY_EARLY_CLOSES.includes(fromEpochDay(day))) return ONE_PM;
  const afterThanksgiving = nthWeekday(year, 11, WEEKDAY.thursday, 4) + 1;
  if (day === afterThanksgiving && year >= 1992) return year === 1992 ? TWO_PM : ONE_PM;
  if (day === epochDayOf(year, 12, 24)) return year < 1993 ? TWO_PM : ONE_PM;
  return year >= 1995 && day === earlyCloseOfJuly(year) ? ONE_PM : null;
}

// A Wednesday July 3 was a full session until 2012; the Friday after the holiday was short instead.
function earlyCloseOfJuly(year: number): EpochDay | null {
  const third = epochDayOf(year, 7, 3);
  const weekday = weekdayOf(third);
  if (weekday === 3 && year < 2013) return third + 2;
  return weekday >= WEEKDAY.monday && weekday <= WEEKDAY.thursday ? third : null;
}

// Rule 7.2: a Saturday New Year's Day is not observed, because the Friday ends a year.
function newYearsDay(year: number): EpochDay | null {
  const day = epochDayOf(year, 1, 1);
  return weekdayOf(day) === WEEKDAY.saturday ? null : observed(day);
}

function hasElectionDay(year: number): boolean {
  return year < 1968 || (year <= 1980 && year % 4 === 0);
}

// Until 1963 and in 1970 a holiday of a Saturday was not observed.
function earlier(year: number, day: EpochDay): EpochDay | null {
  const isKept = (year >= 1964 && year < 1970) || weekdayOf(day) !== WEEKDAY.saturday;
  return isKept ? observed(day) : null;
}

function observed(day: EpochDay): EpochDay {
  if (weekdayOf(day) === WEEKDAY.saturday) return day - 1;
  return weekdayOf(day) === WEEKDAY.sunday ? day + 1 : day;
}

/** Easter Sunday of a year in the Gregorian calendar (the anonymous algorithm of Meeus, 1991). */
function easterSunday(year: number): EpochDay {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const f = Math.floor((b + 8) / 25);
  const g = Math.floor((b - f + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return epochDayOf(year, Math.floor(n / 31), (n % 31) + 1);
}
