import type { DrawnMeans } from "./drawn_means.ts";
import { quantileOfSorted } from "../../base/statistics/moments.ts";

/** The statistics of a family, and what they are under the null hypothesis. */
export interface Family {
  /** The statistic of each variant: its mean, or its mean over a standard error. */
  readonly statistics: Float64Array;
  /** Deviations of the draws in the same unit. */
  readonly drawn: DrawnMeans;
  /** The statistic below which a variant is too bad to count for the consistent p value, as a negative number for each. */
  readonly bounds: Float64Array;
  /** `true` if a variant is compared in both directions. */
  readonly isTwoSided: boolean;
}

/** The variants that count under the null hypothesis: all; those that are not too bad; none that is worse than the benchmark. */
export type Centring = "upper" | "consistent" | "lower";

/** Largest statistic of each draw under the null hypothesis. */
export function drawnMaxima(family: Family, centring: Centring): Float64Array {
  const maxima = new Float64Array(family.drawn.draws).fill(-Infinity);
  for (const k of family.statistics.keys()) raise(maxima, family, { centring, k });
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
      raise(maxima, family, { centring, k: order[end]! });
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
  { centring, k }: { readonly centring: Centring; readonly k: number },
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
