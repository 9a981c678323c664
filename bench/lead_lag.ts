/**
 * Sizes of what pictures compare: `deno task bench lead_lag 200` makes so many worlds of 30 stocks and 300 sessions without an
 * effect, with two factors whose scores last for some ten sessions. It counts the titles of leadLagChart() in which an entry
 * stands out, and the intervals of the two factors' differences that leave 0 out; then it counts the titles in 20 worlds whose
 * scores follow the prices of three sessions before.
 */
import process from "node:process";
import pl from "nodejs-polars";
import { analyzeFactor, type FactorAnalysis } from "../src/analysis/mod.ts";
import { epochDayOf, fromEpochDay } from "../src/base/calendar/civil_date.ts";
import { listSessionDays } from "../src/base/calendar/list_sessions.ts";
import { leadLagChart } from "../src/report/chart/mod.ts";
import { differencesOf } from "../src/report/sheet/paired.ts";
import { normal } from "../src/server/world/random.ts";

const [WORLDS, PLANTED, STOCKS, SESSIONS] = [Number(Deno.args[0] ?? 200), 20, 30, 300];
const DATES = listSessionDays(epochDayOf(2020, 1, 2), epochDayOf(2023, 1, 2)).slice(0, SESSIONS)
  .map(fromEpochDay);
const CELLS = STOCKS * SESSIONS;

/** Scores and closes, stock by stock; `lead` is the effect of a score on the return three sessions before it. */
function worldOf(seed: number, lead: number) {
  const [scores, others, closes] = [[], [], []] as [number[], number[], number[]];
  for (let t = 0; t < STOCKS; t++) {
    const draw = (what: number, d: number) => normal(seed, what * CELLS + t * SESSIONS + d);
    let [one, other, close] = [draw(0, 0), draw(1, 0), 100];
    const own = DATES.map((_, d) => one = 0.9 * one + Math.sqrt(0.19) * draw(2, d));
    for (const d of DATES.keys()) {
      scores.push(own[d]!);
      others.push(other = 0.9 * other + Math.sqrt(0.19) * draw(3, d));
      const shock = (own[d + 3] ?? 0) - 0.9 * (own[d + 2] ?? 0);
      closes.push(close *= 1 + 0.02 * draw(4, d) + lead * shock);
    }
  }
  return { scores, others, closes };
}

async function analysisOf(scores: readonly number[], closes: readonly number[]) {
  const keys = [
    pl.Series("date", closes.map((_, i) => DATES[i % SESSIONS]!), pl.Utf8),
    pl.Series("ticker", closes.map((_, i) => `T${Math.floor(i / SESSIONS)}`), pl.Utf8),
  ];
  return await analyzeFactor(
    pl.DataFrame([...keys, pl.Series("score", [...scores], pl.Float64)]),
    pl.DataFrame([...keys, pl.Series("close", [...closes], pl.Float64)]),
    { periods: [1] },
  );
}

function standsOut(analysis: FactorAnalysis): boolean {
  return / differs by /.test(leadLagChart(analysis).description);
}

let [found, apart, compared] = [0, 0, 0];
for (let seed = 1; seed <= WORLDS; seed++) {
  const { scores, others, closes } = worldOf(seed, 0);
  const [one, other] = [await analysisOf(scores, closes), await analysisOf(others, closes)];
  for (const analysis of [one, other]) if (standsOut(analysis)) found++;
  for (const row of differencesOf([one, other], ["a", "b"]).table.toRecords()) {
    if (row["low"] === null) continue;
    compared++;
    if (Number(row["low"]) > 0 || Number(row["high"]) < 0) apart++;
  }
}
let planted = 0;
for (let seed = 1; seed <= PLANTED; seed++) {
  const { scores, closes } = worldOf(WORLDS + seed, 0.006);
  if (standsOut(await analysisOf(scores, closes))) planted++;
}
process.stdout.write(
  `an entry stands out in ${found} of ${
    2 * WORLDS
  } charts of noise; ${apart} of ${compared} differences of two factors ` +
    `without an effect leave 0 out; the planted lead is found in ${planted} of ${PLANTED} worlds\n`,
);
