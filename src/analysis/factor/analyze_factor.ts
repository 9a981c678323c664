import type { DataFrame } from "nodejs-polars";
import { watchInterrupt } from "../../frames/notebook/kernel/interrupt.ts";
import { createProgress } from "../../frames/notebook/kernel/progress.ts";
import { ShownPromise } from "../../frames/notebook/shown_promise.ts";
import { type Aligned, alignRows } from "../aligned/align.ts";
import { permutationSteps } from "../factor_test/permutation_test.ts";
import { type ForwardReturns, forwardReturns } from "../aligned/prices/forward_returns.ts";
import { trialLog as openTrialLog } from "../trial_log.ts";
import {
  type AnalysisPlan,
  type AnalyzeFactorOptions,
  assertInputs,
  planAnalysis,
  returnsOptions,
} from "./analysis_options.ts";
import { type AnalysisSample, planTests } from "./analysis_sample.ts";
import { FactorAnalysis } from "./factor_analysis.ts";
import { sessionTables, takeStep, takeSteps, type Walk, wholeWalk } from "./session_tables.ts";
import { forgetOrders, sortedOrders } from "../dense/rank/orders.ts";
import { compareResidualIc } from "../factor_test/residual_ic.ts";
import { neutralizeRows, specificReturns } from "../transform/neutralize.ts";
import { layOutRows, rowsOutside } from "../aligned/sessions/lay_out_scores.ts";
import { readScoreRows, type TimedScores } from "../aligned/score_rows.ts";
import { originOf } from "./scores_origin.ts";

// Members that a user may read when `await` was forgotten: fields, and the answers that are computed when they are read.
const MEMBERS = [
  ...["aligned", "origin", "plan", "trialLog"],
  ...Object.entries(Object.getOwnPropertyDescriptors(FactorAnalysis.prototype))
    .filter(([, { get }]) => get !== undefined).map(([name]) => name),
];

/**
 * Analyses a factor over one alignment: losses, IC and its significance, decay, quantile returns, trading costs,
 * permutation test.
 *
 * The parts of the result are frames; `judgement(analysis)` summarises them in sentences. The portfolio is weighted by the
 * scores (demeaned, gross exposure 1) or as `weighting` says, and has one-session returns. Cost: 2 s of CPU time for a million rows,
 * in proportion to them. A progress bar is shown. The stop button of a notebook, or `signal`, ends the analysis with an `AbortError` after the current step, which
 * takes a few hundred milliseconds at a million rows.
 *
 * @param scores A release, a panel, stacked score sets, or any frame with a date or an instant, `ticker` and a score
 * @param prices A frame with `date`, `ticker` and `close`, or the path of a CSV or Parquet file with them
 * @param options Options of the analysis
 * @returns The analysis: `aligned` with its losses, `summary`, `decayMeans`, `quantileReturns`, `spread`, `costs` and
 *   further frames, for `judgement()`, `tearSheet()` and the charts
 * @throws {TypeError} If a column is missing, or an option is unknown
 * @throws {RangeError} If a number is out of range, or scores and prices share no ticker or session
 * @see Grinold and Kahn (2000), Active portfolio management, on information coefficients; each part names its own
 *
 * @example Usage
 * ```ts
 * import { demo, readPrices } from "scoreframe";
 * import { analyzeFactor, judgement } from "scoreframe/analysis";
 *
 * const folder = await Deno.makeTempDir();
 * const api = await demo({ folder }); // with a key: await connect()
 * const scores = await api.history("ecpnd");
 * const prices = await readPrices(`${folder}/closes.csv`); // your own closes
 * const analysis = await analyzeFactor(scores, prices, { progress: false });
 * console.log(judgement(analysis).text);
 * await api.close();
 * ```
 */
export function analyzeFactor(
  scores: DataFrame,
  prices: DataFrame | string,
  options: AnalyzeFactorOptions = {},
): Promise<FactorAnalysis> {
  return new ShownPromise(analyze(scores, prices, options), {
    what: "an analysis",
    write: "const analysis = await analyzeFactor(scores, prices)",
    members: MEMBERS,
  });
}

async function analyze(
  scores: DataFrame,
  prices: DataFrame | string,
  options: AnalyzeFactorOptions,
): Promise<FactorAnalysis> {
  const plan = planAnalysis(options);
  assertInputs(scores, prices);
  const { trialLog = openTrialLog(), progress: isShown = true } = options;
  const interrupt = options.signal === undefined ? watchInterrupt() : null;
  const bar = createProgress("Analysing", { unit: "share", ...isShown ? {} : { enabled: false } });
  const walk = wholeWalk(bar, options.signal ?? interrupt!.signal);
  try {
    const sample = await measure(scores, prices, options, { plan, trialLog, walk });
    bar.update({ done: 1, total: 1 });
    await bar.finish();
    return new FactorAnalysis(sample);
  } catch (error) {
    await bar.finish("stopped");
    throw error;
  } finally {
    interrupt?.dispose();
  }
}

async function measure(
  scores: DataFrame,
  prices: DataFrame | string,
  options: AnalyzeFactorOptions,
  { plan, trialLog, walk }: Pick<AnalysisSample, "plan" | "trialLog"> & { readonly walk: Walk },
): Promise<AnalysisSample> {
  const given = readScoreRows(scores, options);
  const reading = await takeStep(
    walk,
    "returns",
    () => forwardReturns(prices, returnsOptions(options, plan)),
  );
  // The portfolio needs returns of one session, whichever horizons were asked for.
  const returns: ForwardReturns = Object.create(reading, { periods: { value: plan.periods } });
  const { rows, raw, origin } = neutralised(scores, { rows: given, returns, plan }, options);
  const aligned = await takeStep(walk, "alignment", () => alignRows(rows, returns, plan.align));
  // Charts and the judgement read the loss report, so it is built within the progress bar.
  await takeStep(walk, "losses", () => aligned.loss);
  const { dense } = aligned;
  const sides = [dense.scores, ...dense.returns.values()];
  try {
    const names = dense.tickers.length;
    await takeSteps(walk, "sorting", sides.map((side) => () => sortedOrders(side, names)));
    const within = dense.groups === null ? "session" : "group";
    const { steps, table } = permutationSteps(dense, { within, minNames: plan.minNames });
    await takeSteps(walk, "permutation test", steps);
    const compare = () => compareWithRaw(raw, aligned, returns, plan);
    const compared = await takeStep(walk, "residual IC", compare);
    const { tables, quantized } = await sessionTables(aligned, { plan, walk });
    const whole = { quantized, permutation: table(), ...compared, oneWayBps: options.oneWayBps };
    return planTests({ origin, plan, trialLog, aligned, tables, ...whole });
  } finally {
    sides.forEach(forgetOrders);
  }
}

/**
 * The scores to analyse: residuals over the universe of each session, where they are asked for.
 *
 * @throws {TypeError} If exposures are asked for and none is named
 */
function neutralised(
  scores: DataFrame,
  { rows, returns, plan }: {
    readonly rows: TimedScores;
    readonly returns: ForwardReturns;
    readonly plan: AnalysisPlan;
  },
  options: AnalyzeFactorOptions,
) {
  if (options.neutral === undefined) {
    return { rows, raw: null, origin: originOf(scores, rows, options, null) };
  }
  const { entry = "next" } = plan.align;
  const outside = rowsOutside(rows, returns, { ...plan.align, entry });
  const excluded = outside.map((out, row) => out | (rows.excluded?.[row] ?? 0));
  const neutral = neutralizeRows(scores, { ...rows, excluded }, options.neutral);
  // What is outside keeps its score, so that it is lost for the want of a price.
  const values = neutral.values.map((value, row) => outside[row] === 1 ? rows.scores[row]! : value);
  return {
    rows: { ...rows, scores: values },
    raw: { rows, exposures: neutral.exposures },
    origin: originOf(scores, rows, options, neutral.text),
  };
}

/** Residual ICs, raw ICs under the same alignment rules, and ICs with residual returns. */
function compareWithRaw(
  raw: ReturnType<typeof neutralised>["raw"],
  aligned: Aligned,
  returns: ForwardReturns,
  { align: rules, minNames }: AnalysisPlan,
) {
  if (raw === null) return { residualIc: null, unexposed: 0 };
  const { rows, exposures: { columns, groups } } = raw;
  const given = alignRows(rows, returns, rules);
  const laid = (scores: Float64Array) =>
    layOutRows({ ...rows, scores, groups: null }, returns, { ...rules, entry: aligned.entry })
      .dense.scores;
  const specific = specificReturns(aligned.dense, {
    columns: columns.map(laid),
    groups: groups && laid(Float64Array.from(groups, (code) => code === -1 ? NaN : code)),
  });
  return {
    residualIc: compareResidualIc(given.dense, aligned.dense, specific.dense, minNames),
    unexposed: withoutScore(aligned) - withoutScore(given),
  };
}

function withoutScore({ loss }: Aligned): number {
  return loss.table.toRecords().find(({ reason }) => reason === "no_score")?.rows ?? 0;
}
