import pl, { type DataFrame } from "nodejs-polars";
import { missingValue, readDayColumn, readNumbers, readTexts } from "../table/read_columns.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { assertColumns, assertRows } from "../../frames/frame/assert_frame.ts";
import { scatter } from "./to_data_frame.ts";
import { hasSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import type { DenseGroups, DenseScores } from "./dense_scores.ts";
import { placesOfDays } from "./days.ts";
import { calendarOfRows } from "./frame_calendar.ts";

/** Input of an analysis: the result of `align()`, or a frame of its rows. */
export interface HasDense {
  /**
   * Scores and returns as sessions × tickers.
   *
   * @ignore
   */
  readonly dense: DenseScores;
}

/**
 * The dense form of a statistic's input: that of an alignment, or of a frame of its rows (`session`, `ticker`, `score`,
 * `group`?, `return_h`…), whose sessions are then those of the rows and the ones between them.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {TypeError} If it is neither, lacks a column, or repeats a session and ticker
 */
export function toDense(action: string, data: HasDense | DataFrame): DenseScores {
  const given = data as Partial<HasDense> | null | undefined;
  if (isDense(given?.dense)) return given.dense;
  assertRows(action, data, "the data");
  return fromDataFrame(action, data);
}

function isDense(dense: unknown): dense is DenseScores {
  const { scores, days, tickers, returns } = (dense ?? {}) as Partial<DenseScores>;
  return scores instanceof Float64Array && days instanceof Int32Array && Array.isArray(tickers) &&
    returns instanceof Map;
}

function fromDataFrame(action: string, frame: DataFrame): DenseScores {
  const { days, tickers, cells } = rowCells(action, frame);
  const size = days.length * tickers.length;
  const present = new Uint8Array(size);
  for (const cell of cells) present[cell] = 1;
  const read = (name: string) =>
    scatter(readNumbers(action, frame, name), cells, new Float64Array(size).fill(NaN));
  const periods = frame.columns.flatMap((name) => /^return_(\d+)$/.exec(name)?.[1] ?? [])
    .map(Number).toSorted((a, b) => a - b);
  return {
    days,
    tickers,
    from: 0,
    to: days.length,
    present,
    scores: read("score"),
    periods,
    returns: new Map(periods.map((h) => [h, read(`return_${h}`)])),
    groups: readGroups(action, frame, cells, size),
    ages: readAges(frame, cells, size),
    isSynthetic: hasSynthetic(frame),
  };
}

// Of a frame of scores, renaming its date would take the next session's returns for its own.
const ALIGNED = "give the result of align(scores, forwardReturns(prices))";

/** Places of the rows of a frame in its dense form. */
export interface RowCells {
  /** Sessions, ascending: those of the rows, and the ones between them. */
  readonly days: Int32Array;
  readonly tickers: readonly string[];
  /** The cell of each row. */
  readonly cells: Int32Array;
}

/**
 * Places the rows of a frame in its dense form.
 *
 * @throws {TypeError} If the frame lacks a column, or repeats a session and ticker
 */
export function rowCells(action: string, frame: DataFrame): RowCells {
  assertColumns(action, frame, ["session", "ticker"], ALIGNED);
  const sessions = readDayColumn(action, frame, "session");
  const { names: tickers, codes: tickerOf } = readTexts(action, frame, "ticker");
  const days = calendarOfRows(action, frame, { sessions, tickerOf });
  return { days, tickers, cells: cellsOf(action, { sessions, days, tickers, tickerOf }) };
}

interface Rows {
  readonly sessions: Int32Array;
  readonly days: Int32Array;
  readonly tickers: readonly string[];
  readonly tickerOf: Int32Array;
}

/** The cell of each row. */
function cellsOf(action: string, { sessions, days, tickers, tickerOf }: Rows): Int32Array {
  const placeOf = placesOfDays(days);
  const seen = new Uint8Array(days.length * tickers.length);
  return tickerOf.map((ticker, row) => {
    if (ticker === -1) throw missingValue(action, "a ticker", row);
    const cell = placeOf(sessions[row]!) * tickers.length + ticker;
    if (seen[cell] === 1) {
      throw new TypeError(
        `Cannot ${action}: expected one row per session and ticker, got several for ` +
          `${fromEpochDay(sessions[row]!)} ${tickers[ticker]}; drop duplicates`,
      );
    }
    seen[cell] = 1;
    return cell;
  });
}

function readGroups(
  action: string,
  frame: DataFrame,
  cells: Int32Array,
  size: number,
): DenseGroups | null {
  if (!frame.columns.includes("group")) return null;
  const { names, codes: groupOf } = readTexts(action, frame, "group");
  const codes = scatter(groupOf, cells, new Int32Array(size).fill(-1));
  return { names, codes, areUndated: false };
}

function readAges(frame: DataFrame, cells: Int32Array, size: number): (() => Int32Array) | null {
  if (!frame.columns.includes("age")) return null;
  const filled = frame.select(pl.col("age").cast(pl.Int32).fillNull(pl.lit(-1)).cast(pl.Int32));
  const values = filled.getColumn("age").toArray() as number[];
  const ages = scatter(values, cells, new Int32Array(size).fill(-1));
  return () => ages;
}
