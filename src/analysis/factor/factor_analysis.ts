import type { DataFrame } from "nodejs-polars";
import { periodText } from "../../base/wording/period_text.ts";
import { displayAs } from "../../frames/notebook/display_as.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import type { Aligned } from "../aligned/align.ts";
import { quantileMeans, tableQuantileSeries } from "../cross_section/buckets/quantile_returns.ts";
import { type QuantileSpread, tableSpread } from "../cross_section/buckets/quantile_spread.ts";
import type {
  AUTOCORRELATION_COLUMNS,
  TURNOVER_COLUMNS,
} from "../cross_section/buckets/quantile_turnover.ts";
import type { IC_COLUMNS, LagColumns } from "../cross_section/correlation/ic_frame.ts";
import type { PERMUTATION_COLUMNS } from "../factor_test/permutation_test.ts";
import type { RESIDUAL_IC_COLUMNS } from "../factor_test/residual_ic.ts";
import type { BOOK_COLUMNS } from "../portfolio/portfolio_returns.ts";
import { type COST_COLUMNS, tradingCosts } from "../series/costs/costs.ts";
import { type HALF_LIFE_COLUMNS, halfLife } from "../series/half_life.ts";
import { informationSummary, type SUMMARY_COLUMNS } from "../series/information_summary.ts";
import { monotonicity } from "../series/monotonicity.ts";
import { type ALPHA_BETA_COLUMNS, alphaBeta } from "../series/performance/alpha_beta.ts";
import { performance, type PERFORMANCE_COLUMNS } from "../series/performance/performance.ts";
import { stability } from "../series/stability.ts";
import { type DRAWDOWN_COLUMNS, drawdowns } from "../series/wealth/cumulative_returns.ts";
import { displayParts } from "../table/frame_of_rows.ts";
import type { TrialLog } from "../trial_log.ts";
import { AnalysisDetail } from "./analysis_detail.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import { type AnalysisSample, keepAnswers, seriesIn } from "./analysis_sample.ts";
import { describeSample, type ScoresOrigin } from "./scores_origin.ts";
import type { TableOf } from "../table/columns.ts";

/** A factor analysis over one alignment: one frame per topic, each computed when it is first read. */
export class FactorAnalysis {
  static {
    displayAs(FactorAnalysis, (shown) => displayParts(() => shown.text, () => shown.#parts()));
    keepAnswers(FactorAnalysis);
  }

  /** Origin of the scores. */
  readonly origin: ScoresOrigin;
  /** Options, with all defaults filled in. */
  readonly plan: AnalysisPlan;
  /** Trial log of the tests. */
  readonly trialLog: TrialLog;
  /** Scores by session with forward returns, and the loss report. */
  readonly aligned: Aligned;
  /**
   * The tables of which the answers are made.
   *
   * @ignore
   */
  readonly sample: AnalysisSample;

  /**
   * Builds an analysis.
   *
   * @param sample Scores and returns, and their tables by session
   * @ignore
   */
  constructor(sample: AnalysisSample) {
    this.sample = sample;
    this.origin = sample.origin;
    this.plan = sample.plan;
    this.trialLog = sample.trialLog;
    this.aligned = sample.aligned;
  }

  /** ICs by session and horizon. */
  get ic(): TableOf<typeof IC_COLUMNS> {
    return this.sample.tables.ic;
  }

  /** Mean ICs with tests and robustness checks. */
  get summary(): ReturnType<typeof informationSummary> {
    return informationSummary(seriesIn(this.sample, "ic"), {
      oneSession: seriesIn(this.sample, "oneSession"),
    });
  }

  /** ICs by session and lag, with returns of one session. */
  get decay(): TypedFrame<LagColumns> {
    return this.sample.tables.decay;
  }

  /** Mean ICs by lag with tests; the lag is in the column `group`. */
  get decayMeans(): TableOf<typeof SUMMARY_COLUMNS> {
    return informationSummary(seriesIn(this.sample, "decay")).table;
  }

  /** Half-life of the IC by lag. */
  get halfLife(): TableOf<typeof HALF_LIFE_COLUMNS> {
    return halfLife(
      seriesIn(this.sample, "decay").map((one) => ({ ...one, horizon: Number(one.group) })),
    );
  }

  /** Permutation test of the mean IC at one session; `null` in parts. */
  get permutation(): TableOf<typeof PERMUTATION_COLUMNS> | null {
    return this.sample.permutation;
  }

  /**
   * Mean IC of the residual scores (`residual`) and raw IC of the same stocks (`raw`) by horizon, with the test of their difference
   * (`mean`); `specific` is the mean IC of the residual scores with the residual returns of {@link neutralReturns}. `null` without
   * the option `neutral`, and in parts.
   */
  get residualIc(): TableOf<typeof RESIDUAL_IC_COLUMNS> | null {
    return this.sample.residualIc;
  }

  /** Test that the mean IC is the same in every calendar year. */
  get stability(): ReturnType<typeof stability> {
    return stability(seriesIn(this.sample, "ic"));
  }

  /** Mean returns by quantile. */
  get quantileReturns(): DataFrame {
    return quantileMeans(this.sample.tables.quantiles, layoutOf(this.sample));
  }

  /** Quantile spread: top minus bottom. */
  get spread(): QuantileSpread {
    return tableSpread(this.sample.tables.spread, layoutOf(this.sample));
  }

  /** Tests that returns rise from quantile to quantile. */
  get monotonicity(): ReturnType<typeof monotonicity> {
    return monotonicity(tableQuantileSeries(this.sample.tables.quantiles, layoutOf(this.sample)));
  }

  /** Share of a quantile's stocks that were not in it a session ago. */
  get turnover(): TableOf<typeof TURNOVER_COLUMNS> {
    return this.sample.tables.turnover;
  }

  /** Rank autocorrelation of the scores by session. */
  get rankAutocorrelation(): TableOf<typeof AUTOCORRELATION_COLUMNS> {
    return this.sample.tables.rankAutocorrelation;
  }

  /** Returns and trades by session of the portfolio, weighted by the scores or as `weighting` says. */
  get portfolio(): TableOf<typeof BOOK_COLUMNS> {
    return this.sample.tables.portfolio;
  }

  /** Return, risk and Sharpe ratio of the portfolio. */
  get performance(): TableOf<typeof PERFORMANCE_COLUMNS> {
    const { periodsPerYear } = this.aligned.market;
    const { tables, portfolios } = this.sample;
    return performance(tables.portfolio, { variants: portfolios, periodsPerYear });
  }

  /** Drawdowns of the portfolio. */
  get drawdowns(): TableOf<typeof DRAWDOWN_COLUMNS> {
    return drawdowns(this.sample.tables.portfolio);
  }

  /** Trading costs of the portfolio. */
  get costs(): TableOf<typeof COST_COLUMNS> {
    const { periodsPerYear } = this.aligned.market;
    const { tables, oneWayBps } = this.sample;
    return tradingCosts(tables.portfolio, { periodsPerYear, oneWayBps });
  }

  /** Regression of the portfolio's returns on the equal-weighted universe. */
  get alphaBeta(): TableOf<typeof ALPHA_BETA_COLUMNS> {
    const { periodsPerYear } = this.aligned.market;
    return alphaBeta(this.sample.tables.portfolio, this.sample.tables.market, { periodsPerYear });
  }

  /** Further tables, for charts. */
  get detail(): AnalysisDetail {
    return new AnalysisDetail(this.sample);
  }

  /** Sample, losses, and a sentence on each mean IC. */
  get text(): string {
    const summary = periodText(this.summary.text, this.aligned.market.unit);
    return `${describeSample(this)}\n${this.aligned.loss}\n${summary}`;
  }

  /** The frames to show. */
  #parts(): Readonly<Record<string, DataFrame>> {
    return {
      loss: this.aligned.loss.table,
      summary: this.summary.table,
      "quantile returns": this.quantileReturns,
      performance: this.performance,
      costs: this.costs,
    };
  }
}

function layoutOf({ plan: { periods, quantiles: count }, aligned: { dense } }: AnalysisSample) {
  return { periods, days: dense.days, count };
}
