import pl, { type DataFrame } from "nodejs-polars";
import { toEpochDay } from "../../base/calendar/civil_date.ts";
import type { CalendarDate } from "../../base/contract/instant.ts";
import { dayLit } from "../../frames/frame/provenance/held_out.ts";
import { markSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import { tagOf } from "../../frames/frame/tag_of.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import type { Aligned } from "../aligned/align.ts";
import type { LossReport } from "../aligned/loss_report.ts";
import { quantize, type Quantized } from "../cross_section/buckets/quantize.ts";
import type { PERMUTATION_COLUMNS } from "../factor_test/permutation_test.ts";
import type { RESIDUAL_IC_COLUMNS } from "../factor_test/residual_ic.ts";
import type { SessionSeries } from "../inference/tested_mean.ts";
import { logTests } from "../series/information_summary.ts";
import { ratesOf } from "../series/costs/costs.ts";
import { tableSeries } from "../inference/table_series.ts";
import type { TrialLog } from "../trial_log.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import type { ScoresOrigin } from "./scores_origin.ts";
import type { SessionTables } from "./session_tables.ts";
import type { TableOf } from "../table/columns.ts";

/** Sample of an analysis: scores and returns, their tables by session, and results that need all rows at once. */
export interface AnalysisSample {
  /** Origin of the scores. */
  readonly origin: ScoresOrigin;
  /** Options, with all defaults filled in. */
  readonly plan: AnalysisPlan;
  /** Trial log of the tests. */
  readonly trialLog: TrialLog;
  /** Number of portfolios in the trial log, this one included. */
  readonly portfolios: number;
  /** One-way costs in basis points. */
  readonly oneWayBps: readonly number[];
  /** Scores and returns, and the rows lost in joining them. */
  readonly aligned: Aligned;
  /** Results by session. */
  readonly tables: SessionTables;
  /** Quantiles of all sessions. */
  readonly quantized: Quantized;
  /** Permutation test; `null` in a period. */
  readonly permutation: TableOf<typeof PERMUTATION_COLUMNS> | null;
  /** Residual and raw ICs; `null` if the scores are as given. */
  readonly residualIc: TableOf<typeof RESIDUAL_IC_COLUMNS> | null;
  /** Number of rows without a neutral score, because a column to which they are made neutral is missing. */
  readonly unexposed: number;
}

const PORTFOLIO = "mean portfolio return";

/**
 * The sample of an analysis, whose tests enter the trial log: the mean IC and the mean spread at each horizon, and the mean portfolio
 * return. What is read of the analysis later enters nothing.
 */
export function planTests(
  given: Omit<AnalysisSample, "portfolios" | "oneWayBps"> & {
    readonly oneWayBps: number | readonly number[] | undefined;
  },
): AnalysisSample {
  const { origin, plan: { weighting }, trialLog } = given;
  const sample = { ...given, portfolios: 1, oneWayBps: ratesOf(given.oneWayBps) };
  const of = { trialLog, of: origin.what };
  const by = weighting === "factor" ? {} : { options: { weighting } };
  logTests(seriesIn(sample, "ic"), { ...of, what: "mean IC" });
  logTests(seriesIn(sample, "spread"), { ...of, what: "mean spread" });
  logTests(seriesIn(sample, "portfolio"), { ...of, what: PORTFOLIO, ...by });
  const portfolios = trialLog.variants().filter(({ what }) => what === PORTFOLIO).length;
  return { ...sample, portfolios: Math.max(1, portfolios) };
}

const KEPT = new WeakMap<object, Map<string, unknown>>();

/** A value that is computed when it is first asked for, and kept with an object. */
function keep<Value>(of: object, name: string, compute: () => Value): Value {
  const known = KEPT.get(of) ?? new Map<string, unknown>();
  KEPT.set(of, known);
  if (!known.has(name)) known.set(name, compute());
  return known.get(name) as Value;
}

/** Makes the getters of a class answers of its sample: each is computed when it is first read, and kept. */
export function keepAnswers({ name: of, prototype }: {
  readonly name: string;
  readonly prototype: { readonly sample: AnalysisSample };
}): void {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (get === undefined) continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: typeof prototype) {
        return keep(this.sample, `${of}.${name}`, () => {
          const answer: unknown = get.call(this);
          // Tables of numbers have no column of provenance.
          if (this.sample.origin.isSynthetic && tagOf(answer) === "DataFrame") {
            markSynthetic(answer as DataFrame, ["synthetic"]);
          }
          return answer;
        });
      },
    });
  }
}

// The columns of each table by session that are its values and groups.
const SERIES = {
  ic: { value: "ic" },
  oneSession: { value: "ic" },
  decay: { value: "ic", group: "lag" },
  icByAge: { value: "ic", group: "age" },
  icByGroup: { value: "ic", group: "group" },
  spread: { value: "spread" },
  portfolio: { value: "return" },
} as const;

/** A table of a sample as series by session; none if the sample lacks it. */
export function seriesIn(
  { tables, aligned: { dense } }: AnalysisSample,
  name: keyof typeof SERIES,
): readonly SessionSeries[] {
  const { [name]: table } = tables;
  if (table === null) return [];
  return keep(tables, name, () => tableSeries(table, dense.days, SERIES[name]));
}

/** A span of sessions, both ends included. */
interface SessionPeriod {
  readonly first: CalendarDate;
  readonly last: CalendarDate;
}

/**
 * The sample of one period: its rows of the tables. Nothing enters the trial log. Left out are the permutation test and residual ICs, which were computed over all sessions.
 */
export function cutSample(sample: AnalysisSample, period: SessionPeriod): AnalysisSample {
  const { coverage, ...tables } = sample.tables;
  const { dense, loss } = sample.aligned;
  const days = [toEpochDay(period.first), toEpochDay(period.last) + 1];
  const [from, to] = days.map((day) => dense.days.filter((one) => one < day).length);
  // Inherits everything else: rows are built, or refused, on first access.
  const aligned = inherit(sample.aligned, {
    dense: inherit(dense, { from: from!, to: to! }),
    loss: lossWithin(loss, period),
  });
  const cut = Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [name, table && within(table, period)]),
  ) as Omit<SessionTables, "coverage">;
  const bySession = within(coverage.bySession, period);
  const unscored = within(coverage.unscored, period);
  return {
    ...sample,
    aligned,
    tables: { ...cut, coverage: { bySession, gaps: coverage.gaps, unscored } },
    quantized: quantize(aligned, { quantiles: sample.plan.quantiles }),
    permutation: null,
    residualIc: null,
  };
}

// The split by session has neither tickers nor examples.
function lossWithin(loss: LossReport, period: SessionPeriod): LossReport {
  const [rows, session] = [pl.col("rows"), pl.col("session")];
  const counted = within(loss.bySession(), period).groupBy("reason", "horizon").agg(
    rows.sum(),
    session.nUnique().cast(pl.Int32).alias("sessions"),
    session.min().alias("first_session"),
    session.max().alias("last_session"),
  ).sort(["horizon", "reason"]);
  const lines = counted.toRecords() as { horizon: number | null; rows: number }[];
  const first = lines.find(({ horizon }) => horizon !== null)?.horizon ?? null;
  const all = lines.filter(({ horizon }) => horizon === null || horizon === first)
    .reduce((sum, line) => sum + line.rows, 0);
  const table = counted.withColumns(
    rows.cast(pl.Float64).div(pl.lit(all)).alias("share"),
    pl.lit(null).cast(pl.Int32).alias("tickers"),
    pl.lit(null).cast(pl.Utf8).alias("examples"),
  ).select(...loss.table.columns);
  return inherit(loss, { table: framed(table), rows: all });
}

function inherit<T extends object>(of: T, own: Partial<T>): T {
  const entries = Object.entries(own).map(([name, value]) => [name, { value, enumerable: true }]);
  return Object.create(of, Object.fromEntries(entries)) as T;
}

function within<Frame extends DataFrame>(frame: Frame, { first, last }: SessionPeriod): Frame {
  // Money belongs to the session of its weights.
  const session = pl.col(frame.columns.includes("from") ? "from" : "session");
  return frame.filter(session.gtEq(dayLit(first)).and(session.ltEq(dayLit(last)))) as Frame;
}
