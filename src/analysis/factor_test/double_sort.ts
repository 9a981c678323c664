import type { DataFrame } from "nodejs-polars";
import { MIN_NAMES } from "../cross_section/read_options.ts";
import * as rules from "../../base/arguments/check_options.ts";
import { markSynthetic } from "../../frames/frame/provenance/synthetic_lineage.ts";
import { type DenseScores, type HasDense, horizonsOf, returnsOf } from "../dense/dense_frames.ts";
import { meanOf } from "../../base/statistics/moments.ts";
import { INFERENCE, type Inference, testMean } from "../inference/test_mean.ts";
import { displayParts, tableOfRows } from "../table/frame_of_rows.ts";
import { columnGrids } from "../dense/column_grids.ts";
import { assignTogether } from "../dense/assign_buckets.ts";
import { sessionsOf, sortedOrders } from "../dense/rank/orders.ts";
import type { TableOf } from "../table/columns.ts";
import { meanOrNull, testedCells } from "../inference/tested_mean.ts";

/** Columns of the table, in order. */
const COUNT_COLUMNS = "horizon sessions empty";

/** Columns of the table, in order. */
const CELL_COLUMNS = "horizon first second ...tested names";

/** Columns of the table, in order. */
const SPREAD_COLUMNS = "horizon spread:label ...tested";

/** Result of a double sort. */
export interface DoubleSort {
  /** Names of the two columns. */
  readonly columns: readonly [first: string, second: string];
  /**
   * One row per horizon and cell: `horizon`, `first`, `second` (quantiles from 1), `mean` (by session, then over sessions), `standard_error`, `t`, `df`, `p`,
   * `low`, `high`, `sessions` (in which the cell holds a stock), `reason`, `names` (mean number of stocks per session).
   */
  readonly cells: TableOf<typeof CELL_COLUMNS>;
  /**
   * One row per horizon and column: `horizon`, `spread` (`first` or `second`), and the test of the top minus the bottom quantile of that column, averaged
   * over the quantiles of the other, in sessions where all of those cells hold stocks.
   */
  readonly spreads: TableOf<typeof SPREAD_COLUMNS>;
  /** One row per horizon: `horizon`, `sessions` (that count), `empty` (of these, with an empty cell). */
  readonly sessions: TableOf<typeof COUNT_COLUMNS>;
}

const RULES: rules.OptionRules<NonNullable<Parameters<typeof doubleSort>[1]>> = {
  first: rules.needed(rules.TEXT, '"size"'),
  second: rules.TEXT,
  kind: rules.oneOf("independent", "dependent"),
  quantiles: rules.ruleOf(
    "two whole numbers from 2 to 100, such as [3, 3]",
    (value) =>
      Array.isArray(value) && value.length === 2 && value.every(rules.whole(2, 100).accepts),
    { isKind: Array.isArray },
  ),
  minNames: MIN_NAMES,
  inference: INFERENCE,
};
const ACTION = "sort stocks twice";

/**
 * Returns of stocks sorted by two columns: the effect of one column, controlling for the other.
 *
 * Standard errors are those of the default test, or of `inference`. Quantiles are those of `quantize()` with ties
 * together, over all stocks that have both columns; a missing return excludes no stock from the sort.
 *
 * @param data A frame of the rows of {@link align} with another column joined to it
 * @returns The means of the cells (`cells`), the spreads within the quantiles of the other column (`spreads`), and the
 *   number of sessions (`sessions`)
 * @throws {TypeError} If a column is missing
 * @throws {RangeError} If a number of quantiles is not from 2 to 100, or minNames is below 2
 * @see Fama and French (1993), Common risk factors in the returns on stocks and bonds, Journal of Financial Economics
 *   33
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
export function doubleSort(data: HasDense | DataFrame, options: {
  /** The first column. */
  readonly first: string;
  /** The second column. @default "score" */
  readonly second?: string;
  /** `independent`: each among all stocks with both. `dependent`: the second within each quantile of the first. @default "independent" */
  readonly kind?: "independent" | "dependent";
  /** Number of quantiles of each. @default [3, 3] */
  readonly quantiles?: readonly [number, number];
  /** Minimum number of stocks with both columns and a return for a session to count. @default the number of cells */
  readonly minNames?: number;
  /** Estimator of the standard errors. @default equal-weighted cosines */
  readonly inference?: Inference;
}): DoubleSort {
  rules.checkOptions("call doubleSort()", options, RULES);
  const { first, second = "score", kind = "independent", quantiles = [3, 3] } = options;
  const [rows, columns] = quantiles;
  const { minNames = rows * columns, inference = { method: "ewc" } } = options;
  const { dense, grids } = columnGrids(ACTION, data, [first, second]);
  const has = (cell: number) => grids.every((grid) => grid[cell] === grid[cell]);
  const [a, b] = grids.map((grid) => grid.map((value, cell) => has(cell) ? value : NaN));
  const outer = sortColumn(dense, a!, rows, null);
  const inner = sortColumn(dense, b!, columns, kind === "dependent" ? outer : null);
  const sorted = { outer, inner, rows, columns, minNames, inference };
  const results = horizonsOf(ACTION, dense).map((h) => sortReturns(dense, sorted, h));
  const frames = {
    cells: toCells(results, sorted),
    spreads: toSpreads(results, sorted),
    sessions: tableOfRows(results.map((of) => [of.horizon, of.sessions, of.empty]), COUNT_COLUMNS),
  };
  const sources = dense.isSynthetic === true ? ["synthetic"] : [];
  for (const frame of Object.values(frames)) markSynthetic(frame, sources);
  const text = `Stocks by ${first}, then ${second} ` +
    (kind === "dependent" ? "within its quantiles" : "independently") + `: ${rows} × ${columns}.`;
  return {
    columns: [first, second],
    ...displayParts(() => text, () => ({ ...frames })),
    ...frames,
  };
}

interface Sorted {
  readonly outer: Uint16Array;
  readonly inner: Uint16Array;
  readonly rows: number;
  readonly columns: number;
  readonly minNames: number;
  readonly inference: Inference;
}

function sortReturns(dense: DenseScores, sorted: Sorted, horizon: number) {
  const { outer, inner, rows, columns, minNames } = sorted;
  const { from, to, tickers } = dense;
  const returns = returnsOf(ACTION, dense, horizon);
  const [means, names]: [Float64Array[], Int32Array[]] = [[], []];
  let [sessions, empty] = [0, 0];
  for (let d = from; d < to; d++) {
    const [sums, counts] = [new Float64Array(rows * columns), new Int32Array(rows * columns)];
    for (let cell = d * tickers.length; cell < (d + 1) * tickers.length; cell++) {
      if (outer[cell] === 0 || inner[cell] === 0 || returns[cell] !== returns[cell]) continue;
      const place = (outer[cell]! - 1) * columns + inner[cell]! - 1;
      sums[place]! += returns[cell]!;
      counts[place]!++;
    }
    const isCounted = counts.reduce((sum, n) => sum + n, 0) >= minNames;
    if (isCounted) sessions++;
    if (isCounted && counts.includes(0)) empty++;
    means.push(sums.map((sum, place) => isCounted ? sum / counts[place]! : NaN));
    names.push(counts);
  }
  const places = Int32Array.from(means, (_, i) => from + i);
  return { horizon, places, means, names, sessions, empty };
}

function toCells(
  results: readonly ReturnType<typeof sortReturns>[],
  { rows, columns, inference }: Sorted,
): TableOf<typeof CELL_COLUMNS> {
  const lines = results.flatMap(({ horizon, places, means, names }) =>
    Array.from({ length: rows * columns }, (_, place) => {
      const values = Float64Array.from(means, (session) => session[place]!);
      const held = names.map((session) => session[place]!)
        .filter((_, i) => values[i] === values[i]);
      const test = testedCells(testMean({ values, places, horizon }, inference));
      const row = Math.floor(place / columns);
      return [horizon, row + 1, place % columns + 1, ...test, meanOrNull(held)];
    })
  );
  return tableOfRows(lines, CELL_COLUMNS);
}

function toSpreads(
  results: readonly ReturnType<typeof sortReturns>[],
  { rows, columns, inference }: Sorted,
): TableOf<typeof SPREAD_COLUMNS> {
  const lines = results.flatMap(({ horizon, places, means }) => {
    const over = (count: number, difference: (session: Float64Array, i: number) => number) =>
      Float64Array.from(
        means,
        (session) => meanOf(Array.from({ length: count }, (_, i) => difference(session, i))),
      );
    const spreads = {
      first: over(columns, (s, j) => s[(rows - 1) * columns + j]! - s[j]!),
      second: over(rows, (s, i) => s[(i + 1) * columns - 1]! - s[i * columns]!),
    };
    return Object.entries(spreads).map(([name, values]) => {
      return [horizon, name, ...testedCells(testMean({ values, places, horizon }, inference))];
    });
  });
  return tableOfRows(lines, SPREAD_COLUMNS);
}

/**
 * Quantiles of a column in each session, equal values together.
 *
 * @param within Quantiles of another column, within each of which stocks are sorted; `null` for all stocks at once
 */
function sortColumn(
  { tickers, from, to }: DenseScores,
  grid: Float64Array,
  count: number,
  within: Uint16Array | null,
): Uint16Array {
  const width = tickers.length;
  const buckets = new Uint16Array(grid.length);
  const sessionOf = sessionsOf(sortedOrders(grid, width, [from, to]));
  for (let d = from; d < to; d++) {
    const base = d * width;
    const own = sessionOf(d);
    const known = own.order.subarray(0, own.count);
    const parts = Map.groupBy(known, (name) => within === null ? 1 : within[base + name]!);
    parts.delete(0);
    for (const names of parts.values()) {
      // Fewer stocks than quantiles would leave some of them empty.
      if (names.length < count) continue;
      const order = Int32Array.from(names);
      assignTogether({ order, count: order.length, scores: grid, base }, count, buckets);
    }
  }
  return buckets;
}
