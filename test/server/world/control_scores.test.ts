import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closesFileOf } from "../../../src/server/world/closes.ts";
import { buildWorld, type World } from "../../../src/server/world/mod.ts";
import { openWorld } from "../../../src/server/world/world.ts";
import { digestsOf, Folders } from "./_worlds.ts";

const folders = new Folders();
let world: World;
let closes: Map<string, number>;
let before: Record<string, string>;

beforeAll(async () => {
  world = await buildWorld(await folders.add(), { tickers: 40, years: 1, hours: 24 });
  before = await digestsOf(world.store.path);
  const read = await closesFileOf(world.store.path).read();
  closes = new Map(read.dates.map((date, i) => [`${date} ${read.tickers[i]}`, read.closes[i]!]));
});
afterAll(() => folders.remove());

describe("the controls of a world", () => {
  test("change no file, and are the same when the world is opened again", async () => {
    const noise = await world.controls.noise();
    const foresight = await world.controls.foresight();
    const again = await openWorld(world.store.path);
    expect(await again.controls.noise()).toEqual(noise);
    expect(await again.controls.foresight()).toEqual(foresight);
    expect(await digestsOf(world.store.path)).toEqual(before);
  });

  test("have a row for every close", async () => {
    for (const scores of [await world.controls.noise(), await world.controls.foresight()]) {
      expect(scores.dates.map((date, i) => `${date} ${scores.tickers[i]}`)).toEqual([
        ...closes.keys(),
      ]);
      expect(scores.scores).toHaveLength(closes.size);
    }
  });
});

describe("noise", () => {
  test("lies between 0 and 1, with piles and missing scores, and stays for a quarter", async () => {
    const { tickers, scores } = await world.controls.noise();
    const there = scores.filter((score) => score !== null);
    expect(there.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect(scores.length - there.length).toBeGreaterThan(0);
    for (const pile of [0, 0.5, 1]) expect(there.filter((score) => score === pile)).not.toEqual([]);
    const one = scores.filter((_, i) => tickers[i] === tickers[0]);
    const changes = one.filter((score, i) => i > 0 && score !== one[i - 1]).length;
    expect(changes).toBeGreaterThan(0);
    expect(changes).toBeLessThanOrEqual(Math.ceil(one.length / 63));
  });

  test("differs from seed to seed", async () => {
    const other = await buildWorld(await folders.add(), {
      tickers: 40,
      years: 1,
      hours: 24,
      seed: 8,
    });
    expect((await other.controls.noise()).scores).not.toEqual(
      (await world.controls.noise()).scores,
    );
  });
});

describe("foresight", () => {
  test("is the return of its session, and null over a gap", async () => {
    const { dates, tickers, scores } = await world.controls.foresight();
    const sessions = [...new Set(dates)];
    for (const [i, score] of scores.entries()) {
      const yesterday = sessions[sessions.indexOf(dates[i]!) - 1];
      const start = closes.get(`${yesterday} ${tickers[i]}`);
      const end = closes.get(`${dates[i]} ${tickers[i]}`)!;
      expect(score).toBe(start === undefined ? null : end / start - 1);
    }
    expect(scores.filter((score) => score === null).length).toBeGreaterThan(40);
  });

  test("is published a second after its close, by the clock of New York, or when it is told to", async () => {
    const { dates, publishedAt, dataThrough } = await world.controls.foresight();
    const of = (date: string) => dates.indexOf(date);
    // The day after Thanksgiving closes at 13:00; the Monday after at 16:00, both five hours behind UTC.
    const [friday, monday] = [of("2025-11-28"), of("2025-12-01")];
    expect(publishedAt[friday]).toBe("2025-11-28T18:00:01.000Z");
    expect(publishedAt[monday]).toBe("2025-12-01T21:00:01.000Z");
    expect(dataThrough[monday]).toBe("2025-11-28T18:00:00.000Z");
    const early = await world.controls.foresight(-1);
    expect(early.publishedAt[monday]).toBe("2025-12-01T20:59:59.000Z");
    await expect(world.controls.foresight(NaN)).rejects.toThrow(RangeError);
  });
});
