import type { DataFrame } from "nodejs-polars";
import type { DenseScores } from "../../dense/dense_scores.ts";
import { type HasDense, toDense } from "../../dense/from_data_frame.ts";
import { emptyIcValues, type IcValues } from "../../dense/ic_values.ts";
import { NULL_REASONS } from "../../dense/rank/rank_correlation.ts";
import { returnsOf } from "../../dense/returns_of.ts";
import { sideOrders } from "../../dense/order/side_orders.ts";
import { type IcRules, type InformationCoefficientOptions, readIcOptions } from "./ic_options.ts";
import { type IcLine, toIcFrame, toMonthlyIcFrame } from "./ic_frame.ts";
import { oneSessionSignals } from "./one_session_signal.ts";
import { agePartition, expressionPartition, groupPartition, type Partition } from "../partition.ts";
import { pearsonIc } from "./pearson_ic.ts";
import {
  groupNeutralReturns,
  rankIc,
  type RankIcInput,
  rankIcOfOrders,
  rankIcOfParts,
} from "./rank_ic.ts";
import { ordersOfSpan, sortOrders } from "./sort_orders.ts";

const ACTION = "correlate scores";
const TOO_FEW_NAMES = NULL_REASONS.indexOf("too_few_names");

/**
 * The correlation of scores with forward returns, session by session: the information coefficient.
 *
 * One row a session, horizon and, if asked for, part: `session` (Date), `horizon` (Int32) or `lag`, [`group`, `age` or `part`],
 * `ic` (Float64, −1 to 1), `n` (Int32, names with both) and `reason`: why `ic` is null (`too_few_names`, `constant_scores`,
 * `constant_returns`). By month: `month` ("2026-10"), the plain mean of the sessions' values, and `n` sessions.
 *
 * Spearman is Pearson's correlation of average ranks among the names that have both. Cost: one sort of the scores
 * and one of each horizon's returns a session.
 *
 * @param data The result of {@link align}, or a frame of its rows
 * @throws {TypeError} If options exclude each other, or groups are asked for and there are none
 * @throws {RangeError} If a number makes no sense, or lags are asked for without returns of one session
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
  options: InformationCoefficientOptions = {},
): DataFrame {
  const rules = readIcOptions(options);
  const dense = toDense(ACTION, data);
  const partition = partitionOf(dense, rules, data);
  const lines = linesOf(dense, rules, partition);
  const layout = { dense, key: rules.lags === null ? "horizon" : "lag", partition } as const;
  return rules.isMonthly ? toMonthlyIcFrame(lines, layout) : toIcFrame(lines, layout);
}

function partitionOf(
  dense: DenseScores,
  { parts }: IcRules,
  data: HasDense | DataFrame,
): Partition | null {
  if (parts === null) return null;
  if (parts === "group") return groupPartition(`${ACTION} by group`, dense);
  if (parts === "age") return agePartition(`${ACTION} by age`, dense);
  const rows = (data as { data?: DataFrame }).data ?? null;
  return expressionPartition(`${ACTION} by an expression`, dense, {
    expression: parts,
    data: rows,
  });
}

function linesOf(
  dense: DenseScores,
  rules: IcRules,
  partition: Partition | null,
): readonly IcLine[] {
  if (rules.lags !== null) return lagLines(dense, rules.lags, rules.minNames);
  if (rules.form === "oneSession") return oneSessionLines(dense, rules.minNames);
  const returns = dense.periods.map((h) => {
    const plain = returnsOf(ACTION, dense, h);
    return rules.groupNeutral ? groupNeutralReturns(dense, plain) : plain;
  });
  if (rules.groupNeutral) groupPartition(`${ACTION} neutral to groups`, dense);
  const input = { ...baseInput(dense), minNames: rules.minNames };
  if (partition === null) {
    const all = rules.method === "pearson"
      ? pearsonIc({ ...input, returns }, null)
      : rankIc({ ...input, returns });
    return all.map((values, i) => ({ key: dense.periods[i]!, part: null, values }));
  }
  return returns.flatMap((values, i) =>
    ofParts({ ...input, returns: values }, partition, rules.method)
      .map((result, part) => ({ key: dense.periods[i]!, part, values: result }))
  );
}

function ofParts(
  input: Omit<RankIcInput, "returns"> & { readonly returns: Float64Array },
  { codes, names }: Partition,
  method: "spearman" | "pearson",
): readonly IcValues[] {
  if (method === "spearman") {
    return rankIcOfParts({ ...input, codes, parts: names.length });
  }
  return names.flatMap((_, code) =>
    pearsonIc({ ...input, returns: [input.returns] }, { codes, code })
  );
}

function baseInput(dense: DenseScores) {
  const span: [number, number] = [dense.from, dense.to];
  return { scores: dense.scores, span, width: dense.tickers.length, orders: sideOrders(dense) };
}

function lagLines(dense: DenseScores, lags: readonly number[], minNames: number): IcLine[] {
  const { from, to, days } = dense;
  const all = returnsOf("correlate scores by lag", dense, 1);
  // Only the sessions whose scores or returns are read.
  const end = Math.min(days.length, to + Math.max(...lags) - 1);
  const { width, orders } = baseInput(dense);
  const scores = ordersOfSpan(dense.scores, { span: [from, to], width, orders });
  const returns = ordersOfSpan(all, { span: [from, end], width, orders });
  const lines = lags.map((key) => ({ key, part: null, values: emptyIcValues(to - from) }));
  const pairs = lagPairs(lags, to - from, end - from);
  const [found] = rankIcOfOrders(scores.orders, [returns.orders], {
    scored: pairs.scored.map((session) => scores.first + session),
    priced: pairs.priced.map((session) => returns.first + session),
    minNames,
  });
  for (const { values } of lines) values.reasons.fill(TOO_FEW_NAMES);
  for (const [pair, session] of pairs.scored.entries()) {
    const { values, counts, reasons } = lines[pairs.line[pair]!]!.values;
    values[session] = found!.values[pair]!;
    counts[session] = found!.counts[pair]!;
    reasons[session] = found!.reasons[pair]!;
  }
  return lines;
}

/** Sessions of scores and of returns, by the latter, and the line of each pair. */
function lagPairs(lags: readonly number[], sessions: number, priced: number) {
  const pairs = Array.from({ length: priced }, (_, end) =>
    lags.flatMap((lag, line) => {
      const scored = end - lag + 1;
      return scored < 0 || scored >= sessions ? [] : [{ line, scored, priced: end }];
    })).flat();
  return {
    line: Int32Array.from(pairs, ({ line }) => line),
    scored: Int32Array.from(pairs, ({ scored }) => scored),
    priced: Int32Array.from(pairs, ({ priced }) => priced),
  };
}

function oneSessionLines(dense: DenseScores, minNames: number): IcLine[] {
  const { from, to, tickers } = dense;
  const width = tickers.length;
  const all = returnsOf("correlate scores in the one-session form", dense, 1);
  // Only these sessions, so that a batch of an analysis takes the memory of a batch.
  const ofSpan = (values: Float64Array) => values.subarray(from * width, to * width);
  const own = { scores: ofSpan(dense.scores), tickers, from: 0, to: to - from };
  const known = { span: [from, to], width, orders: sideOrders(dense) } as const;
  const sorted = ordersOfSpan(dense.scores, known);
  const signals = oneSessionSignals(own, { horizons: dense.periods, minNames, sorted });
  const returns = ordersOfSpan(all, known);
  const scored = Int32Array.from({ length: to - from }, (_, i) => i);
  const priced = scored.map((session) => returns.first + session);
  return signals.map((signal, h) => {
    const scores = sortOrders(signal, width);
    const [values] = rankIcOfOrders(scores, [returns.orders], { scored, priced, minNames });
    return { key: dense.periods[h]!, part: null, values: values! };
  });
}
