import pl, { type Series } from "nodejs-polars";
import { framed } from "../../frames/frame/typed/frame_of.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";
import { markSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import {
  countOrNullColumn,
  dayColumn,
  instantColumn,
  numberColumn,
  textColumn,
} from "../../frames/frame/typed/make_columns.ts";
import type { DenseScores } from "./dense_scores.ts";
import { SESSION_NUMBER } from "./frame_calendar.ts";

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

/** Further columns of the rows. */
export interface DataFrameContext {
  /** Instant at which the score of a cell was known, epoch milliseconds; left out if not given. */
  readonly known?: (cell: number) => number;
  /** The bucket of each session and ticker, 0 for none; left out if not given. */
  readonly buckets?: Uint16Array;
}

/** The rows of dense scores as a frame, by session and ticker. */
export function toDataFrame<Columns extends AlignedColumns = AlignedColumns>(
  dense: DenseScores,
  context: DataFrameContext = {},
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
  const { known, buckets } = context;
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
  const numbers = cells.map((cell) => Math.floor(cell / width));
  columns.push(countOrNullColumn(SESSION_NUMBER, numbers, -1));
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
