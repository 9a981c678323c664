import pl, { type DataFrame } from "nodejs-polars";
import { daysOfTimes } from "../../../../analysis/aligned/count_losses.ts";
import {
  type ForwardReturns,
  type ForwardReturnsOptions,
  returnsOfSpan,
} from "../../../../analysis/aligned/prices/forward_returns.ts";
import { layOutRows } from "../../../../analysis/aligned/sessions/lay_out_scores.ts";
import { readScoreRows } from "../../../../analysis/aligned/score_rows.ts";
import { placeFrom } from "../../../../analysis/dense/days.ts";
import type { DenseScores } from "../../../../analysis/dense/dense_scores.ts";
import {
  type AnalysisPlan,
  computedPeriods,
} from "../../../../analysis/factor/analysis_options.ts";
import { gapTable } from "../../../../analysis/description/factor_coverage.ts";
import { rowTables } from "../../../../analysis/factor/session_tables.ts";
import type { Walk } from "../../../../analysis/factor/walk.ts";
import { dayColumn } from "../../../../frames/frame/typed/make_columns.ts";
import { countPart } from "./count_part.ts";
import { marginOf } from "./part_window.ts";
import { accountTable } from "../account_table.ts";
import { bookOfPart, type PartBook } from "./part_book.ts";
import type { DaySpan, PartTableName, PartTables } from "../part_tables.ts";

/** Inputs of the tables of a part. */
export interface PartInput {
  /** Rows of the scores of the part and its margin. */
  readonly scores: DataFrame;
  /** Rows of the prices of the part and its margin; each of their dates is a session. */
  readonly prices: DataFrame;
  /** The days of the part. */
  readonly own: DaySpan;
  /** First and last session with scores in the whole sample; `null` without any. */
  readonly placed: DaySpan | null;
  /** Trading sessions of the portfolio of the whole sample; `null` without any score. */
  readonly book: PartBook | null;
  /** Each ticker of all prices with the day of its last close; `null` without one. */
  readonly listed: ReadonlyMap<string, number | null>;
}

/** Options of computing a part. */
export interface PartContext {
  /** The questions of the analysis. */
  readonly plan: AnalysisPlan;
  /** Options of forward returns, without their horizons. */
  readonly returns: Omit<ForwardReturnsOptions, "periods">;
  /** Progress and cancellation. */
  readonly walk: Walk;
}

/**
 * Computes the tables of one part: the same rows, to the last bit, as an analysis of the whole sample has for its sessions.
 *
 * Cost: the memory of the part and its margin as sessions × tickers.
 */
export async function computePart(input: PartInput, context: PartContext): Promise<PartTables> {
  const { plan, walk } = context;
  const { laid, dense, start, sessions } = layOutPart(input, context);
  const book = bookOfPart(dense.days, input);
  // The set in force at the start of the window was published before it.
  const signals = laid.dense.signals === null ? null : book.signals;
  const { own } = input;
  const isOwn = (day: number) => day >= own.from && day <= own.to ? 1 : 0;
  const counted = Uint8Array.from(daysOfTimes(laid.placed), isOwn);
  const { tables } = await rowTables({ dense: { ...dense, signals } }, {
    ...{ plan, walk, start, book },
  });
  return new Map<PartTableName, DataFrame>([
    ["sessions", pl.DataFrame([dayColumn("session", sessions)])],
    ...named(tables).map(([name, table]) => [name, cropped(table, dense, start)] as const),
    ["account", accountTable({ ...laid.dense, signals }, laid.placed.returns.grid, input.own)],
    ["gaps", gapTable({ ...dense, from: start })],
    ...countPart({ ...laid.placed, counted }, input.own),
  ]);
}

function layOutPart(input: PartInput, { plan, returns: asked }: PartContext) {
  const { prices, listed } = input;
  const periods = computedPeriods(plan.periods);
  const computed = returnsOfSpan(prices, { ...asked, periods }, listed);
  const returns: ForwardReturns = Object.create(computed, { periods: { value: plan.periods } });
  const rows = readScoreRows(input.scores, plan.align);
  const laid = layOutRows(rows, returns, {
    ...plan.align,
    entry: plan.align.entry ?? "next",
    isOpenEnd: true,
  });
  const { before } = marginOf(plan, asked);
  return { laid, ...ownSessions(laid.dense, input, before) };
}

/** Sessions of a part and of the margin before it; `start` is its first own session with scores. */
function ownSessions(laid: DenseScores, { own, placed }: PartInput, before: number) {
  const { days } = laid;
  const placeOf = (day: number) => placeFrom(days, day);
  const [first, end] = [placeOf(own.from), placeOf(own.to + 1)];
  const scored = placed === null ? [0, 0] as const : [placeOf(placed.from), placeOf(placed.to + 1)];
  const from = Math.max(scored[0], first - before);
  const to = Math.min(scored[1], end);
  const start = Math.max(from, first);
  const isEmpty = to <= start;
  return {
    dense: { ...laid, from: isEmpty ? first : from, to: isEmpty ? first : to },
    start: isEmpty ? first : start,
    sessions: days.slice(first, end),
  };
}

function named(
  tables: Awaited<ReturnType<typeof rowTables>>["tables"],
): readonly (readonly [PartTableName, DataFrame])[] {
  // The age of a score can reach back beyond any margin.
  const coverage = tables.coverage.bySession
    .withColumns(pl.lit(null).cast(pl.Float64).alias("median_age"));
  const all: readonly (readonly [PartTableName, DataFrame | null])[] = [
    ["ic", tables.ic],
    ["one_session", tables.oneSession],
    ["decay", tables.decay],
    ["ic_by_age", tables.icByAge],
    ["ic_by_group", tables.icByGroup],
    ["quantiles", tables.quantiles],
    ["spread", tables.spread],
    ["turnover", tables.turnover],
    ["rank_autocorrelation", tables.rankAutocorrelation],
    ["edges", tables.edges],
    ["coverage", coverage],
    ["unscored", tables.coverage.unscored],
  ];
  return all.flatMap(([name, table]) => table === null ? [] : [[name, table] as const]);
}

function cropped(table: DataFrame, { days, from, to }: DenseScores, start: number): DataFrame {
  if (to === from) return table;
  const first = pl.lit(days[start]!).cast(pl.Int32);
  return table.filter(pl.col("session").cast(pl.Int32).gtEq(first));
}
