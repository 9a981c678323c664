import type { DataFrame } from "nodejs-polars";
import {
  type DenseScores,
  type HasDense,
  horizonsOf,
  returnsOf,
  toDense,
} from "../../dense/dense_frames.ts";
import {
  emptyIcValues,
  groupNeutralReturns,
  NULL_REASONS,
  pearsonIc,
  rankIc,
  rankIcOfPairs,
  rankIcOfPart,
} from "../../dense/rank/rank_correlation.ts";
import {
  type IC_COLUMNS,
  type IcLine,
  type IcRules,
  type IcSplit,
  type InformationCoefficientOptions,
  type LagColumns,
  monthlyMeans,
  readIcOptions,
  type SplitIcColumns,
  toIcFrame,
} from "./ic_frame.ts";
import type { TypedFrame } from "../../../frames/frame/typed/typed_frame.ts";
import { agePartition, expressionPartition, type Grouping, groupPartition } from "../partition.ts";
import { averageRanks, sortedOrders } from "../../dense/rank/orders.ts";
import { keepTies } from "../../../base/statistics/moments.ts";
import type { TableOf } from "../../table/columns.ts";

const ACTION = "correlate scores";
const TOO_FEW_NAMES = NULL_REASONS.indexOf("too_few_names");

/**
 * The correlation of scores with forward returns, session by session: the information coefficient.
 *
 * One row per session, horizon and, if requested, part: `session` (Date), `horizon` (Int32) or `lag`, [`group`, `age`
 * or `part`], `ic` (Float64, −1 to 1), `n` (Int32, stocks with a score and a return) and `reason`: why `ic` is null
 * (`too_few_names`, `constant_scores`, `constant_returns`). By month: `month` ("2026-10"), the plain mean of the
 * sessions' values, and `n` sessions.
 *
 * Spearman is Pearson's correlation of average ranks among the stocks that have both. Cost: one sort of the scores
 * and one of each horizon's returns per session.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @returns A frame of one row per session, horizon and part: the IC, the number of stocks, and the reason why it is null
 * @throws {TypeError} If options conflict, or groups are requested and the data have none
 * @throws {RangeError} If a number is out of range, or lags are requested without returns of one session
 * @example
 * ```ts
 * import pl from "nodejs-polars";
 * import { informationCoefficient } from "scoreframe/analysis";
 *
 * const data = pl.DataFrame({
 *   session: Array(4).fill("2026-10-30"),
 *   ticker: ["A", "B", "C", "D"],
 *   score: [0.1, 0.4, 0.4, 0.9],
 *   return_1: [-0.02, 0.01, 0, 0.03],
 * });
 * const [ic] = informationCoefficient(data, { minNames: 4 }).getColumn("ic").toArray();
 * if (Math.abs(Number(ic) - 0.9486832980505138) > 1e-12) throw new Error("average ranks");
 * ```
 */
export function informationCoefficient(
  data: HasDense | DataFrame,
  options?: InformationCoefficientOptions & { readonly by?: undefined; readonly lags?: undefined },
): TableOf<typeof IC_COLUMNS>;
/**
 * The ICs by lag, in a column `lag` instead of `horizon`.
 *
 * @returns A frame of one row per session and lag
 */
export function informationCoefficient(
  data: HasDense | DataFrame,
  options: InformationCoefficientOptions & {
    readonly by?: undefined;
    readonly lags: readonly number[];
  },
): TypedFrame<LagColumns>;
/**
 * The ICs by group, age, month or an expression, in a column that the option names; those of an expression in `part`.
 *
 * @returns A frame of one row per session or month, horizon and part
 */
export function informationCoefficient<const Split extends IcSplit>(
  data: HasDense | DataFrame,
  options: InformationCoefficientOptions & { readonly by: Split; readonly lags?: undefined },
): TypedFrame<SplitIcColumns<Split>>;
/**
 * The ICs of options known only at run time.
 *
 * @returns A frame of one row per session or month, horizon or lag, and part
 */
export function informationCoefficient(
  data: HasDense | DataFrame,
  options: InformationCoefficientOptions,
): DataFrame;
export function informationCoefficient(
  data: HasDense | DataFrame,
  options: InformationCoefficientOptions = {},
): DataFrame {
  const rules = readIcOptions(options);
  const dense = toDense(ACTION, data);
  const partition = partitionOf(dense, rules, data);
  const lines = linesOf(dense, rules, partition);
  const layout = { dense, key: rules.lags === null ? "horizon" : "lag", partition } as const;
  const frame = toIcFrame(lines, layout);
  return rules.isMonthly ? monthlyMeans(frame, partition?.column) : frame;
}

function partitionOf(
  dense: DenseScores,
  { parts }: IcRules,
  data: HasDense | DataFrame,
): Grouping | null {
  if (parts === null) return null;
  if (parts === "group") return groupPartition(`${ACTION} by group`, dense);
  if (parts === "age") return agePartition(`${ACTION} by age`, dense);
  return expressionPartition(`${ACTION} by an expression`, dense, { expression: parts, data });
}

function linesOf(
  dense: DenseScores,
  rules: IcRules,
  partition: Grouping | null,
): readonly IcLine[] {
  if (rules.lags !== null) return lagLines(dense, rules.lags, rules.minNames);
  if (rules.form === "oneSession") return oneSessionLines(dense, rules.minNames);
  const returns = horizonsOf(ACTION, dense).map((h) => {
    const plain = returnsOf(ACTION, dense, h);
    return rules.groupNeutral ? groupNeutralReturns(dense, plain) : plain;
  });
  if (rules.groupNeutral) groupPartition(`${ACTION} neutral to groups`, dense);
  const { scores, from, to } = dense;
  const width = dense.tickers.length;
  const input = { scores, returns, span: [from, to], width, minNames: rules.minNames } as const;
  const isRanked = rules.method === "spearman";
  if (partition === null) {
    const all = isRanked ? rankIc(input) : pearsonIc(input, null);
    return all.map((values, i) => ({ key: dense.periods[i]!, part: null, values }));
  }
  const byPart = partition.names.map((_, code) =>
    (isRanked ? rankIcOfPart : pearsonIc)(input, { codes: partition.codes, code })
  );
  return dense.periods.flatMap((key, i) =>
    byPart.map((results, part) => ({ key, part, values: results[i]! }))
  );
}

function lagLines(dense: DenseScores, lags: readonly number[], minNames: number): IcLine[] {
  const { from, to, days, tickers } = dense;
  const all = returnsOf("correlate scores by lag", dense, 1);
  // Only the sessions whose scores or returns are read.
  const end = Math.min(days.length, to + Math.max(...lags) - 1);
  const scores = sortedOrders(dense.scores, tickers.length, [from, to]);
  const returns = sortedOrders(all, tickers.length, [from, end]);
  const lines = lags.map((key) => ({ key, part: null, values: emptyIcValues(to - from) }));
  // Sessions of scores and of returns, by the latter, and the line of each pair.
  const pairs = Array.from({ length: end - from }, (_, priced) =>
    lags.flatMap((lag, line) => {
      const scored = priced - lag + 1;
      return scored < 0 || scored >= to - from ? [] : [{ line, scored, priced }];
    })).flat();
  const [found] = rankIcOfPairs(scores, [returns], {
    scored: Int32Array.from(pairs, ({ scored }) => from + scored),
    priced: Int32Array.from(pairs, ({ priced }) => from + priced),
    minNames,
  });
  for (const { values } of lines) values.reasons.fill(TOO_FEW_NAMES);
  for (const [pair, { line, scored: session }] of pairs.entries()) {
    const { values, counts, reasons } = lines[line]!.values;
    values[session] = found!.values[pair]!;
    counts[session] = found!.counts[pair]!;
    reasons[session] = found!.reasons[pair]!;
  }
  return lines;
}

function oneSessionLines(dense: DenseScores, minNames: number): IcLine[] {
  const { from, to, tickers } = dense;
  const width = tickers.length;
  const all = returnsOf("correlate scores in the one-session form", dense, 1);
  const returns = sortedOrders(all, width, [from, to]);
  const scored = Int32Array.from({ length: to - from }, (_, i) => i);
  const priced = scored.map((session) => from + session);
  return oneSessionSignals(dense, dense.periods, minNames).map((signal, h) => {
    const scores = sortedOrders(signal, width);
    const [values] = rankIcOfPairs(scores, [returns], { scored, priced, minNames });
    return { key: dense.periods[h]!, part: null, values: values! };
  });
}

type Sessions = Pick<DenseScores, "scores" | "tickers" | "from" | "to">;

/**
 * The mean rank of the last sessions, for the one-session form of a horizon (Hodrick 1992; Jegadeesh and Titman 1993), by
 * session of the span and stock: p = (R − (n + 1) / 2) / n among the n scored stocks of a session, and of p the mean over those of the last h
 * sessions in which the stock was scored. Sessions with fewer than `minNames` stocks do not count; the first h − 1
 * sessions have none.
 */
export function oneSessionSignals(
  dense: Sessions,
  horizons: readonly number[],
  minNames: number,
): readonly Float64Array[] {
  const { tickers, from, to } = dense;
  const width = tickers.length;
  const ranks = centredRanks(dense, minNames);
  const signals = horizons.map(() => new Float64Array(ranks.length).fill(NaN));
  const [sums, counts] = [new Float64Array(width), new Float64Array(width)];
  for (let d = 0; d < to - from; d++) {
    sums.fill(0);
    counts.fill(0);
    let lag = 0;
    // Ranks are added from the latest session backwards, so that a longer mean continues a shorter one.
    for (const [h, horizon] of horizons.entries()) {
      if (d - horizon + 1 < 0) break;
      const own = ranks.subarray((d - horizon + 1) * width, (d - lag + 1) * width);
      addRanks(own, sums, counts);
      // Rounding preserves ties in any order of summation.
      for (const [name, n] of counts.entries()) {
        if (n > 0) signals[h]![d * width + name] = roundRank(sums[name]! / n);
      }
      lag = horizon;
    }
  }
  return signals;
}

/** Adds the ranks of some sessions, the latest first. */
function addRanks(ranks: Float64Array, sums: Float64Array, counts: Float64Array): void {
  const width = sums.length;
  for (let name = 0; name < width; name++) {
    let sum = sums[name]!, n = counts[name]!;
    for (let cell = ranks.length - width + name; cell >= 0; cell -= width) {
      const rank = ranks[cell]!;
      if (rank !== rank) continue;
      sum += rank;
      n++;
    }
    sums[name] = sum;
    counts[name] = n;
  }
}

// Ranks are shares, of at most one half.
const roundRank = keepTies(1);

function centredRanks(dense: Sessions, minNames: number): Float64Array {
  const width = dense.tickers.length;
  const ranks = averageRanks(dense.scores, dense);
  for (let start = 0; start < ranks.length; start += width) {
    const session = ranks.subarray(start, start + width);
    let n = 0;
    for (const rank of session) if (rank === rank) n++;
    for (let name = 0; name < width; name++) {
      session[name] = n < minNames ? NaN : (session[name]! - (n + 1) / 2) / n;
    }
  }
  return ranks;
}
