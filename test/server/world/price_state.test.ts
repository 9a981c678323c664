import { describe, expect, test } from "vitest";
import { fromEpochDay, toEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { priceStateAt } from "../../../src/server/world/check_source.ts";
import { model } from "./_calls.ts";

const HOUR = 3_600_000;
const days = Array.from({ length: 40 }, (_, i) => toEpochDay("2026-10-05") + i)
  .filter((day) => model.calendar.dayOf(model.calendar.firstFrom(day)) === day);
const isLate = (day: number) => model.incidents.priceDelayHours(day) > 0;

/** What checks find some hours after the close of a session. */
function statesAfter(day: number, hours: readonly number[]) {
  const closeMs = model.calendar.closeMsOf(model.calendar.firstFrom(day));
  return hours.map((hour) => priceStateAt(model, closeMs + hour * HOUR));
}

describe("the price panel", () => {
  test("comes in within two hours after a close, the benchmark within one", () => {
    const day = days.find((each) => !isLate(each))!;
    const before = fromEpochDay(model.calendar.dayOf(model.calendar.firstFrom(day) - 1));
    const [atClose, one, two] = statesAfter(day, [0, 1, 2]);
    expect(atClose).toMatchObject({ pricesThrough: before, benchmarkCurrent: true });
    expect(atClose!.priceTickersCurrent).toBe(atClose!.priceTickersTracked);
    expect(one).toMatchObject({ pricesThrough: fromEpochDay(day), benchmarkCurrent: true });
    expect(one!.priceTickersCurrent).toBe(Math.floor(one!.priceTickersTracked! * 2 / 3));
    expect(two!.priceTickersCurrent).toBe(two!.priceTickersTracked);
  });

  test("is late on some days, benchmark and all, and complete in the end", () => {
    const day = days.find(isLate)!;
    const delay = model.incidents.priceDelayHours(day);
    expect(delay).toBeGreaterThanOrEqual(5);
    const [two, three, end] = statesAfter(day, [2, 3, Math.ceil(delay + 1.5)]);
    expect(two!.benchmarkCurrent).toBe(false);
    expect(two!.pricesThrough < fromEpochDay(day)).toBe(true);
    expect(three).toMatchObject({ benchmarkCurrent: true, pricesThrough: fromEpochDay(day) });
    expect(three!.priceTickersCurrent).toBeLessThan(three!.priceTickersTracked!);
    expect(end!.priceTickersCurrent).toBe(end!.priceTickersTracked);
  });

  test("tracks benchmarks beside most of the universe", () => {
    const tracked = statesAfter(days[0]!, [3])[0]!.priceTickersTracked!;
    expect(tracked).toBeGreaterThan(190);
    expect(tracked).toBeLessThan(210);
  });
});
