import { describe, expect, test } from "vitest";
import { sessionClose } from "../../../../src/frames/frame/sessions/sessions.ts";

describe("sessionClose()", () => {
  test.each([
    ["2026-11-20", "2026-11-20T21:00:00.000Z"],
    ["2026-11-27", "2026-11-27T18:00:00.000Z"],
    ["2026-07-02", "2026-07-02T20:00:00.000Z"],
    ["1990-01-02", "1990-01-02T21:00:00.000Z"],
  ])("of %s is %s", (date, close) => {
    expect(sessionClose(date).toISOString()).toBe(close);
  });

  test.each([
    [
      "2026-11-26",
      "a Thursday and a holiday; the nearest sessions are 2026-11-25 before and 2026-11-27 after it",
    ],
    ["2026-11-22", "a Sunday; the nearest sessions are 2026-11-20 before and 2026-11-23 after it"],
    [
      "2001-09-12",
      "(attacks of September 11); the nearest sessions are 2001-09-10 before and 2001-09-17 after",
    ],
    ["1962-01-01", "a Monday and a holiday; the nearest sessions are 1962-01-02 after it"],
    ["2061-01-03", "expected date in the years 1962 to 2060 of the calendar, got 2061-01-03"],
  ])("refuses %s, and says why", (date, message) => {
    expect(() => sessionClose(date)).toThrow(RangeError);
    expect(() => sessionClose(date)).toThrow(message);
  });
});
