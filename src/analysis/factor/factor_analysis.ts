import type { DataFrame } from "nodejs-polars";
import { periodText } from "../../base/wording/period_text.ts";
import type { Aligned } from "../aligned/aligned.ts";
import type { QuantileSpread } from "../cross_section/buckets/quantile_spread.ts";
import type { TrialLog } from "../trial_log/trial_log.ts";
import type { InformationSummary } from "../series/information_summary.ts";
import type { Monotonicity } from "../series/monotonicity.ts";
import type { Stability } from "../series/stability.ts";
import { displayAs } from "../../frames/notebook/display_as.ts";
import { displayParts } from "../table/display_parts.ts";
import type { AnalysisDetail } from "./analysis_detail.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import type { ScoresOrigin } from "./scores_origin.ts";
import { describeSample } from "./describe_sample.ts";
import type { AUTOCORRELATION_COLUMNS } from "../cross_section/correlation/rank_autocorrelation.ts";
import type { TURNOVER_COLUMNS } from "../cross_section/buckets/quantile_turnover.ts";
import type { PERMUTATION_COLUMNS } from "../factor_test/permutation_test.ts";
import type { RESIDUAL_IC_COLUMNS } from "../factor_test/residual_ic.ts";
import type { BOOK_COLUMNS } from "../portfolio/portfolio_returns.ts";
import type { HALF_LIFE_COLUMNS } from "../series/half_life.ts";
import type { ALPHA_BETA_COLUMNS } from "../series/performance/alpha_beta.ts";
import type { DRAWDOWN_COLUMNS } from "../series/wealth/drawdowns.ts";
import type { PERFORMANCE_COLUMNS } from "../series/performance/performance.ts";
import type { COST_COLUMNS } from "../series/costs/trading_costs.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import type { IC_COLUMNS, LagColumns } from "../cross_section/correlation/ic_frame.ts";
import type { SUMMARY_COLUMNS } from "../series/information_summary.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";

/** Frames of an analysis. */
export type AnalysisFrames = Omit<
  FactorAnalysis,
  "origin" | "plan" | "trialLog" | "text"
>;

/** A factor analysis over one alignment: one frame per topic. */
export class FactorAnalysis {
  static {
    displayAs(FactorAnalysis, (shown) => displayParts(() => shown.text, () => shown.#parts()));
  }

  /** Origin of the scores. */
  readonly origin: ScoresOrigin;
  /** Options, with all defaults filled in. */
  readonly plan: AnalysisPlan;
  /** Trial log of the tests. */
  readonly trialLog: TrialLog;
  /** Scores by session with forward returns, and the loss report. */
  readonly aligned!: Aligned;
  /** ICs by session and horizon. */
  readonly ic!: TableFrame<typeof IC_COLUMNS>;
  /** Mean ICs with tests and robustness checks. */
  readonly summary!: InformationSummary;
  /** ICs by session and lag, with returns of one session. */
  readonly decay!: TypedFrame<LagColumns>;
  /** Mean ICs by lag with tests; the lag is in the column `group`. */
  readonly decayMeans!: TableFrame<typeof SUMMARY_COLUMNS>;
  /** Half-life of the IC by lag. */
  readonly halfLife!: TableFrame<typeof HALF_LIFE_COLUMNS>;
  /** Permutation test of the mean IC at one session; `null` with `placebo: false` and in parts. */
  readonly permutation!: TableFrame<typeof PERMUTATION_COLUMNS> | null;
  /**
   * Mean IC of the residual scores (`residual`) and raw IC of the same stocks (`raw`) by horizon, with the test of their difference
   * (`mean`); `specific` is the mean IC of the residual scores with the residual returns of {@link neutralReturns}. `null` without
   * the option `neutral`, and in parts.
   */
  readonly residualIc!: TableFrame<typeof RESIDUAL_IC_COLUMNS> | null;
  /** Test that the mean IC is the same in every calendar year. */
  readonly stability!: Stability;
  /** Mean returns by quantile. */
  readonly quantileReturns!: DataFrame;
  /** Quantile spread: top minus bottom. */
  readonly spread!: QuantileSpread;
  /** Tests that returns rise from quantile to quantile. */
  readonly monotonicity!: Monotonicity;
  /** Share of a quantile's stocks that were not in it a session ago. */
  readonly turnover!: TableFrame<typeof TURNOVER_COLUMNS>;
  /** Rank autocorrelation of the scores by session. */
  readonly rankAutocorrelation!: TableFrame<typeof AUTOCORRELATION_COLUMNS>;
  /** Returns and trades by session of the portfolio, weighted by the scores or as `weighting` says. */
  readonly portfolio!: TableFrame<typeof BOOK_COLUMNS>;
  /** Return, risk and Sharpe ratio of the portfolio. */
  readonly performance!: TableFrame<typeof PERFORMANCE_COLUMNS>;
  /** Drawdowns of the portfolio. */
  readonly drawdowns!: TableFrame<typeof DRAWDOWN_COLUMNS>;
  /** Trading costs of the portfolio. */
  readonly costs!: TableFrame<typeof COST_COLUMNS>;
  /** Regression of the portfolio's returns on the equal-weighted universe. */
  readonly alphaBeta!: TableFrame<typeof ALPHA_BETA_COLUMNS>;
  /** Further tables, for charts. */
  readonly detail!: AnalysisDetail;

  /**
   * Builds an analysis.
   *
   * @param frames The frames
   * @param about Origin of the scores, and options
   * @ignore
   */
  constructor(
    frames: AnalysisFrames,
    about: {
      readonly origin: ScoresOrigin;
      readonly plan: AnalysisPlan;
      readonly trialLog: TrialLog;
    },
  ) {
    this.origin = about.origin;
    this.plan = about.plan;
    this.trialLog = about.trialLog;
    Object.assign(this, frames);
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
