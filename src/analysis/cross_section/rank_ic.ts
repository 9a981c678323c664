import { Argsort } from "../dense/argsort.ts";
import type { DenseScores } from "../dense/dense_scores.ts";
import { type Orders, SessionSide, sideOf } from "../dense/orders.ts";
import { RankCorrelation } from "../dense/rank_correlation.ts";
import { RowCorrelation } from "../dense/row_correlation.ts";
import { SortedScores } from "../dense/sorted_scores.ts";

/** Correlations by session, and what they rest on. */
export interface IcValues {
  /** The correlation of each session; NaN for null. */
  readonly values: Float64Array;
  /** How many names had both. */
  readonly counts: Int32Array;
  /** Why it is null, as an index into the null reasons. */
  readonly reasons: Uint8Array;
}

/** What is correlated. */
export interface RankIcInput {
  /** The scores of all sessions, or what stands for them. */
  readonly scores: Float64Array;
  /** The returns of each column of the result. */
  readonly returns: readonly Float64Array[];
  /** First session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** How many names there are. */
  readonly width: number;
  /** Below how many names there is none. */
  readonly minNames: number;
}

/**
 * Spearman's correlation of scores with returns in every session: the scores are sorted once a session,
 * for whichever function asks, and each horizon's returns once.
 */
export function rankIc(input: RankIcInput): readonly IcValues[] {
  const { scores, returns, span: [from, to], width, minNames } = input;
  const results = returns.map(() => emptyValues(to - from));
  const sorted = SortedScores.of(scores, width);
  const correlation = new RowCorrelation(width);
  for (let d = from; d < to; d++) {
    const session = sorted.session(d);
    for (const [h, result] of results.entries()) {
      const row = { values: returns[h]!, base: d * width };
      result.values[d - from] = correlation.measure(session, row, minNames);
      result.counts[d - from] = correlation.n;
      result.reasons[d - from] = correlation.reason;
    }
  }
  return results;
}

/** The same for the parts of the names of each session; a result for each part. */
export function rankIcOfParts(
  input: Omit<RankIcInput, "returns"> & { readonly returns: Float64Array },
  codes: Int32Array,
  parts: number,
): readonly IcValues[] {
  const { scores, returns, span: [from, to], width, minNames } = input;
  const results = Array.from({ length: parts }, () => emptyValues(to - from));
  const argsort = new Argsort(width);
  const correlation = new RankCorrelation(width);
  const [byScore, byReturn] = [new SessionSide(width), new SessionSide(width)];
  const [x, y] = [new SessionSide(width), new SessionSide(width)];
  for (let d = from; d < to; d++) {
    const base = d * width;
    byScore.sort({ values: scores, base }, argsort);
    byReturn.sort({ values: returns, base }, argsort);
    for (const [part, result] of results.entries()) {
      x.pick(byScore, { codes, base, part });
      y.pick(byReturn, { codes, base, part });
      result.values[d - from] = correlation.measure(x, y, minNames);
      result.counts[d - from] = correlation.n;
      result.reasons[d - from] = correlation.reason;
    }
  }
  return results;
}

/**
 * Correlations of scores with returns of later (or, around the end, earlier) sessions, from orders that were sorted before.
 *
 * @param pairs For each result the session of the scores and that of the returns; -1 for none
 */
export function rankIcOfOrders(
  scores: Orders,
  returns: Orders,
  of: { readonly pairs: readonly (readonly [number, number])[]; readonly minNames: number },
): IcValues {
  const result = emptyValues(of.pairs.length);
  const correlation = new RankCorrelation(scores.names);
  for (const [i, [scored, priced]] of of.pairs.entries()) {
    if (scored === -1 || priced === -1) {
      result.reasons[i] = 1;
      continue;
    }
    result.values[i] = correlation.measure(
      sideOf(scores, scored),
      sideOf(returns, priced),
      of.minNames,
    );
    result.counts[i] = correlation.n;
    result.reasons[i] = correlation.reason;
  }
  return result;
}

/** The returns minus their mean by session and group, over the names that have both; NaN without a group. */
export function groupNeutralReturns(dense: DenseScores, returns: Float64Array): Float64Array {
  const { scores, tickers, groups, from, to } = dense;
  const width = tickers.length;
  const result = new Float64Array(returns.length).fill(NaN);
  if (groups === null) return result;
  for (let d = from; d < to; d++) {
    const sums = new Float64Array(groups.names.length);
    const counts = new Int32Array(groups.names.length);
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const value = returns[cell]!;
      const group = groups.codes[cell]!;
      if (group === -1 || value !== value || scores[cell] !== scores[cell]) continue;
      sums[group]! += value;
      counts[group]!++;
    }
    for (let cell = d * width; cell < (d + 1) * width; cell++) {
      const group = groups.codes[cell]!;
      if (group !== -1) result[cell] = returns[cell]! - sums[group]! / counts[group]!;
    }
  }
  return result;
}

function emptyValues(sessions: number): IcValues {
  return {
    values: new Float64Array(sessions).fill(NaN),
    counts: new Int32Array(sessions),
    reasons: new Uint8Array(sessions),
  };
}
