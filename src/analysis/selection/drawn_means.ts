/** Means of resampled columns, less the means of the columns. */
export interface DrawnMeans {
  /** Number of columns. */
  readonly width: number;
  /** Number of draws. */
  readonly draws: number;
  /** The deviation of column `k` in draw `i` at `k * draws + i`. */
  readonly deviations: Float64Array;
}

// Columns that are summed together: as many as a line of the cache holds.
const LANES = 8;

/**
 * Draws the means of columns together, so that their dependence counts: each draw takes the same places of all columns.
 *
 * Places of a draw mostly follow each other. The sum over such a run is a difference of two running sums, so that a draw costs its
 * runs and not its places.
 *
 * @param columns Columns less their means, equally long
 * @param draws Places of each draw; an array may be used again for the next one
 * @param count Number of draws
 */
export function drawnMeans(
  columns: readonly Float64Array[],
  draws: Iterable<Int32Array>,
  count: number,
): DrawnMeans {
  const n = columns[0]?.length ?? 0;
  const runs = findRuns(draws, { n, count });
  const deviations = new Float64Array(columns.length * count);
  const sums = new Float64Array((n + 1) * LANES);
  for (let k = 0; k < columns.length; k += LANES) {
    fillSums(sums, columns.slice(k, k + LANES));
    addLanes(deviations.subarray(k * count), { sums, runs, n, count });
  }
  return { width: columns.length, draws: count, deviations };
}

interface Runs {
  /** The first place of each run, and the one after its last. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The first run of each draw, and at the end the number of runs. */
  readonly starts: Int32Array;
}

interface Size {
  readonly n: number;
  readonly count: number;
}

/** The runs of places that follow each other, of all draws. */
function findRuns(draws: Iterable<Int32Array>, { n, count }: Size): Runs {
  let [from, to] = [new Int32Array(n), new Int32Array(n)];
  const starts = new Int32Array(count + 1);
  let [draw, found] = [0, 0];
  for (const places of draws) {
    if (found + n > from.length) [from, to] = [grown(from, found + n), grown(to, found + n)];
    let first = 0;
    for (let t = 1; t <= n; t++) {
      if (t < n && places[t] === places[t - 1]! + 1) continue;
      from[found] = places[first]!;
      to[found++] = places[t - 1]! + 1;
      first = t;
    }
    starts[++draw] = found;
  }
  return { from, to, starts };
}

function grown(array: Int32Array, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * least);
  larger.set(array);
  return larger;
}

/** Sums of the first `t` values of column `k` at `t * LANES + k`. */
function fillSums(sums: Float64Array, columns: readonly Float64Array[]): void {
  sums.fill(0);
  for (const [k, column] of columns.entries()) {
    let sum = 0;
    for (let t = 0; t < column.length; t++) sums[(t + 1) * LANES + k] = sum += column[t]!;
  }
}

/** The means of all draws of as many columns as there are lanes: sums that stay in registers. */
function addLanes(
  into: Float64Array,
  { sums, runs: { from, to, starts }, n, count }: Size & {
    readonly sums: Float64Array;
    readonly runs: Runs;
  },
): void {
  const lanes = Math.min(LANES, into.length / count);
  const row = new Float64Array(LANES);
  for (let draw = 0; draw < count; draw++) {
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let run = starts[draw]!; run < starts[draw + 1]!; run++) {
      const [low, high] = [from[run]! * LANES, to[run]! * LANES];
      a += sums[high]! - sums[low]!;
      b += sums[high + 1]! - sums[low + 1]!;
      c += sums[high + 2]! - sums[low + 2]!;
      d += sums[high + 3]! - sums[low + 3]!;
      e += sums[high + 4]! - sums[low + 4]!;
      f += sums[high + 5]! - sums[low + 5]!;
      g += sums[high + 6]! - sums[low + 6]!;
      h += sums[high + 7]! - sums[low + 7]!;
    }
    row.set([a, b, c, d, e, f, g, h]);
    for (let k = 0; k < lanes; k++) into[k * count + draw] = row[k]! / n;
  }
}
