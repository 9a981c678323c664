import { faultOf } from "../../frames/frame/polars/refuse_operators.ts";
import pl, { type DataFrame, type Expr } from "nodejs-polars";
import { oneOf, type Rule, ruleOf } from "../../base/arguments/check_options.ts";
import {
  type DenseScores,
  type HasDense,
  presentCells,
  rowCells,
  scatter,
  toDataFrame,
} from "../dense/dense_frames.ts";
import { usualGap, usualSpans, valuedSessions } from "../dense/days.ts";
import { columnGrids } from "../dense/column_grids.ts";
import { readTexts } from "../table/read_columns.ts";

/** The earlier session that the scores of a session are compared with. */
export interface EarlierOptions {
  /** Number of sessions, or of signals, back. @default 1 */
  readonly period?: number;
  /**
   * `sessions`: with the session so many back. `signals`: with the session so many back among those that have scores.
   *
   * @default "signals" for scores that usually skip sessions (Fridays, months) without a period, "sessions" otherwise
   */
  readonly compare?: "sessions" | "signals";
}

/** The rule of the option `compare`. */
export const COMPARE: Rule<"sessions" | "signals"> = oneOf("sessions", "signals");

/**
 * The session that each session from the first to the last is compared with; −1 for none.
 *
 * @throws {RangeError} If the period is not a positive whole number
 */
export function earlierSessions(
  dense: DenseScores,
  { period: asked, compare }: EarlierOptions,
): Int32Array {
  const { from, to } = dense;
  const period = asked ?? 1;
  const places = valuedSessions(dense.scores, dense.tickers.length, [from, to]);
  // A set that is in force until another one is has scores in each session.
  const areSparse = (dense.signals ?? null) === null && (usualGap(places) ?? 1) > 1;
  const isUsual = asked === undefined && areSparse;
  const earlier = new Int32Array(to - from).fill(-1);
  if ((compare ?? (isUsual ? "signals" : "sessions")) === "sessions") {
    return earlier.map((_, i) => i < period ? -1 : from + i - period);
  }
  for (const [i, place] of places.entries()) earlier[place - from] = places[i - period] ?? -1;
  return earlier;
}

/** Step between the scores that a table of rank autocorrelation compares: neighbouring signals where its correlations usually skip sessions. */
export function comparedStep(autocorrelation: DataFrame): "session" | "signal" {
  const values = autocorrelation.getColumn("autocorrelation").toArray() as (number | null)[];
  const places = [...values.keys()].filter((place) => values[place] !== null);
  return (usualGap(places) ?? 1) > 1 ? "signal" : "session";
}

/** True if an object has text and numbers under names of its own and no others. */
function hasOnly(value: unknown, kinds: Readonly<Record<string, "string" | "number">>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const names = Object.keys(kinds);
  return Object.keys(value).length === names.length &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === kinds[name]);
}

/** A column by which stocks are weighted, such as their market value. */
export const VALUE_WEIGHTS: Rule<{ readonly value: string }> = ruleOf(
  'an object such as { value: "cap" }',
  (value) => hasOnly(value, { value: "string" }),
);

/** A floor. */
export const MINIMUM: Rule<{ readonly column: string; readonly at: number }> = ruleOf(
  'an object such as { column: "cap", at: 1e9 }',
  (value) => hasOnly(value, { column: "string", at: "number" }),
);

/** Quantiles of entry and exit. */
export const BUFFER: Rule<{ readonly enter: number; readonly leave: number }> = ruleOf(
  "an object such as { enter: 5, leave: 4 }, with leave below enter",
  (value) => {
    const { enter, leave } = (value ?? {}) as { enter: number; leave: number };
    return hasOnly(value, { enter: "number", leave: "number" }) && Number.isInteger(enter) &&
      Number.isInteger(leave) && leave >= 1 && leave < enter;
  },
);

/**
 * The values of a column of weights, as sessions × tickers; NaN where a stock has none.
 *
 * @throws {TypeError} If the column is missing
 * @throws {RangeError} If a value is negative
 */
export function valueGrid(
  action: string,
  data: HasDense | DataFrame,
  { value: name }: { readonly value: string },
): Float64Array {
  const [grid] = columnGrids(action, data, [name]).grids;
  const wrong = grid!.find((value) => value < 0);
  if (wrong === undefined) return grid!;
  throw new RangeError(
    `Cannot ${action}: expected weights of at least 0 in the column ${name}, got ${wrong}; give a size, such as a market value`,
  );
}

/** Parts of the stocks, session by session. */
export type Grouping = ReturnType<typeof groupPartition>;

/**
 * The groups of dense scores as parts.
 *
 * @throws {TypeError} If there are no groups
 */
export function groupPartition(action: string, { groups }: DenseScores) {
  if (groups !== null) return { column: "group", names: groups.names, codes: groups.codes };
  throw new TypeError(
    `Cannot ${action}: expected groups, got data without; give align() a frame of groups with ` +
      "ticker and group",
  );
}

/**
 * Bins of the age of a score as parts.
 *
 * @throws {TypeError} If the age is not known
 */
export function agePartition(action: string, { ages, days }: DenseScores): Grouping {
  if (ages === null) {
    throw new TypeError(
      `Cannot ${action}: expected scores of a known age, got data without a column age; align live sets`,
    );
  }
  const starts = [0, ...usualSpans(days)];
  const names = starts.map((from, i) => `[${from}, ${starts[i + 1] ?? "∞"})`);
  return { column: "age", names, codes: binsOf(ages(), starts) };
}

const binned = new WeakMap<Int32Array, Int32Array>();

/** The bin of each age; made once for all batches of an analysis. */
function binsOf(ages: Int32Array, starts: readonly number[]): Int32Array {
  // The last bin that begins at an age or before it; -1 for no age.
  const codes = binned.get(ages) ?? ages.map((age) => starts.findLastIndex((from) => from <= age));
  binned.set(ages, codes);
  return codes;
}

/** The values of an expression over the rows of the data as parts: over all columns of a frame, also of joined ones. */
export function expressionPartition(
  action: string,
  dense: DenseScores,
  of: { readonly expression: Expr; readonly data: HasDense | DataFrame },
): Grouping {
  const { rows, cells } = rowsOf(action, dense, of.data);
  const parts = partColumn(action, rows, of.expression);
  const { names, codes: partOf } = readTexts(action, parts, "part");
  const codes = scatter(partOf, cells, new Int32Array(dense.scores.length).fill(-1));
  return { column: "part", names, codes };
}

function partColumn(action: string, rows: DataFrame, expression: Expr): DataFrame {
  try {
    return rows.select(expression.cast(pl.Utf8).alias("part"));
  } catch (cause) {
    throw new TypeError(
      `Cannot ${action}: expected one over the columns of the data, got ${faultOf(cause)}; ` +
        "join the column to the .data of align() by session and ticker, and give that frame",
      { cause },
    );
  }
}

function rowsOf(action: string, dense: DenseScores, data: HasDense | DataFrame) {
  if (!("dense" in data)) return { rows: data, cells: rowCells(action, data).cells };
  const { data: own } = data as { readonly data?: DataFrame };
  return { rows: own ?? toDataFrame(dense), cells: presentCells(dense.present) };
}
