import { describe, expect, test } from "vitest";
import { Incidents } from "../../src/world/incidents.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("incidents", () => {
  test("of every kind occur in any week", () => {
    const incidents = new Incidents(7);
    for (let start = 0; start < 60; start++) {
      const hours = Array.from({ length: 7 * 24 }, (_, i) => (20_000 + start) * DAY + i * HOUR);
      expect(hours.some((hour) => incidents.sourceDelayAt(hour) !== null)).toBe(true);
      expect(hours.some((hour) => incidents.redeliveriesAt(hour) > 0)).toBe(true);
      expect(hours.some((hour) => incidents.isOutage(hour))).toBe(true);
      expect(hours.some((hour) => incidents.priceDelayHours(hour / DAY) > 0)).toBe(true);
      const week = { fromMs: hours[0]!, toMs: hours.at(-1)! };
      expect(incidents.correctionsIn(week).length).toBeGreaterThan(0);
    }
  });

  test("hold a backlog that grows until it is worked off", () => {
    const incidents = new Incidents(7);
    const start = Array.from({ length: 200 }, (_, i) => 20_000 * DAY + i * HOUR)
      .find((hour) => incidents.backlogAt(hour) !== null)!;
    const { fromMs, toMs } = incidents.backlogAt(start)!;
    const counts = [];
    for (let hour = fromMs; hour < toMs; hour += HOUR) counts.push(incidents.redeliveriesAt(hour));
    expect(counts.length).toBeGreaterThan(1);
    expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
    expect(incidents.redeliveriesAt(toMs)).toBe(0);
  });
});
