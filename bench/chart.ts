/**
 * `deno task bench chart [sessions] [names]`: what the first chart takes, which loads Vega, what the others take, how large
 * their specifications are, and the tear sheet with and without its analysis.
 *
 * @module
 */
import process from "node:process";
import { analyzeFactor } from "../src/analysis/mod.ts";
import * as charts from "../src/chart/mod.ts";
import { tearSheet } from "../src/sheet/mod.ts";
import { makeMarket } from "../test/helpers/market.ts";

const [sessions = 500, names = 100] = process.argv.slice(2, 4).map(Number);
const DRAWN = {
  ...{ icChart: charts.icChart, lossChart: charts.lossChart, decayChart: charts.decayChart },
  ...{ factorCoverageChart: charts.factorCoverageChart, wealthChart: charts.wealthChart },
  ...{ icDistributionChart: charts.icDistributionChart, icMonthChart: charts.icMonthChart },
  ...{ distributionChart: charts.distributionChart, quantileChart: charts.quantileChart },
  ...{ quantileDistributionChart: charts.quantileDistributionChart },
  ...{ quantileWealthChart: charts.quantileWealthChart, spreadChart: charts.spreadChart },
  ...{ turnoverChart: charts.turnoverChart, stabilityChart: charts.stabilityChart },
  ...{ noiseChart: charts.noiseChart },
} as const;

const market = makeMarket(sessions, (next, noise) => next + 0.1 * (noise - 0.5), { names });
say(`${sessions} sessions of ${names} names`);
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

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
