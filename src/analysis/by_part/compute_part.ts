import pl, { type DataFrame } from "nodejs-polars";
import { daysOfTimes } from "../aligned/count_rows.ts";
import { type ForwardReturnsOptions, returnsOfSpan } from "../aligned/prices/forward_returns.ts";
import type { ForwardReturns } from "../aligned/prices/forward_returns.ts";
import { layOutRows } from "../aligned/align.ts";
import type { LayOutContext } from "../aligned/lay_out_scores.ts";
import { readScoreRows, type ScoreRows } from "../aligned/score_rows.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import type { AnalysisPlan } from "../factor/analysis_options.ts";
import { gapTable } from "../factor_test/coverage.ts";
import { type SessionTables, sessionTables } from "../factor/session_tables.ts";
import type { Walk } from "../factor/take_steps.ts";
import { informationCoefficient } from "../cross_section/correlation/information_coefficient.ts";
import { dayColumn } from "../table/make_columns.ts";
import { countPart } from "./count_part.ts";
import { marginOf } from "./part_margin.ts";
import type { DaySpan, PartTableName, PartTables } from "./part_tables.ts";

/** What a part is computed from. */
export interface PartInput {
  /** Rows of the scores of the part and its margin. */
  readonly scores: DataFrame;
  /** Rows of the prices of the part and its margin: every date of them is a session. */
  readonly prices: DataFrame;
  /** The days of the part. */
  readonly own: DaySpan;
  /** The first and the last session of the whole sample in which scores are; `null` if there are none. */
  readonly placed: DaySpan | null;
  /** Each name of all prices with the day of its last one; `null` if it has none. */
  readonly listed: ReadonlyMap<string, number | null>;
}

/** How a part is computed. */
export interface PartContext {
  /** What is asked. */
  readonly plan: AnalysisPlan;
  /** How returns are computed, beside their horizons. */
  readonly returns: Omit<ForwardReturnsOptions, "periods">;
  /** Who is told how far it is, and who may stop it. */
  readonly walk: Walk;
}

/**
 * Computes the tables of one part: the same rows, to the last bit, that an analysis of the whole sample has of its sessions.
 *
 * Cost: the memory of the part and its margin as sessions × tickers.
 */
export async function computePart(input: PartInput, context: PartContext): Promise<PartTables> {
  const { plan, walk } = context;
  const { rows, laid, returns, dense, start, sessions } = layOutPart(input, context);
  const { tables } = await sessionTables({ dense }, { plan, walk, start });
  return new Map<PartTableName, DataFrame>([
    ["sessions", sessionFrame(sessions)],
    ...named(tables).map(([name, table]) => [name, cropped(table, dense, start)] as const),
    ["gaps", gapTable({ ...dense, from: start })],
    ...countPart(rows, { ...laid.context, counted: ownTimes(rows, laid.context, input.own) }, {
      own: input.own,
      returns,
    }),
  ]);
}

/** Computes of a part nothing but its sessions and their ICs: the same rows as {@link computePart}. */
export function computeIc(input: PartInput, context: Omit<PartContext, "walk">): PartTables {
  const { dense, start, sessions } = layOutPart(input, context);
  return new Map<PartTableName, DataFrame>([
    ["sessions", sessionFrame(sessions)],
    ["ic", informationCoefficient({ dense: { ...dense, from: start } })],
  ]);
}

function layOutPart(input: PartInput, { plan, returns: asked }: Omit<PartContext, "walk">) {
  const returns = returnsOfSpan(
    input.prices,
    { ...asked, periods: plan.periods },
    input.listed,
  );
  const rows = readScoreRows(input.scores, plan.align.score ?? null);
  const laid = layOutRows(rows, returns, { ...plan.align, entry: plan.align.entry ?? "next" });
  const { before } = marginOf(plan, asked);
  return { rows, laid, returns, ...ownSessions(laid.dense, input, before) };
}

function sessionFrame(sessions: Int32Array): DataFrame {
  return pl.DataFrame([dayColumn("session", sessions)]);
}

/** The sessions of a part, and of its margin those before it: `start` is the first of its own that has scores. */
function ownSessions(laid: DenseScores, { own, placed }: PartInput, before: number) {
  const { days } = laid;
  const placeOf = (day: number) => {
    const place = days.findIndex((session) => session >= day);
    return place === -1 ? days.length : place;
  };
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

function named(tables: SessionTables): readonly (readonly [PartTableName, DataFrame])[] {
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
    ["portfolio", tables.portfolio],
    ["market", tables.market],
    ["coverage", withoutAge(tables.coverage.bySession)],
    ["unscored", tables.coverage.unscored],
  ];
  return all.flatMap(([name, table]) => table === null ? [] : [[name, table] as const]);
}

// How old a score is can go back beyond any margin.
function withoutAge(coverage: DataFrame): DataFrame {
  return coverage.withColumns(pl.lit(null).cast(pl.Float64).alias("median_age"));
}

function cropped(table: DataFrame, { days, from, to }: DenseScores, start: number): DataFrame {
  if (start === from || to === from) return table;
  const first = pl.lit(days[start]!).cast(pl.Int32);
  return table.filter(pl.col("session").cast(pl.Int32).gtEq(first));
}

function ownTimes(
  rows: ScoreRows,
  context: Pick<LayOutContext, "places"> & { readonly returns: ForwardReturns },
  { from, to }: DaySpan,
): Uint8Array {
  return Uint8Array.from(daysOfTimes(rows, context), (day) => day >= from && day <= to ? 1 : 0);
}
