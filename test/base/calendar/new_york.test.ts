import { describe, expect, test } from "vitest";
import { newYorkDay, newYorkMs } from "../../../src/base/calendar/new_york.ts";

describe("New York time", () => {
  test("agrees with the time-zone data on every day from 1990 through 2040", () => {
    const zone = "America/New_York";
    let day = Temporal.PlainDate.from("1990-01-01");
    for (; day.year <= 2040; day = day.add({ days: 1 })) {
      const noon = day.toZonedDateTime({ timeZone: zone, plainTime: "12:00" }).epochMilliseconds;
      const epochDay = Date.UTC(day.year, day.month - 1, day.day) / 86_400_000;
      if (newYorkMs(epochDay, 12 * 60) !== noon) expect.fail(`${day} at noon`);
      const midnight = day.toZonedDateTime(zone).epochMilliseconds;
      if (newYorkDay(midnight) !== epochDay) expect.fail(`${day} at midnight`);
      if (newYorkDay(midnight - 1) !== epochDay - 1) expect.fail(`${day} before midnight`);
    }
  });
});
