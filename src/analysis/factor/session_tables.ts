import pl, { type DataFrame } from "nodejs-polars";
import type { Progress } from "../../frames/notebook/kernel/progress.ts";
import type { DenseScores, HasDense } from "../dense/dense_frames.ts";
import { informationCoefficient } from "../cross_section/correlation/information_coefficient.ts";
import { quantileTable } from "../cross_section/buckets/quantile_returns.ts";
import { quantileSpread } from "../cross_section/buckets/quantile_spread.ts";
import {
  type AUTOCORRELATION_COLUMNS,
  quantileTurnover,
  rankAutocorrelation,
  type TURNOVER_COLUMNS,
} from "../cross_section/buckets/quantile_turnover.ts";
import { quantize, type Quantized } from "../cross_section/buckets/quantize.ts";
import { edgeTable } from "../description/score_distribution.ts";
import { type CoverageTables, coverageTables } from "../description/factor_coverage.ts";
import { moneyDays } from "../dense/days.ts";
import { marksOf } from "../dense/marks.ts";
import { carryBook } from "../portfolio/book/carry_book.ts";
import { type BOOK_COLUMNS, bookFrame } from "../portfolio/portfolio_returns.ts";
import { factorWeights } from "../portfolio/factor_weights.ts";
import { heldQuantiles, heldUniverse } from "../portfolio/book/equal_books.ts";
import { dayColumn, numberColumn } from "../../frames/frame/typed/make_columns.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import type { ColumnsOf } from "../../frames/frame/typed/columns.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import type {
  IC_COLUMNS,
  InformationCoefficientOptions,
  LagColumns,
} from "../cross_section/correlation/ic_frame.ts";
import type { AnalysisPlan } from "./analysis_options.ts";
import type { KindsOf, TableOf } from "../table/columns.ts";

/** Progress and cancellation of a long calculation. */
export interface Walk {
  /** Stops it. */
  readonly signal: AbortSignal;
  /** Called after each step. */
  update(done: number, total: number, note: string): void;
}

/**
 * Runs steps in sequence and yields to the event loop between them, for the stop button and the progress bar.
 *
 * @param walk Progress and cancellation
 * @param note Name of the steps
 * @param steps The steps
 * @throws The reason of the signal, if it is aborted
 */
export async function takeSteps<const Steps extends readonly (() => unknown)[]>(
  walk: Walk,
  note: string,
  steps: Steps,
): Promise<{ -readonly [K in keyof Steps]: ReturnType<Steps[K]> }> {
  const results: unknown[] = [];
  for (const [done, step] of steps.entries()) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    walk.signal.throwIfAborted();
    results.push(step());
    walk.update(done + 1, steps.length, note);
  }
  return results as { -readonly [K in keyof Steps]: ReturnType<Steps[K]> };
}

/** Runs one step, as {@link takeSteps} does. */
export async function takeStep<Result>(
  walk: Walk,
  note: string,
  step: () => Result,
): Promise<Awaited<Result>> {
  const [result] = await takeSteps(walk, note, [step]);
  return await result;
}

/** Sessions of the batches of a calculation. */
interface BatchSpan {
  /**
   * Number of sessions before a batch that its values depend on; their rows are dropped.
   *
   * @default 0
   */
  readonly before?: number;
  /**
   * Minimum number of sessions in a batch.
   *
   * @default 1
   */
  readonly atLeast?: number;
  /**
   * Maximum number of sessions × tickers in a batch, unless `atLeast` requires more.
   *
   * @default 250,000, which takes less than a tenth of a second
   */
  readonly cells?: number;
}

/**
 * Computes a frame by session in batches, one step each, so that it can be stopped in between.
 *
 * @param compute Returns the same number of rows for each session, sessions ascending
 */
export async function inBatches(
  walk: Walk,
  dense: DenseScores,
  note: string,
  compute: (part: HasDense) => DataFrame,
  { before = 0, atLeast = 1, cells = 250_000 }: BatchSpan = {},
): Promise<DataFrame> {
  const { from, to, tickers } = dense;
  const size = Math.max(atLeast, Math.floor(cells / Math.max(1, tickers.length)), 1);
  const starts = Array.from({ length: Math.max(1, Math.ceil((to - from) / size)) }, (_, i) => i);
  const frames = await takeSteps(
    walk,
    note,
    starts.map((i) => () => {
      const start = from + i * size;
      const [first, end] = [Math.max(from, start - before), Math.min(to, start + size)];
      const frame = compute({ dense: { ...dense, from: first, to: end } });
      const perSession = end === first ? 0 : frame.height / (end - first);
      return start === first ? frame : frame.slice((start - first) * perSession, frame.height);
    }),
  );
  return frames.length === 1 ? frames[0]! : pl.concat(frames);
}

// Estimated shares of the time of a large analysis, for the progress bar only.
const SHARES: Readonly<Record<string, number>> = {
  returns: 0.06,
  alignment: 0.05,
  losses: 0.02,
  sorting: 0.07,
  "permutation test": 0.4,
  correlations: 0.04,
  "one-session form": 0.02,
  lags: 0.14,
  parts: 0.02,
  buckets: 0.08,
  portfolio: 0.05,
  detail: 0.03,
  tests: 0.02,
};

/**
 * Progress of a whole analysis as one bar that never moves back.
 */
export function wholeWalk(bar: Progress, signal: AbortSignal): Walk {
  const shares = new Map<string, number>();
  let reached = 0;
  bar.update({ done: 0, total: 1, note: "returns" });
  return {
    signal,
    update: (done, total, note) => {
      // A part that runs again does not add to its share.
      shares.set(note, Math.max(shares.get(note) ?? 0, done / total));
      const sum = [...shares].reduce((all, [name, share]) => all + (SHARES[name] ?? 0) * share, 0);
      reached = Math.max(reached, Math.min(1, sum));
      bar.update({ done: reached, total: 1, note });
    },
  };
}

/**
 * Results of an analysis by session: the input of all its answers except the permutation test and the distribution of all
 * scores. Sessions ascend in every table, so the tables of consecutive spans can be stacked.
 */
export interface SessionTables {
  /** ICs by session and horizon. */
  readonly ic: TableOf<typeof IC_COLUMNS>;
  /** One-session form: ICs of one-session returns with the mean rank over the last sessions of each horizon. */
  readonly oneSession: DataFrame;
  /** ICs by session and lag. */
  readonly decay: TypedFrame<LagColumns>;
  /** ICs by session, horizon and age; `null` if the age is unknown. */
  readonly icByAge: DataFrame | null;
  /** ICs by session, horizon and group; `null` without groups. */
  readonly icByGroup: DataFrame | null;
  /** Mean returns by session, horizon and quantile. */
  readonly quantiles: DataFrame;
  /** Returns of an account by date and quantile; stocks stay in their quantiles until there are new scores. */
  readonly heldQuantiles: DataFrame;
  /** Top minus bottom by session and horizon. */
  readonly spread: DataFrame;
  /** Turnover by session and quantile. */
  readonly turnover: TableOf<typeof TURNOVER_COLUMNS>;
  /** Rank autocorrelation by session. */
  readonly rankAutocorrelation: TableOf<typeof AUTOCORRELATION_COLUMNS>;
  /** The largest score by session and quantile. */
  readonly edges: DataFrame;
  /** Return and trades of the portfolio by date. */
  readonly portfolio: TableOf<typeof BOOK_COLUMNS>;
  /** Return of the equal-weighted universe by date. */
  readonly market: DataFrame;
  /** Coverage by session. */
  readonly coverage: CoverageTables;
}

/** Context of {@link SessionTables}. */
interface TableContext {
  /** Options, with all defaults filled in. */
  readonly plan: AnalysisPlan;
  /** Progress and cancellation. */
  readonly walk: Walk;
}

const ACTION = "carry a portfolio";

/** Computes the tables by session of an analysis, and the quantiles. */
export async function sessionTables(
  aligned: HasDense,
  context: TableContext,
): Promise<{ readonly tables: SessionTables; readonly quantized: Quantized }> {
  const { plan, walk } = context;
  const correlations = await correlate(aligned, context);
  const sort = () => quantize(aligned, { quantiles: plan.quantiles });
  const quantized = await takeStep(walk, "buckets", sort);
  const [quantiles, spread, turnover, autocorrelation, edges] = await takeSteps(walk, "buckets", [
    () => quantileTable(quantized),
    () => quantileSpread(quantized).data,
    () => quantileTurnover(quantized),
    () => rankAutocorrelation(quantized, { minNames: plan.minNames }),
    () => edgeTable(quantized),
  ]);
  const coverage = await takeStep(walk, "coverage", () => coverageTables(aligned.dense));
  const ofBuckets = { quantiles, spread, turnover, edges, rankAutocorrelation: autocorrelation };
  const held = await takeStep(walk, "portfolio", () => heldTables(quantized, plan));
  return { tables: { ...correlations, ...ofBuckets, coverage, ...held }, quantized };
}

/** Computes the tables of accounts over all sessions: portfolio, universe and quantiles. */
function heldTables(quantized: Quantized, plan: AnalysisPlan) {
  const { dense } = quantized;
  const weights = factorWeights(quantized, { weighting: plan.weighting });
  const book = carryBook(weights, marksOf(ACTION, dense), plan.book);
  const { date, from } = moneyDays(dense, book);
  const market = pl.DataFrame([
    ...[dayColumn("date", date), dayColumn("from", from)],
    numberColumn("return", heldUniverse(ACTION, dense, book.span).slice(0, date.length)),
  ]);
  return {
    portfolio: bookFrame(book, dense),
    market,
    heldQuantiles: heldQuantiles(ACTION, quantized, book.span),
  };
}

async function correlate({ dense }: HasDense, { plan, walk }: TableContext) {
  const { minNames } = plan;
  const batches = (note: string, options: InformationCoefficientOptions, span: BatchSpan = {}) => {
    const compute = (part: HasDense) => informationCoefficient(part, { ...options, minNames });
    return inBatches(walk, dense, note, compute, span);
  };
  const before = Math.max(...plan.periods) - 1;
  const atLeast = 2 * Math.max(...plan.lags);
  const ic = await batches("correlations", {});
  const oneSession = await batches("one-session form", { form: "oneSession" }, { before });
  const decay = await batches("lags", { lags: plan.lags }, { atLeast });
  return {
    ic: framed<ColumnsOf<KindsOf<typeof IC_COLUMNS>>>(ic),
    oneSession,
    decay: framed<LagColumns>(decay),
    icByAge: dense.ages === null ? null : await batches("parts", { by: "age" }),
    icByGroup: dense.groups === null ? null : await batches("parts", { by: "group" }),
  };
}
