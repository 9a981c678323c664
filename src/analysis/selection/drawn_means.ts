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
 * Places of a draw mostly follow each other, and the sum over such a run is a difference of two running sums. A draw is therefore a
 * sum of running sums, each as often as runs end there less how often they begin there, and costs the places where these differ.
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
  const terms = findTerms(draws, { n, count });
  const deviations = new Float64Array(columns.length * count);
  const sums = new Float64Array((n + 1) * LANES);
  for (let k = 0; k < columns.length; k += LANES) {
    fillSums(sums, columns.slice(k, k + LANES));
    addLanes(deviations.subarray(k * count), { sums, terms, n, count });
  }
  return { width: columns.length, draws: count, deviations };
}

/** The running sums that draws are made of. */
interface Terms {
  /** Number of values in each running sum. */
  readonly places: Int32Array;
  /** Number of runs that end there less the number of those that begin there. */
  readonly weights: Float64Array;
  /** The first term of each draw, and at the end the number of terms. */
  readonly starts: Int32Array;
}

interface Size {
  readonly n: number;
  readonly count: number;
}

function findTerms(draws: Iterable<Int32Array>, { n, count }: Size): Terms {
  let [places, weights] = [new Int32Array(n + 1), new Float64Array(n + 1)];
  const starts = new Int32Array(count + 1);
  const ends = new Int32Array(n + 1);
  let [draw, found] = [0, 0];
  for (const drawn of draws) {
    countEnds(ends, drawn);
    if (found + n + 1 > places.length) {
      places = grown(places, new Int32Array(2 * (found + n + 1)));
      weights = grown(weights, new Float64Array(2 * (found + n + 1)));
    }
    // The running sum of no values is zero.
    for (let place = 1; place <= n; place++) {
      if (ends[place] === 0) continue;
      places[found] = place;
      weights[found++] = ends[place]!;
    }
    starts[++draw] = found;
  }
  return { places, weights, starts };
}

/** Ends of the runs of a draw less their beginnings, by place. */
function countEnds(ends: Int32Array, drawn: Int32Array): void {
  ends.fill(0);
  let end = -1;
  for (let t = 0; t < drawn.length; t++) {
    const place = drawn[t]!;
    if (place !== end) {
      if (t > 0) ends[end]!++;
      ends[place]!--;
    }
    end = place + 1;
  }
  ends[end]!++;
}

function grown<Values extends Int32Array | Float64Array>(values: Values, larger: Values): Values {
  larger.set(values);
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
  { sums, terms: { places, weights, starts }, n, count }: Size & {
    readonly sums: Float64Array;
    readonly terms: Terms;
  },
): void {
  const lanes = Math.min(LANES, into.length / count);
  const row = new Float64Array(LANES);
  for (let draw = 0; draw < count; draw++) {
    const end = starts[draw + 1]!;
    let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let term = starts[draw]!; term < end; term++) {
      const at = places[term]! * LANES;
      const weight = weights[term]!;
      a += weight * sums[at]!;
      b += weight * sums[at + 1]!;
      c += weight * sums[at + 2]!;
      d += weight * sums[at + 3]!;
      e += weight * sums[at + 4]!;
      f += weight * sums[at + 5]!;
      g += weight * sums[at + 6]!;
      h += weight * sums[at + 7]!;
    }
    row.set([a, b, c, d, e, f, g, h]);
    for (let k = 0; k < lanes; k++) into[k * count + draw] = row[k]! / n;
  }
}
