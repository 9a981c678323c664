import pl, { type DataFrame } from "nodejs-polars";
import { countText } from "../../base/wording/number_text.ts";
import { meanReturnByQuantile } from "../cross_section/buckets/quantile_returns.ts";
import {
  type PERIOD_COLUMNS,
  turnoverByPeriod,
} from "../cross_section/buckets/quantile_turnover.ts";
import {
  type IC_COLUMNS,
  type MONTH_COLUMNS,
  monthlyMeans,
} from "../cross_section/correlation/ic_frame.ts";
import { type FactorCoverage, tableCoverage } from "../description/factor_coverage.ts";
import {
  meanEdges,
  type ScoreDistribution,
  scoreDistribution,
} from "../description/score_distribution.ts";
import {
  type CALENDAR_COLUMNS,
  calendarReturns,
  cumulativeNetReturns,
  type NET_COLUMNS,
  netOf,
  readTraded,
} from "../series/costs/costs.ts";
import { informationSummary } from "../series/information_summary.ts";
import { rollingSharpe, type SHARPE_COLUMNS, sharpeOf } from "../series/performance/performance.ts";
import { type ROLLING_COLUMNS, rollingMean, stability } from "../series/stability.ts";
import { compoundQuantiles, type WEALTH_COLUMNS } from "../series/wealth/cumulative_returns.ts";
import { type AnalysisSample, keepAnswers, seriesIn } from "./analysis_sample.ts";
import { informationCoefficient } from "../cross_section/correlation/information_coefficient.ts";
import { bookFrame } from "../portfolio/portfolio_returns.ts";
import { factorWeights } from "../portfolio/factor_weights.ts";
import { toWeights, type Weights } from "../portfolio/weights.ts";
import { tableSeries } from "../inference/table_series.ts";
import { readSeries, type SeriesInput, testDifference } from "../series/read_series.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { usualWindow } from "../dense/days.ts";
import { marksOf } from "../dense/marks.ts";
import { carryBook } from "../portfolio/book/carry_book.ts";
import { normalQuantile } from "../inference/distributions.ts";
import { deviationOf, meanOf } from "../../base/statistics/moments.ts";
import type { TableOf } from "../table/columns.ts";

/** Columns of the table, in order. */
const NORMAL_COLUMNS = "horizon group value normal";

const MONTH = 21;
const SPREAD_WINDOWS = 12;

/** Columns of the table, in order. */
const LEAD_LAG_COLUMNS = `lag sessions mean low high p reason difference difference_low
  difference_high difference_p one_way_bps sharpe sharpe_low sharpe_high`;

const LAGS = Array.from({ length: 16 }, (_, i) => i - 5);

/** Further tables of an analysis, for charts. None of them counts as a trial. */
export class AnalysisDetail {
  static {
    keepAnswers(AnalysisDetail);
  }

  /**
   * The tables of which the answers are made.
   *
   * @ignore
   */
  readonly sample: AnalysisSample;

  /**
   * Builds the tables of a sample.
   *
   * @param sample Scores and returns, and their tables by session
   * @ignore
   */
  constructor(sample: AnalysisSample) {
    this.sample = sample;
  }

  /** Coverage by session. */
  get coverage(): FactorCoverage {
    const { plan: { periods }, tables, aligned: { dense: { days } } } = this.sample;
    return tableCoverage(tables.coverage, { periods, days });
  }

  /** Distribution of the scores, and edges of the quantiles. */
  get distribution(): ScoreDistribution {
    const { quantized, tables: { edges } } = this.sample;
    return { table: scoreDistribution(quantized).table, edges: meanEdges(edges) };
  }

  /** Mean IC of the last quarter (63 sessions), or year where a quarter has fewer than ten values, with its interval. */
  get rollingIc(): TableOf<typeof ROLLING_COLUMNS> {
    const { periodsPerYear } = this.sample.aligned.market;
    return rollingMean(seriesIn(this.sample, "ic"), { window: usualWindow(periodsPerYear) });
  }

  /** Mean return by session, horizon and quantile: `mean`, `mean_excess` (over all stocks), `n`. */
  get quantileSessions(): DataFrame {
    return this.sample.tables.quantiles;
  }

  /** Cumulative return of each quantile as growth of 1, by quantile and session; stocks stay in their quantile until there are new scores. */
  get cumulativeQuantileReturns(): TableOf<typeof WEALTH_COLUMNS> {
    return compoundQuantiles(this.sample.tables.heldQuantiles);
  }

  /**
   * Rolling mean of the quantile spread, with its interval: over 21 sessions at a horizon of one session, over 12 non-overlapping
   * windows at longer horizons (an interval requires ten), and over a quarter or a year of other data; the column `window` has the number of sessions.
   */
  get rollingSpread(): DataFrame {
    const { frequency, periodsPerYear } = this.sample.aligned.market;
    const isDaily = frequency === "daily";
    const usual = isDaily ? MONTH : usualWindow(periodsPerYear);
    return pl.concat(this.sample.plan.periods.map((horizon) => {
      const own = seriesIn(this.sample, "spread").filter((one) => one.horizon === horizon);
      const window = horizon === 1 || !isDaily ? usual : SPREAD_WINDOWS * horizon;
      return rollingMean(own, { window })
        .withColumns(pl.lit(window).cast(pl.Int32).alias("window"));
    }));
  }

  /** ICs in ascending order beside those of a normal distribution. */
  get icQuantiles(): TableOf<typeof NORMAL_COLUMNS> {
    return theoreticalQuantiles(seriesIn(this.sample, "ic"));
  }

  /** Mean IC by calendar month. */
  get icByMonth(): TableOf<typeof MONTH_COLUMNS> {
    return monthlyMeans(this.sample.tables.ic);
  }

  /**
   * Mean IC with the return of the session after entry, its paired difference from that of the usual entry, and Sharpe ratio after the
   * middle one of the costs, for entry five sessions before the usual one to ten after it.
   */
  get leadLag(): TableOf<typeof LEAD_LAG_COLUMNS> {
    return leadLag(this.sample);
  }

  /** Mean IC by age of the scores, with tests; `null` if their age is unknown. */
  get icByAge(): DataFrame | null {
    return this.sample.tables.icByAge && informationSummary(seriesIn(this.sample, "icByAge")).table;
  }

  /** Test that the mean IC is the same in both halves. */
  get halves(): ReturnType<typeof stability> {
    return stability(seriesIn(this.sample, "ic"), { by: "half" });
  }

  /** Test that the mean IC is the same in all groups; `null` without groups. */
  get groups(): ReturnType<typeof stability> | null {
    return this.sample.tables.icByGroup &&
      stability(seriesIn(this.sample, "icByGroup"), { by: "group" });
  }

  /** Cumulative return as growth of 1, and drawdown by session, before and after costs. */
  get cumulativeNetReturns(): TableOf<typeof NET_COLUMNS> {
    return cumulativeNetReturns(this.sample.tables.portfolio, ratesOf(this.sample));
  }

  /** Compounded returns of months and years, before and after costs. */
  get calendarReturns(): TableOf<typeof CALENDAR_COLUMNS> {
    return calendarReturns(this.sample.tables.portfolio, ratesOf(this.sample));
  }

  /** Sharpe ratio of the last year before costs, with its interval. */
  get rollingSharpe(): TableOf<typeof SHARPE_COLUMNS> {
    const { tables, aligned: { market: { periodsPerYear } } } = this.sample;
    return rollingSharpe(tables.portfolio, { window: periodsPerYear, periodsPerYear });
  }

  /** Mean share of new stocks by quantile, over the sessions of each horizon. */
  get turnoverByPeriod(): TableOf<typeof PERIOD_COLUMNS> {
    const { tables, quantized, plan: { periods } } = this.sample;
    return turnoverByPeriod(tables.turnover, quantized, periods);
  }

  /** Mean return of each quantile by group; `null` without groups. */
  get quantilesByGroup(): DataFrame | null {
    const { quantized } = this.sample;
    return quantized.dense.groups === null
      ? null
      : meanReturnByQuantile(quantized, { by: "group" });
  }

  /** Reason why no session has an IC, by horizon; horizons with one are left out. */
  get whyNoIc(): ReadonlyMap<number, string> {
    const { tables: { ic, coverage }, plan: { minNames } } = this.sample;
    return whyNoIc(ic, coverage.bySession, minNames);
  }
}

function ratesOf({ oneWayBps }: AnalysisSample) {
  return { oneWayBps: [...new Set([0, ...oneWayBps])] };
}

/**
 * Reasons why no session has an IC, by horizon; horizons with one are left out.
 *
 * @param ic ICs by session and horizon
 * @param bySession Coverage by session
 * @param minNames Minimum number of stocks of a session
 */
function whyNoIc(
  ic: TableOf<typeof IC_COLUMNS>,
  bySession: FactorCoverage["bySession"],
  minNames: number,
): ReadonlyMap<number, string> {
  const hasScores = bySession.toRecords().some(({ scored }) => scored! > 0);
  const byHorizon = Map.groupBy(ic.toRecords(), ({ horizon }) => horizon!);
  return new Map(
    [...byHorizon].filter(([, rows]) => rows.every((row) => row.ic === null))
      .map(([horizon, rows]) => {
        if (!hasScores) return [horizon, "no row has a score"];
        const most = rows.reduce((max, { n }) => Math.max(max, n!), 0);
        if (most === 0) return [horizon, "no session has a stock with both a score and a return"];
        if (most < minNames) {
          const stocks = `no session has more than ${countText(most, "stock")} with both a score`;
          return [horizon, `${stocks} and a return, and ${minNames} are required (minNames)`];
        }
        const what = rows.some(({ reason }) => reason === "constant_scores") ? "scores" : "returns";
        return [horizon, `in every session all ${what} are equal`];
      }),
  );
}

/** Mean IC of the return of the session after entry, and Sharpe ratio at the middle cost, by sessions between the usual entry and this one. */
function leadLag(sample: AnalysisSample): TableOf<typeof LEAD_LAG_COLUMNS> {
  const { quantized, plan, aligned, oneWayBps } = sample;
  const { dense } = quantized;
  // A lag of the IC counts to the end of the return, a session after entry.
  const lags = LAGS.map((lag) => lag + 1);
  const ics = informationCoefficient(quantized, { lags, minNames: plan.minNames });
  const series = tableSeries(ics, dense.days, { value: "ic", group: "lag" });
  const means = informationSummary(series).table.toRecords();
  const usual = series.find(({ group }) => Number(group) === 1)!;
  const weights = factorWeights(quantized, { weighting: plan.weighting });
  const marks = marksOf("carry a portfolio", dense);
  const rate = oneWayBps.toSorted((a, b) => a - b)[Math.floor(oneWayBps.length / 2)]!;
  const rows = LAGS.map((lag) => {
    const ic = means.find(({ group }) => Number(group) === lag + 1)!;
    const book = bookFrame(carryBook(moved(weights, lag), marks, plan.book), dense);
    const { series: gross, traded } = readTraded("carry a portfolio", book);
    const net = netOf(gross, traded, rate);
    const [sharpe, , sharpeLow, sharpeHigh] = sharpeOf(net, aligned.market.periodsPerYear);
    const own = series.find(({ group }) => Number(group) === lag + 1)!;
    const { mean = null, low = null, high = null, p = null } = lag === 0
      ? {}
      : testDifference(own, usual);
    const known = [ic.sessions, ic.mean, ic.low, ic.high, ic.p, ic.reason, mean, low, high, p];
    return [lag, ...known, rate, sharpe!, sharpeLow!, sharpeHigh!];
  });
  return tableOfRows(rows, LEAD_LAG_COLUMNS);
}

/** Weights as if they had been known so many sessions later, or earlier. */
function moved(weights: Weights, lag: number): Weights {
  const { days, tickers, span, values, signals } = weights;
  const by = <Cells extends Float64Array | Uint8Array>(from: Cells, to: Cells, width: number) => {
    const shift = Math.min(days.length, Math.abs(lag)) * width;
    const cells = lag < 0 ? from.subarray(shift) : from.subarray(0, from.length - shift);
    to.set(cells, lag < 0 ? 0 : shift);
    return to;
  };
  const within = (place: number) => Math.max(0, Math.min(days.length, place + lag));
  const shifted = by(values, new Float64Array(values.length).fill(NaN), tickers.length);
  const marks = signals && { signals: by(signals, new Uint8Array(signals.length), 1) };
  return toWeights({ days, tickers, ...marks }, [within(span[0]), within(span[1])], shifted);
}

/**
 * Sample and theoretical quantiles of a Q–Q plot: the values of a series in ascending order beside those of a normal
 * distribution with the same mean and standard deviation.
 *
 * One row a value: `horizon`, `group` (null if there are none), `value`, `normal` (at probability (i − 0.5) / n; Hazen,
 * 1914). Null values are left out. A series of fewer than two values, or whose values are all equal, has no rows.
 *
 * @param ic Series by session, as for `informationSummary`
 * @param options Column of the values
 * @returns A frame of one row a value, beside its normal quantile
 * @throws {TypeError} If a column is missing or an option is unknown
 */
export function theoreticalQuantiles(ic: SeriesInput): TableOf<typeof NORMAL_COLUMNS> {
  const series = readSeries("compare with a normal distribution", ic);
  const rows = series.flatMap(({ values, horizon, group }) => {
    const sorted = values.filter((value) => !Number.isNaN(value)).sort();
    const deviation = deviationOf(sorted);
    if (deviation === null || deviation === 0) return [];
    const mean = meanOf(sorted);
    const normal = (i: number) => mean + deviation * normalQuantile((i + 0.5) / sorted.length);
    return Array.from(sorted, (value, i) => [horizon, group, value, normal(i)]);
  });
  return tableOfRows(rows, NORMAL_COLUMNS);
}
