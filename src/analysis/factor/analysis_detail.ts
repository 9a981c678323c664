import pl, { type DataFrame } from "nodejs-polars";
import { monthlyMeans } from "../cross_section/correlation/ic_frame.ts";
import { meanEdges, type ScoreDistribution } from "../cross_section/score_distribution.ts";
import { type FactorCoverage, tableCoverage } from "../factor_test/coverage.ts";
import { informationSummary } from "../series/information_summary.ts";
import { netWealth } from "../series/money/net_wealth.ts";
import { quantileWealth } from "../series/money/quantile_wealth.ts";
import type { NoiseControl } from "../series/noise_control.ts";
import { normalQuantiles } from "../series/normal_quantiles.ts";
import { rollingMean } from "../series/rolling_mean.ts";
import { type Stability, stability } from "../series/stability.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import type { SessionTables } from "./session_tables.ts";

/** What charts show beside the tables of an analysis. */
export interface AnalysisDetail {
  /** Which names have scores in each session. */
  readonly coverage: FactorCoverage;
  /** How the scores are distributed, and where buckets end. */
  readonly distribution: ScoreDistribution;
  /** Mean IC of the last 63 sessions, with its interval. */
  readonly rollingIc: DataFrame;
  /** Mean return of each bucket by session, horizon and bucket: `mean`, `mean_excess` (over all names), `n`. */
  readonly quantileSessions: DataFrame;
  /** What one unit of wealth became in each bucket, by bucket and session. */
  readonly quantileWealth: DataFrame;
  /**
   * Mean spread of the last sessions, with its interval: of 21 at one session, of 12 windows that do not overlap at longer
   * horizons, which fewer could not test; the column `window` says of how many sessions.
   */
  readonly rollingSpread: DataFrame;
  /** ICs in ascending order beside those of a normal distribution. */
  readonly icQuantiles: DataFrame;
  /** Mean IC by calendar month. */
  readonly icByMonth: DataFrame;
  /** Mean IC by age of the scores, with tests; `null` if their age is not known. */
  readonly icByAge: DataFrame | null;
  /** Whether the mean IC is the same in both halves. */
  readonly halves: Stability;
  /** Whether the mean IC is the same in all groups; `null` without groups. */
  readonly groups: Stability | null;
  /** Wealth and drawdown by session, before and after costs. */
  readonly wealth: DataFrame;
  /** The means of shifted scores; `null` if none were made. */
  readonly noise: NoiseControl | null;
}

const MONTH = 21;
const SPREAD_WINDOWS = 12;

/** What {@link describeDetail} needs. */
export interface DetailInput {
  readonly plan: AnalysisPlan;
  readonly tables: SessionTables;
  /** The distribution of all scores. */
  readonly distribution: DataFrame;
  readonly noise: NoiseControl | null;
  readonly oneWayBps?: readonly number[] | undefined;
}

/** Computes what charts show beside the tables of an analysis. Nothing of it is a test of its own, so no ledger is told. */
export function describeDetail(
  { plan, tables, distribution, noise, oneWayBps = [0, 5, 10, 20, 50] }: DetailInput,
): AnalysisDetail {
  const { ic, sessions, icByAge, icByGroup, portfolio, coverage, quantiles, spread } = tables;
  return {
    coverage: tableCoverage(coverage, { periods: plan.periods, sessions }),
    distribution: { table: distribution, edges: meanEdges(tables.edges) },
    rollingIc: rollingMean(ic, { sessions }),
    quantileSessions: quantiles,
    quantileWealth: quantileWealth(quantiles),
    rollingSpread: pl.concat(
      plan.periods.map((horizon) => rollingSpread(spread, horizon, sessions)),
    ),
    icQuantiles: normalQuantiles(ic),
    icByMonth: monthlyMeans(ic),
    icByAge: icByAge === null
      ? null
      : informationSummary(icByAge.rename({ age: "group" }), { sessions }).table,
    halves: stability(ic, { by: "half", sessions }),
    groups: icByGroup === null ? null : stability(icByGroup, { by: "group", sessions }),
    wealth: netWealth(portfolio, { oneWayBps: [...new Set([0, ...oneWayBps])] }),
    noise,
  };
}

function rollingSpread(spread: DataFrame, horizon: number, sessions: DataFrame): DataFrame {
  const own = spread.filter(pl.col("horizon").eq(pl.lit(horizon)));
  const window = horizon === 1 ? MONTH : SPREAD_WINDOWS * horizon;
  return rollingMean(own, { sessions, window })
    .withColumns(pl.lit(window).cast(pl.Int32).alias("window"));
}
