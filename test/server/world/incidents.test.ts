import { describe, expect, test } from "vitest";
import { Incidents } from "../../../src/server/world/incidents.ts";

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

  test("have their own day each among four, and prices come 5 to 11 hours late", () => {
    const incidents = new Incidents(7);
    const days = { source: new Set(), backlog: new Set(), outage: new Set(), prices: new Set() };
    const delays = new Set<number>();
    const dayOf = (ms: number) => Math.floor(ms / DAY) % 4;
    for (let hour = 20_000 * DAY; hour < 20_400 * DAY; hour += HOUR) {
      const [source, backlog] = [incidents.sourceDelayAt(hour), incidents.backlogAt(hour)];
      if (source !== null) days.source.add(dayOf(source.fromMs));
      if (backlog !== null) days.backlog.add(dayOf(backlog.fromMs));
      if (incidents.isOutage(hour)) days.outage.add(dayOf(hour));
      const delay = incidents.priceDelayHours(Math.floor(hour / DAY));
      if (delay > 0) days.prices.add(dayOf(hour));
      if (delay > 0) delays.add(delay);
    }
    expect(Object.values(days).map((found) => [...found])).toEqual([[0], [1], [3], [2]]);
    expect([...delays].sort((a, b) => a - b)).toEqual([5, 6, 7, 8, 9, 10, 11]);
  });

  test("begin with redeliveries in the first hour of a backlog", () => {
    const incidents = new Incidents(7);
    const hours = Array.from({ length: 96 }, (_, i) => 20_000 * DAY + i * HOUR);
    const { fromMs } = incidents.backlogAt(hours.find((hour) => incidents.backlogAt(hour))!)!;
    expect(incidents.redeliveriesAt(fromMs)).toBeGreaterThan(0);
    expect(incidents.redeliveriesAt(fromMs - HOUR)).toBe(0);
  });

  test("have a correction in every span that holds its instant, the end excluded", () => {
    const incidents = new Incidents(7);
    const [correction] = incidents.correctionsIn({ fromMs: 20_000 * DAY, toMs: 20_004 * DAY });
    const { atMs } = correction!;
    expect(incidents.correctionsIn({ fromMs: atMs, toMs: atMs + 1 })).toEqual([correction]);
    expect(incidents.correctionsIn({ fromMs: atMs - 1, toMs: atMs })).toEqual([]);
    expect(incidents.correctionsIn({ fromMs: atMs + 1, toMs: atMs + 2 })).toEqual([]);
  });
});
