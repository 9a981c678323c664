import pl, { type DataFrame } from "nodejs-polars";
import { assertFrame } from "../../frame/assert_frame.ts";
import { placesOfDays } from "../dense/days.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { dayColumn, numberColumn, textColumn } from "../table/make_columns.ts";
import { readDays, readNumbers, readTexts } from "../table/read_columns.ts";

/** Weights of names by session, as shares of the capital. */
export interface Weights {
  /** One row a session and name with a weight: `session`, `ticker`, `weight` (negative: sold short). */
  readonly data: DataFrame;
  /** The sessions, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /** The tickers, in the order of their code units. */
  readonly tickers: readonly string[];
  /** First session with weights, and one more than the last, as indices into `days`. */
  readonly span: readonly [from: number, to: number];
  /** The weights as sessions × tickers; NaN for none. */
  readonly values: Float64Array;
}

/** Weights on the sessions and tickers of dense scores. */
export function toWeights(
  dense: Pick<DenseScores, "days" | "tickers">,
  span: readonly [number, number],
  values: Float64Array,
): Weights {
  let data: DataFrame | null = null;
  return {
    get data() {
      return data ??= toFrame(dense, values);
    },
    days: dense.days,
    tickers: dense.tickers,
    span,
    values,
  };
}

/**
 * Reads weights: the result of `factorWeights()` or `positions()`, or a frame with `session`, `ticker`, `weight`.
 *
 * @param on The sessions and tickers to lay them out on; `null` for those of the frame
 * @throws {TypeError} If it is neither, or a session and ticker are not among those given
 */
export function readWeights(
  action: string,
  weights: Weights | DataFrame,
  on: Pick<DenseScores, "days" | "tickers"> | null,
): Weights {
  const given = weights as Partial<Weights> | null | undefined;
  const isOwn = given?.values instanceof Float64Array;
  if (isOwn && (on === null || isSame(weights as Weights, on))) return weights as Weights;
  const frame = isOwn ? (weights as Weights).data : weights as DataFrame;
  assertFrame(action, frame);
  const sessions = readDays(action, frame, "session");
  const { names, codes } = readTexts(action, frame, "ticker");
  const read = readNumbers(action, frame, "weight");
  const grid = on ?? { days: Int32Array.from(new Set(sessions)).sort(), tickers: names };
  const placeOf = placesOfDays(grid.days);
  const columns = new Map(grid.tickers.map((ticker, column) => [ticker, column]));
  const columnOf = names.map((name) => columns.get(name) ?? -1);
  const values = new Float64Array(grid.days.length * grid.tickers.length).fill(NaN);
  let [from, to] = [grid.days.length, 0];
  for (let row = 0; row < sessions.length; row++) {
    const [session, column] = [placeOf(sessions[row]!), columnOf[codes[row]!] ?? -1];
    if (session === -1 || column === -1) {
      throw new TypeError(
        `Cannot ${action}: weights of sessions and tickers of the data are required, row ${row} ` +
          `has ${names[codes[row]!]} in another; align the data that the weights are of`,
      );
    }
    values[session * grid.tickers.length + column] = read[row]!;
    from = Math.min(from, session);
    to = Math.max(to, session + 1);
  }
  return toWeights(grid, [Math.min(from, to), to], values);
}

function isSame(weights: Weights, on: Pick<DenseScores, "days" | "tickers">): boolean {
  return weights.days === on.days && weights.tickers === on.tickers;
}

function toFrame(
  { days, tickers }: Pick<DenseScores, "days" | "tickers">,
  values: Float64Array,
): DataFrame {
  const width = tickers.length;
  let count = 0;
  for (const value of values) if (value === value) count++;
  const cells = new Int32Array(count);
  for (let cell = 0, i = 0; cell < values.length; cell++) {
    if (values[cell] === values[cell]) cells[i++] = cell;
  }
  return pl.DataFrame([
    dayColumn("session", cells.map((cell) => days[Math.floor(cell / width)]!)),
    textColumn("ticker", cells.map((cell) => cell % width), tickers),
    numberColumn("weight", Float64Array.from(cells, (cell) => values[cell]!)),
  ]);
}
