import { describe, expect, test } from "vitest";
import { type InstantInput, toInstant } from "../../../src/client/verb/instant_input.ts";

describe("toInstant()", () => {
  test.each<[string, InstantInput]>([
    ["text with Z", "2026-11-19T15:00:00Z"],
    ["text with an offset", "2026-11-19T10:00:00.000-05:00"],
    ["a Date", new Date("2026-11-19T15:00:00Z")],
    ["a Temporal.Instant", Temporal.Instant.from("2026-11-19T15:00:00Z")],
    ["a time of New York", Temporal.ZonedDateTime.from("2026-11-19T10:00[America/New_York]")],
    ["epoch milliseconds", 1_795_100_400_000],
  ])("reads %s", (_, value) => {
    expect(toInstant(value)).toBe("2026-11-19T15:00:00.000Z");
  });

  test.each([
    [
      "2026-11-19T15:00:00",
      TypeError,
      "Cannot use the option from: expected RFC 3339 text with Z or an offset",
    ],
    [
      "2026-11-19",
      TypeError,
      'got the date 2026-11-19 without a time; use sessionClose("2026-11-19") for the close of that session',
    ],
    [Temporal.PlainDate.from("2026-11-19"), TypeError, "got the date 2026-11-19 without a time"],
    [new Date(NaN), TypeError, "got an invalid Date"],
    [undefined, TypeError, "got nothing"],
    [1_795_100_400, RangeError, "got 1795100400; multiply epoch seconds by 1000"],
    [NaN, RangeError, "expected epoch milliseconds, such as 1795100400000, got NaN"],
    [1e16, RangeError, "got 10000000000000000"],
  ])("refuses %s", (value, kind, message) => {
    const read = () => toInstant(value as InstantInput, "from");
    expect(read).toThrow(kind);
    expect(read).toThrow(message);
  });
});
