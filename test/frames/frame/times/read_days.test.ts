import pl, { type DataFrame, type Expr } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { fromEpochDay } from "../../../../src/base/calendar/civil_date.ts";
import { readDays } from "../../../../src/frames/frame/times/read_days.ts";

const read = (frame: DataFrame) => [...readDays("read", frame, "date")].map(fromEpochDay);
const MIDNIGHTS = pl.DataFrame([
  pl.Series("date", [new Date("2026-06-10"), new Date("2026-12-10")], pl.Datetime("us")),
]);
const IN_NEW_YORK = 'pl.col("date").dt.convertTimeZone("America/New_York").dt.strftime("%Y-%m-%d")';
const DATES = ["2026-06-10", "2026-12-10"];

describe("readDays()", () => {
  test("takes a time at midnight for the date that its clock shows, with and without a zone", () => {
    expect(read(MIDNIGHTS)).toEqual(DATES);
    for (const zone of ["UTC", "America/New_York", "Europe/Berlin", "Asia/Tokyo"]) {
      expect(read(MIDNIGHTS.withColumns(pl.col("date").dt.replaceTimeZone(zone)))).toEqual(DATES);
    }
  });

  test("refuses a time of the day: which date that is depends on the zone", () => {
    const close = pl.DataFrame([
      pl.Series("date", [new Date("2026-06-10T16:00:00Z")], pl.Datetime("us")),
    ]);
    expect(() => read(close)).toThrow(
      "Cannot read: expected dates in the column date, got the time 2026-06-10T16:00:00 of no zone in row 0; for " +
        'its date: pl.col("date").cast(pl.Date); a column of times at which scores were known is called at',
    );
    expect(read(close.withColumns(pl.col("date").cast(pl.Date)))).toEqual(["2026-06-10"]);
    const moved = MIDNIGHTS.withColumns(
      pl.col("date").dt.replaceTimeZone("America/New_York").dt.convertTimeZone("UTC"),
    );
    expect(() => read(moved)).toThrow(
      "got the time 2026-06-10T04:00:00 of UTC in row 0; for its date in New York: " + IN_NEW_YORK,
    );
    const followed = (frame: DataFrame) =>
      frame.withColumns(new Function("pl", `return ${IN_NEW_YORK}`)(pl) as Expr);
    expect(read(followed(moved))).toEqual(DATES);
    const closes = close.withColumns(pl.col("date").dt.replaceTimeZone("America/New_York"));
    expect(() => read(closes)).toThrow(IN_NEW_YORK);
    expect(read(followed(closes))).toEqual(["2026-06-10"]);
  });

  test.each([
    ["2026-06-10 00:00:00", "2026-12-10T00:00:00.000Z"],
    ["2026-06-10T00:00:00-04:00", "2026-12-10 00:00:00-05:00"],
    ["20260610", "20261210"],
    ["2026-06-10", "2026-12-10"],
  ])("reads texts such as %s", (first, second) => {
    expect(read(pl.DataFrame({ date: [first, second] }))).toEqual(DATES);
  });

  test.each([["06/10/2026"], ["2026-06-10 16:00:00"], ["2026-06-31"]])("refuses %s", (text) => {
    expect(() => read(pl.DataFrame({ date: [text] }))).toThrow(
      `expected dates of the form YYYY-MM-DD in the column date, got "${text}" in row 0`,
    );
  });

  test("says of times in text form how they are dates", () => {
    const times = pl.DataFrame({
      date: ["2026-06-10T16:00:00-04:00", "2026-12-10T16:00:00-05:00"],
    });
    const shown = 'pl.col("date").str.slice(0, 10)';
    expect(() => read(times)).toThrow(`for the date that it shows: ${shown}`);
    expect(read(times.withColumns(new Function("pl", `return ${shown}`)(pl) as Expr)))
      .toEqual(DATES);
  });

  test("says how numbers become dates", () => {
    const numbers = pl.DataFrame([pl.Series("date", [20260610, 20261210], pl.Int32)]);
    expect(() => read(numbers)).toThrow('make it text: pl.col("date").cast(pl.Utf8)');
    expect(read(numbers.withColumns(pl.col("date").cast(pl.Utf8)))).toEqual(DATES);
  });

  test("refuses null, unless it is open", () => {
    const open = pl.DataFrame([pl.Series("date", [new Date("2026-06-10"), null], pl.Date)]);
    expect(() => read(open)).toThrow("expected a value in every row of date, got 1 null");
    expect([...readDays("read", open, "date", { open: -1 })]).toEqual([20614, -1]);
    const empty = pl.DataFrame([pl.Series("date", [null, null], pl.Date)]);
    expect([...readDays("read", empty, "date", { open: 7 })]).toEqual([7, 7]);
  });
});
