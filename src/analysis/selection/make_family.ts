import { demean, meanOf, quantileOfSorted, sumOfSquares } from "../../base/statistics/moments.ts";
import { cosineSums, ewcDegrees } from "../inference/test_mean.ts";

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
function drawnMeans(columns: readonly Float64Array[], draws: Iterable<Int32Array>, count: number) {
  const n = columns[0]?.length ?? 0;
  const terms = findTerms(draws, n, count);
  const deviations = new Float64Array(columns.length * count);
  const sums = new Float64Array((n + 1) * LANES);
  for (let k = 0; k < columns.length; k += LANES) {
    fillSums(sums, columns.slice(k, k + LANES));
    addLanes(deviations.subarray(k * count), sums, terms, n, count);
  }
  return { width: columns.length, draws: count, deviations };
}

function findTerms(draws: Iterable<Int32Array>, n: number, count: number) {
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
  sums: Float64Array,
  { places, weights, starts }: ReturnType<typeof findTerms>,
  n: number,
  count: number,
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

/** The statistics of a family, and what they are under the null hypothesis. */
interface Family {
  /** The statistic of each variant: its mean, or its mean over a standard error. */
  readonly statistics: Float64Array;
  /** Deviations of the draws in the same unit. */
  readonly drawn: ReturnType<typeof drawnMeans>;
  /** The statistic below which a variant is too bad to count for the consistent p value, as a negative number for each. */
  readonly bounds: Float64Array;
  /** `true` if a variant is compared in both directions. */
  readonly isTwoSided: boolean;
}

/** The variants that count under the null hypothesis: all; those that are not too bad; none that is worse than the benchmark. */
type Centring = "upper" | "consistent" | "lower";

/** Largest statistic of each draw under the null hypothesis. */
export function drawnMaxima(family: Family, centring: Centring): Float64Array {
  const maxima = new Float64Array(family.drawn.draws).fill(-Infinity);
  for (const k of family.statistics.keys()) raise(maxima, family, centring, k);
  return maxima;
}

/** Share of the draws whose largest statistic is beyond the one found, with the sample itself as a draw. */
export function shareBeyond(maxima: Float64Array, found: number): number {
  let beyond = 0;
  for (let i = 0; i < maxima.length; i++) if (maxima[i]! > found) beyond++;
  return (1 + beyond) / (1 + maxima.length);
}

/** The value that the largest statistic of the draws exceeds with a probability of `level`. */
export function criticalValue(maxima: Float64Array, level: number): number {
  return quantileOfSorted(maxima.toSorted(), 1 - level);
}

/** The statistic that is compared: the size of it, where both directions count. */
export function comparedStatistic({ statistics, isTwoSided }: Family, k: number): number {
  return isTwoSided ? Math.abs(statistics[k]!) : statistics[k]!;
}

/**
 * Adjusted p values of the stepwise method (Romano and Wolf, 2005; p values 2016): each variant is compared with the largest
 * statistic of those that are no better than it. Of variants whose statistics are equal each is compared with all of them.
 */
export function stepwiseP(family: Family, centring: Centring): Float64Array {
  const order = Array.from(family.statistics.keys())
    .toSorted((a, b) => comparedStatistic(family, a) - comparedStatistic(family, b));
  const p = new Float64Array(order.length);
  const maxima = new Float64Array(family.drawn.draws).fill(-Infinity);
  for (let first = 0; first < order.length;) {
    const found = comparedStatistic(family, order[first]!);
    let end = first;
    for (; end < order.length && comparedStatistic(family, order[end]!) === found; end++) {
      raise(maxima, family, centring, order[end]!);
    }
    const share = shareBeyond(maxima, found);
    for (; first < end; first++) p[order[first]!] = share;
  }
  // No variant has a smaller p value than a better one.
  let largest = 0;
  for (const k of order.toReversed()) p[k] = largest = Math.max(largest, p[k]!);
  return p;
}

function raise(
  maxima: Float64Array,
  { statistics, drawn, bounds, isTwoSided }: Family,
  centring: Centring,
  k: number,
): void {
  const own = drawn.deviations.subarray(k * drawn.draws, (k + 1) * drawn.draws);
  const up = shiftOf(centring, statistics[k]!, bounds[k]!);
  const down = shiftOf(centring, -statistics[k]!, bounds[k]!);
  for (let i = 0; i < maxima.length; i++) {
    const deviation = own[i]!;
    const value = isTwoSided ? Math.max(deviation + up, down - deviation) : deviation + up;
    if (value > maxima[i]!) maxima[i] = value;
  }
}

/** The distance at which the draws of a variant stay below zero, because they are not brought to the null hypothesis. */
function shiftOf(centring: Centring, statistic: number, bound: number): number {
  if (centring === "upper") return 0;
  return statistic < (centring === "lower" ? 0 : bound) ? statistic : 0;
}

/** Options of {@link makeFamily}. */
export interface FamilyPlan {
  /** Unit of the statistics: EWC standard errors, those of Hansen (2005), or none. */
  readonly studentize: "ewc" | "hansen" | false;
  readonly isTwoSided: boolean;
  /** Mean length of the blocks. */
  readonly block: number;
  /** Number of draws. */
  readonly count: number;
  /** Largest number of windows of each variant that cover one session. */
  readonly overlaps: readonly number[];
  /**
   * The values of each variant where the columns hold more places than that.
   *
   * @default the columns
   */
  readonly own?: readonly Float64Array[];
}

/** Least number of cosines, of which each takes six windows that do not overlap. */
export const LEAST_COSINES = 3;
const WINDOWS_OF_COSINE = 6;

/**
 * Number of cosines for the standard error of one of many variants: those of a single test, and at most a sixth of the windows. The
 * best of many lies further out, where a standard error that is a little too small shows most.
 */
export function familyDegrees(n: number, overlap: number): number {
  return Math.min(ewcDegrees(n, overlap), Math.floor(n / (WINDOWS_OF_COSINE * overlap)));
}

/** A family of variants over the same sessions. */
export interface MadeFamily extends Family {
  /** Standard error of each mean. */
  readonly standardErrors: Float64Array;
  /** Degrees of freedom of each; `null` without EWC. */
  readonly degrees: readonly number[] | null;
}

/**
 * Standardises the means of variants, with their distribution under the null hypothesis.
 *
 * With EWC, a mean divided by its standard error has a Student's t distribution, with one degree of freedom per cosine: the cosine
 * sums are independent of the mean and of each other, and share its long-run variance (Lazarus, Lewis, Stock and Watson, 2018).
 * Bootstrap means are also independent draws with one variance, so a drawn mean divided by the root mean square of as many other
 * draws has the same distribution; the dependence between variants is that of the sample. Wallace's (1959) formula maps both to
 * the scale of a normal deviate, which makes variants with different degrees of freedom comparable.
 *
 * @param columns Values of each variant, of equal length and not constant
 * @param draws Sampled positions of each draw
 */
export function makeFamily(
  columns: readonly Float64Array[],
  draws: Iterable<Int32Array>,
  plan: FamilyPlan,
): MadeFamily {
  const { studentize, block, overlaps, isTwoSided, count, own = columns } = plan;
  const n = columns[0]?.length ?? 0;
  const drawn = drawnMeans(columns.map(demean), draws, count);
  const centred = own.map(demean);
  const degrees = studentize === "ewc"
    ? overlaps.map((overlap, k) =>
      Math.min(familyDegrees(own[k]!.length, overlap), Math.floor(count / 4))
    )
    : null;
  const standardErrors = Float64Array.from(centred, (x, k) => {
    const variance = degrees === null
      ? stationaryVariance(x, block)
      : sumOfSquares(cosineSums(x, degrees[k]!)) / degrees[k]!;
    return Math.sqrt(variance / x.length);
  });
  const units = studentize === false ? standardErrors.map(() => 1) : standardErrors;
  const statistics = Float64Array.from(own, (x, k) => meanOf(x) / units[k]!);
  const far = -Math.sqrt(2 * Math.log(Math.log(n)));
  const bounds = standardErrors.map((error, k) => far * error / units[k]!);
  for (const [k, unit] of units.entries()) {
    const df = degrees?.[k];
    if (df !== undefined) statistics[k] = toNormal(statistics[k]!, df);
    const own = drawn.deviations.subarray(k * count, (k + 1) * count);
    if (df !== undefined) studentizeDraws(own, df);
    else for (let i = 0; i < count; i++) own[i] = own[i]! / unit;
  }
  return { statistics, drawn, bounds, isTwoSided, standardErrors, degrees };
}

/** Divides each draw of a variant by the root mean square of the draws after it; the first ones follow the last. */
function studentizeDraws(into: Float64Array, df: number): void {
  const draws = into.length;
  const own = into.slice();
  let squares = 0;
  for (let j = 1; j <= df; j++) squares += own[j % draws]! ** 2;
  for (let i = 0; i < draws; i++) {
    into[i] = toNormal(own[i]! / Math.sqrt(squares / df), df);
    squares += own[(i + df + 1) % draws]! ** 2 - own[(i + 1) % draws]! ** 2;
  }
}

/** A normal deviate with the tail probability of Student's t, to half a percent (Wallace, 1959). */
function toNormal(t: number, df: number): number {
  return Math.sign(t) * (8 * df + 1) / (8 * df + 3) * Math.sqrt(df * Math.log1p(t * t / df));
}

/**
 * Long-run variance of values by the stationary bootstrap with its number of draws taken to infinity (Politis and Romano, 1994;
 * formula of Hansen, 2005): γ₀ + 2 Σ κᵢ γᵢ with κᵢ = (1 − i/n) qⁱ + (i/n) qⁿ⁻ⁱ and q = 1 − 1/block.
 *
 * Sums over all pairs of values are running sums here, so that the cost is that of one pass.
 *
 * @param x The values less their mean
 * @param block Mean length of a block
 */
export function stationaryVariance(x: Float64Array, block: number): number {
  const n = x.length;
  const q = 1 - 1 / block;
  // Σ qⁱ x[t + i] and Σ i qⁱ x[t + i] over the later values, updated from the last value to the first.
  let [later, laterByLag] = [0, 0];
  let near = 0;
  let squares = 0;
  for (let t = n - 1; t >= 0; t--) {
    near += x[t]! * (later - laterByLag / n);
    squares += x[t]! ** 2;
    laterByLag = q * (x[t]! + later + laterByLag);
    later = q * (x[t]! + later);
  }
  // Σ x[s] qˢ and Σ s x[s] qˢ over the earlier values.
  let [earlier, earlierByPlace] = [0, 0];
  let far = 0;
  for (let t = 0; t < n; t++) {
    far += x[t]! * q ** (n - t) * (t * earlier - earlierByPlace) / n;
    earlier += x[t]! * q ** t;
    earlierByPlace += t * x[t]! * q ** t;
  }
  return (squares + 2 * (near + far)) / n;
}
