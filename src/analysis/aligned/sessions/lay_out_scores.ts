import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import type { DenseScores, Marks } from "../../dense/dense_scores.ts";
import { areShared, bufferOf, isWorthSharing, toShared } from "../../dense/thread_memory.ts";
import type { ForwardReturns } from "../prices/forward_returns.ts";
import { type EntryOptions, type PlacedRows, placeRows } from "./place_rows.ts";
import type { Places } from "./place_sets.ts";
import { layOutGroups } from "../read_groups.ts";
import { WHY } from "../prices/window_returns.ts";
import type { TimedScores } from "../score_rows.ts";

/** Lays rows out on the sessions of returns: scores and returns as sessions × tickers. */
export function layOutRows(
  rows: TimedScores,
  returns: ForwardReturns,
  options: EntryOptions,
): { readonly dense: DenseScores; readonly placed: PlacedRows } {
  const axes = { days: returns.grid.days, tickers: rows.tickers };
  const groups = rows.groups === null ? null : layOutGroups(rows.groups, axes);
  const placed = { ...placeRows(rows, returns, options), groups };
  return { dense: layOutScores(placed), placed };
}

function layOutScores(placed: PlacedRows): DenseScores {
  const { rows, returns, places, groups = null } = placed;
  const { grid, windows, periods } = returns;
  const moved = columnsOf(grid.tickers, rows.tickers);
  const laid = placeScores(placed, moved);
  const dense = {
    days: grid.days,
    entryLag: returns.entryLag,
    tickers: rows.tickers,
    ...laid,
    periods,
    returns: new Map(
      [...windows].map(([h, { values }]) => {
        const own = moveColumns(values, grid.tickers.length, moved);
        return [h, areShared(laid.scores) ? toShared(own) : own];
      }),
    ),
    groups,
  };
  let ages: Int32Array | null = null;
  let marks: Marks | null = null;
  return {
    ...dense,
    ages: () => ages ??= agesOf(dense, places),
    marks: () => marks ??= moveMarks(returns.marks(), moved, grid.tickers.length),
  };
}

/** 1 for each row whose stock has no price at the entry of its session, and is outside of the universe. */
export function rowsOutside(
  rows: TimedScores,
  returns: ForwardReturns,
  options: EntryOptions,
): Uint8Array {
  const outside = new Uint8Array(rows.height);
  if (options.universe === "scored") return outside;
  const { grid: { tickers }, windows } = returns;
  const { fates, from } = placeRows(rows, returns, options).places;
  const moved = columnsOf(tickers, rows.tickers);
  const [why] = [...windows.values()].map((window) => window.why);
  return outside.map((_, row) => {
    const [time, column] = [rows.timeOf[row]!, moved[rows.tickerOf[row]!]!];
    if (fates[time] !== null) return 0;
    return column === -1 || why![from[time]! * tickers.length + column] === WHY.noEntry ? 1 : 0;
  });
}

/** The scores, where there is a row, and the sessions from the first to the last row. */
function placeScores(
  { rows, returns: { grid, windows }, places, refused, isPriced = true, ...context }: PlacedRows,
  moved: Int32Array,
): Pick<DenseScores, "scores" | "outside" | "present" | "from" | "to" | "signals"> {
  const width = rows.tickers.length;
  const size = grid.days.length * width;
  const { isShared = isWorthSharing(size) } = context;
  const scores = new Float64Array(bufferOf(8 * size, isShared)).fill(NaN);
  const present = new Uint8Array(scores.length);
  const outside = isPriced ? new Uint8Array(scores.length) : null;
  const [why] = [...windows.values()].map((window) => window.why);
  const priced = grid.tickers.length;
  const signals = rows.kind === "instant" ? new Uint8Array(grid.days.length) : null;
  let [from, to] = [grid.days.length, 0];
  let [before, start, end] = [-1, 0, 0];
  let isPlaced = false;
  for (let row = 0; row < rows.height; row++) {
    const time = rows.timeOf[row]!;
    if (time !== before) {
      before = time;
      isPlaced = places.fates[time] === null;
      start = places.from[time]!;
      end = places.to[time]!;
    }
    if (!isPlaced || (refused !== null && refused[row] !== 0)) continue;
    if (start < from) from = start;
    if (end > to) to = end;
    const score = rows.scores[row]!;
    if (signals !== null && score === score) signals[start] = 1;
    for (let d = start, cell = start * width + rows.tickerOf[row]!; d < end; d++, cell += width) {
      if (present[cell] === 1) throw repeated(rows, row, grid.days[d]!);
      present[cell] = 1;
      const column = moved[rows.tickerOf[row]!]!;
      if (outside === null || score !== score) scores[cell] = score;
      else if (column === -1 || why![d * priced + column] === WHY.noEntry) outside[cell] = 1;
      else scores[cell] = score;
    }
  }
  return { from: Math.min(from, to), to, present, outside, scores, signals };
}

/** Index of each ticker in another list; -1 if it is not there. */
export function columnsOf(of: readonly string[], tickers: readonly string[]): Int32Array {
  const columns = new Map(of.map((ticker, column) => [ticker, column]));
  return Int32Array.from(tickers, (ticker) => columns.get(ticker) ?? -1);
}

/** Marks with other columns; a ticker without any has no close. */
export function moveMarks(
  { moves, priced, ends, until }: Marks,
  moved: Int32Array,
  width: number,
): Marks {
  if (isInPlace(moved, width)) return { moves, priced, ends, until };
  const flags = (of: Uint8Array) => {
    const own = new Uint8Array(of.length / Math.max(1, width) * moved.length);
    for (let d = 0; d * width < of.length; d++) {
      for (const [t, column] of moved.entries()) {
        if (column !== -1) own[d * moved.length + t] = of[d * width + column]!;
      }
    }
    return own;
  };
  return {
    moves: moveColumns(moves, width, moved),
    priced: flags(priced),
    ends: flags(ends),
    until,
  };
}

/** Values with other columns; shared, not copied, if they are the same. */
function moveColumns(values: Float64Array, width: number, moved: Int32Array): Float64Array {
  if (isInPlace(moved, width)) return values;
  const sessions = width === 0 ? 0 : values.length / width;
  const size = sessions * moved.length;
  const result = new Float64Array(bufferOf(8 * size, areShared(values))).fill(NaN);
  for (let d = 0; d < sessions; d++) {
    for (let t = 0; t < moved.length; t++) {
      if (moved[t] !== -1) result[d * moved.length + t] = values[d * width + moved[t]!]!;
    }
  }
  return result;
}

const isInPlace = (moved: Int32Array, width: number) =>
  moved.length === width && moved.every((column, i) => column === i);

/** Sessions since each score was published or changed; the later of both. */
function agesOf(dense: Omit<DenseScores, "ages">, places: Places): Int32Array {
  const { scores, tickers, days } = dense;
  const width = tickers.length;
  const ages = new Int32Array(scores.length).fill(-1);
  const publishedOf = new Int32Array(days.length).fill(-1);
  for (const [time, fate] of places.fates.entries()) {
    if (fate === null) {
      publishedOf.fill(places.published[time]!, places.from[time]!, places.to[time]!);
    }
  }
  const start = new Int32Array(width);
  for (let d = dense.from; d < dense.to; d++) {
    for (let t = 0; t < width; t++) {
      const cell = d * width + t;
      const score = scores[cell]!;
      if (score !== score) continue;
      const goes = d > dense.from && scores[cell - width] === score;
      if (!goes) start[t] = Math.min(d, publishedOf[d]!);
      ages[cell] = d - start[t]!;
    }
  }
  return ages;
}

function repeated(rows: TimedScores, row: number, day: number): TypeError {
  return new TypeError(
    "Cannot align scores: expected one row per session and ticker, got several for " +
      `${fromEpochDay(day)} ${rows.tickers[rows.tickerOf[row]!]}; drop duplicates, or align each ` +
      "set separately",
  );
}
