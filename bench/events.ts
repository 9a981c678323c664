/**
 * Size of `eventReturns()` on noise: `deno task bench events 400` makes so many worlds of 80 stocks and 1,000 sessions, in which calls
 * cluster in three weeks of each quarter, returns share a market, sectors and a volatility that moves, and scores predict nothing,
 * and counts how often top minus bottom, cumulated, differs from zero at 5%.
 */
import process from "node:process";
import pl from "nodejs-polars";
import { eventReturns, forwardReturns } from "../src/analysis/mod.ts";
import { epochDayOf, fromEpochDay } from "../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../src/base/calendar/list_sessions.ts";
import { randomSource } from "../src/analysis/inference/bootstrap.ts";

const [WORLDS, STOCKS, SESSIONS, SECTORS] = [Number(Deno.args[0] ?? 400), 80, 1000, 8];
const DATES = listSessionDays(epochDayOf(2016, 1, 4), epochDayOf(2020, 6, 2)).slice(0, SESSIONS)
  .map(fromEpochDay);
const [QUARTER, SEASON] = [63, 15];
const OFFSETS = [1, 5, 10];
const KINDS = ["universe", "beta", "group"] as const;

function worldOf(seed: number) {
  const random = randomSource(seed);
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());
  // Student's t with four degrees of freedom, of variance one.
  const heavy = () =>
    normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2 + normal() ** 2) / 2);
  const betas = Array.from({ length: STOCKS }, () => 0.5 + random.uniform());
  const closes = new Float64Array(STOCKS).fill(100);
  let logVolatility = 0;
  const prices = DATES.flatMap((date) => {
    logVolatility = 0.98 * logVolatility + 0.1 * normal();
    const level = Math.exp(logVolatility);
    const market = 0.01 * level * heavy();
    const sectors = Array.from({ length: SECTORS }, () => 0.006 * level * heavy());
    return Array.from(closes, (close, t) => {
      const gain = betas[t]! * market + sectors[t % SECTORS]! + 0.02 * level * heavy();
      closes[t] = close * Math.max(0.2, 1 + gain);
      return { date, ticker: `T${t}`, close: closes[t]! };
    });
  });
  const own = Array.from({ length: STOCKS }, normal);
  const events = [];
  for (let start = 5; start + SEASON < SESSIONS; start += QUARTER) {
    const moods = Array.from({ length: SECTORS }, normal);
    for (let t = 0; t < STOCKS; t++) {
      own[t] = 0.8 * own[t]! + 0.6 * normal();
      const session = DATES[start + Math.floor(SEASON * random.uniform())]!;
      events.push({ session, ticker: `T${t}`, score: own[t]! + 0.7 * moods[t % SECTORS]! });
    }
  }
  const groups = Array.from({ length: STOCKS }, (_, t) => ({
    ticker: `T${t}`,
    group: `S${t % SECTORS}`,
  }));
  return {
    prices: pl.DataFrame(prices),
    events: pl.DataFrame(events),
    groups: pl.DataFrame(groups),
  };
}

const rejected = new Map<string, number>();
const tested = new Map<string, number>();
for (let seed = 1; seed <= WORLDS; seed++) {
  const { prices, events, groups } = worldOf(seed);
  const returns = forwardReturns(prices, { periods: [1] });
  for (const abnormal of KINDS) {
    const rows = eventReturns(events, returns, { quantiles: 5, abnormal, groups }).toRecords();
    for (const offset of OFFSETS) {
      const row = rows.find((one) => one.group === "top minus bottom" && one.offset === offset)!;
      if (row.cumulative_p === null) continue;
      const key = `${abnormal}, offset ${offset}`;
      tested.set(key, (tested.get(key) ?? 0) + 1);
      rejected.set(key, (rejected.get(key) ?? 0) + (row.cumulative_p < 0.05 ? 1 : 0));
    }
  }
}
for (const [key, count] of tested) {
  const share = 100 * (rejected.get(key) ?? 0) / count;
  process.stdout.write(`${key}: ${share.toFixed(1)} % of ${count} worlds\n`);
}
