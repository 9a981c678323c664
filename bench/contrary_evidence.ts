/**
 * False alarms and hits of contrary evidence: `deno task bench contrary_evidence 80` makes so many worlds of 30 stocks and 500 sessions whose returns
 * rise linearly with the score, and counts the checks that contradict where the IC is found; then it plants each of ten faults in ten of them.
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

interface Row {
  readonly date: string;
  readonly ticker: string;
  readonly score: number;
  close: number;
}

/** A world whose returns follow the score as `gainOf` says, between -0.5 and 0.5 of a score. */
function worldOf(
  seed: number,
  gainOf = (score: number, _d: number) => 3.46 * SLOPE * score,
): Row[] {
  const draw = generator(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  const levels = new Float64Array(STOCKS).fill(100);
  return DATES.flatMap((date, d) => {
    const market = 0.01 * normal();
    return Array.from(levels, (close, t) => {
      const score = draw();
      levels[t] = close * (1 + market + gainOf(score - 0.5, d) + 0.02 * normal());
      return { date, ticker: `T${t}`, score, close };
    });
  });
}

/** Multiplies the closes of a stock from a session on, to another one. */
function scaled(rows: Row[], stock: number, factor: number, from: number, to = SESSIONS): Row[] {
  return rows.map((row, i) => {
    const d = Math.floor(i / STOCKS);
    const isIn = i % STOCKS === stock && d >= from && d < to;
    return isIn ? { ...row, close: row.close * factor } : row;
  });
}

/** Scores that know a share of the next return. */
function foreseen(rows: Row[], share: number): Row[] {
  return rows.map((row, i) => {
    const next = rows[i + STOCKS];
    return next === undefined
      ? row
      : { ...row, score: row.score + share * (next.close / row.close - 1) };
  });
}

function without(rows: Row[], isOut: (stock: number, d: number) => boolean): Row[] {
  return rows.map((row, i) =>
    isOut(i % STOCKS, Math.floor(i / STOCKS)) ? { ...row, close: NaN } : row
  );
}

const FAULTS: Readonly<Record<string, (seed: number) => Row[]>> = {
  "a split that nobody adjusted": (seed) => scaled(worldOf(seed), 3, 0.0972, 250),
  "a reverse split": (seed) => scaled(worldOf(seed), 5, 8, 300),
  "a close with the point in the wrong place": (seed) => scaled(worldOf(seed), 7, 100, 200, 201),
  "a short position that loses everything": (seed) => scaled(worldOf(seed), 9, 400, 120),
  "gaps over which prices fall to a third": (seed) =>
    [2, 4, 6, 8].reduce(
      (rows, stock) =>
        without(scaled(rows, stock, 0.33, 200), (t, d) => t === stock && d >= 180 && d < 200),
      worldOf(seed),
    ),
  "scores that are the next return": (seed) => foreseen(worldOf(seed), 1e6),
  "scores that know a part of it": (seed) => foreseen(worldOf(seed), 8),
  "prices of a half of the stocks": (seed) => without(worldOf(seed), (stock) => stock % 2 === 0),
  "a relation of the first half alone": (seed) =>
    worldOf(seed, (score, d) => d < SESSIONS / 2 ? 10 * SLOPE * score : 0),
  "a relation that turns at the top": (seed) =>
    worldOf(seed, (score) => 10 * SLOPE * (score > 0.35 ? -0.2 : score)),
};

async function contradictionsOf(rows: readonly Row[]) {
  const frame = pl.DataFrame(rows);
  const prices = frame.select("date", "ticker", "close")
    .filter(pl.col("close").isNotNan());
  const analysis = await analyzeFactor(frame.select("date", "ticker", "score"), prices, {
    ...{ entry: "same", periods: [1, 5], lags: [1, 2, 3], progress: false },
  });
  const relation = findRelation(analysis);
  const against = findContradictions(analysis, relation).filter(({ isAgainst }) => isAgainst);
  return { isFound: relation.found.length > 0, against };
}

let [found, alarmed] = [0, 0];
const names = new Map<string, number>();
for (let seed = 1; seed <= WORLDS; seed++) {
  const { isFound, against } = await contradictionsOf(worldOf(seed));
  if (!isFound) continue;
  found++;
  if (against.length > 0) alarmed++;
  for (const { name } of against) names.set(name, (names.get(name) ?? 0) + 1);
}
const listed = [...names].map(([name, count]) => `${name} ${count}`).join(", ");
process.stdout.write(
  `${found} of ${WORLDS} worlds found; contrary evidence in ${alarmed} (${listed})\n`,
);
for (const [fault, worldWith] of Object.entries(FAULTS)) {
  let hits = 0;
  const by = new Set<string>();
  for (let seed = 1; seed <= 10; seed++) {
    const { against } = await contradictionsOf(worldWith(seed));
    if (against.length > 0) hits++;
    for (const { name } of against) by.add(name);
  }
  process.stdout.write(`${fault}: ${hits} of 10 (${[...by].join(", ")})\n`);
}
