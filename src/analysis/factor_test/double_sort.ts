import type { DataFrame } from "nodejs-polars";
import {
  ANY_VALUE,
  checkOptions,
  oneOf,
  type OptionRules,
  valueLike,
} from "../../arguments/check_options.ts";
import { markSynthetic } from "../../frame/provenance/synthetic_lineage.ts";
import { describe } from "../../contract/violation.ts";
import { readMinNames } from "../cross_section/read_min_names.ts";
import type { HasDense } from "../dense/from_data_frame.ts";
import { returnsOf } from "../dense/returns_of.ts";
import { meanOf } from "../inference/moments.ts";
import { assertInference, type Inference, testMean } from "../inference/test_mean.ts";
import { type Displayed, displayParts } from "../table/display_parts.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { type ColumnGrids, columnGrids } from "./_column_grids.ts";
import { sortColumn } from "./_sort_columns.ts";
import { testedColumns } from "./_tested_columns.ts";

/** By what names are sorted twice. */
export interface DoubleSortOptions {
  /** The first column. */
  readonly first: string;
  /** The second column. @default "score" */
  readonly second?: string;
  /** `independent`: each among all names with both. `dependent`: the second within each bucket of the first. @default "independent" */
  readonly kind?: "independent" | "dependent";
  /** How many buckets of each. @default [3, 3] */
  readonly quantiles?: readonly [number, number];
  /** Below how many names with both columns and a return a session does not count. @default the number of cells */
  readonly minNames?: number;
  /** How errors are estimated. @default by equal-weighted cosines */
  readonly inference?: Inference;
}

/** Returns of names that were sorted twice. */
export interface DoubleSort extends Displayed {
  /**
   * One row a horizon and cell: `horizon`, `first`, `second` (buckets from 1), `mean` (by session, then over sessions), `standard_error`, `t`, `df`, `p`,
   * `low`, `high`, `sessions` (in which the cell holds a name), `reason`, `names` (mean count a session).
   */
  readonly cells: DataFrame;
  /**
   * One row a horizon and column: `horizon`, `spread` (`first` or `second`), and the test of the top minus the bottom bucket of that column, averaged
   * over the buckets of the other, in sessions where all of those cells hold names.
   */
  readonly spreads: DataFrame;
  /** One row a horizon: `horizon`, `sessions` (that count), `empty` (of these, with an empty cell). */
  readonly sessions: DataFrame;
}

const RULES: OptionRules<DoubleSortOptions> = {
  first: valueLike('"size"'),
  second: ANY_VALUE,
  kind: oneOf("independent", "dependent"),
  quantiles: ANY_VALUE,
  minNames: ANY_VALUE,
  inference: ANY_VALUE,
};
const ACTION = "sort names twice";

/**
 * The returns of names that are sorted by two columns: does one still matter among names that are alike in the other?
 *
 * Errors are those of the default test, or of `inference`.
 * Buckets are those of `quantize()` with ties together, among the names that have both columns, priced later or not.
 *
 * @param data A frame of the rows of {@link align} with another column joined to it
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If a number of buckets is not from 2 to 100, or minNames is below 2
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { doubleSort } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(4).fill("2026-10-30"),
 *   ticker: ["A", "B", "C", "D"],
 *   score: [0, 1, 0, 1],
 *   size: [1, 1, 2, 2],
 *   return_1: [0.01, 0.02, 0.03, 0.04],
 * });
 * const { spreads } = doubleSort(data, { first: "size", quantiles: [2, 2] });
 * const means = spreads.getColumn("mean").toArray().map((mean) => Number(mean).toFixed(2));
 * if (means.join() !== "0.02,0.01") throw new Error("size, then score");
 * ```
 */
export function doubleSort(data: HasDense | DataFrame, options: DoubleSortOptions): DoubleSort {
  checkOptions("doubleSort()", options, RULES);
  const { first, second = "score", kind = "independent", quantiles = [3, 3] } = options;
  const [rows, columns] = quantiles;
  for (const count of [rows, columns]) {
    if (Number.isInteger(count) && count >= 2 && count <= 100) continue;
    throw new RangeError(
      `Cannot ${ACTION}: two numbers of buckets from 2 to 100 are required as quantiles, got ` +
        describe(quantiles),
    );
  }
  const { inference = { method: "ewc" } } = options;
  const minNames = readMinNames(ACTION, options.minNames ?? rows * columns);
  assertInference(inference);
  const grids = withBoth(columnGrids(ACTION, data, [first, second]));
  const [a, b] = grids.grids;
  const outer = sortColumn(grids.dense, a!, { count: rows, within: null, outer: 0 });
  const within = kind === "dependent" ? outer : null;
  const inner = sortColumn(grids.dense, b!, { count: columns, within, outer: rows });
  const sorted = { outer, inner, rows, columns, minNames, inference };
  const results = grids.dense.periods.map((h) => sortReturns(grids, sorted, h));
  const frames = {
    cells: toCells(results, sorted),
    spreads: toSpreads(results, sorted),
    sessions: toSessionCounts(results),
  };
  const sources = grids.dense.isSynthetic === true ? ["synthetic"] : [];
  for (const frame of Object.values(frames)) markSynthetic(frame, sources);
  const text = `Names by ${first}, then ${second} ` +
    (kind === "dependent" ? "within its buckets" : "independently") + `: ${rows} × ${columns}.`;
  return { ...displayParts(() => text, () => ({ ...frames })), ...frames };
}

function toSessionCounts(results: readonly SortedReturns[]): DataFrame {
  return frameOfRows(results, [
    { name: "horizon", type: "count", read: ({ horizon }) => horizon },
    { name: "sessions", type: "count", read: ({ counted }) => counted },
    { name: "empty", type: "count", read: ({ empty }) => empty },
  ]);
}

interface Sorted {
  readonly outer: Uint16Array;
  readonly inner: Uint16Array;
  readonly rows: number;
  readonly columns: number;
  readonly minNames: number;
  readonly inference: Inference;
}

interface SortedReturns {
  readonly horizon: number;
  readonly places: Int32Array;
  /** Mean return of each session and cell; NaN for an empty cell or a session that does not count. */
  readonly means: readonly Float64Array[];
  readonly names: readonly Int32Array[];
  readonly counted: number;
  readonly empty: number;
}

/** Columns of the names that have both. */
function withBoth({ dense, grids }: ColumnGrids): ColumnGrids {
  const has = (cell: number) => grids.every((grid) => grid[cell] === grid[cell]);
  return { dense, grids: grids.map((grid) => grid.map((value, cell) => has(cell) ? value : NaN)) };
}

function sortReturns({ dense }: ColumnGrids, sorted: Sorted, horizon: number): SortedReturns {
  const { outer, inner, rows, columns, minNames } = sorted;
  const { from, to, tickers } = dense;
  const returns = returnsOf(ACTION, dense, horizon);
  const [means, names]: [Float64Array[], Int32Array[]] = [[], []];
  let [counted, empty] = [0, 0];
  for (let d = from; d < to; d++) {
    const [sums, counts] = [new Float64Array(rows * columns), new Int32Array(rows * columns)];
    for (let cell = d * tickers.length; cell < (d + 1) * tickers.length; cell++) {
      const isSorted = outer[cell] !== 0 && inner[cell] !== 0 && returns[cell] === returns[cell];
      if (!isSorted) continue;
      const place = (outer[cell]! - 1) * columns + inner[cell]! - 1;
      sums[place]! += returns[cell]!;
      counts[place]!++;
    }
    const isCounted = counts.reduce((sum, n) => sum + n, 0) >= minNames;
    if (isCounted) counted++;
    if (isCounted && counts.includes(0)) empty++;
    means.push(sums.map((sum, place) => isCounted ? sum / counts[place]! : NaN));
    names.push(counts);
  }
  const places = Int32Array.from(means, (_, i) => from + i);
  return { horizon, places, means, names, counted, empty };
}

function toCells(
  results: readonly SortedReturns[],
  { rows, columns, inference }: Sorted,
): DataFrame {
  const lines = results.flatMap(({ horizon, places, means, names }) =>
    Array.from({ length: rows * columns }, (_, place) => {
      const values = Float64Array.from(means, (session) => session[place]!);
      const held = names.map((session) => session[place]!).filter((_, i) =>
        values[i] === values[i]
      );
      return {
        horizon,
        place,
        names: held.length === 0 ? null : meanOf(held),
        test: testMean({ values, places, horizon }, inference),
      };
    })
  );
  return frameOfRows(lines, [
    { name: "horizon", type: "count", read: ({ horizon }) => horizon },
    { name: "first", type: "count", read: ({ place }) => Math.floor(place / columns) + 1 },
    { name: "second", type: "count", read: ({ place }) => place % columns + 1 },
    ...testedColumns<typeof lines[number]>(({ test }) => test),
    { name: "names", type: "number", read: ({ names }) => names },
  ]);
}

function toSpreads(
  results: readonly SortedReturns[],
  { rows, columns, inference }: Sorted,
): DataFrame {
  const lines = results.flatMap(({ horizon, places, means }) => {
    const at = (session: Float64Array, row: number, column: number) =>
      session[row * columns + column]!;
    const first = Float64Array.from(
      means,
      (session) =>
        meanOf(
          Array.from({ length: columns }, (_, j) => at(session, rows - 1, j) - at(session, 0, j)),
        ),
    );
    const second = Float64Array.from(
      means,
      (session) =>
        meanOf(
          Array.from({ length: rows }, (_, i) => at(session, i, columns - 1) - at(session, i, 0)),
        ),
    );
    return [["first", first], ["second", second]].map(([spread, values]) => ({
      horizon,
      spread: spread as string,
      test: testMean({ values: values as Float64Array, places, horizon }, inference),
    }));
  });
  return frameOfRows(lines, [
    { name: "horizon", type: "count", read: ({ horizon }) => horizon },
    { name: "spread", type: "text", read: ({ spread }) => spread },
    ...testedColumns<typeof lines[number]>(({ test }) => test),
  ]);
}
