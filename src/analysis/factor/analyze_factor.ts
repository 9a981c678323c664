import pl, { type DataFrame } from "nodejs-polars";
import { assertFrame } from "../../frame/assert_frame.ts";
import { watchInterrupt } from "../../notebook/kernel/interrupt.ts";
import { createProgress } from "../../notebook/kernel/progress.ts";
import { align } from "../aligned/align.ts";
import type { Aligned } from "../aligned/aligned.ts";
import { forwardReturns } from "../aligned/forward_returns.ts";
import { informationCoefficient } from "../cross_section/information_coefficient.ts";
import { meanReturnByQuantile, quantileSeries } from "../cross_section/quantile_returns.ts";
import { quantileSpread } from "../cross_section/quantile_spread.ts";
import { quantileTurnover } from "../cross_section/quantile_turnover.ts";
import { quantize } from "../cross_section/quantize.ts";
import { rankAutocorrelation } from "../cross_section/rank_autocorrelation.ts";
import { type Ledger, ledger as openLedger } from "../ledger/ledger.ts";
import { factorWeights } from "../portfolio/factor_weights.ts";
import { portfolioReturns } from "../portfolio/factor_returns.ts";
import { universeReturns } from "../portfolio/universe_returns.ts";
import { alphaBeta } from "../series/alpha_beta.ts";
import { drawdowns } from "../series/drawdowns.ts";
import { halfLife } from "../series/half_life.ts";
import { informationSummary } from "../series/information_summary.ts";
import { monotonicity } from "../series/monotonicity.ts";
import { collectNoise, type NoiseControl, noiseShifts } from "../series/noise_control.ts";
import { performance } from "../series/performance.ts";
import { stability } from "../series/stability.ts";
import { tradingCosts } from "../series/trading_costs.ts";
import { dayColumn, numberColumn } from "../table/make_columns.ts";
import { describeDetail } from "./analysis_detail.ts";
import {
  type AnalysisPlan,
  type AnalyzeFactorOptions,
  originOf,
  planAnalysis,
} from "./analysis_options.ts";
import { type AnalysisFrames, FactorAnalysis } from "./factor_analysis.ts";
import { shiftedIcMeans } from "../cross_section/shifted_ic.ts";
import { takeSteps, type Walk } from "./take_steps.ts";

/**
 * Asks the usual questions of a factor over one alignment: what was lost, is there a relation, how sure, how fast it fades,
 * who carries it, what it would cost, what noise says.
 *
 * The parts of the result are frames; `judgement(analysis)` puts them into sentences. The portfolio is weighted by the
 * scores (demeaned, gross exposure 1), and its returns are those of one session. Cost: seconds for a million rows, most of
 * them for the noise control, which repeats the ICs 199 times. A bar shows how far it is, and the stop button of a
 * notebook ends it with an `AbortError`.
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
    const returned = { ...options.returns, periods: plan.periods };
    const returns = typeof prices === "string"
      ? await forwardReturns(prices, returned)
      : forwardReturns(prices, returned);
    const aligned = align(scores, returns, plan.align);
    const frames = await answer(aligned, { plan, options, ledger, walk });
    await bar.finish("done");
    return new FactorAnalysis(frames, {
      origin: originOf(scores, aligned.score),
      plan,
      ledger,
    });
  } catch (error) {
    await bar.finish("stopped");
    throw error;
  } finally {
    interrupt?.dispose();
  }
}

interface Context {
  readonly plan: AnalysisPlan;
  readonly options: AnalyzeFactorOptions;
  readonly ledger: Ledger;
  readonly walk: Walk;
}

async function answer(aligned: Aligned, context: Context): Promise<AnalysisFrames> {
  const { plan, ledger, walk } = context;
  const noise = await measureNoise(aligned, plan, walk);
  const ic = informationCoefficient(aligned);
  const oneSession = informationCoefficient(aligned, { form: "oneSession" });
  const sessions = sessionsOf(aligned);
  const [relation, buckets, money] = await takeSteps(walk, "statistics", [
    () => {
      const decay = informationCoefficient(aligned, { lags: plan.lags });
      const control = noise === null ? {} : { noise };
      return {
        ic,
        summary: informationSummary(ic, { oneSession, sessions, ledger, ...control }),
        decay,
        decayMeans: informationSummary(decay, { sessions }).table,
        halfLife: halfLife(decay),
        stability: stability(ic, { sessions }),
      };
    },
    () => askBuckets(aligned, plan, ledger),
    () => askPortfolio(aligned, context),
  ]);
  const { quantized, ...tables } = buckets;
  const [detail] = await takeSteps(walk, "detail", [
    () => {
      const { portfolio } = money;
      const { oneWayBps } = context.options;
      return describeDetail({ aligned, quantized, ic, portfolio, sessions, noise, oneWayBps });
    },
  ]);
  return { aligned, ...relation, ...tables, ...money, detail };
}

async function measureNoise(
  { dense }: Aligned,
  { noise }: AnalysisPlan,
  walk: Walk,
): Promise<NoiseControl | null> {
  if (noise === null) return null;
  const shifts = noiseShifts(dense.to - dense.from, noise);
  if (shifts.length === 0) return null;
  const meansOf = shiftedIcMeans(dense);
  const found = await takeSteps(
    walk,
    "noise control",
    Array.from(shifts, (shift) => () => meansOf(shift)),
  );
  return collectNoise(shifts, found);
}

function askBuckets(aligned: Aligned, { quantiles }: AnalysisPlan, ledger: Ledger) {
  const quantized = quantize(aligned, { quantiles });
  const spread = quantileSpread(quantized);
  informationSummary(spread.series, { ledger, what: "mean spread" });
  const series = aligned.periods.flatMap((horizon) =>
    quantileSeries(quantized, horizon).map((one, place) => ({ ...one, group: String(place + 1) }))
  );
  return {
    quantized,
    quantileReturns: meanReturnByQuantile(quantized),
    spread,
    monotonicity: monotonicity(series),
    turnover: quantileTurnover(quantized),
    rankAutocorrelation: rankAutocorrelation(aligned),
  };
}

function askPortfolio(aligned: Aligned, { options, ledger }: Context) {
  const portfolio = portfolioReturns(aligned, factorWeights(aligned));
  const market = pl.DataFrame([
    dayColumn("session", aligned.dense.days.slice(aligned.dense.from, aligned.dense.to)),
    numberColumn("return", universeReturns(aligned.dense, 1)),
  ]);
  informationSummary(portfolio, { ledger, value: "return", what: "mean portfolio return" });
  const { oneWayBps } = options;
  return {
    portfolio,
    performance: performance(portfolio, { variants: Math.max(1, ledger.count) }),
    drawdowns: drawdowns(portfolio),
    costs: tradingCosts(portfolio, oneWayBps === undefined ? {} : { oneWayBps }),
    alphaBeta: alphaBeta(portfolio, market),
  };
}

function sessionsOf({ dense }: Aligned): DataFrame {
  return pl.DataFrame([dayColumn("session", dense.days)]);
}
