import { describe, expect, test } from "vitest";
import { releaseWindowOf } from "../../../../src/server/world/release/release_writer.ts";
import { makeWorldModel } from "../../../../src/server/world/world_model.ts";
import { toWorldParameters } from "../../../../src/server/world/world_options.ts";

function windows(end: string, years = 2) {
  const model = makeWorldModel(toWorldParameters({ tickers: 2, years, hours: 24, end }));
  return (["ecpnd", "ecqdi"] as const).map((factor) => {
    const { start, end, firstSession, lastSession } = releaseWindowOf(model, factor);
    return [start, end, model.calendar.dateOf(firstSession), model.calendar.dateOf(lastSession)];
  });
}

describe("the window of a release", () => {
  test("is of whole months, and one month earlier for ecqdi", () => {
    expect(windows("2026-11-20T15:00:00Z")).toEqual([
      ["2024-11-01", "2026-10-31", "2024-11-01", "2026-10-30"],
      ["2024-10-01", "2026-09-30", "2024-10-01", "2026-09-30"],
    ]);
  });

  test("ends at least five days before the first live set", () => {
    // The first check of 24 hours is that of the day before.
    expect(windows("2026-11-07T15:00:00Z")[0]![1]).toBe("2026-10-31");
    expect(windows("2026-11-06T15:00:00Z")[0]![1]).toBe("2026-10-31");
    expect(windows("2026-11-05T15:00:00Z")[0]![1]).toBe("2026-09-30");
  });

  test("goes over the turn of a year, and begins and ends on sessions", () => {
    expect(windows("2026-01-20T15:00:00Z")).toEqual([
      ["2024-01-01", "2025-12-31", "2024-01-02", "2025-12-31"],
      ["2023-12-01", "2025-11-30", "2023-12-01", "2025-11-28"],
    ]);
  });

  test("takes fractions of a year in months", () => {
    expect(windows("2026-11-20T15:00:00Z", 0.25)[0]!.slice(0, 2)).toEqual([
      "2026-08-01",
      "2026-10-31",
    ]);
  });
});
