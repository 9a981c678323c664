import type { DataFrame } from "nodejs-polars";
import type { ForwardReturns } from "../../../analysis/aligned/prices/forward_returns.ts";
import { priceMarks } from "../../../analysis/aligned/prices/price_marks.ts";
import type { WindowRules } from "../../../analysis/aligned/prices/window_returns.ts";
import { quantize } from "../../../analysis/cross_section/buckets/quantize.ts";
import { placeFrom, placesOfDays } from "../../../analysis/dense/days.ts";
import type { DenseScores, Marks } from "../../../analysis/dense/dense_scores.ts";
import type { AnalysisPlan } from "../../../analysis/factor/analysis_options.ts";
import { type HeldTables, heldTables } from "../../../analysis/factor/session_tables.ts";
import { frameOf } from "../../../frames/frame/typed/frame_of.ts";
import { textColumn } from "../../../frames/frame/typed/make_columns.ts";
import { readDayColumn, readNumbers, readTexts } from "../../../analysis/table/read_columns.ts";
import type { DaySpan } from "./part_tables.ts";

const ACTION = "merge parts";
const COLUMNS = {
  session: "date",
  ticker: "text",
  score: "number",
  close: "number",
  signal: "count",
} as const;

/**
 * Rows that an account needs, of the sessions of a part: what is held comes from all earlier sessions, so that no part can run one.
 * `close` is that at which the session trades; `signal` is 1 where a live set came into force, null for scores by date.
 */
export function accountTable(
  { days, tickers, scores, signals = null }: DenseScores,
  { grid, entryLag }: ForwardReturns,
  own: DaySpan,
): DataFrame {
  const names = [...new Set([...tickers, ...grid.tickers])].toSorted((a, b) => a < b ? -1 : 1);
  const [ofScores, ofPrices] = [tickers, grid.tickers].map((list) => {
    const places = new Map(list.map((name, place) => [name, place]));
    return names.map((name) => places.get(name) ?? -1);
  }) as [number[], number[]];
  const cellOf = (of: readonly number[], width: number, d: number, name: number) =>
    of[name] === -1 ? -1 : d * width + of[name]!;
  const scoreOf = (d: number, name: number) =>
    scores[cellOf(ofScores, tickers.length, d, name)] ?? NaN;
  const closeOf = (d: number, name: number) =>
    grid.prices[cellOf(ofPrices, grid.tickers.length, d + entryLag, name)] ?? NaN;
  const rows: (readonly [d: number, name: number])[] = [];
  for (let d = placeFrom(days, own.from); d < placeFrom(days, own.to + 1); d++) {
    for (const name of names.keys()) {
      if (!Number.isNaN(scoreOf(d, name)) || !Number.isNaN(closeOf(d, name))) rows.push([d, name]);
    }
  }
  const numbers = (of: (d: number, name: number) => number) =>
    Float64Array.from(rows, ([d, name]) => of(d, name));
  return frameOf(COLUMNS, {
    session: Int32Array.from(rows, ([d]) => days[d]!),
    ticker: textColumn("ticker", Int32Array.from(rows, ([, name]) => name), names),
    score: numbers(scoreOf),
    close: numbers(closeOf),
    signal: rows.map(([d]) => signals === null ? null : signals[d]!),
  });
}

/** The sample in which the accounts of all parts are run. */
export interface AccountSample extends Pick<DenseScores, "days" | "tickers" | "from" | "to"> {
  /** Sessions between a row's session and its entry. */
  readonly entryLag: number;
  /** Treatment of a stock that has ended. */
  readonly ended: WindowRules["ended"];
}

/** Runs the accounts of an analysis over the rows of all its parts, as an analysis of the whole sample does. */
export function heldTablesOf(
  rows: DataFrame,
  sample: AccountSample,
  plan: AnalysisPlan,
): HeldTables {
  const { days, tickers, from, to } = sample;
  const cells = cellsOf(rows, sample);
  const gridOf = (name: string) => {
    const grid = new Float64Array(days.length * tickers.length).fill(NaN);
    const values = readNumbers(ACTION, rows, name);
    for (const [row, cell] of cells.entries()) if (cell !== -1) grid[cell] = values[row]!;
    return grid;
  };
  const scores = gridOf("score");
  const { quantiles } = plan;
  let marks: Marks | null = null;
  const dense: DenseScores = {
    ...{ days, tickers, from, to, scores, periods: plan.periods, returns: new Map() },
    present: new Uint8Array(scores.length),
    ...{ groups: null, ages: null, signals: signalsOf(rows, days) },
    marks: () => marks ??= marksOfRows(gridOf("close"), sample),
  };
  return heldTables(quantize({ dense }, { quantiles }), plan);
}

function marksOfRows(
  prices: Float64Array,
  { days, tickers, entryLag, ended }: AccountSample,
): Marks {
  const rules = {
    entryLag: 0,
    missing: "null",
    ended,
    later: new Uint8Array(tickers.length),
  } as const;
  return priceMarks({ days, tickers, prices }, rules, days.length - 1 - entryLag);
}

function cellsOf(rows: DataFrame, { days, tickers }: AccountSample): Int32Array {
  const placeOf = placesOfDays(days);
  const columns = new Map(tickers.map((ticker, column) => [ticker, column]));
  const { names, codes } = readTexts(ACTION, rows, "ticker");
  const columnOf = names.map((name) => columns.get(name) ?? -1);
  return readDayColumn(ACTION, rows, "session").map((day, row) => {
    const column = columnOf[codes[row]!]!;
    return column === -1 ? -1 : placeOf(day) * tickers.length + column;
  });
}

function signalsOf(rows: DataFrame, days: Int32Array): Uint8Array | null {
  const marks = readNumbers(ACTION, rows, "signal");
  if (marks.every(Number.isNaN)) return null;
  const signals = new Uint8Array(days.length);
  const placeOf = placesOfDays(days);
  for (const [row, day] of readDayColumn(ACTION, rows, "session").entries()) {
    if (marks[row] === 1) signals[placeOf(day)] = 1;
  }
  return signals;
}
