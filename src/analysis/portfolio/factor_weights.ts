import type { DataFrame } from "nodejs-polars";
import * as rules from "../../base/arguments/check_options.ts";
import { COMPAT, presetOf } from "../alphalens_preset.ts";
import {
  BUFFER,
  groupPartition,
  MINIMUM,
  VALUE_WEIGHTS,
  valueGrid,
} from "../cross_section/partition.ts";
import { toQuantized } from "../cross_section/buckets/quantize.ts";
import { type DenseScores, type HasDense, toDense } from "../dense/dense_frames.ts";
import { toWeights, type Weights } from "./weights.ts";
import { columnGrids } from "../dense/column_grids.ts";
import { meanRanks } from "../../base/statistics/mean_ranks.ts";
import { medianOf } from "../../base/statistics/moments.ts";

/** Options of the weights of scores. */
export interface FactorWeightsOptions {
  /**
   * `factor`: by the score minus the mean. `rank`: by the rank minus the mean rank; equal scores share the mean of
   * their ranks. `equal`: one weight for all stocks above the median and its negative for all below; if no stock is on
   * one side, because at least half of them tie at the lowest or highest score, those at the median form that side.
   * `quantile`: the top quantile against the bottom one, with a gross weight of ½ each. `{ value: "cap" }`: the same, each side by
   * that column at the session of the score.
   *
   * @default "factor"
   */
  readonly weighting?: "factor" | "rank" | "equal" | "quantile" | { readonly value: string };
  /** Leaves out stocks whose column is below a floor, or null, at the session of the score: `{ column: "cap", at: 1e9 }`. @default none */
  readonly minimum?: { readonly column: string; readonly at: number };
  /**
   * Quantiles at which a stock enters and leaves the long side, the short side mirrored: with `{ enter: 5, leave: 4 }` it enters in quantile 5 and
   * leaves below 4.
   *
   * @default the outer quantiles
   */
  readonly buffer?: { readonly enter: number; readonly leave: number };
  /** Long and short exposures are equal over all stocks, within each group, or not at all. @default "market" */
  readonly neutral?: "market" | "group" | "none";
  /** Gives each group the same gross weight; `neutral: "group"` implies it. @default false */
  readonly byGroup?: boolean;
  /** `"alphalens"`: stocks at the median have no weight, so that `equal` can be one-sided. @default none */
  readonly compat?: "alphalens";
}

const RULES: rules.OptionRules<FactorWeightsOptions> = {
  weighting: rules.either(rules.oneOf("factor", "rank", "equal", "quantile"), VALUE_WEIGHTS),
  minimum: MINIMUM,
  buffer: BUFFER,
  neutral: rules.oneOf("market", "group", "none"),
  byGroup: rules.FLAG,
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
  rules.checkOptions("call factorWeights()", options, RULES);
  const { isMedianOut = false } = presetOf("factorWeights", options.compat);
  const { weighting = "factor", neutral = "market", minimum, buffer } = options;
  const given = toDense(ACTION, data);
  const dense = minimum === undefined ? given : aboveFloor(data, given, minimum);
  const span = [dense.from, dense.to] as const;
  const isOfSides = weighting === "quantile" || typeof weighting === "object";
  if (buffer !== undefined && !isOfSides) {
    throw new TypeError(
      `Cannot ${ACTION}: expected a buffer with weighting "quantile" or a column, got weighting "${weighting}"; ` +
        "leave the buffer out, or weigh the quantiles",
    );
  }
  if (isOfSides) {
    if (neutral === "none" || neutral === "group" || options.byGroup === true) {
      throw new TypeError(
        `Cannot ${ACTION}: expected weighting "quantile" without neutral and byGroup, because it is neutral ` +
          'to the market already, got one of them; leave it out, or quantize by: "group"',
      );
    }
    const sizes = typeof weighting === "object" ? valueGrid(ACTION, data, weighting) : null;
    return kept(dense, sideWeights(data, dense, sizes, buffer));
  }
  const plan = { weighting, isNeutral: neutral !== "none", isMedianOut };
  const isByGroup = neutral === "group" || options.byGroup === true;
  const codes = isByGroup ? groupPartition(`${ACTION} by group`, dense).codes : null;
  const values = weighAll(dense, plan, codes);
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

function weighAll(dense: DenseScores, plan: WeighRules, codes: Int32Array | null): Float64Array {
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
      const weights = weighNames(own.subarray(0, n), plan);
      for (let i = 0; i < n; i++) values[cells[i]!] = weights[i]!;
    }
    if (codes === null) continue;
    const session = values.subarray(d * width, (d + 1) * width);
    const shares = scaled(session.map((weight) => weight === weight ? weight : 0));
    session.set(shares.map((share, name) => session[name] === session[name] ? share : NaN));
  }
  return values;
}

/** The data without the scores of stocks below a floor, which keep what decides nothing. */
function aboveFloor(
  data: HasDense | DataFrame,
  dense: DenseScores,
  { column, at }: NonNullable<FactorWeightsOptions["minimum"]>,
): DenseScores {
  const [grid] = columnGrids(ACTION, data, [column]).grids;
  return { ...dense, scores: dense.scores.map((score, cell) => grid![cell]! >= at ? score : NaN) };
}

/** Weights of the top quantile against the bottom one, each alike or by size; 0 between them. */
function sideWeights(
  data: HasDense | DataFrame,
  dense: DenseScores,
  sizes: Float64Array | null,
  buffer: FactorWeightsOptions["buffer"],
): Float64Array {
  const { buckets, count } = toQuantized(ACTION, data as DataFrame);
  const { enter = count, leave = count } = buffer ?? {};
  rules.checkOption(ACTION, "enter", enter, rules.whole(1, count));
  const { scores, tickers, from, to } = dense;
  const width = tickers.length;
  const values = new Float64Array(scores.length).fill(NaN);
  const held = new Int8Array(width);
  for (let d = from; d < to; d++) {
    const totals = [0, 0];
    for (let name = 0; name < width; name++) {
      const cell = d * width + name;
      const size = sizes === null ? 1 : sizes[cell]!;
      const isIn = scores[cell] === scores[cell] && size > 0 && buckets[cell] !== 0;
      held[name] = isIn ? sideOf(buckets[cell]!, held[name]!, { count, enter, leave }) : 0;
      if (held[name] !== 0) totals[held[name] === 1 ? 0 : 1]! += size;
    }
    // Without one side there is no portfolio.
    const isWhole = totals[0]! > 0 && totals[1]! > 0 && count > 1;
    for (let name = 0; name < width; name++) {
      const cell = d * width + name;
      if (scores[cell] !== scores[cell]) continue;
      const size = sizes === null ? 1 : sizes[cell]!;
      const side = held[name]! * 0.5 * size / totals[held[name] === 1 ? 0 : 1]!;
      values[cell] = isWhole && held[name] !== 0 ? side : 0;
    }
  }
  return values;
}

/** The side of a stock in a quantile: 1 long, -1 short, 0 none; one that is held stays until it leaves. */
function sideOf(
  bucket: number,
  before: number,
  { count, enter, leave }: Readonly<Record<"count" | "enter" | "leave", number>>,
): number {
  const mirrored = count + 1 - bucket;
  if (bucket >= (before === 1 ? leave : enter)) return 1;
  return mirrored >= (before === -1 ? leave : enter) ? -1 : 0;
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
function weighNames(scores: Float64Array, plan: WeighRules): Float64Array {
  if (plan.weighting === "equal") return scaled(equalSides(scores, plan));
  const weights = plan.weighting === "rank" ? meanRanks(scores) : scores.slice();
  if (!plan.isNeutral) return scaled(weights);
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

function equalSides(scores: Float64Array, { isNeutral, isMedianOut }: WeighRules): Float64Array {
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
