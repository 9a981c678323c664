import type { DataFrame } from "nodejs-polars";
import { assertFrame } from "../../frame/assert_frame.ts";
import { watchInterrupt } from "../../notebook/kernel/interrupt.ts";
import { createProgress } from "../../notebook/kernel/progress.ts";
import { align } from "../aligned/align.ts";
import { forwardReturns } from "../aligned/prices/forward_returns.ts";
import { scoreDistribution } from "../cross_section/score_distribution.ts";
import { ledger as openLedger } from "../ledger/ledger.ts";
import {
  type AnalyzeFactorOptions,
  originOf,
  planAnalysis,
  type ScoresOrigin,
} from "./analysis_options.ts";
import { answerQuestions } from "./answer_questions.ts";
import { type AskContext, measureNoise } from "./ask_relation.ts";
import { type AnalysisFrames, FactorAnalysis } from "./factor_analysis.ts";
import { sessionTables } from "./session_tables.ts";
import { sortSides } from "./sort_sides.ts";
import { takeSteps, type Walk } from "./take_steps.ts";

/**
 * Asks the usual questions of a factor over one alignment: what was lost, is there a relation, how sure, how fast it fades,
 * who carries it, what it would cost, what noise says.
 *
 * The parts of the result are frames; `judgement(analysis)` puts them into sentences. The portfolio is weighted by the
 * scores (demeaned, gross exposure 1), and its returns are those of one session. Cost: 3 s of processors for a million rows,
 * 12 for ten years of 3,000 tickers; a third to a half is the noise control, which repeats the ICs 199 times. A bar shows
 * how far it is. The stop button of a notebook, or `signal`, ends it with an `AbortError` after the step that runs: some
 * hundred milliseconds at a million rows.
 *
 * @param scores A release, a panel, score sets one below the other, or any frame with a date or an instant, `ticker` and a score
 * @param prices A frame with `date`, `ticker` and `close`, or the path of a CSV or Parquet file with them
 * @param options What is asked, and how
 * @throws {TypeError} If a column is missing, or an option unknown
 * @throws {RangeError} If a number is out of range, or scores and prices have nothing in common
 *
 * @example Usage
 * ```ts
 * import { analyzeFactor, judgement } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const cells = Array.from({ length: 40 * 12 }, (_, i) => ({ day: Math.floor(i / 12), name: i % 12 }));
 * const date = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10);
 * const scores = pl.DataFrame(cells.map(({ day, name }) => ({
 *   date: date(day),
 *   ticker: `T${name}`,
 *   score: Math.sin(day * name) / 2 + 0.5,
 * })));
 * const prices = pl.DataFrame(cells.map(({ day, name }) => ({
 *   date: date(day),
 *   ticker: `T${name}`,
 *   close: 100 + Math.cos(day + 5 * name),
 * })));
 * const analysis = await analyzeFactor(scores, prices, { periods: [1], progress: false });
 * console.assert(analysis.summary.table.height === 1);
 * console.assert(judgement(analysis).text.includes("What was left out"));
 * ```
 */
export async function analyzeFactor(
  scores: DataFrame,
  prices: DataFrame | string,
  options: AnalyzeFactorOptions = {},
): Promise<FactorAnalysis> {
  const plan = planAnalysis(options);
  assertFrame("analyse a factor", scores);
  const { ledger = openLedger(), progress: isShown = true } = options;
  const interrupt = options.signal === undefined ? watchInterrupt() : null;
  const bar = createProgress("Analysing", isShown ? {} : { enabled: false });
  const walk: Walk = {
    signal: options.signal ?? interrupt!.signal,
    update: (done, total, note) => bar.update({ done, total, note }),
  };
  try {
    const { frames, origin } = await answer(scores, prices, { plan, ledger, walk, options });
    await bar.finish("done");
    return new FactorAnalysis(frames, { origin, plan, ledger });
  } catch (error) {
    await bar.finish("stopped");
    throw error;
  } finally {
    interrupt?.dispose();
  }
}

async function answer(
  scores: DataFrame,
  prices: DataFrame | string,
  { options, ...context }: Omit<AskContext, "of"> & { readonly options: AnalyzeFactorOptions },
): Promise<{ readonly frames: AnalysisFrames; readonly origin: ScoresOrigin }> {
  const { plan, walk } = context;
  const returned = { ...options.returns, periods: plan.periods };
  const [reading] = await takeSteps(walk, "returns", [
    () =>
      typeof prices === "string"
        ? forwardReturns(prices, returned)
        : forwardReturns(prices, returned),
  ]);
  const returns = await reading;
  const [aligned] = await takeSteps(walk, "alignment", [() => align(scores, returns, plan.align)]);
  // What was lost is one of the answers, which charts and the judgement read.
  await takeSteps(walk, "losses", [() => aligned.loss]);
  const sorted = await sortSides(aligned.dense, walk);
  const noise = await measureNoise({ dense: sorted, periods: aligned.periods }, plan, walk);
  const { tables, quantized } = await sessionTables({ dense: sorted }, context);
  const [distribution] = await takeSteps(walk, "detail", [
    () => scoreDistribution(quantized).table,
  ]);
  const { oneWayBps } = options;
  const origin = originOf(scores, aligned.score);
  const asked = { ...context, of: origin.what, oneWayBps };
  const frames = await answerQuestions({ ...asked, aligned, tables, distribution, noise });
  return { frames, origin };
}
