import { describe, expect, test } from "vitest";
import { sessions } from "../../../../src/frames/frame/sessions/sessions.ts";
import { shownType } from "../_dtype.ts";

describe("sessions()", () => {
  test("lists the week of Thanksgiving: closed on Thursday, short on Friday", () => {
    const week = sessions("2026-11-23", "2026-11-29");
    expect(week.select("date", "open", "close", "early_close").toRecords()).toEqual([
      row("2026-11-23", "14:30", "21:00", false),
      row("2026-11-24", "14:30", "21:00", false),
      row("2026-11-25", "14:30", "21:00", false),
      row("2026-11-27", "14:30", "18:00", true),
    ]);
    expect(week.columns.map((name) => shownType(week, name)))
      .toEqual(["date", "datetime[ms, UTC]", "datetime[ms, UTC]", "bool"]);
  });

  test("lists the first session of each week or month, or every so many", () => {
    const dates = (every: "week" | "month" | number) =>
      (sessions("2026-08-26", "2026-09-15", { every }).getColumn("date").toArray() as Date[])
        .map((date) => date.toISOString().slice(0, 10));
    // 7 September is Labor Day.
    expect(dates("week")).toEqual(["2026-08-26", "2026-08-31", "2026-09-08", "2026-09-14"]);
    expect(dates("month")).toEqual(["2026-08-26", "2026-09-01"]);
    expect(dates(5)).toEqual(["2026-08-26", "2026-09-02", "2026-09-10"]);
    expect(() => sessions("2026-08-26", "2026-09-15", { every: 0 })).toThrow(
      'Cannot call sessions(): expected every to be "week", "month" or a whole number of sessions of at least 1, got 0',
    );
  });

  test("follows the summer clock of New York", () => {
    const [friday, monday] = sessions("2026-03-06", "2026-03-09").toRecords();
    expect(friday).toEqual(row("2026-03-06", "14:30", "21:00", false));
    expect(monday).toEqual(row("2026-03-09", "13:30", "20:00", false));
  });

  test("takes dates as text, Temporal.PlainDate and Date, also those of a frame", () => {
    const day = Temporal.PlainDate.from("2026-11-20");
    const [last] = sessions("2026-11-18", day).getColumn("date").toArray().slice(-1);
    expect(sessions(day, last as unknown as Date).height).toBe(1);
  });

  test("has no rows, but its columns, where the market was closed on all days", () => {
    const weekend = sessions("2026-11-21", "2026-11-22");
    expect(weekend.height).toBe(0);
    expect(shownType(weekend, "close")).toBe("datetime[ms, UTC]");
  });

  test.each([
    ["2026-02-30", "2026-03-01", TypeError, 'expected "from" to be a date such as "2026-11-19"'],
    ["2026-03-01", "2026-11-19T00:00:00Z", TypeError, 'got "2026-11-19T00:00:00Z"'],
    [
      "2026-03-01",
      new Date("2026-11-19T15:00:00Z"),
      TypeError,
      "the Date 2026-11-19T15:00:00.000Z",
    ],
    ["2026-03-01", new Date(NaN), TypeError, "got an invalid Date"],
    [
      "1961-12-29",
      "1962-01-31",
      RangeError,
      "in the years 1962 to 2060 of the calendar, got 1961-12-29",
    ],
    ["2060-12-01", "2061-01-01", RangeError, "expected to in the years 1962 to 2060"],
    ["2026-03-02", "2026-03-01", RangeError, "got 2026-03-02 to 2026-03-01"],
  ])("refuses %s to %s", (from, to, kind, message) => {
    const list = () => sessions(from, to);
    expect(list).toThrow(kind);
    expect(list).toThrow(message);
  });
});

function row(date: string, open: string, close: string, isShort: boolean) {
  return {
    date: new Date(date),
    open: new Date(`${date}T${open}:00Z`),
    close: new Date(`${date}T${close}:00Z`),
    early_close: isShort,
  };
}
