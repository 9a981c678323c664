/**
 * `deno task bench chart [sessions] [stocks]`: time of the first chart, which loads Vega, and of the others with their picture, size
 * of their specifications, and the tear sheet with and without its analysis. The load of the machine is stated, because time on a
 * busy one says little: compare the time of processors then.
 *
 * @module
 */
import { availableParallelism, loadavg } from "node:os";
import process from "node:process";
import { analyzeFactor } from "../src/analysis/mod.ts";
import * as charts from "../src/report/chart/mod.ts";
import { tearSheet } from "../src/report/sheet/mod.ts";
import { makeMarket } from "../test/helpers/market.ts";

const [sessions = 500, stocks = 100] = process.argv.slice(2, 4).map(Number);
const DRAWN = {
  icChart: charts.icChart,
  icMonthChart: charts.icMonthChart,
  icDistributionChart: charts.icDistributionChart,
  leadLagChart: charts.leadLagChart,
  quantileChart: charts.quantileChart,
  cumulativeQuantileReturnChart: charts.cumulativeQuantileReturnChart,
  cumulativeReturnChart: charts.cumulativeReturnChart,
  turnoverChart: charts.turnoverChart,
  stabilityChart: charts.stabilityChart,
  distributionChart: charts.distributionChart,
  factorCoverageChart: charts.factorCoverageChart,
} as const;

const market = makeMarket(sessions, (next, noise) => next + 0.1 * (noise - 0.5), { names: stocks });
say(`${sessions} sessions of ${stocks} stocks, ${loadText()}`);
const started = begin();
const analysis = await analyzeFactor(market.scores, market.prices, {
  entry: "same",
  progress: false,
});
say(`  analysis                   ${ms(started)}`);
for (const [name, draw] of Object.entries(DRAWN)) {
  const from = begin();
  const chart = draw(analysis);
  await chart.toPng();
  const kilobytes = JSON.stringify(chart.spec).length / 1000;
  say(`  ${name.padEnd(26)} ${ms(from)}  ${kilobytes.toFixed(0).padStart(4)} kB`);
}
const from = begin();
const page = await tearSheet(analysis).toHtml();
say(`  tear sheet                 ${ms(from)}  ${(page.length / 1000).toFixed(0).padStart(4)} kB`);
say(`  all of it                  ${ms(started)}, ${loadText()}`);

interface Beginning {
  readonly at: number;
  readonly cpu: { readonly user: number; readonly system: number };
}

function begin(): Beginning {
  return { at: performance.now(), cpu: process.cpuUsage() };
}

// Where other work shares the processors, their time says more than the clock.
function ms({ at, cpu }: Beginning): string {
  const { user, system } = process.cpuUsage(cpu);
  const used = ((user + system) / 1000).toFixed(0).padStart(6);
  return `${(performance.now() - at).toFixed(0).padStart(6)} ms, ${used} ms of processors`;
}

function loadText(): string {
  return `load ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} processors`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
