import { describe, expect, test } from "vitest";
import { MarketCalendar } from "../../../src/base/calendar/market_calendar.ts";

const calendar = new MarketCalendar();

function sessionsOf(year: number) {
  return calendar.between(`${year}-01-01`, `${year}-12-31`);
}

function isSession(date: string): boolean {
  return calendar.between(date, date).length === 1;
}

describe("the market calendar", () => {
  test.each([
    [1962, 252],
    [1963, 251],
    [1965, 252],
    [1968, 226],
    [1969, 250],
    [1972, 251],
    [1977, 252],
    [1985, 252],
    [1987, 253],
    [1989, 252],
    [1994, 252],
    [1996, 254],
    [1997, 253],
    [2000, 252],
    [2001, 248],
    [2004, 252],
    [2007, 251],
    [2008, 253],
    [2012, 250],
    [2013, 252],
    [2018, 251],
    [2019, 252],
    [2020, 253],
    [2021, 252],
    [2022, 251],
    [2023, 250],
    [2024, 252],
    [2025, 250],
  ])("has as many sessions in %i as the exchange had: %i", (year, count) => {
    expect(sessionsOf(year)).toHaveLength(count);
  });

  test.each([
    "1963-11-25",
    "1964-02-21",
    "1964-05-29",
    "1968-06-12",
    "1969-07-21",
    "1976-11-02",
    "1977-07-14",
    "1985-09-27",
    "1994-04-27",
    "2001-09-11",
    "2001-09-14",
    "2004-06-11",
    "2007-01-02",
    "2012-10-29",
    "2012-10-30",
    "2018-12-05",
    "2025-01-09",
  ])("is closed on the extraordinary %s", (date) => {
    expect(isSession(date)).toBe(false);
  });

  test.each([
    ["1997-01-20", true, "Martin Luther King Day before 1998"],
    ["1998-01-19", false, "Martin Luther King Day"],
    ["2024-03-29", false, "Good Friday"],
    ["2025-04-18", false, "Good Friday"],
    ["2021-06-18", true, "Juneteenth before 2022"],
    ["2022-06-20", false, "Juneteenth of a Sunday"],
    ["2021-12-31", true, "the Friday before a Saturday New Year"],
    ["2022-01-03", true, "the Monday after a Saturday New Year"],
    ["2023-01-02", false, "New Year of a Sunday"],
    ["2026-07-03", false, "Independence Day of a Saturday"],
    ["2021-12-24", false, "Christmas of a Saturday"],
    ["2022-12-26", false, "Christmas of a Sunday"],
    ["2026-11-26", false, "Thanksgiving"],
    ["2026-11-21", false, "a Saturday"],
    ["2001-09-17", true, "the reopening"],
  ])("on %s has a session: %s (%s)", (date, expected) => {
    expect(isSession(date)).toBe(expected);
  });

  test.each([
    ["2026-11-20", "2026-11-20T21:00:00.000Z", "winter time"],
    ["2026-07-02", "2026-07-02T20:00:00.000Z", "summer time"],
    ["2006-03-31", "2006-03-31T21:00:00.000Z", "before the first Sunday of April 2006"],
    ["2006-04-03", "2006-04-03T20:00:00.000Z", "after it"],
    ["2007-03-12", "2007-03-12T20:00:00.000Z", "after the second Sunday of March 2007"],
    ["2026-11-27", "2026-11-27T18:00:00.000Z", "the day after Thanksgiving, 13:00"],
    ["2025-12-24", "2025-12-24T18:00:00.000Z", "Christmas Eve, 13:00"],
    ["2025-07-03", "2025-07-03T17:00:00.000Z", "before Independence Day, 13:00"],
    ["2002-07-03", "2002-07-03T20:00:00.000Z", "a Wednesday before 2013, 16:00"],
    ["2002-07-05", "2002-07-05T17:00:00.000Z", "the Friday after it, 13:00"],
    ["2013-07-03", "2013-07-03T17:00:00.000Z", "a Wednesday since 2013, 13:00"],
    ["1992-11-27", "1992-11-27T19:00:00.000Z", "14:00 in 1992"],
    ["1991-11-29", "1991-11-29T21:00:00.000Z", "16:00 before 1992"],
    ["1991-12-24", "1991-12-24T19:00:00.000Z", "Christmas Eve before 1993, 14:00"],
    ["1996-12-24", "1996-12-24T18:00:00.000Z", "Christmas Eve since 1993, 13:00"],
    ["1965-07-01", "1965-07-01T19:30:00.000Z", "15:30 in summer, before 1974"],
    ["1974-01-08", "1974-01-08T20:00:00.000Z", "16:00 in the summer time of the oil crisis"],
    ["1986-04-25", "1986-04-25T21:00:00.000Z", "before the last Sunday of April 1986"],
    ["1986-04-28", "1986-04-28T20:00:00.000Z", "after it"],
    ["1990-07-03", "1990-07-03T20:00:00.000Z", "before Independence Day until 1994, 16:00"],
    ["1995-07-03", "1995-07-03T17:00:00.000Z", "before Independence Day since 1995, 13:00"],
    ["1999-12-31", "1999-12-31T18:00:00.000Z", "the eve of 2000, 13:00"],
  ])("closes %s at %s (%s)", (date, close) => {
    const [session] = calendar.between(date, date);
    expect(new Date(session!.closeMs).toISOString()).toBe(close);
    const clock = close.slice(11, 13);
    expect(session!.isShort).toBe(clock < "20" && date > "1974");
  });

  test("finds the last session that has closed", () => {
    const at = (text: string) => calendar.dateOf(calendar.lastClosedAt(Date.parse(text)));
    expect(at("2026-11-20T20:59:59.999Z")).toBe("2026-11-19");
    expect(at("2026-11-20T21:00:00.000Z")).toBe("2026-11-20");
    expect(at("2026-11-22T12:00:00.000Z")).toBe("2026-11-20");
    expect(calendar.lastClosedAt(0)).toBe(-1);
  });

  test("refuses a session beyond its years", () => {
    expect(() => calendar.dayOf(-1)).toThrow("expected a session of 1990 to 2060");
  });
});
