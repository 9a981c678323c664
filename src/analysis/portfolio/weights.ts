import type { DataFrame } from "nodejs-polars";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { assertRows } from "../../frames/frame/assert_frame.ts";
import { placesOfDays, usualGap, weekdaysTo } from "../dense/days.ts";
import { type DenseScores, type HasDense, toDense } from "../dense/dense_frames.ts";
import { textColumn } from "../../frames/frame/typed/make_columns.ts";
import { readDayColumn, readNumbers, readTexts } from "../table/read_columns.ts";
import { frameOf } from "../../frames/frame/typed/frame_of.ts";
import { kindsOf, type TableOf } from "../table/columns.ts";

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
  on: Pick<DenseScores, "days" | "tickers"> | null,
): Weights {
  const isOwn = isWeights(weights);
  if (isOwn && (on === null || isSame(weights as Weights, on))) return weights as Weights;
  const frame = isOwn ? (weights as Weights).data : weights as DataFrame;
  if (!isOwn) assertRows(action, frame, "weights");
  const { days, tickers, span, values } = placeWeights(action, frame, on);
  const signals = isOwn ? movedSignals(weights as Weights, days) : null;
  return toWeights({ days, tickers, signals }, span, values);
}

/** Tells weights from a frame of their rows, of which `values` must not be read. */
export function isWeights(given: unknown): given is Weights {
  return Array.isArray((given as Partial<Weights> | null | undefined)?.span);
}

function placeWeights(
  action: string,
  frame: DataFrame,
  on: Pick<DenseScores, "days" | "tickers"> | null,
): Weights {
  const sessions = readDayColumn(action, frame, "session");
  const { names, codes } = readTexts(action, frame, "ticker");
  const weights = readNumbers(action, frame, "weight");
  const grid = on ?? { days: Int32Array.from(new Set(sessions)).sort(), tickers: names };
  const placeOf = placesOfDays(grid.days);
  const columns = new Map(grid.tickers.map((ticker, column) => [ticker, column]));
  const columnOf = names.map((name) => columns.get(name) ?? -1);
  const values = new Float64Array(grid.days.length * grid.tickers.length).fill(NaN);
  const nameOf = (row: number) =>
    `${fromEpochDay(sessions[row]!)} ${names[codes[row]!] ?? "without a ticker"}`;
  let [from, to] = [grid.days.length, 0];
  for (let row = 0; row < sessions.length; row++) {
    const [session, column] = [placeOf(sessions[row]!), columnOf[codes[row]!] ?? -1];
    if (session === -1 || column === -1) throw stranger(action, nameOf(row), row);
    const cell = session * grid.tickers.length + column;
    if (Number.isNaN(weights[row]!)) throw noWeight(action, nameOf(row), row);
    if (!Number.isNaN(values[cell]!)) throw repeated(action, nameOf(row), row);
    values[cell] = weights[row]!;
    from = Math.min(from, session);
    to = Math.max(to, session + 1);
  }
  const { days, tickers } = grid;
  assertShares(action, values, grid);
  return toWeights({ days, tickers }, [Math.min(from, to), to], values);
}

function movedSignals({ days, signals = null }: Weights, to: Int32Array): Uint8Array | null {
  if (signals === null) return null;
  const own = new Set(days.filter((_, place) => signals[place] === 1));
  return Uint8Array.from(to, (day) => own.has(day) ? 1 : 0);
}

/** Refuses weights that are no shares of the capital: percent, dollars or numbers of shares. */
function assertShares(
  action: string,
  values: Float64Array,
  { days, tickers }: Pick<DenseScores, "days" | "tickers">,
): void {
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

function stranger(action: string, name: string, row: number): TypeError {
  return new TypeError(
    `Cannot ${action}: expected weights of sessions and tickers of the data, got ${name} in row ${row}; ` +
      "align the data that the weights are of",
  );
}

function noWeight(action: string, name: string, row: number): TypeError {
  return new TypeError(
    `Cannot ${action}: expected a weight in every row, got null or NaN for ${name} in row ${row}; drop the row of ` +
      "a stock that is not held, or make it 0",
  );
}

function repeated(action: string, name: string, row: number): TypeError {
  return new TypeError(
    `Cannot ${action}: expected one weight per session and ticker, got ${name} again in row ${row}; drop duplicates, ` +
      "or sum the weights of each stock",
  );
}

function isSame(weights: Weights, on: Pick<DenseScores, "days" | "tickers">): boolean {
  return weights.days === on.days && weights.tickers === on.tickers;
}

function toFrame(
  { days, tickers }: Pick<DenseScores, "days" | "tickers">,
  values: Float64Array,
): TableOf<typeof WEIGHT_COLUMNS> {
  const width = tickers.length;
  let count = 0;
  for (const value of values) if (value === value) count++;
  const cells = new Int32Array(count);
  for (let cell = 0, i = 0; cell < values.length; cell++) {
    if (values[cell] === values[cell]) cells[i++] = cell;
  }
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
export function assertEverySession(action: string, days: Int32Array, advice: string): void {
  const gap = usualGap(Array.from(days, weekdaysTo));
  if (gap === null || gap <= 1) return;
  throw new RangeError(
    `Cannot ${action}: expected rows of every session, got sessions that are usually ${gap} weekdays ` +
      `apart (${[...days.slice(0, 3)].map(fromEpochDay).join(", ")}); ${advice}`,
  );
}
