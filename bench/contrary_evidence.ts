/**
 * False alarms of contrary evidence: `deno run -A bench/contrary_evidence.ts 200` makes so many worlds of 30 stocks and 500 sessions whose returns
 * rise linearly with the score, and counts the checks that contradict where the IC is found.
 */
import process from "node:process";
import pl from "nodejs-polars";
import { findContradictions, findRelation } from "../src/analysis/judgement/contrary_evidence.ts";
import { analyzeFactor } from "../src/analysis/mod.ts";
import { epochDayOf, fromEpochDay } from "../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../src/base/calendar/list_sessions.ts";

const [WORLDS, STOCKS, SESSIONS, SLOPE] = [Number(Deno.args[0] ?? 200), 30, 500, 0.0012];
const DATES = listSessionDays(epochDayOf(2020, 1, 2), epochDayOf(2023, 1, 2)).slice(0, SESSIONS)
  .map(fromEpochDay);

function generator(seed: number): () => number {
  let state = seed * 2654435761 >>> 0;
  return () => {
    state = (state + 0x6D2B79F5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function worldOf(seed: number) {
  const draw = generator(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  const levels = new Float64Array(STOCKS).fill(100);
  const rows = DATES.flatMap((date) => {
    const market = 0.01 * normal();
    return Array.from(levels, (close, t) => {
      const score = draw();
      levels[t] = close * (1 + market + SLOPE * (score - 0.5) * 3.46 + 0.02 * normal());
      return { date, ticker: `T${t}`, score, close };
    });
  });
  const frame = pl.DataFrame(rows);
  return {
    scores: frame.select("date", "ticker", "score"),
    prices: frame.select("date", "ticker", "close"),
  };
}

let [found, alarmed] = [0, 0];
const names = new Map<string, number>();
for (let seed = 1; seed <= WORLDS; seed++) {
  const { scores, prices } = worldOf(seed);
  const analysis = await analyzeFactor(scores, prices, {
    ...{ entry: "same", periods: [1, 5], lags: [1, 2, 3], progress: false },
  });
  const relation = findRelation(analysis);
  if (relation.found.length === 0) continue;
  found++;
  const against = findContradictions(analysis, relation).filter(({ isAgainst }) => isAgainst);
  if (against.length > 0) alarmed++;
  for (const { name } of against) names.set(name, (names.get(name) ?? 0) + 1);
}
const listed = [...names].map(([name, count]) => `${name} ${count}`).join(", ");
process.stdout.write(
  `${found} of ${WORLDS} worlds found; contrary evidence in ${alarmed} (${listed})\n`,
);
