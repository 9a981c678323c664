import { cosineSums, ewcDegrees } from "../inference/method/test_by_ewc.ts";
import { demean, meanOf, sumOfSquares } from "../../base/statistics/moments.ts";
import { drawnMeans } from "./drawn_means.ts";
import type { Family } from "./family_p.ts";

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
  if (degrees === null) {
    divide(drawn, units);
    return { statistics, drawn, bounds, isTwoSided, standardErrors, degrees };
  }
  for (const [k, df] of degrees.entries()) {
    statistics[k] = toNormal(statistics[k]!, df);
    studentizeDraws(drawn, { k, df });
  }
  return { statistics, drawn, bounds, isTwoSided, standardErrors, degrees };
}

function divide({ draws, deviations }: Family["drawn"], units: Float64Array): void {
  for (const [k, unit] of units.entries()) {
    for (let at = k * draws; at < (k + 1) * draws; at++) deviations[at] = deviations[at]! / unit;
  }
}

/** Divides each draw of a variant by the root mean square of the draws after it; the first ones follow the last. */
function studentizeDraws(
  { draws, deviations }: Family["drawn"],
  { k, df }: { readonly k: number; readonly df: number },
): void {
  const into = deviations.subarray(k * draws, (k + 1) * draws);
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
