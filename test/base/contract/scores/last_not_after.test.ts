import fc from "fast-check";
import { expect, test } from "vitest";
import { lastNotAfter } from "../../../../src/base/contract/scores/last_not_after.ts";

test("lastNotAfter() finds what a search from the end finds", () => {
  const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 30 });
  fc.assert(fc.property(times, fc.integer({ min: -1, max: 21 }), (given, at) => {
    const items = given.toSorted((a, b) => a - b).map((time) => ({ time }));
    expect(lastNotAfter(items, at, (item) => item.time))
      .toBe(items.findLastIndex((item) => item.time <= at));
  }));
});

test("lastNotAfter() takes the very instant, and the last one of several", () => {
  const instants = [
    "2026-11-19T14:00:00.000Z",
    "2026-11-19T15:00:00.000Z",
    "2026-11-19T15:00:00.000Z",
  ];
  const at = (instant: string) => lastNotAfter(instants, instant, (known) => known);
  expect(at("2026-11-19T15:00:00.000Z")).toBe(2);
  expect(at("2026-11-19T14:59:59.999Z")).toBe(0);
  expect(at("2026-11-19T13:59:59.999Z")).toBe(-1);
});
