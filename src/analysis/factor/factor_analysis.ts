import type { DataFrame } from "nodejs-polars";
import type { Aligned } from "../aligned/aligned.ts";
import type { QuantileSpread } from "../cross_section/buckets/quantile_spread.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { InformationSummary } from "../series/information_summary.ts";
import type { Monotonicity } from "../series/monotonicity.ts";
import type { Stability } from "../series/stability.ts";
import { Parts } from "../table/parts.ts";
import type { AnalysisDetail } from "./analysis_detail.ts";
import type { AnalysisPlan, ScoresOrigin } from "./analysis_options.ts";

/** What an analysis consists of: the parts that answer its questions. */
export type AnalysisFrames = Omit<
  FactorAnalysis,
  "origin" | "plan" | "ledger" | "text" | keyof Parts
>;

/** A factor analysis: the usual questions over one alignment, each answered in a frame. */
export class FactorAnalysis extends Parts {
  /** What the scores are. */
  readonly origin: ScoresOrigin;
  /** What was done. */
  readonly plan: AnalysisPlan;
  /** Where the tests were entered. */
  readonly ledger: Ledger;
  /** The scores brought to sessions, and what was lost. */
  readonly aligned!: Aligned;
  /** ICs by session and horizon. */
  readonly ic!: DataFrame;
  /** Their means with tests and checks. */
  readonly summary!: InformationSummary;
  /** ICs by session and lag, with returns of one session. */
  readonly decay!: DataFrame;
  /** Their means with tests: one row a lag, in the column `group`. */
  readonly decayMeans!: DataFrame;
  /** How fast the relation fades. */
  readonly halfLife!: DataFrame;
  /** Whether the mean IC is the same in every calendar year. */
  readonly stability!: Stability;
  /** Mean returns by bucket. */
  readonly quantileReturns!: DataFrame;
  /** Top minus bottom. */
  readonly spread!: QuantileSpread;
  /** Whether returns rise from bucket to bucket. */
  readonly monotonicity!: Monotonicity;
  /** Share of a bucket's names that were not in it a session ago. */
  readonly turnover!: DataFrame;
  /** How much the ranks of a session are those of the one before. */
  readonly rankAutocorrelation!: DataFrame;
  /** Returns by session of the portfolio that is weighted by the scores, with what was traded. */
  readonly portfolio!: DataFrame;
  /** Its numbers. */
  readonly performance!: DataFrame;
  /** Its falls. */
  readonly drawdowns!: DataFrame;
  /** What trading it costs. */
  readonly costs!: DataFrame;
  /** How much of it the equal-weighted universe explains. */
  readonly alphaBeta!: DataFrame;
  /** What charts show beside these tables. */
  readonly detail!: AnalysisDetail;

  /**
   * Puts the frames together.
   *
   * @param frames The answers
   * @param about What was analysed, and how
   */
  constructor(
    frames: AnalysisFrames,
    about: {
      readonly origin: ScoresOrigin;
      readonly plan: AnalysisPlan;
      readonly ledger: Ledger;
    },
  ) {
    super();
    this.origin = about.origin;
    this.plan = about.plan;
    this.ledger = about.ledger;
    Object.assign(this, frames);
  }

  /** What was lost, then each mean IC in a sentence. */
  get text(): string {
    const synthetic = this.origin.isSynthetic ? " Synthetic." : "";
    return `${this.origin.what}.${synthetic}\n${this.aligned.loss}\n${this.summary.text}`;
  }

  /** The frames to show. */
  protected parts(): Readonly<Record<string, DataFrame>> {
    return {
      loss: this.aligned.loss.table,
      summary: this.summary.table,
      "quantile returns": this.quantileReturns,
      performance: this.performance,
      costs: this.costs,
    };
  }
}
