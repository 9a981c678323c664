import { USUAL_RATES } from "../series/costs/read_rates.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { monthlyMeans } from "../cross_section/correlation/ic_frame.ts";
import { meanEdges, type ScoreDistribution } from "../description/score_distribution.ts";
import { type FactorCoverage, tableCoverage } from "../description/factor_coverage.ts";
import { informationSummary } from "../series/information_summary.ts";
import { meanReturnByQuantile } from "../cross_section/buckets/quantile_returns.ts";
import type { Quantized } from "../cross_section/buckets/quantize.ts";
import { turnoverByPeriod } from "../cross_section/buckets/turnover_by_period.ts";
import { calendarReturns } from "../series/costs/calendar_returns.ts";
import { rollingSharpe } from "../series/performance/rolling_sharpe.ts";
import { whyNoIc } from "./why_no_ic.ts";
import { cumulativeNetReturns } from "../series/costs/cumulative_net_returns.ts";
import { cumulativeQuantileReturns } from "../series/wealth/cumulative_quantile_returns.ts";
import type { PlaceboShifts } from "../series/placebo_shifts.ts";
import { theoreticalQuantiles } from "../series/theoretical_quantiles.ts";
import { rollingMean } from "../series/rolling_mean.ts";
import { type Stability, stability } from "../series/stability.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import type { SessionTables } from "./session_tables.ts";
import type { ROLLING_COLUMNS } from "../series/rolling_mean.ts";
import type { WEALTH_COLUMNS } from "../series/wealth/cumulative_quantile_returns.ts";
import type { NORMAL_COLUMNS } from "../series/theoretical_quantiles.ts";
import type { MONTH_COLUMNS } from "../cross_section/correlation/ic_frame.ts";
import type { NET_COLUMNS } from "../series/costs/cumulative_net_returns.ts";
import type { CALENDAR_COLUMNS } from "../series/costs/calendar_returns.ts";
import type { SHARPE_COLUMNS } from "../series/performance/rolling_sharpe.ts";
import type { PERIOD_COLUMNS } from "../cross_section/buckets/turnover_by_period.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";

/** Further tables of an analysis, for charts. */
export interface AnalysisDetail {
  /** Coverage by session. */
  readonly coverage: FactorCoverage;
  /** Distribution of the scores, and edges of the quantiles. */
  readonly distribution: ScoreDistribution;
  /** Mean IC of the last 63 sessions, with its interval. */
  readonly rollingIc: TableFrame<typeof ROLLING_COLUMNS>;
  /** Mean return by session, horizon and quantile: `mean`, `mean_excess` (over all stocks), `n`. */
  readonly quantileSessions: DataFrame;
  /** Cumulative return of each quantile as growth of 1, by quantile and session; stocks stay in their quantile until there are new scores. */
  readonly cumulativeQuantileReturns: TableFrame<typeof WEALTH_COLUMNS>;
  /**
   * Rolling mean of the quantile spread, with its interval: over 21 sessions at a horizon of one session, over 12 non-overlapping
   * windows at longer horizons (an interval requires ten); the column `window` has the number of sessions.
   */
  readonly rollingSpread: DataFrame;
  /** ICs in ascending order beside those of a normal distribution. */
  readonly icQuantiles: TableFrame<typeof NORMAL_COLUMNS>;
  /** Mean IC by calendar month. */
  readonly icByMonth: TableFrame<typeof MONTH_COLUMNS>;
  /** Mean IC by age of the scores, with tests; `null` if their age is unknown. */
  readonly icByAge: DataFrame | null;
  /** Test that the mean IC is the same in both halves. */
  readonly halves: Stability;
  /** Test that the mean IC is the same in all groups; `null` without groups. */
  readonly groups: Stability | null;
  /** Cumulative return as growth of 1, and drawdown by session, before and after costs. */
  readonly cumulativeNetReturns: TableFrame<typeof NET_COLUMNS>;
  /** Compounded returns of months and years, before and after costs. */
  readonly calendarReturns: TableFrame<typeof CALENDAR_COLUMNS>;
  /** Sharpe ratio of the last year before costs, with its interval. */
  readonly rollingSharpe: TableFrame<typeof SHARPE_COLUMNS>;
  /** Mean share of new stocks by quantile, over the sessions of each horizon; over one session in an analysis merged from parts. */
  readonly turnoverByPeriod: TableFrame<typeof PERIOD_COLUMNS>;
  /** Mean return of each quantile by group; `null` without groups and in an analysis merged from parts. */
  readonly quantilesByGroup: DataFrame | null;
  /** Reason why no session has an IC, by horizon; horizons with one are left out. */
  readonly whyNoIc: ReadonlyMap<number, string>;
  /** Mean ICs of shifted scores; `null` without a placebo. */
  readonly placebo: PlaceboShifts | null;
}

const MONTH = 21;
const SPREAD_WINDOWS = 12;

/** Input of {@link describeDetail}. */
export interface DetailInput {
  readonly plan: AnalysisPlan;
  readonly tables: SessionTables;
  /** The distribution of all scores. */
  readonly distribution: ScoreDistribution["table"];
  readonly placebo: PlaceboShifts | null;
  readonly oneWayBps?: number | readonly number[] | undefined;
  /** Buckets of all sessions. @default none are in memory */
  readonly quantized?: Quantized | undefined;
  /** Sessions per year. */
  readonly periodsPerYear: number;
}

/** Computes the further tables for charts. None of them counts as a trial, so nothing enters the trial log. */
export function describeDetail(
  input: DetailInput,
): AnalysisDetail {
  const { plan, tables, distribution, placebo, quantized } = input;
  const { ic, sessions, icByAge, icByGroup, portfolio, coverage, quantiles, spread } = tables;
  return {
    coverage: tableCoverage(coverage, { periods: plan.periods, sessions }),
    distribution: { table: distribution, edges: meanEdges(tables.edges) },
    rollingIc: rollingMean(ic, { sessions }),
    quantileSessions: quantiles,
    cumulativeQuantileReturns: cumulativeQuantileReturns(tables.heldQuantiles),
    rollingSpread: pl.concat(
      plan.periods.map((horizon) => rollingSpread(spread, horizon, sessions)),
    ),
    icQuantiles: theoreticalQuantiles(ic),
    icByMonth: monthlyMeans(ic),
    icByAge: icByAge === null
      ? null
      : informationSummary(icByAge.rename({ age: "group" }), { sessions }).table,
    halves: stability(ic, { by: "half", sessions }),
    groups: icByGroup === null ? null : stability(icByGroup, { by: "group", sessions }),
    ...moneyDetail(portfolio, input),
    ...bucketDetail(quantized, tables.turnover),
    whyNoIc: whyNoIc(ic, { minNames: plan.minNames, bySession: coverage.bySession }),
    placebo,
  };
}

function moneyDetail(
  portfolio: DataFrame,
  { oneWayBps = USUAL_RATES, periodsPerYear }: DetailInput,
) {
  const rates = { oneWayBps: [...new Set([0, ...[oneWayBps].flat()])] };
  return {
    cumulativeNetReturns: cumulativeNetReturns(portfolio, rates),
    calendarReturns: calendarReturns(portfolio, rates),
    rollingSharpe: rollingSharpe(portfolio, {
      value: "return",
      window: periodsPerYear,
      periodsPerYear,
    }),
  };
}

function bucketDetail(quantized: Quantized | undefined, turnover: DataFrame) {
  if (quantized === undefined) {
    return { turnoverByPeriod: turnoverByPeriod(turnover, null), quantilesByGroup: null };
  }
  const { periods, groups } = quantized.dense;
  return {
    turnoverByPeriod: turnoverByPeriod(turnover, { quantized, periods }),
    quantilesByGroup: groups === null ? null : meanReturnByQuantile(quantized, { by: "group" }),
  };
}

function rollingSpread(spread: DataFrame, horizon: number, sessions: DataFrame): DataFrame {
  const own = spread.filter(pl.col("horizon").eq(pl.lit(horizon)));
  const window = horizon === 1 ? MONTH : SPREAD_WINDOWS * horizon;
  return rollingMean(own, { sessions, window })
    .withColumns(pl.lit(window).cast(pl.Int32).alias("window"));
}
