import type { Aligned } from "../aligned/aligned.ts";
import { quantileMeans, tableQuantileSeries } from "../cross_section/buckets/quantile_returns.ts";
import { tableSpread } from "../cross_section/buckets/quantile_spread.ts";
import { halfLife } from "../series/half_life.ts";
import { informationSummary, logTests } from "../series/information_summary.ts";
import { alphaBeta } from "../series/performance/alpha_beta.ts";
import { drawdowns } from "../series/wealth/drawdowns.ts";
import { performance } from "../series/performance/performance.ts";
import { tradingCosts } from "../series/costs/trading_costs.ts";
import { monotonicity } from "../series/monotonicity.ts";
import type { Quantized } from "../cross_section/buckets/quantize.ts";
import type { PlaceboShifts } from "../series/placebo_shifts.ts";
import { stability } from "../series/stability.ts";
import type { TrialLog } from "../trial_log/trial_log.ts";
import { describeDetail } from "./analysis_detail.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import type { AnalysisFrames } from "./factor_analysis.ts";
import type { SessionTables } from "./session_tables.ts";
import { takeSteps, type Walk } from "./walk.ts";
import type { ColumnsOf } from "../../frames/frame/typed/column_kind.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import type { TURNOVER_COLUMNS } from "../cross_section/buckets/quantile_turnover.ts";
import type { IC_COLUMNS, LagColumns } from "../cross_section/correlation/ic_frame.ts";
import type { AUTOCORRELATION_COLUMNS } from "../cross_section/correlation/rank_autocorrelation.ts";
import type { BOOK_COLUMNS } from "../portfolio/portfolio_returns.ts";
import type { PERMUTATION_COLUMNS } from "../factor_test/permutation_test.ts";
import type { RESIDUAL_IC_COLUMNS } from "../factor_test/residual_ic.ts";
import type { ScoreDistribution } from "../description/score_distribution.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";

/** Input of the answers of an analysis. */
export interface Questions {
  /** Options, with all defaults filled in. */
  readonly plan: AnalysisPlan;
  /** Trial log for the tests. */
  readonly trialLog: TrialLog;
  /** Name of the scores in the trial log. */
  readonly of: string;
  /** Progress and cancellation. */
  readonly walk: Walk;
  /** Scores and returns, and the rows lost in joining them. */
  readonly aligned: Aligned;
  /** Results by session. */
  readonly tables: SessionTables;
  /** Distribution of all scores. */
  readonly distribution: ScoreDistribution["table"];
  /** Mean ICs of shifted scores; `null` without a placebo. */
  readonly placebo: PlaceboShifts | null;
  /** Permutation test; `null` if it was not run. */
  readonly permutation: TableFrame<typeof PERMUTATION_COLUMNS> | null;
  /** Residual and raw ICs. @default the scores are as given */
  readonly residualIc?: TableFrame<typeof RESIDUAL_IC_COLUMNS> | null;
  /** One-way costs in basis points. */
  readonly oneWayBps?: number | readonly number[] | undefined;
  /** Buckets of all sessions. @default none are in memory */
  readonly quantized?: Quantized;
}

/** Computes the frames of an analysis from its tables by session, which may be merged from parts. */
export async function answerQuestions(questions: Questions): Promise<AnalysisFrames> {
  const relation = await answerRelation(questions);
  const buckets = await answerBuckets(questions);
  const money = await answerMoney(questions);
  const { periodsPerYear } = questions.aligned.market;
  const [detail] = await takeSteps(questions.walk, "detail", [
    () => describeDetail({ ...questions, periodsPerYear }),
  ]);
  const { aligned, residualIc = null } = questions;
  return { aligned, ...relation, residualIc, ...buckets, ...money, detail };
}

/** IC with its tests, decay and stability. */
async function answerRelation({ tables, trialLog, of, walk, placebo, permutation }: Questions) {
  const { sessions, ic, oneSession, decay } = tables;
  const control = placebo === null ? {} : { placebo };
  const [summary, decayMeans, fading, years] = await takeSteps(walk, "tests", [
    () => informationSummary(ic, { oneSession, sessions, trialLog, of, ...control }),
    () => informationSummary(decay, { sessions }).table,
    () => halfLife(decay),
    () => stability(ic, { sessions }),
  ]);
  return {
    ic: framed<ColumnsOf<typeof IC_COLUMNS>>(ic),
    summary,
    decay: framed<LagColumns>(decay),
    ...{ decayMeans, halfLife: fading, permutation, stability: years },
  };
}

/** Returns of the quantiles, and their turnover. */
async function answerBuckets({ tables, plan, trialLog, of, walk }: Questions) {
  const { sessions, quantiles, turnover, rankAutocorrelation } = tables;
  const { periods, quantiles: count } = plan;
  const [spread, series, quantileReturns] = await takeSteps(walk, "buckets", [
    () => tableSpread(tables.spread, { periods, sessions, count }),
    () => tableQuantileSeries(quantiles, { periods, sessions, count }),
    () => quantileMeans(quantiles, { periods, sessions, count }),
  ]);
  const [ladder] = await takeSteps(walk, "buckets", [
    () => monotonicity(series),
    () => logTests(spread.series, { trialLog, of, what: "mean spread" }),
  ]);
  return {
    ...{ quantileReturns, spread, monotonicity: ladder },
    turnover: framed<ColumnsOf<typeof TURNOVER_COLUMNS>>(turnover),
    rankAutocorrelation: framed<ColumnsOf<typeof AUTOCORRELATION_COLUMNS>>(rankAutocorrelation),
  };
}

/** Return, risk and costs of the score-weighted portfolio. */
async function answerMoney({ aligned, tables, plan, trialLog, of, walk, oneWayBps }: Questions) {
  const { portfolio, market } = tables;
  const { periodsPerYear } = aligned.market;
  const { weighting } = plan;
  const by = weighting === "factor" ? {} : { options: { weighting } };
  logTests(portfolio, { trialLog, of, value: "return", what: "mean portfolio return", ...by });
  const [numbers, falls, costs, explained] = await takeSteps(walk, "portfolio", [
    () => performance(portfolio, { variants: Math.max(1, trialLog.count), periodsPerYear }),
    () => drawdowns(portfolio),
    () =>
      tradingCosts(portfolio, {
        periodsPerYear,
        ...(oneWayBps === undefined ? {} : { oneWayBps }),
      }),
    () => alphaBeta(portfolio, market, { periodsPerYear }),
  ]);
  return {
    portfolio: framed<ColumnsOf<typeof BOOK_COLUMNS>>(portfolio),
    ...{ performance: numbers, drawdowns: falls, costs, alphaBeta: explained },
  };
}
