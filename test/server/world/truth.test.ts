import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MarketCalendar } from "../../../src/base/calendar/market_calendar.ts";
import { closesFileOf } from "../../../src/server/world/closes.ts";
import { buildWorld, type World } from "../../../src/server/world/mod.ts";

// 500 tickers in two years: the mean of a zero coefficient has a standard error of 0.002.
const STANDARD_ERROR = 1 / Math.sqrt(500 * 500);

let world: World;
let sessions: string[];
let closes: Map<string, Map<string, number>>;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-truth-"));
  world = await buildWorld(folder, { tickers: 500, years: 2, hours: 24 });
  const read = await closesFileOf(world.store.path).read();
  closes = new Map();
  for (const [i, date] of read.dates.entries()) {
    if (!closes.has(date)) closes.set(date, new Map());
    closes.get(date)!.set(read.tickers[i]!, read.closes[i]!);
  }
  sessions = [...closes.keys()];
});
afterAll(() => rm(world.store.path, { recursive: true }));

async function scoresOf(factor: "ecpnd" | "ecqdi"): Promise<Map<string, Map<string, number>>> {
  const [stored] = await world.store.listReleases(factor);
  const lines = gunzipSync(await readFile(stored!.path)).toString().trimEnd().split("\n");
  const scores = new Map<string, Map<string, number>>();
  for (const line of lines.slice(1)) {
    const [date, ticker, score] = line.split(",") as [string, string, string];
    if (!scores.has(date)) scores.set(date, new Map());
    if (score !== "") scores.get(date)!.set(ticker, Number(score));
  }
  return scores;
}

function correlation(pairs: readonly (readonly [number, number])[]): number {
  const mean = (k: 0 | 1) => pairs.reduce((sum, pair) => sum + pair[k], 0) / pairs.length;
  const [x, y] = [mean(0), mean(1)];
  let xy = 0, xx = 0, yy = 0;
  for (const [a, b] of pairs) {
    xy += (a - x) * (b - y);
    xx += (a - x) ** 2;
    yy += (b - y) ** 2;
  }
  return xy / Math.sqrt(xx * yy);
}

/** Mean over sessions of the correlation of scores with the one-session log return some sessions later. */
function meanIc(scores: Map<string, Map<string, number>>, lag: number): number {
  const coefficients: number[] = [];
  for (const [date, row] of scores) {
    const at = sessions.indexOf(date) + lag;
    const [before, after] = [closes.get(sessions[at - 1]!), closes.get(sessions[at]!)];
    if (before === undefined || after === undefined || !scores.has(sessions[at]!)) continue;
    const pairs = [...row].flatMap(([ticker, score]) => {
      const [a, b] = [before.get(ticker), after.get(ticker)];
      return a === undefined || b === undefined ? [] : [[score, Math.log(b / a)] as const];
    });
    coefficients.push(correlation(pairs));
  }
  return coefficients.reduce((sum, value) => sum + value, 0) / coefficients.length;
}

describe.each(["ecpnd", "ecqdi"] as const)("the closes of a world and %s", (factor) => {
  test("have the information coefficient that the truth states, at every lag", async () => {
    const scores = await scoresOf(factor);
    const expected = world.truth.expected[factor];
    expect(expected.map(({ lagSessions }) => lagSessions)).toEqual([1, 5, 10, 21, 42, 63]);
    for (const { lagSessions, meanIc: stated } of expected) {
      const measured = meanIc(scores, lagSessions);
      expect(Math.abs(measured - stated), `lag ${lagSessions}`).toBeLessThan(3 * STANDARD_ERROR);
    }
    expect(expected[0]!.meanIc).toBeGreaterThan(0.03);
    expect(expected[0]!.meanIc).toBeLessThan(world.truth.planted[factor].informationCoefficient);
  });

  test("have a stated mean IC that falls with the lag", () => {
    const stated = world.truth.expected[factor].map(({ meanIc }) => meanIc);
    expect(stated).toEqual([...stated].sort((a, b) => b - a));
  });
});

test("a new ecqdi value moves the closes after it, and not the closes before it", async () => {
  const scores = await scoresOf("ecqdi");
  const correlationAt = (lag: number) => {
    const pairs: [number, number][] = [];
    for (const [i, date] of sessions.entries()) {
      const [old, row] = [scores.get(sessions[i - 1]!), scores.get(date)];
      const [before, after] = [closes.get(sessions[i + lag - 1]!), closes.get(sessions[i + lag]!)];
      if (!old || !row || !before || !after) continue;
      for (const [ticker, score] of row) {
        const [a, b, previous] = [before.get(ticker), after.get(ticker), old.get(ticker)];
        if (!a || !b || previous === undefined || previous === score) continue;
        pairs.push([score - previous, Math.log(b / a)]);
      }
    }
    expect(pairs.length).toBeGreaterThan(1_500);
    return correlation(pairs);
  };
  expect(correlationAt(1)).toBeGreaterThan(0.04);
  expect(Math.abs(correlationAt(0))).toBeLessThan(0.05);
  expect(Math.abs(correlationAt(-1))).toBeLessThan(0.05);
});

describe("the closes of a world", () => {
  test("are positive, sorted, go to the last session before the end, and have gaps", async () => {
    const text = await readFile(world.closes.path, "utf8");
    const lines = text.trimEnd().split("\n");
    expect(lines[0]).toBe("date,ticker,close");
    const keys = lines.slice(1).map((line) => line.slice(0, line.lastIndexOf(",")));
    expect(keys).toEqual([...keys].sort());
    for (const line of lines.slice(1)) {
      expect(line).toMatch(/^\d{4}-\d\d-\d\d,[A-Z0-9.\-]{1,16},\d+\.\d{4}$/);
    }
    expect(sessions.at(-1)).toBe("2026-11-19");
    const calendar = new MarketCalendar().between(sessions[0]!, sessions.at(-1)!);
    expect(sessions).toEqual(calendar.map(({ date }) => date));
    const counts = sessions.map((date) => closes.get(date)!.has("NA"));
    expect(counts.filter((hasClose) => !hasClose).length).toBeGreaterThan(0);
  });

  test("end for good when a ticker is delisted", () => {
    const last = new Map<string, string>();
    for (const date of sessions) {
      for (const ticker of closes.get(date)!.keys()) last.set(ticker, date);
    }
    const gone = [...last.values()].filter((date) => date < "2026-10-01");
    expect(gone.length).toBeGreaterThan(30);
  });
});
