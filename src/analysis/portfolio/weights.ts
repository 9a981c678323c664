import type { DataFrame } from "nodejs-polars";
import { fromEpochDay, toEpochDay } from "../../base/calendar/civil_date.ts";
import { assertRows } from "../../frames/frame/assert_frame.ts";
import { columnsOf, placesOfDays, usualGap, valuedSessions, weekdaysTo } from "../dense/days.ts";
import { type DenseScores, type HasDense, presentCells, toDense } from "../dense/dense_frames.ts";
import { textColumn } from "../../frames/frame/typed/make_columns.ts";
import { readDayColumn, readNumbers, readTexts } from "../table/read_columns.ts";
import { frameOf } from "../../frames/frame/typed/frame_of.ts";
import { kindsOf, type TableOf } from "../table/columns.ts";
import { SESSION_COUNT } from "../cross_section/read_options.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { type CalendarDate, isCalendarDate } from "../../base/contract/instant.ts";
import { COMPAT, presetOf } from "../alphalens_preset.ts";

/** Columns of the table, in order. */
const WEIGHT_COLUMNS = "session ticker weight";

// More than any fund borrows.
const MOST_GROSS = 20;

/** Weights of stocks by session, as shares of the capital. */
export interface Weights {
  /** One row per session and stock with a weight: `session`, `ticker`, `weight` (negative: sold short). */
  readonly data: TableOf<typeof WEIGHT_COLUMNS>;
  /** The sessions, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** The tickers, in the order of their code units. */
  readonly tickers: readonly string[];
  /** First session with weights, and one more than the last, as indices into `days`. */
  readonly span: readonly [from: number, to: number];
  /** The weights as sessions × tickers; NaN for none. */
  readonly values: Float64Array;
  /**
   * 1 for each session whose weights are new; the others repeat those of a set that is in force, or of signals that are held.
   *
   * @default every session with a weight
   */
  readonly signals?: Uint8Array | null;
}

/** Weights on the sessions and tickers of dense scores. */
export function toWeights(
  dense: Pick<DenseScores, "days" | "tickers" | "signals">,
  span: readonly [number, number],
  values: Float64Array,
): Weights {
  let data: Weights["data"] | null = null;
  return {
    get data() {
      return data ??= toFrame(dense, values);
    },
    days: dense.days,
    tickers: dense.tickers,
    span,
    values,
    signals: dense.signals ?? null,
  };
}

/**
 * Reads weights: the result of `factorWeights()` or `positions()`, or a frame with `session`, `ticker`, `weight`.
 *
 * @param on The sessions and tickers to lay them out on; `null` for those of the frame
 * @throws {TypeError} If it is neither, a session and ticker are not among those given or repeat, or a weight is null or NaN
 * @throws {RangeError} If it has no row
 */
export function readWeights(
  action: string,
  weights: Weights | DataFrame,
  on: Grid | null,
): Weights {
  if (!isWeights(weights)) {
    assertRows(action, weights, "weights");
    return placeWeights(action, weights, on);
  }
  const { days, tickers, signals = null } = weights;
  if (on === null || (days === on.days && tickers === on.tickers)) return weights;
  const placed = placeWeights(action, weights.data, on);
  const own = new Set(days.filter((_, place) => signals?.[place] === 1));
  const moved = signals && Uint8Array.from(on.days, (day) => own.has(day) ? 1 : 0);
  return toWeights({ ...on, signals: moved }, placed.span, placed.values);
}

type Grid = Pick<DenseScores, "days" | "tickers">;

/** Tells weights from a frame of their rows, of which `values` must not be read. */
function isWeights(given: Weights | DataFrame): given is Weights {
  return Array.isArray((given as Partial<Weights> | null | undefined)?.span);
}

function placeWeights(action: string, frame: DataFrame, on: Grid | null): Weights {
  const sessions = readDayColumn(action, frame, "session");
  const { names, codes } = readTexts(action, frame, "ticker");
  const weights = readNumbers(action, frame, "weight");
  const grid = on ?? { days: Int32Array.from(new Set(sessions)).sort(), tickers: names };
  const placeOf = placesOfDays(grid.days);
  const columnOf = columnsOf(grid.tickers, names);
  const values = new Float64Array(grid.days.length * grid.tickers.length).fill(NaN);
  const refuse = (row: number, [expected, gotOf, advice]: RowRule) => {
    const name = `${fromEpochDay(sessions[row]!)} ${names[codes[row]!] ?? "without a ticker"}`;
    const got = `${gotOf(name)} in row ${row}`;
    return new TypeError(`Cannot ${action}: expected ${expected}, got ${got}; ${advice}`);
  };
  let [from, to] = [grid.days.length, 0];
  for (let row = 0; row < sessions.length; row++) {
    const [session, column] = [placeOf(sessions[row]!), columnOf[codes[row]!] ?? -1];
    const cell = session * grid.tickers.length + column;
    if (session === -1 || column === -1) throw refuse(row, STRANGER);
    if (Number.isNaN(weights[row]!)) throw refuse(row, NO_WEIGHT);
    if (!Number.isNaN(values[cell]!)) throw refuse(row, REPEATED);
    values[cell] = weights[row]!;
    from = Math.min(from, session);
    to = Math.max(to, session + 1);
  }
  const { days, tickers } = grid;
  assertShares(action, values, grid);
  return toWeights({ days, tickers }, [Math.min(from, to), to], values);
}

// What a row of weights is expected to be, what it is, and what to do.
type RowRule = readonly [expected: string, got: (name: string) => string, advice: string];
const STRANGER: RowRule = [
  "weights of sessions and tickers of the data",
  (name) => name,
  "align the data that the weights are of",
];
const NO_WEIGHT: RowRule = [
  "a weight in every row",
  (name) => `null or NaN for ${name}`,
  "drop the row of a stock that is not held, or make it 0",
];
const REPEATED: RowRule = [
  "one weight per session and ticker",
  (name) => `${name} again`,
  "drop duplicates, or sum the weights of each stock",
];

/** Refuses weights that are no shares of the capital: percent, dollars or numbers of shares. */
function assertShares(action: string, values: Float64Array, { days, tickers }: Grid): void {
  const width = tickers.length;
  for (const [d, day] of days.entries()) {
    let gross = 0;
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      gross += Math.abs(values[cell]! || 0);
    }
    if (gross <= MOST_GROSS) continue;
    throw new RangeError(
      `Cannot ${action}: expected weights as shares of the capital, got ${gross.toFixed(0)} ` +
        `times the capital on ${fromEpochDay(day)}; divide percent by 100, and dollars by the ` +
        "capital",
    );
  }
}

function toFrame({ days, tickers }: Grid, values: Float64Array): TableOf<typeof WEIGHT_COLUMNS> {
  const width = tickers.length;
  const cells = presentCells(Uint8Array.from(values, (value) => value === value ? 1 : 0));
  return frameOf(kindsOf(WEIGHT_COLUMNS), {
    session: cells.map((cell) => days[Math.floor(cell / width)]!),
    ticker: textColumn("ticker", cells.map((cell) => cell % width), tickers),
    weight: Float64Array.from(cells, (cell) => values[cell]!),
  });
}

/**
 * The dense form of data in which a book is carried from session to session.
 *
 * @throws {RangeError} If the rows of a frame are not of every session
 */
export function sessionsDense(action: string, data: HasDense | DataFrame): DenseScores {
  const dense = toDense(action, data);
  if ((data as Partial<HasDense>).dense !== undefined) return dense;
  const { days, present, tickers } = dense;
  const width = tickers.length;
  assertEverySession(
    action,
    days.filter((_, d) => present.subarray(d * width, (d + 1) * width).includes(1)),
    "give the result of align() itself, which knows the sessions in between",
  );
  return dense;
}

/**
 * Refuses sessions between which others usually lie: a frame of Fridays alone lacks the returns from Monday to Thursday.
 *
 * @param days The sessions of a frame, ascending, in days since 1970-01-01
 * @param advice Input to give instead
 * @throws {RangeError} If they are usually several weekdays apart
 */
function assertEverySession(action: string, days: Int32Array, advice: string): void {
  const gap = usualGap(Array.from(days, weekdaysTo));
  if (gap === null || gap <= 1) return;
  throw new RangeError(
    `Cannot ${action}: expected rows of every session, got sessions that are usually ${gap} weekdays ` +
      `apart (${[...days.slice(0, 3)].map(fromEpochDay).join(", ")}); ${advice}`,
  );
}

const RULES: rules.OptionRules<NonNullable<Parameters<typeof positions>[1]>> = {
  holding: rules.needed(SESSION_COUNT, "5"),
  sessions: rules.severalOf(
    "dates of the form YYYY-MM-DD, as aligned.sessions has them",
    isCalendarDate,
  ),
  compat: COMPAT,
};
const ACTION = "hold positions";

/**
 * Positions if the weights of each session are held for several sessions: the mean of the weight vectors in force
 * (Jegadeesh and Titman 1993), so the exposure is full whether weights are set every session, every week or every
 * month. Their returns of one session do not overlap, so wealth, drawdown, Sharpe ratio and costs can be computed from
 * them.
 *
 * One row per session and stock that is held or has a weight: `session`, `ticker`, `weight`. Positions begin in the
 * first session with the full number of overlapping weight vectors: `holding` of them if there are weights in every
 * session. Positions that are held for less than the time to the next weights are closed in between, in rows with a
 * weight of 0. The last weights are held for one usual gap between weights, or for the holding period.
 *
 * @param weights The result of {@link factorWeights}, or a frame with `session`, `ticker`, `weight`
 * @returns The weights that are held, by session and ticker
 * @throws {RangeError} If the holding is not a positive whole number, or a frame lacks a session
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { positions } from "scoreframe/analysis";
 *
 * const weights = pl.DataFrame({
 *   session: ["2026-10-29", "2026-10-30"],
 *   ticker: ["A", "A"],
 *   weight: [1, 0.5],
 * });
 * const held = positions(weights, { holding: 2 }).data.getColumn("weight").toArray();
 * if (held.join() !== "0.75") throw new Error("the mean of two signals");
 * ```
 */
export function positions(weights: Weights | DataFrame, options: {
  /** Number of sessions for which each signal is held. */
  readonly holding: number;
  /** The sessions of the prices, for positions between those of a frame of weekly or monthly weights. @default the sessions of the weights; for a frame, those of its rows */
  readonly sessions?: readonly CalendarDate[];
  /** `"alphalens"`: sums scaled to a gross exposure of 1, from the first signal until the last has expired. @default none */
  readonly compat?: "alphalens";
}): Weights {
  rules.checkOptions("call positions()", options, RULES);
  const { overlap = "mean" } = presetOf("positions", options.compat);
  const read = readOn(weights, options.sessions);
  return overlap === "mean"
    ? meanOfLast(read, options.holding)
    : sumOfActive(read, options.holding);
}

function readOn(
  weights: Weights | DataFrame,
  sessions: NonNullable<Parameters<typeof positions>[1]>["sessions"],
): Weights {
  const read = readWeights(ACTION, weights, null);
  if (sessions !== undefined) {
    const days = Int32Array.from(new Set(sessions.map(toEpochDay))).sort();
    return placeWeights(ACTION, isWeights(weights) ? read.data : weights, { ...read, days });
  }
  if (!isWeights(weights)) {
    const advice = "name those of the prices: { sessions: aligned.sessions }";
    assertEverySession(ACTION, read.days, advice);
  }
  return read;
}

function meanOfLast(weights: Weights, holding: number): Weights {
  const { days, tickers, span } = weights;
  const width = tickers.length;
  const places = valuedSessions(weights.values, width, span);
  const gap = Math.min(holding, usualGap(places) ?? holding);
  const from = places[0] ?? span[0];
  const to = Math.min(days.length, (places.at(-1) ?? span[0] - 1) + gap);
  const start = Math.min(from + holding - gap, to);
  const values = sumOfLast(weights, holding, [start, to]);
  const signals = new Uint8Array(days.length);
  let before = -1;
  for (let d = start; d < to; d++) {
    const active = places.filter((place) => place <= d && place > d - holding);
    for (let cell = d * width; cell < (d + 1) * width; cell++) values[cell]! /= active.length || 1;
    // The stocks of the session before are no longer held.
    for (let cell = d * width; active.length === 0 && cell < (d + 1) * width; cell++) {
      if (!Number.isNaN(values[cell - width] ?? NaN)) values[cell] = 0;
    }
    // Positions change with a vector that comes, and with one that goes.
    const state = (active[0] ?? -1) * days.length + (active.at(-1) ?? -1);
    if (d === start || state !== before) signals[d] = 1;
    before = state;
  }
  return toWeights({ days, tickers, signals }, [start, to], values);
}

function sumOfActive(weights: Weights, holding: number): Weights {
  const { span: [from, to], days, tickers } = weights;
  const width = tickers.length;
  const end = Math.min(to + holding, days.length);
  const sums = sumOfLast(weights, holding, [from, end]);
  for (let d = from; d < end; d++) {
    let gross = 0;
    for (let cell = d * width; cell < (d + 1) * width; cell++) gross += Math.abs(sums[cell]! || 0);
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      sums[cell] = gross === 0 ? 0 : (sums[cell]! || 0) / gross;
    }
  }
  return toWeights({ days, tickers }, [from, end], sums);
}

/** The sum of each stock's weights of the last sessions; NaN if it has none of them. */
function sumOfLast(
  { values, tickers }: Weights,
  holding: number,
  [start, end]: readonly [number, number],
): Float64Array {
  const width = tickers.length;
  const sums = new Float64Array(values.length).fill(NaN);
  for (let d = start; d < end; d++) {
    for (let lag = 0; lag < holding && lag <= d; lag++) {
      for (let name = 0; name < width; name++) {
        const weight = values[(d - lag) * width + name]!;
        const cell = d * width + name;
        if (weight === weight) sums[cell] = (sums[cell]! || 0) + weight;
      }
    }
  }
  return sums;
}
