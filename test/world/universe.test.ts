import { describe, expect, test } from "vitest";
import { toEpochDay } from "../../src/world/civil_date.ts";
import { isCovered, makeUniverse } from "../../src/world/universe.ts";
import { toWorldParameters } from "../../src/world/world_options.ts";

const END = "2026-11-20T15:00:00Z";
const HOURS = 240;
const LIVE_DAY = toEpochDay("2026-11-10");
const universe = (tickers: number) =>
  makeUniverse(toWorldParameters({ tickers, years: 2, hours: HOURS, end: END }));
const listedOn = (members: ReturnType<typeof universe>, day: number) =>
  members.filter(({ listDay, delistDay }) => day >= listDay && day < delistDay);

describe("the universe", () => {
  test.each([1, 19, 20, 60, 500])(
    "of %i has that many companies when live sets begin",
    (tickers) => {
      expect(listedOn(universe(tickers), LIVE_DAY)).toHaveLength(tickers);
    },
  );

  test("is alphabetical, without a ticker that repeats, and every ticker can be asked for", () => {
    const tickers = universe(500).map(({ ticker }) => ticker);
    expect(tickers).toEqual([...new Set(tickers)].sort());
    for (const ticker of tickers) expect(ticker).toMatch(/^[A-Z0-9.\-]{1,16}$/);
  });

  test("has the awkward tickers from beginning to end, each with calls", () => {
    const members = universe(60);
    for (const name of ["NA", "TRUE", "FALSE", "NAN", "NULL", "INF", "1E5", "0012", "E", "-"]) {
      const member = members.find(({ ticker }) => ticker === name)!;
      expect(member.holdsCalls).toBe(true);
      expect([member.listDay < 0, member.delistDay > LIVE_DAY + 10_000]).toEqual([true, true]);
    }
  });

  test("changes while live sets go on, and with the years, unless it is tiny", () => {
    const names = (tickers: number, day: number) =>
      listedOn(universe(tickers), day).map(({ ticker }) => ticker);
    const [then, now] = [names(60, LIVE_DAY - 500), names(60, LIVE_DAY + 10)];
    expect(then.some((ticker) => !now.includes(ticker))).toBe(true);
    expect(now.some((ticker) => !then.includes(ticker))).toBe(true);
    expect(names(19, LIVE_DAY + 10)).toEqual(names(19, LIVE_DAY));
  });

  test("leaves a company out for a month now and then, and never one that is not listed", () => {
    const members = universe(500);
    const days = Array.from({ length: 24 }, (_, i) => LIVE_DAY - 30 * i);
    const listed = days.flatMap((day) => listedOn(members, day).map((member) => ({ member, day })));
    const out = listed.filter(({ member, day }) => !isCovered(member, day));
    expect(out.length / listed.length).toBeGreaterThan(0.001);
    expect(out.length / listed.length).toBeLessThan(0.01);
    const gone = members.find(({ delistDay }) => delistDay < LIVE_DAY)!;
    expect(isCovered(gone, gone.delistDay)).toBe(false);
    expect(isCovered({ ...gone, listDay: LIVE_DAY, delistDay: Infinity }, LIVE_DAY - 1)).toBe(
      false,
    );
  });
});
