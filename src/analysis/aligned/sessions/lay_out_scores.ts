import { fromEpochDay } from "../../../base/calendar/civil_date.ts";
import type { DenseScores, Marks } from "../../dense/dense_frames.ts";
import type { ForwardReturns } from "../prices/forward_returns.ts";
import { type EntryOptions, type PlacedRows, placeRows } from "./place_rows.ts";
import type { Places } from "./place_sets.ts";
import { columnsOf } from "../../dense/days.ts";
import { layOutGroups } from "../read_groups.ts";
import { WHY } from "../prices/price_grid.ts";
import type { TimedScores } from "../score_rows.ts";

/** Lays rows out on the sessions of returns: scores and returns as sessions × tickers. */
export function layOutRows(rows: TimedScores, returns: ForwardReturns, options: EntryOptions) {
  const axes = { days: returns.grid.days, tickers: rows.tickers };
  const groups = rows.groups === null ? null : layOutGroups(rows.groups, axes);
  const placed = placeRows(rows, returns, options, groups);
  const size = axes.days.length * axes.tickers.length;
  // One more than the time of each cell, where each row is a time of its own.
  const versions = rows.versions === null ? null : new Int32Array(size);
  return { dense: layOutScores(placed, versions), placed, versions };
}

function layOutScores(placed: PlacedRows, versions: Int32Array | null): DenseScores {
  const { rows, returns, places, groups } = placed;
  const { grid, windows, periods } = returns;
  const moved = columnsOf(grid.tickers, rows.tickers);
  const laid = placeScores(placed, moved, versions);
  const move = (values: Float64Array) => moveNumbers(values, grid.tickers.length, moved);
  const dense = {
    days: grid.days,
    entryLag: returns.entryLag,
    tickers: rows.tickers,
    ...laid,
    periods,
    returns: new Map([...windows].map(([h, { values }]) => [h, move(values)])),
    groups,
  };
  let ages: Int32Array | null = null;
  let marks: Marks | null = null;
  return {
    ...dense,
    ages: () => ages ??= agesOf(dense, places, versions),
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
  const { fates, from } = placeRows(rows, returns, options).places;
  const isUnpriced = withoutEntry(returns, columnsOf(returns.grid.tickers, rows.tickers));
  return outside.map((_, row) => {
    const time = rows.timeOf[row]!;
    return fates[time] === null && isUnpriced(from[time]!, rows.tickerOf[row]!) ? 1 : 0;
  });
}

/**
 * Tells whether a stock of the scores has no price at the entry of a session.
 *
 * @param moved The column of each of them among those of the prices; −1 for none
 */
function withoutEntry(
  { grid: { tickers: { length: width } }, windows }: ForwardReturns,
  moved: Int32Array,
): (session: number, ticker: number) => boolean {
  const [why] = [...windows.values()].map((window) => window.why);
  return (session, ticker) => {
    const column = moved[ticker]!;
    return column === -1 || why![session * width + column] === WHY.noEntry;
  };
}

/** The scores, where there is a row, and the sessions from the first to the last row. */
function placeScores(
  { rows, returns, places, refused, isPriced }: PlacedRows,
  moved: Int32Array,
  versions: Int32Array | null,
): Pick<DenseScores, "scores" | "outside" | "columns" | "present" | "from" | "to" | "signals"> {
  const { grid } = returns;
  const width = rows.tickers.length;
  const size = grid.days.length * width;
  const scores = new Float64Array(size).fill(NaN);
  const present = new Uint8Array(scores.length);
  const outside = isPriced ? new Uint8Array(scores.length) : null;
  const columns = new Map(
    [...rows.columns.keys()].map((name) => [name, new Float64Array(scores.length).fill(NaN)]),
  );
  const isUnpriced = withoutEntry(returns, moved);
  const signals = rows.kind === "instant" ? new Uint8Array(grid.days.length) : null;
  let [from, to] = [grid.days.length, 0];
  for (let row = 0; row < rows.height; row++) {
    const time = rows.timeOf[row]!;
    if (places.fates[time] !== null || (refused !== null && refused[row] !== 0)) continue;
    const start = places.from[time]!;
    const end = places.to[time]!;
    if (start < from) from = start;
    if (end > to) to = end;
    const score = rows.scores[row]!;
    if (signals !== null && score === score) signals[start] = 1;
    for (let d = start, cell = start * width + rows.tickerOf[row]!; d < end; d++, cell += width) {
      if (present[cell] === 1) throw repeated(rows, row, grid.days[d]!);
      present[cell] = 1;
      if (versions !== null) versions[cell] = time + 1;
      if (outside !== null && isUnpriced(d, rows.tickerOf[row]!)) {
        if (score === score) outside[cell] = 1;
        continue;
      }
      scores[cell] = score;
      for (const [name, grid] of columns) grid[cell] = rows.columns.get(name)![row]!;
    }
  }
  return { from: Math.min(from, to), to, present, outside, columns, scores, signals };
}

/** Marks with other columns; a ticker without any has no close. */
function moveMarks(marks: Marks, moved: Int32Array, width: number): Marks {
  const flags = (of: Uint8Array) => moveColumns(of, width, moved, (size) => new Uint8Array(size));
  const { moves, priced, ends, until } = marks;
  return {
    moves: moveNumbers(moves, width, moved),
    priced: flags(priced),
    ends: flags(ends),
    until,
  };
}

function moveNumbers(values: Float64Array, width: number, moved: Int32Array): Float64Array {
  return moveColumns(values, width, moved, (size) => new Float64Array(size).fill(NaN));
}

/** Values with other columns; shared, not copied, if they are the same. */
function moveColumns<Values extends Float64Array | Uint8Array>(
  values: Values,
  width: number,
  moved: Int32Array,
  create: (size: number) => Values,
): Values {
  if (moved.length === width && moved.every((column, i) => column === i)) return values;
  const sessions = width === 0 ? 0 : values.length / width;
  const result = create(sessions * moved.length);
  for (let d = 0; d < sessions; d++) {
    for (let t = 0; t < moved.length; t++) {
      if (moved[t] !== -1) result[d * moved.length + t] = values[d * width + moved[t]!]!;
    }
  }
  return result;
}

/** Sessions since each score was published or changed; the later of both. */
function agesOf(
  dense: Omit<DenseScores, "ages">,
  places: Places,
  versions: Int32Array | null,
): Int32Array {
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
      const published = versions === null
        ? publishedOf[d]!
        : places.published[versions[cell]! - 1]!;
      if (!goes || versions?.[cell] !== versions?.[cell - width]) start[t] = Math.min(d, published);
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
