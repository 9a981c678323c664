import pl, { type DataFrame } from "nodejs-polars";
import { toEpochDay } from "../../base/calendar/civil_date.ts";
import type { CalendarDate } from "../../base/contract/instant.ts";
import type { Aligned } from "../aligned/aligned.ts";
import type { LossReport } from "../aligned/loss_report.ts";
import { quantileMeans, tableQuantileSeries } from "../cross_section/buckets/quantile_returns.ts";
import { quantize } from "../cross_section/buckets/quantize.ts";
import { tableSpread } from "../cross_section/buckets/quantile_spread.ts";
import { halfLife } from "../series/half_life.ts";
import { informationSummary } from "../series/information_summary.ts";
import { drawdowns } from "../series/wealth/drawdowns.ts";
import { performance } from "../series/performance/performance.ts";
import { tradingCosts } from "../series/costs/trading_costs.ts";
import { monotonicity } from "../series/monotonicity.ts";
import { stability } from "../series/stability.ts";
import { dayLit } from "../../frames/frame/provenance/held_out.ts";
import { dayColumn } from "../../frames/frame/typed/make_columns.ts";
import { describeDetail } from "./analysis_detail.ts";
import { type AnalysisFrames, FactorAnalysis } from "./factor_analysis.ts";
import type { ColumnsOf } from "../../frames/frame/typed/column_kind.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import type { WEALTH_COLUMNS } from "../series/wealth/cumulative_quantile_returns.ts";
import type { TURNOVER_COLUMNS } from "../cross_section/buckets/quantile_turnover.ts";
import type { IC_COLUMNS, LagColumns } from "../cross_section/correlation/ic_frame.ts";
import type { AUTOCORRELATION_COLUMNS } from "../cross_section/correlation/rank_autocorrelation.ts";
import type { BOOK_COLUMNS } from "../portfolio/portfolio_returns.ts";

/** A span of sessions, both ends included. */
export interface SessionPeriod {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
}

/**
 * The analysis of one period, from the tables by session. Returns, costs and cumulative returns start at its first session,
 * whose turnover and trades are those since the session before. Nothing enters the trial log. Placebo, permutation test, ages,
 * edges and the regression on the universe are left out or remain those of the whole sample.
 */
export function withinPeriod(analysis: FactorAnalysis, period: SessionPeriod): FactorAnalysis {
  const { origin, plan, trialLog } = analysis;
  return new FactorAnalysis(framesWithin(analysis, period), { origin, plan, trialLog });
}

function framesWithin(analysis: FactorAnalysis, period: SessionPeriod): AnalysisFrames {
  const cut = (frame: DataFrame) => within(frame, period);
  const { plan: { periods, quantiles: count }, trialLog } = analysis;
  const { periodsPerYear } = analysis.aligned.market;
  const sessions = pl.DataFrame([dayColumn("session", analysis.aligned.dense.days)]);
  const [ic, decay, portfolio] = [analysis.ic, analysis.decay, analysis.portfolio].map(cut) as [
    DataFrame,
    DataFrame,
    DataFrame,
  ];
  const [quantiles, spread] = [analysis.detail.quantileSessions, analysis.spread.data].map(cut) as [
    DataFrame,
    DataFrame,
  ];
  const [turnover, rankAutocorrelation] = [analysis.turnover, analysis.rankAutocorrelation]
    .map(cut) as [DataFrame, DataFrame];
  const oneWayBps = analysis.costs.getColumn("one_way_bps").toArray() as number[];
  const tables = { sessions, ic, decay, portfolio, quantiles, spread, turnover };
  return {
    ...analysis,
    aligned: alignedWithin(analysis.aligned, period),
    ...knownTables({ ic, decay, portfolio, turnover, rankAutocorrelation }),
    summary: informationSummary(ic, { sessions }),
    decayMeans: informationSummary(decay, { sessions }).table,
    halfLife: halfLife(decay),
    permutation: null,
    residualIc: null,
    stability: stability(ic, { sessions }),
    spread: tableSpread(spread, { periods, sessions, count }),
    quantileReturns: quantileMeans(quantiles, { periods, sessions, count }),
    monotonicity: monotonicity(tableQuantileSeries(quantiles, { periods, sessions, count })),
    performance: performance(portfolio, {
      variants: Math.max(1, trialLog.count),
      periodsPerYear,
    }),
    drawdowns: drawdowns(portfolio),
    costs: tradingCosts(portfolio, { periodsPerYear, oneWayBps }),
    detail: detailWithin(analysis, period, { ...tables, rankAutocorrelation }),
  };
}

type KnownName = "ic" | "decay" | "portfolio" | "turnover" | "rankAutocorrelation";

/** The tables of a period, with the columns of the analysis. */
function knownTables(
  tables: Readonly<Record<KnownName, DataFrame>>,
): Pick<FactorAnalysis, KnownName> {
  return {
    ic: framed<ColumnsOf<typeof IC_COLUMNS>>(tables.ic),
    decay: framed<LagColumns>(tables.decay),
    portfolio: framed<ColumnsOf<typeof BOOK_COLUMNS>>(tables.portfolio),
    turnover: framed<ColumnsOf<typeof TURNOVER_COLUMNS>>(tables.turnover),
    rankAutocorrelation: framed<ColumnsOf<typeof AUTOCORRELATION_COLUMNS>>(
      tables.rankAutocorrelation,
    ),
  };
}

type CutTables =
  & Pick<
    Parameters<typeof describeDetail>[0]["tables"],
    "sessions" | "ic" | "decay" | "portfolio" | "quantiles" | "spread" | "turnover"
  >
  & { readonly rankAutocorrelation: DataFrame };

function detailWithin(analysis: FactorAnalysis, period: SessionPeriod, tables: CutTables) {
  const { detail, plan } = analysis;
  const oneWayBps = analysis.costs.getColumn("one_way_bps").toArray() as number[];
  const { coverage, distribution } = detail;
  const bySession = within(coverage.bySession, period);
  const quantized = quantizedWithin(analysis, period);
  const found = describeDetail({
    plan,
    oneWayBps,
    placebo: null,
    quantized,
    distribution: distribution.table,
    periodsPerYear: analysis.aligned.market.periodsPerYear,
    tables: {
      ...tables,
      oneSession: tables.ic,
      icByAge: null,
      icByGroup: null,
      heldQuantiles: tables.quantiles,
      edges: pl.DataFrame([pl.Series("quantile", [], pl.Int32), pl.Series("edge", [], pl.Float64)]),
      market: tables.portfolio,
      coverage: {
        bySession,
        gaps: coverage.gaps,
        unscored: tables.ic.select("session", "horizon", pl.col("ic").alias("difference")),
      },
    },
  });
  return {
    ...found,
    distribution,
    coverage: { ...coverage, bySession },
    cumulativeQuantileReturns: framed<ColumnsOf<typeof WEALTH_COLUMNS>>(
      beginAnew(detail.cumulativeQuantileReturns, period),
    ),
  };
}

/** The quantiles of the period; `undefined` in an analysis merged from parts, which keeps no rows. */
function quantizedWithin(
  { aligned: { dense }, detail, plan }: FactorAnalysis,
  period: SessionPeriod,
) {
  const known = new Set(detail.turnoverByPeriod.getColumn("period").toArray() as number[]);
  if (known.size < plan.periods.length) return undefined;
  const own = { ...dense, ...boundsOf(dense.days, period) };
  return quantize({ dense: own }, { quantiles: plan.quantiles });
}

const WEALTHS = ["wealth", "all_names", "relative"] as const;

/** Growth of 1 of each quantile from the first session of a period. */
function beginAnew(wealth: DataFrame, { first, last }: SessionPeriod): DataFrame {
  const quantiles = [...new Set(wealth.getColumn("quantile").toArray() as number[])];
  const parts = quantiles.map((quantile) => {
    const own = wealth.filter(pl.col("quantile").eq(pl.lit(quantile)));
    const before = own.filter(pl.col("session").lt(dayLit(first)));
    const kept = within(own, { first, last });
    return kept.withColumns(...WEALTHS.map((name) => {
      const known = before.getColumn(name).dropNulls().toArray() as readonly number[];
      return pl.col(name).div(pl.lit(known.at(-1) ?? 1)).alias(name);
    }));
  });
  return parts.length === 0 ? wealth : pl.concat(parts);
}

// Inherits everything else: rows are built, or refused, on first access.
function alignedWithin(aligned: Aligned, { first, last }: SessionPeriod): Aligned {
  const { dense } = aligned;
  const bounds = boundsOf(dense.days, { first, last });
  return inherit(aligned, {
    dense: inherit(dense, bounds),
    loss: lossWithin(aligned.loss, { first, last }),
  });
}

function boundsOf(days: Int32Array, { first, last }: SessionPeriod) {
  const [from, to] = [toEpochDay(first), toEpochDay(last)];
  const place = (isAt: (day: number) => boolean) => {
    const at = days.findIndex(isAt);
    return at === -1 ? days.length : at;
  };
  return { from: place((day) => day >= from), to: place((day) => day > to) };
}

function lossWithin(loss: LossReport, period: SessionPeriod): LossReport {
  const rows = within(loss.bySession(), period);
  const table = rows.groupBy("reason", "horizon").agg(pl.col("rows").sum())
    .sort(["horizon", "reason"]);
  const [before, ...others] = [
    table.filter(pl.col("horizon").isNull()),
    ...[...new Set(table.getColumn("horizon").dropNulls().toArray() as number[])].map((horizon) =>
      table.filter(pl.col("horizon").eq(pl.lit(horizon)))
    ),
  ].map((own) => (own.getColumn("rows").toArray() as number[]).reduce((sum, n) => sum + n, 0));
  return inherit(loss, { table: framed(table), rows: before! + (others[0] ?? 0) });
}

function inherit<T extends object>(of: T, own: Partial<T>): T {
  return Object.create(
    of,
    Object.fromEntries(
      Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }]),
    ),
  ) as T;
}

function within<Frame extends DataFrame>(frame: Frame, { first, last }: SessionPeriod): Frame {
  const session = pl.col("session");
  return frame.filter(session.gtEq(dayLit(first)).and(session.ltEq(dayLit(last)))) as Frame;
}
