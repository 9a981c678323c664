import pl, { type DataFrame, type Series } from "nodejs-polars";
import { countText } from "../../base/wording/number_text.ts";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { hasSynthetic, markSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import {
  countOrNullColumn,
  dayColumn,
  instantColumn,
  numberColumn,
  textColumn,
} from "../../frames/frame/typed/make_columns.ts";
import { calendarOfRows, placesOfDays, SESSION_NUMBER } from "./days.ts";
import { missingValue, readDayColumn, readNumbers, readTexts } from "../table/read_columns.ts";
import { fromEpochDay } from "../../base/calendar/civil_date.ts";
import { assertColumns, assertRows } from "../../frames/frame/assert_frame.ts";

/** Prices as an account knows them: where a stock can be traded, and what a held one is worth at the next session. */
export interface Marks {
  /**
   * Return from the last close to that of the next session, as sessions × tickers; NaN if there is no close then, or if what was
   * earned since the last one is not known.
   */
  readonly moves: Float64Array;
  /** 1 where a stock has a close, as (sessions + 1) × tickers: the last line is the end of the last return. */
  readonly priced: Uint8Array;
  /** 1 where a position is cash at the next session, because the stock ended at its last close; as sessions × tickers. */
  readonly ends: Uint8Array;
  /** The last session with a close of any stock: from there on nothing is earned. */
  readonly until: number;
}

/**
 * Scores and forward returns as sessions × tickers. The value of ticker `t` in session `d` is at index
 * `d * tickers.length + t`; NaN stands for null.
 */
export interface DenseScores {
  /** The sessions of the prices, ascending, in days since 1970-01-01. */
  readonly days: Int32Array;
  /**
   * Sessions from a row's session to its entry, at whose price its returns begin.
   *
   * @default 0
   */
  readonly entryLag?: number;
  /** The tickers, in the order of their code units. */
  readonly tickers: readonly string[];
  /** First session with a row in the scores, as an index into `days`. */
  readonly from: number;
  /** One more than the last session with a row in the scores. */
  readonly to: number;
  /** 1 where the scores have a row, scored or not. */
  readonly present: Uint8Array;
  /** The score of each stock of the universe; NaN where there is none. */
  readonly scores: Float64Array;
  /**
   * 1 where a stock has a score and no price at its entry: it is outside of the universe of the session.
   *
   * @default none
   */
  readonly outside?: Uint8Array | null;
  /** The horizons, in sessions, ascending. */
  readonly periods: readonly number[];
  /**
   * Further columns of the scores.
   *
   * @default none
   */
  readonly columns?: ReadonlyMap<string, Float64Array>;
  /** The forward returns of each horizon. */
  readonly returns: ReadonlyMap<number, Float64Array>;
  /**
   * Worth of held positions from session to session.
   *
   * @default what follows from the returns, which know no closes
   */
  readonly marks?: (() => Marks) | null;
  /** Groups of the stocks; `null` if none were given. */
  readonly groups: {
    /** Names of the groups, in the order of their code units. */
    readonly names: readonly string[];
    /** Index into `names` for each session and ticker; -1 if the stock has no group then. */
    readonly codes: Int32Array;
    /** True if the groups are undated: today's groups, which may not have applied at the time. */
    readonly areUndated: boolean;
  } | null;
  /** Sessions since a score was published or changed; -1 without a score, `null` if the ages are unknown. */
  readonly ages: (() => Int32Array) | null;
  /**
   * 1 for each session in which a set came into force, if sets stay in force until the next one.
   *
   * @default every session with a score
   */
  readonly signals?: Uint8Array | null;
  /**
   * True if the scores are known to be synthetic.
   *
   * @default false
   */
  readonly isSynthetic?: boolean;
}

/** Groups of the stocks by session. */
export type DenseGroups = NonNullable<DenseScores["groups"]>;

/**
 * The horizons of the returns.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {RangeError} If there are no returns
 */
export function horizonsOf(
  action: string,
  { periods }: Pick<DenseScores, "periods">,
): readonly number[] {
  if (periods.length > 0) return periods;
  throw new RangeError(
    `Cannot ${action}: expected returns in columns such as return_1, got none; align() joins scores with them`,
  );
}

/**
 * The forward returns of one horizon.
 *
 * @param action Purpose, worded to follow "Cannot"
 * @throws {RangeError} If they were not computed
 */
export function returnsOf(action: string, dense: DenseScores, horizon: number): Float64Array {
  const returns = dense.returns.get(horizon);
  if (returns !== undefined) return returns;
  throw new RangeError(
    `Cannot ${action}: expected returns over ${countText(horizon, "session")}, got those over ` +
      `${dense.periods.join(", ") || "none"}; add ${horizon} to the periods of forwardReturns()`,
  );
}

/** Columns of the rows, including optional ones; `return_1` is the return of a one-session horizon. */
export type AlignedColumns =
  & {
    readonly session: pl.Date;
    readonly ticker: pl.Utf8;
    readonly score: pl.Float64;
    readonly group: pl.Utf8;
    readonly known_at: pl.Datetime;
    readonly age: pl.Int32;
    readonly session_number: pl.Int32;
  }
  & { readonly [Name in `return_${number}`]: pl.Float64 };

/**
 * Columns of the rows with their quantiles.
 *
 * @internal
 */
export type QuantizedColumns = AlignedColumns & { readonly quantile: pl.Int32 };

/** The rows of dense scores as a frame, by session and ticker; with the instant at which a cell's score was known, and its bucket (0 for none), if they are given. */
export function toDataFrame<Columns extends AlignedColumns = AlignedColumns>(
  dense: DenseScores,
  { known, buckets }: { known?: (cell: number) => number; buckets?: Uint16Array } = {},
): TypedFrame<Columns> {
  const { days, tickers, present, scores, groups, returns } = dense;
  const width = tickers.length;
  const cells = presentCells(present);
  const at = (values: Float64Array) => Float64Array.from(cells, (cell) => values[cell]!);
  const columns: Series[] = [
    dayColumn("session", cells.map((cell) => days[Math.floor(cell / width)]!)),
    textColumn("ticker", cells.map((cell) => cell % width), tickers),
    numberColumn("score", at(scores)),
  ];
  if (groups !== null) {
    columns.push(textColumn("group", cells.map((cell) => groups.codes[cell]!), groups.names));
  }
  for (const [horizon, values] of returns) {
    if (!dense.periods.includes(horizon)) continue;
    columns.push(numberColumn(`return_${horizon}`, at(values)));
  }
  for (const [name, values] of dense.columns ?? []) columns.push(numberColumn(name, at(values)));
  if (known !== undefined) {
    columns.push(instantColumn("known_at", Float64Array.from(cells, (cell) => known(cell))));
  }
  if (dense.ages !== null) {
    const ages = dense.ages();
    columns.push(countOrNullColumn("age", cells.map((cell) => ages[cell]!), -1));
  }
  if (buckets !== undefined) {
    columns.push(countOrNullColumn("quantile", cells.map((cell) => buckets[cell]!), 0));
  }
  columns.push(
    countOrNullColumn(SESSION_NUMBER, cells.map((cell) => Math.floor(cell / width)), -1),
  );
  const frame = framed<Columns>(pl.DataFrame(columns));
  return markSynthetic(frame, dense.isSynthetic === true ? ["synthetic"] : []);
}

/** Indices of the cells with a row in the scores. */
export function presentCells(present: Uint8Array): Int32Array {
  let count = 0;
  for (let cell = 0; cell < present.length; cell++) count += present[cell]!;
  const cells = new Int32Array(count);
  for (let cell = 0, i = 0; cell < present.length; cell++) {
    if (present[cell] === 1) cells[i++] = cell;
  }
  return cells;
}

/** Writes a value for each row into its cell. */
export function scatter<Grid extends Float64Array | Int32Array>(
  values: ArrayLike<number>,
  cells: Int32Array,
  into: Grid,
): Grid {
  for (let row = 0; row < cells.length; row++) into[cells[row]!] = values[row]!;
  return into;
}

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

/**
 * Places the rows of a frame in its dense form.
 *
 * @throws {TypeError} If the frame lacks a column, or repeats a session and ticker
 */
export function rowCells(action: string, frame: DataFrame) {
  assertColumns(action, frame, ["session", "ticker"], ALIGNED);
  const sessions = readDayColumn(action, frame, "session");
  const { names: tickers, codes: tickerOf } = readTexts(action, frame, "ticker");
  const days = calendarOfRows(action, frame, { sessions, tickerOf });
  const placeOf = placesOfDays(days);
  const seen = new Uint8Array(days.length * tickers.length);
  const cells = tickerOf.map((ticker, row) => {
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
  return { days, tickers, cells };
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
