import type { DataFrame } from "nodejs-polars";
import { checkOptions, FLAG, oneOf, type OptionRules } from "../../base/arguments/check_options.ts";
import { COMPAT, presetOf } from "../alphalens_preset.ts";
import { groupPartition } from "../cross_section/partition.ts";
import { toQuantized } from "../cross_section/buckets/to_quantized.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { type HasDense, toDense } from "../dense/from_data_frame.ts";
import { toWeights, type Weights } from "./weights.ts";
import { meanRanks } from "../../base/statistics/mean_ranks.ts";
import { medianOf } from "../../base/statistics/moments.ts";

/** Options of the weights of scores. */
export interface FactorWeightsOptions {
  /**
   * `factor`: by the score minus the mean. `rank`: by the rank minus the mean rank; equal scores share the mean of
   * their ranks. `equal`: one weight for all stocks above the median and its negative for all below; if no stock is on
   * one side, because at least half of them tie at the lowest or highest score, those at the median form that side.
   * `quantile`: the top quantile against the bottom one, with a gross weight of ½ each.
   *
   * @default "factor"
   */
  readonly weighting?: "factor" | "rank" | "equal" | "quantile";
  /** Long and short exposures are equal over all stocks, within each group, or not at all. @default "market" */
  readonly neutral?: "market" | "group" | "none";
  /** Gives each group the same gross weight; `neutral: "group"` implies it. @default false */
  readonly byGroup?: boolean;
  /** `"alphalens"`: stocks at the median have no weight, so that `equal` can be one-sided. @default none */
  readonly compat?: "alphalens";
}

const RULES: OptionRules<FactorWeightsOptions> = {
  weighting: oneOf("factor", "rank", "equal", "quantile"),
  neutral: oneOf("market", "group", "none"),
  byGroup: FLAG,
  compat: COMPAT,
};
const ACTION = "weigh stocks";

/**
 * Weights of a portfolio from the scores of each session, over all scored stocks, with or without a later return.
 *
 * One row per session and scored stock: `session`, `ticker`, `weight`. By `factor`: (s − mean) / Σ|s − mean|; `rank`:
 * the same of ranks; `equal`: the sign against the median, with a gross weight of ½ on either side even if half of the
 * stocks tie at one end; within groups the same, then all scaled to Σ|w| = 1. A session in which all scores are
 * equal has no weights, and a portfolio keeps what it holds (all are 0 where no session has others).
 *
 * @param data The result of {@link align}, of {@link quantize} for `quantile`, or a frame of their rows
 * @returns The weights by session and ticker, which `positions()`, `factorReturns()` and `portfolioReturns()` take
 * @throws {TypeError} If groups or quantiles are needed and there are none
 * @see Lehmann (1990), Fads, martingales, and market efficiency, Quarterly Journal of Economics 105
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { factorWeights } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(3).fill("2026-10-30"),
 *   ticker: ["A", "B", "C"],
 *   score: [0.25, 0.5, 0.75],
 * });
 * const weights = factorWeights(data).data.getColumn("weight").toArray();
 * if (weights.join() !== "-0.5,0,0.5") throw new Error("demeaned, gross 1");
 * ```
 */
export function factorWeights(
  data: HasDense | DataFrame,
  options: FactorWeightsOptions = {},
): Weights {
  checkOptions("call factorWeights()", options, RULES);
  const { isMedianOut = false } = presetOf("factorWeights", options.compat);
  const { weighting = "factor", neutral = "market" } = options;
  const dense = toDense(ACTION, data);
  const span = [dense.from, dense.to] as const;
  if (weighting === "quantile") {
    if (neutral === "none" || neutral === "group" || options.byGroup === true) {
      throw new TypeError(
        `Cannot ${ACTION}: expected weighting "quantile" without neutral and byGroup, because it is neutral ` +
          'to the market already, got one of them; leave it out, or quantize by: "group"',
      );
    }
    return kept(dense, bucketWeights(data, dense));
  }
  const rules = { weighting, isNeutral: neutral !== "none", isMedianOut };
  const isByGroup = neutral === "group" || options.byGroup === true;
  const codes = isByGroup ? groupPartition(`${ACTION} by group`, dense).codes : null;
  const values = weighAll(dense, rules, codes);
  return isMedianOut ? toWeights(dense, span, values) : kept(dense, values);
}

/**
 * Weights in which a session that tells no stocks apart has none, so that the book is kept as in a session without scores; one of sets that stay in force
 * has those of the session before, and is no signal.
 */
function kept(dense: DenseScores, values: Float64Array): Weights {
  const { tickers, from, to } = dense;
  const width = tickers.length;
  // Where no session has a book, there is none to keep.
  if (!values.some((weight) => weight !== 0 && weight === weight)) {
    return toWeights(dense, [from, to], values);
  }
  const signals = dense.signals?.slice() ?? null;
  for (let d = from; d < to; d++) {
    const session = values.subarray(d * width, (d + 1) * width);
    if (!session.includes(0) || session.some((weight) => weight !== 0 && weight === weight)) {
      continue;
    }
    session.fill(NaN);
    if (signals === null || d === from) continue;
    session.set(values.subarray((d - 1) * width, d * width));
    signals[d] = 0;
  }
  return toWeights({ days: dense.days, tickers, signals }, [from, to], values);
}

function weighAll(dense: DenseScores, rules: WeighRules, codes: Int32Array | null): Float64Array {
  const { scores, tickers, from, to, groups } = dense;
  const width = tickers.length;
  const values = new Float64Array(scores.length).fill(NaN);
  const cells = new Int32Array(width);
  const own = new Float64Array(width);
  for (let d = from; d < to; d++) {
    const parts = codes === null ? [-2] : groups!.names.keys();
    for (const part of parts) {
      let n = 0;
      for (let cell = d * width; cell < (d + 1) * width; cell++) {
        const score = scores[cell]!;
        if (score !== score || (codes !== null && codes[cell] !== part)) continue;
        cells[n] = cell;
        own[n++] = score;
      }
      const weights = weighNames(own.subarray(0, n), rules);
      for (let i = 0; i < n; i++) values[cells[i]!] = weights[i]!;
    }
    if (codes !== null) scaleSession(values, d * width, width);
  }
  return values;
}

function scaleSession(values: Float64Array, start: number, width: number): void {
  const session = values.subarray(start, start + width);
  const known = scaled(session.map((weight) => weight === weight ? weight : 0));
  for (const [name, weight] of known.entries()) {
    if (session[name] === session[name]) session[name] = weight;
  }
}

function bucketWeights(data: HasDense | DataFrame, dense: DenseScores): Float64Array {
  const { buckets, count } = toQuantized(ACTION, data as DataFrame);
  const { scores, tickers, from, to } = dense;
  const width = tickers.length;
  const values = new Float64Array(scores.length).fill(NaN);
  for (let d = from; d < to; d++) {
    const session = buckets.subarray(d * width, (d + 1) * width);
    const sizeOf = (bucket: number) => session.reduce((n, own) => n + (own === bucket ? 1 : 0), 0);
    const [tops, bottoms] = [sizeOf(count), sizeOf(1)];
    for (const [name, bucket] of session.entries()) {
      const cell = d * width + name;
      if (scores[cell] !== scores[cell]) continue;
      // Without one side there is no portfolio.
      const isWhole = tops > 0 && bottoms > 0 && count > 1;
      const side = bucket === count ? 0.5 / tops : bucket === 1 ? -0.5 / bottoms : 0;
      values[cell] = isWhole ? side : 0;
    }
  }
  return values;
}

/** Rules that weigh the stocks of one session, or of one group of it. */
interface WeighRules {
  /** By the score, by its rank, or all alike on each side. */
  readonly weighting: "factor" | "rank" | "equal";
  /** Subtracts the mean (or for equal weights the median), so that the sides are equal. */
  readonly isNeutral: boolean;
  /** Leaves stocks at the median without weight even where nothing lies beyond it. */
  readonly isMedianOut: boolean;
}

/**
 * Weights of some stocks: their absolute values add up to 1, or all are 0 if nothing tells the stocks apart.
 *
 * @param scores The scores of the stocks
 */
function weighNames(scores: Float64Array, rules: WeighRules): Float64Array {
  if (rules.weighting === "equal") return scaled(equalSides(scores, rules));
  const weights = rules.weighting === "rank" ? meanRanks(scores) : scores.slice();
  if (!rules.isNeutral) return scaled(weights);
  // The mean of equal scores can differ from them by rounding, which would then be scaled up.
  if (isConstant(scores)) return new Float64Array(scores.length);
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]!;
  const mean = sum / weights.length;
  for (let i = 0; i < weights.length; i++) weights[i]! -= mean;
  return scaled(weights);
}

/** Weights divided by the sum of their absolute values. */
function scaled(weights: Float64Array): Float64Array {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += Math.abs(weights[i]!);
  if (sum === 0) return weights;
  const shares = new Float64Array(weights.length);
  for (let i = 0; i < weights.length; i++) shares[i] = weights[i]! / sum;
  return shares;
}

function equalSides(
  scores: Float64Array,
  { isNeutral, isMedianOut }: WeighRules,
): Float64Array {
  if (!isNeutral) return scores.map(Math.sign);
  const middle = medianOf(scores);
  const signs = scores.map((score) => Math.sign(score - middle));
  const count = (side: number) => signs.reduce((n, sign) => n + (sign === side ? 1 : 0), 0);
  const [longs, shorts, ties] = [count(1), count(-1), count(0)];
  // Half of the stocks or more share an end: they are the side that lies at the median.
  const tied = isMedianOut || (longs > 0) === (shorts > 0) ? 0 : longs > 0 ? -1 / ties : 1 / ties;
  return signs.map((sign) => sign > 0 ? 1 / longs : sign < 0 ? -1 / shorts : tied);
}

function isConstant(values: Float64Array): boolean {
  return values.every((value) => value === values[0]);
}
