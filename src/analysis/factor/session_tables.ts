import pl, { type DataFrame } from "nodejs-polars";
import type { HasDense } from "../dense/from_data_frame.ts";
import { informationCoefficient } from "../cross_section/correlation/information_coefficient.ts";
import { quantileTable } from "../cross_section/buckets/quantile_returns.ts";
import { quantileSpread } from "../cross_section/buckets/quantile_spread.ts";
import { quantileTurnover } from "../cross_section/buckets/quantile_turnover.ts";
import { quantize, type Quantized } from "../cross_section/buckets/quantize.ts";
import { rankAutocorrelation } from "../cross_section/correlation/rank_autocorrelation.ts";
import { edgeTable } from "../cross_section/score_distribution.ts";
import { type CoverageTables, coverageTables } from "../factor_test/coverage.ts";
import { portfolioReturns } from "../portfolio/factor_returns.ts";
import { factorWeights } from "../portfolio/factor_weights.ts";
import { universeReturns } from "../portfolio/universe_returns.ts";
import { dayColumn, numberColumn } from "../table/make_columns.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import { inBatches } from "./in_batches.ts";
import { takeSteps, type Walk } from "./take_steps.ts";

/**
 * What an analysis computes session by session: all that its answers are made of, but for the noise control and the
 * distribution of all scores. Sessions ascend in every table, so that tables of neighbouring spans can be put below each other.
 */
export interface SessionTables {
  /** The sessions of the prices: `session`. */
  readonly sessions: DataFrame;
  /** ICs by session and horizon. */
  readonly ic: DataFrame;
  /** The same in the one-session form. */
  readonly oneSession: DataFrame;
  /** ICs by session and lag. */
  readonly decay: DataFrame;
  /** ICs by session, horizon and age; `null` if the age is not known. */
  readonly icByAge: DataFrame | null;
  /** ICs by session, horizon and group; `null` without groups. */
  readonly icByGroup: DataFrame | null;
  /** Mean returns by session, horizon and bucket. */
  readonly quantiles: DataFrame;
  /** Top minus bottom by session and horizon. */
  readonly spread: DataFrame;
  /** Turnover by session and bucket. */
  readonly turnover: DataFrame;
  /** Rank autocorrelation by session. */
  readonly rankAutocorrelation: DataFrame;
  /** The largest score by session and bucket. */
  readonly edges: DataFrame;
  /** Return of the portfolio, and what was traded, by session. */
  readonly portfolio: DataFrame;
  /** Return of the equal-weighted universe by session. */
  readonly market: DataFrame;
  /** Which names have scores, by session. */
  readonly coverage: CoverageTables;
}

/** How {@link SessionTables} are computed. */
export interface TableContext {
  /** What is asked. */
  readonly plan: AnalysisPlan;
  /** Who is told how far it is, and who may stop it. */
  readonly walk: Walk;
  /**
   * The first session whose own rows are needed, as a place among the sessions; correlations leave out those before it.
   *
   * @default the first one with scores
   */
  readonly start?: number;
}

/** Computes what an analysis rests on, session by session, and the buckets. */
export async function sessionTables(
  aligned: HasDense,
  context: TableContext,
): Promise<{ readonly tables: SessionTables; readonly quantized: Quantized }> {
  const { dense } = aligned;
  const { plan, walk } = context;
  const correlations = await correlate(aligned, context);
  const [quantized] = await takeSteps(walk, "buckets", [
    () => quantize(aligned, { quantiles: plan.quantiles }),
  ]);
  const [quantiles, spread, turnover, autocorrelation, edges] = await takeSteps(walk, "buckets", [
    () => quantileTable(quantized),
    () => quantileSpread(quantized).data,
    () => quantileTurnover(quantized),
    () => rankAutocorrelation(aligned),
    () => edgeTable(quantized),
  ]);
  const [weights, market, coverage] = await takeSteps(walk, "portfolio", [
    () => factorWeights(aligned),
    () =>
      pl.DataFrame([
        dayColumn("session", dense.days.slice(dense.from, dense.to)),
        numberColumn("return", universeReturns(dense, 1)),
      ]),
    () => coverageTables(dense),
  ]);
  const [portfolio] = await takeSteps(walk, "portfolio", [
    () => portfolioReturns(aligned, weights),
  ]);
  const sessions = pl.DataFrame([dayColumn("session", dense.days)]);
  const ofBuckets = { quantiles, spread, turnover, edges, rankAutocorrelation: autocorrelation };
  return {
    tables: { sessions, ...correlations, ...ofBuckets, portfolio, market, coverage },
    quantized,
  };
}

async function correlate({ dense }: HasDense, { plan, walk, start }: TableContext) {
  const own = { ...dense, from: start ?? dense.from };
  const ic = await inBatches(
    walk,
    own,
    { note: "correlations" },
    (part) => informationCoefficient(part),
  );
  const oneSession = await inBatches(
    walk,
    dense,
    { note: "one-session form", before: Math.max(...plan.periods) - 1 },
    (part) => informationCoefficient(part, { form: "oneSession" }),
  );
  const decay = await inBatches(
    walk,
    own,
    { note: "lags", atLeast: 2 * Math.max(...plan.lags) },
    (part) => informationCoefficient(part, { lags: plan.lags }),
  );
  const ofParts = (by: "age" | "group") =>
    inBatches(walk, own, { note: "parts" }, (part) => informationCoefficient(part, { by }));
  const icByAge = dense.ages === null ? null : await ofParts("age");
  const icByGroup = dense.groups === null ? null : await ofParts("group");
  return { ic, oneSession, decay, icByAge, icByGroup };
}
