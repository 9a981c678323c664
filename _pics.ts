import { demo, readPrices } from "./mod.ts";
import { analyzeFactor } from "./src/analysis/mod.ts";
import * as charts from "./src/chart/mod.ts";
import { sampleAnalysis } from "./test/helpers/sample_analysis.ts";
import { makeMarket } from "./test/helpers/market.ts";
const folder = await Deno.makeTempDir();
let analysis;
const kind = Deno.args[0];
if (kind === "demo") {
  const api = await demo({ folder });
  const prices = await readPrices(`${folder}/closes.csv`);
  analysis = await analyzeFactor(await api.history("ecpnd"), prices, { noise: false, progress: false });
  await api.close();
} else if (kind === "long") {
  const m = makeMarket(2500, (next, noise) => next + 0.1 * (noise - 0.5), { names: 60 });
  analysis = await analyzeFactor(m.scores, m.prices, { entry: "same", noise: false, progress: false, lags: [1, 2, 5], ...(Deno.args[2] ? {quantiles: Number(Deno.args[2])} : {}) });
} else analysis = await sampleAnalysis();
const drawn = [charts.quantileWealthChart(analysis), charts.spreadChart(analysis), charts.spreadChart(analysis, { horizon: "all" }), charts.quantileDistributionChart(analysis), charts.quantileChart(analysis), charts.quantileChart(analysis, { perSession: true })];
let body = "";
for (const c of drawn) { const t = performance.now(); const svg = await c.toSvg(); console.log(JSON.stringify(c.spec).length, (performance.now()-t).toFixed(0));  body += `<figure>${svg}</figure>`; }
for (const [mode, bg] of [["light", "#fff"], ["dark", "#111"]]) await Deno.writeTextFile(`/tmp/td_charts/pics/${kind}-${mode}.html`, `<body style="background:${bg}">${body}</body>`);
Deno.exit(0);
