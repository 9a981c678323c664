import fc from "fast-check";
import { expect, test } from "vitest";
import {
  epochMsOf,
  instantOf,
  isCalendarDate,
  parseCalendarDate,
  parseInstant,
} from "../../../src/base/contract/instant.ts";

test("parseInstant() turns Z and any offset into millisecond UTC", () => {
  expect(parseInstant("2026-11-19T15:00:00Z")).toBe("2026-11-19T15:00:00.000Z");
  expect(parseInstant("2026-11-19T15:00:00.5Z")).toBe("2026-11-19T15:00:00.500Z");
  expect(parseInstant("2026-11-19T10:00:00-05:00")).toBe("2026-11-19T15:00:00.000Z");
  expect(parseInstant("2026-11-20T01:30:00+10:30")).toBe("2026-11-19T15:00:00.000Z");
  expect(parseInstant("2026-11-19t15:00:00z")).toBe("2026-11-19T15:00:00.000Z");
  expect(parseInstant("2026-11-19T15:00:00-00:00")).toBe("2026-11-19T15:00:00.000Z");
});

test("parseInstant() reads a leap second as the last second of its day", () => {
  expect(parseInstant("2016-12-31T23:59:60Z")).toBe("2016-12-31T23:59:59.000Z");
  expect(parseInstant("2016-12-31T18:59:60-05:00")).toBe("2016-12-31T23:59:59.000Z");
});

test("parseInstant() cuts digits beyond the millisecond off, never up", () => {
  expect(parseInstant("2026-11-19T15:00:00.9999Z")).toBe("2026-11-19T15:00:00.999Z");
  expect(parseInstant("2026-11-19T15:00:00.123456789123Z")).toBe("2026-11-19T15:00:00.123Z");
  expect(parseInstant("1969-12-31T23:59:59.9999Z")).toBe("1969-12-31T23:59:59.999Z");
});

test.each([
  "2026-02-30T00:00:00Z",
  "2026-11-19T15:00:00",
  "2026-11-19 15:00:00Z",
  "2026-11-19T15:00Z",
  "20261119T150000Z",
  "2026-11-19T24:00:00Z",
  "2026-11-19T14:00:60Z",
  "2026-11-19T23:59:61Z",
  "2026-11-19T15:00:00Z[UTC]",
  "2026-11-19T15:00:00+0100",
  "2026-11-19T15:00:00+25:00",
  "+002026-11-19T15:00:00Z",
  "0000-01-01T00:00:00+23:59",
  "2026-11-19",
  " 2026-11-19T15:00:00Z",
  "",
  1700000000000,
  null,
])("parseInstant() refuses %j and says what was expected", (value) => {
  expect(() => parseInstant(value, "at")).toThrow(
    "Cannot read at: expected an RFC 3339 date-time with Z or an offset, got",
  );
});

test("parseInstant() reads the usual form as Temporal does, and refuses what Temporal refuses", () => {
  const two = (most: number) =>
    fc.integer({ min: 0, max: most }).map((n) => `${n}`.padStart(2, "0"));
  const year = fc.integer({ min: 0, max: 9_999 }).map((n) => `${n}`.padStart(4, "0"));
  const fraction = fc.constantFrom("", ".000", ".007", ".999");
  fc.assert(
    fc.property(
      fc.tuple(year, two(13), two(32), two(24), two(60), two(59), fraction),
      ([y, month, day, hour, minute, second, part]) => {
        const text = `${y}-${month}-${day}T${hour}:${minute}:${second}${part}Z`;
        const options = { fractionalSecondDigits: 3 } as const;
        const expected = () => Temporal.Instant.from(text).toString(options);
        let wanted: string | null = null;
        try {
          wanted = expected();
        } catch { /* no such time */ }
        if (wanted === null) expect(() => parseInstant(text)).toThrow("an RFC 3339 date-time");
        else expect(parseInstant(text)).toBe(wanted);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("instants compare as their texts do, and come back from their milliseconds", () => {
  const ms = fc.integer({ min: 0, max: 4_102_444_800_000 });
  fc.assert(fc.property(ms, ms, (a, b) => {
    expect(epochMsOf(instantOf(a))).toBe(a);
    expect(instantOf(a) < instantOf(b)).toBe(a < b);
  }));
});

test("instantOf() cuts a fraction of a millisecond off, never up", () => {
  expect(instantOf(1_795_100_400_000.9)).toBe("2026-11-19T15:00:00.000Z");
  expect(instantOf(-0.1)).toBe("1969-12-31T23:59:59.999Z");
});

test("parseCalendarDate() takes real days of the form YYYY-MM-DD only", () => {
  expect(parseCalendarDate("2024-02-29")).toBe("2024-02-29");
  expect(isCalendarDate("2023-02-29")).toBe(false);
  expect(isCalendarDate("02/01/2020")).toBe(false);
  expect(isCalendarDate("2020-1-2")).toBe(false);
  expect(() => parseCalendarDate("2023-02-29", "$.prices_through")).toThrow(
    'Cannot read $.prices_through: expected a date of the form YYYY-MM-DD, got "2023-02-29"',
  );
});
