import { describe, expect, test } from "vitest";
import { toEpochDay } from "../../../src/base/calendar/civil_date.ts";
import { isCovered, makeUniverse } from "../../../src/server/world/universe.ts";
import { toWorldParameters } from "../../../src/server/world/world_options.ts";

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

  test("counts a company from its first day on", () => {
    const member = universe(60).find((one) => isCovered(one, LIVE_DAY))!;
    expect(isCovered({ ...member, listDay: LIVE_DAY }, LIVE_DAY)).toBe(true);
  });

  test("is no more tiny with 20 companies, and its awkward tickers stay for good", () => {
    const at = (day: number) => listedOn(universe(20), day).map(({ ticker }) => ticker);
    expect(at(LIVE_DAY + 10)).not.toEqual(at(LIVE_DAY));
    expect(at(LIVE_DAY + 10_000)).toEqual(expect.arrayContaining(["BRK.B", "NA", "TRUE", "-"]));
  });

  test("lists a company every 30 days of live sets, and delists one three days later", () => {
    const later = (days: readonly number[]) =>
      days.filter((day) => day > LIVE_DAY && day < LIVE_DAY + 100).sort((a, b) => a - b)
        .map((day) => day - LIVE_DAY);
    const members = universe(60);
    expect(later(members.map(({ listDay }) => listDay))).toEqual([3, 33, 63, 93]);
    expect(later(members.map(({ delistDay }) => delistDay))).toEqual([6, 36, 66, 96]);
  });

  test("has companies that hold no calls, but none with an awkward ticker, whatever the seed", () => {
    for (let seed = 0; seed < 30; seed++) {
      const silent = makeUniverse(
        toWorldParameters({ seed, tickers: 200, years: 2, hours: HOURS, end: END }),
      ).filter(({ holdsCalls }) => !holdsCalls).map(({ ticker }) => ticker);
      expect(silent.length).toBeGreaterThan(0);
      for (const name of ["BRK.B", "NA", "TRUE", "1E5", "BF-B", "0012", "-"]) {
        expect(silent).not.toContain(name);
      }
    }
  });
});
