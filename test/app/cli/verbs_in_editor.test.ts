// @heavy: a language server
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DataFrame } from "nodejs-polars";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as analysis from "../../../src/analysis/mod.ts";
import type { FactorAnalysis } from "../../../src/analysis/mod.ts";
import * as library from "../../../mod.ts";
import { LanguageServer } from "../../helpers/editor/language_server.ts";
import { sampleAnalysis } from "../../helpers/sample_analysis.ts";
import { ROOT } from "../../helpers/source_files.ts";

/** What a cell can use. */
interface Names {
  readonly api: library.FactorApi;
  readonly made: FactorAnalysis;
  readonly lib: typeof library;
  readonly stats: typeof analysis;
}

type Frame = DataFrame | library.TypedFrame<Record<string, never>>;

// Each is run, and typed into a cell; options that add columns are offered with all of them.
const VERBS: Readonly<Record<string, (names: Names) => unknown>> = {
  factors: ({ api }) => api.factors(),
  scores: ({ api }) => api.scores("ecpnd"),
  "scores without provenance": ({ api }) => api.scores("ecpnd", { provenance: false }),
  history: ({ api }) => api.history("ecqdi"),
  releases: ({ api }) => api.releases("ecqdi"),
  publications: ({ api }) =>
    api.publications("ecpnd", { from: "2026-11-18T00:00:00Z", to: "2026-11-20T00:00:00Z" }),
  "panel, long": ({ api }) => api.panel("ecpnd", { at: ["2026-11-19T15:00:00Z"] }),
  "panel, of checks": ({ api }) =>
    api.panel("ecpnd", { at: ["2026-11-19T15:00:00Z"], every: "check" }),
  log: ({ api }) => api.log(),
  coverage: async ({ lib, api }) => lib.coverage(await api.history("ecqdi")),
  ic: ({ stats, made }) => stats.informationCoefficient(made.aligned),
  "ic by lag": ({ stats, made }) => stats.informationCoefficient(made.aligned, { lags: [1, 2] }),
  "quantile returns": ({ stats, made }) => stats.meanReturnByQuantile(stats.quantize(made.aligned)),
  "quantile returns by session": ({ stats, made }) =>
    stats.meanReturnByQuantile(stats.quantize(made.aligned), { bySession: true }),
  spread: ({ stats, made }) => stats.quantileSpread(stats.quantize(made.aligned)).data,
  "spread, tested": ({ stats, made }) => stats.quantileSpread(stats.quantize(made.aligned)).summary,
  sizes: ({ stats, made }) => stats.quantize(made.aligned).sizes,
  "turnover of quantiles": ({ stats, made }) =>
    stats.quantileTurnover(stats.quantize(made.aligned)),
  "rank autocorrelation": ({ stats, made }) => stats.rankAutocorrelation(made.aligned),
  "Fama–MacBeth": ({ stats, made }) => stats.famaMacBeth(made.aligned),
  "Fama–MacBeth by session": ({ stats, made }) =>
    stats.famaMacBeth(made.aligned, { bySession: true }),
  "permutation test": ({ stats, made }) => stats.permutationTest(made.aligned),
  weights: ({ stats, made }) => stats.factorWeights(made.aligned).data,
  "factor returns": ({ stats, made }) =>
    stats.factorReturns(made.aligned, stats.factorWeights(made.aligned)),
  portfolio: ({ made }) => made.portfolio,
  performance: ({ stats, made }) => stats.performance(made.portfolio),
  drawdowns: ({ stats, made }) => stats.drawdowns(made.portfolio),
  costs: ({ stats, made }) => stats.tradingCosts(made.portfolio),
  "cumulative returns": ({ stats, made }) => stats.cumulativeReturns(made.portfolio),
  "information table": ({ stats, made }) => stats.informationTable(made.ic),
  "rolling mean": ({ stats, made }) => stats.rollingMean(made.ic),
  "half-life": ({ made }) => made.halfLife,
  "coverage by session": ({ stats, made }) => stats.factorCoverage(made.aligned).bySession,
  unscored: ({ stats, made }) => stats.factorCoverage(made.aligned).unscored,
  "best of several": ({ stats, made }) =>
    stats.bestOf({ a: made.portfolio, b: made.portfolio }).tables.test,
  overfitting: ({ stats, made }) =>
    stats.backtestOverfitting({ a: made.portfolio, b: made.portfolio }).table,
  "trial log": ({ stats }) => stats.trialLog().table(),
  losses: ({ made }) => made.aligned.loss.table,
  "losses by session": ({ made }) => made.aligned.loss.bySession(),
  "losses by ticker": ({ made }) => made.aligned.loss.byTicker(),
  "losses by status": ({ made }) => made.aligned.loss.byStatus(),
  "changes between sets": async ({ lib, api }) =>
    lib.compare(
      await api.scores("ecpnd", { at: "2026-11-19T15:00:00Z" }),
      await api.scores("ecpnd"),
    )
      .changes,
  "changes between sets, in numbers": async ({ lib, api }) =>
    lib.compare(await api.scores("ecpnd"), await api.scores("ecpnd")).summary,
  "changes between releases": async ({ lib, api }) =>
    lib.compare(await api.history("ecqdi"), await api.history("ecqdi")).changes,
  "changes between releases, in numbers": async ({ lib, api }) =>
    lib.compare(await api.history("ecqdi"), await api.history("ecqdi")).summary,
  "one vintage": async ({ lib, api }) => lib.assertOneVintage(await api.scores("ecpnd")),
  "ic by group": ({ stats, made }) => stats.informationCoefficient(made.aligned, { by: "group" }),
  "ic by month": ({ stats, made }) => stats.informationCoefficient(made.aligned, { by: "month" }),
  "ic by month and group": ({ stats, made }) =>
    stats.informationCoefficient(made.aligned, { by: ["month", "group"] }),
  "quantile returns by group": ({ stats, made }) =>
    stats.meanReturnByQuantile(stats.quantize(made.aligned), { by: "group" }),
  "quantile returns by group and session": ({ stats, made }) =>
    stats.meanReturnByQuantile(stats.quantize(made.aligned), { by: "group", bySession: true }),
  "returns for other tools": ({ stats, made }) =>
    stats.exportPortfolio(made.aligned, stats.factorWeights(made.aligned)).returns,
  "benchmark for other tools": ({ stats, made }) =>
    stats.exportPortfolio(made.aligned, stats.factorWeights(made.aligned)).benchmark,
  "winsorized scores": async ({ stats, api }) =>
    stats.winsorize((await api.history("ecqdi")).rename({ date: "session", ecqdi_score: "score" })),
  "changes of scores": async ({ stats, api }) =>
    stats.changes(await api.history("ecqdi"), { sessions: 1 }),
  "neutral scores": async ({ stats, api }) =>
    stats.neutralize(await api.history("ecqdi"), { group: "ticker" }).data,
  "exposures removed from scores": async ({ stats, api }) =>
    stats.neutralize(await api.history("ecqdi"), { group: "ticker" }).removed,
  "combined scores": async ({ stats, api }) =>
    stats.combine((await api.history("ecqdi")).rename({ date: "session", ecqdi_score: "score" }), {
      on: ["score"],
    }),
  "orthogonal scores": async ({ stats, api }) =>
    stats.orthogonalize(
      (await api.history("ecqdi")).rename({ date: "session", ecqdi_score: "score" }),
      ["score"],
    ),
  "exposures removed from returns": ({ stats, made }) =>
    stats.neutralReturns(made.aligned, made.aligned.data, { on: ["score"] }).removed,
};

/** The code of a verb as a cell has it; the runner of tests does not change what it is given by name. */
function codeOf(verb: (names: Names) => unknown): string {
  return String(verb).replace(/^(?:async )?\(\{[^}]*\}\)\s*=>\s*/, "").trim();
}

const HEAD = `import * as lib from "scoreframe";
import * as stats from "scoreframe/analysis";
declare const api: lib.FactorApi;
declare const made: stats.FactorAnalysis;
`;
const LINES = Object.values(VERBS).map((verb) =>
  `(await (${codeOf(verb).replaceAll("\n", " ")})).getColumn("");`
);
const CODE = HEAD + LINES.join("\n") + "\n";
const URI = pathToFileURL(join(ROOT, "notebooks/verbs.ts")).href;

describe('after getColumn("', () => {
  let server: LanguageServer;
  let names: Names;
  beforeAll(async () => {
    // It checks the library while the cells' variables are made.
    server = await LanguageServer.start(ROOT, ["lsp", "--quiet"]);
    server.open(URI, CODE, "typescript");
    const api = await library.demo();
    names = { api, made: await sampleAnalysis(), lib: library, stats: analysis };
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await names?.api.close();
  });

  test.each(Object.keys(VERBS))("an editor offers the columns of the frame: %s", async (name) => {
    const place = Object.keys(VERBS).indexOf(name);
    const line = HEAD.split("\n").length - 1 + place;
    const offered = await server.completions(URI, {
      line,
      character: LINES[place]!.length - '");'.length,
    });
    const frame = await VERBS[name]!(names) as Frame;
    expect(offered.toSorted()).toEqual([...frame.columns].toSorted());
  });

  test("underlines a misspelt column of each", async () => {
    const lines = LINES.map((line) => line.replace('getColumn("")', 'getColumn("mispelt")'));
    server.open(URI.replace("verbs", "misspelt"), HEAD + lines.join("\n") + "\n", "typescript");
    const underlined = () =>
      new Set(
        server.found(URI.replace("verbs", "misspelt"))
          .filter(({ message }) => message.includes("mispelt"))
          .map(({ range }) => range.start.line),
      ).size;
    await expect.poll(underlined).toBe(LINES.length);
  });
});
