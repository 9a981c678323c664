import type { Reason } from "../../reason.ts";
import {
  emptyRanks,
  type Orders,
  type Ranks,
  type SessionOrder,
  sessionsOf,
  sortedOrders,
} from "./orders.ts";
import type { DenseScores } from "../dense_frames.ts";

/** Reasons why a correlation is null, by their code in typed arrays; 0 if it is not null. */
export const NULL_REASONS: readonly (Reason | null)[] = [
  null,
  "too_few_names",
  "constant_scores",
  "constant_returns",
];
const [, TOO_FEW, CONSTANT_SCORES, CONSTANT_RETURNS] = NULL_REASONS.keys();

/**
 * Spearman's correlation of sorted scores and sorted returns over the stocks that have both, with average ranks for ties; equal to the bit to
 * `plainRankCorrelation`.
 *
 * Doubled ranks are whole numbers, so the sums are exact up to 100,000 stocks and independent of the order of summation. Scores
 * are ranked again only if a scored stock has no return; returns are ranked by a pass through their order.
 */
class RankCorrelation {
  /** Number of stocks with both, at the last call. */
  n = 0;
  /** Index into {@link NULL_REASONS}, at the last call; 0 if there is a correlation. */
  reason = 0;
  readonly #again: Ranks;
  #ranks: Ranks;
  #scoreTies = 0;
  #products = 0;
  #returnTies = 0;
  #below = 0;
  /** Number of products of ranks that a sum of 32 bits holds; 0 for more than 32,768 stocks. */
  readonly #run: number;
  #scores: SessionOrder | null = null;
  #mask: Int32Array | null = null;

  /** @param names Largest number of stocks of a session */
  constructor(names: number) {
    this.#again = emptyRanks(names);
    this.#ranks = this.#again;
    this.#run = Math.floor(2 ** 30 / names ** 2);
  }

  /** The correlation; NaN with a reason if there is none. */
  measure(scores: SessionOrder, returns: SessionOrder, minNames: number): number {
    this.#rank(scores, returns);
    const { n } = this;
    // Sum of squares of doubled ranks; each tie of m stocks subtracts (m³ − m) / 3.
    const squares = n * n * n - n;
    if (n < Math.max(minNames, 2)) return this.#refuse(TOO_FEW!);
    if (this.#scoreTies === squares) return this.#refuse(CONSTANT_SCORES!);
    this.#multiply(returns);
    if (this.#returnTies === squares) return this.#refuse(CONSTANT_RETURNS!);
    this.reason = 0;
    const covariance = this.#products - n * (n - 1) * (n - 1);
    const rho = covariance /
      Math.sqrt((squares - this.#scoreTies) / 3 * ((squares - this.#returnTies) / 3));
    // Rounding of the root can exceed 1 by the last bit.
    return Math.max(-1, Math.min(1, rho));
  }

  #refuse(reason: number): number {
    this.reason = reason;
    return NaN;
  }

  /** Finds the doubled ranks, at least 2, of scores among the stocks that have a return as well. */
  #rank(scores: SessionOrder, returns: SessionOrder): void {
    // Horizons mostly have the same stocks, whose ranks are computed once.
    const isKnown = scores === this.#scores && areEqual(returns.mask, this.#mask!);
    this.#scores = scores;
    this.#mask = returns.mask;
    if (isKnown) return;
    if (isWithin(scores.mask, returns.mask)) {
      this.#ranks = scores.ranks;
      this.n = scores.count;
      this.#scoreTies = scores.ties;
      return;
    }
    this.#ranks = this.#again.fill(0);
    this.#scoreTies = 0;
    if (scores.ties === 0) this.#rankDistinct(scores, returns.ranks);
    else this.#rankTied(scores, returns.ranks);
  }

  #rankDistinct({ order, count }: SessionOrder, others: Ranks): void {
    const ranks = this.#again;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const name = order[i]!;
      // 1 for any rank of the return, 0 for none, without a branch that the processor would mispredict.
      const counts = -others[name]! >>> 31;
      n += counts;
      ranks[name] = 2 * n & -counts;
    }
    this.n = n;
  }

  #rankTied({ order, starts, count }: SessionOrder, others: Ranks): void {
    const ranks = this.#again;
    let n = 0;
    for (let start = 0; start < count;) {
      let [end, size] = [start, 0];
      do size += -others[order[end++]!]! >>> 31; while (end < count && starts[end] === 0);
      for (let i = start; i < end; i++) {
        const name = order[i]!;
        ranks[name] = others[name] === 0 ? 0 : 2 * n + size + 1;
      }
      this.#scoreTies += size * size * size - size;
      n += size;
      start = end;
    }
    this.n = n;
  }

  /** Multiplies the ranks of both sides: as many stocks with both as were met before have a lower return. */
  #multiply({ order, starts, count, ties }: SessionOrder): void {
    const ranks = this.#ranks;
    let [tied, place] = [0, 0];
    this.#below = this.#products = this.#returnTies = 0;
    while (place < count) {
      const tie = this.#run === 0 ? place : ties === 0 ? count : nextTie(starts, place, count);
      this.#walk(order, place, tie);
      place = tie;
      if (place === count) break;
      let [sum, size] = [0, 0];
      do {
        const rank = ranks[order[place++]!]!;
        sum += rank;
        size += -rank >>> 31;
      } while (place < count && starts[place] === 0);
      tied += sum * (2 * this.#below + size - 1);
      this.#below += size;
      this.#returnTies += size * size * size - size;
    }
    // Ranks of scores begin at 2, those of returns at 0.
    this.#products = 2 * this.#products + tied - 2 * this.n * (this.n - 1);
  }

  /** Adds the ranks of stocks whose returns differ, times the number of stocks below; 32-bit integers are fastest. */
  #walk(order: Int32Array, from: number, to: number): void {
    const ranks = this.#ranks;
    let n = this.#below;
    for (let place = from; place < to;) {
      let sum = 0;
      for (const end = Math.min(to, place + this.#run); place < end; place++) {
        const rank = ranks[order[place]!]!;
        sum = (sum + Math.imul(rank, n)) | 0;
        // 1 for any rank, 0 for none, without a branch.
        n += -rank >>> 31;
      }
      this.#products += sum;
    }
    this.#below = n;
  }
}

/** First index at or after `from` whose value equals the next one; `count` if there is none. */
function nextTie(starts: Uint8Array, from: number, count: number): number {
  for (let place = from + 1; place < count; place++) if (starts[place] === 0) return place - 1;
  return count;
}

function isWithin(inner: Int32Array, outer: Int32Array): boolean {
  for (let word = 0; word < inner.length; word++) {
    if ((inner[word]! & ~outer[word]!) !== 0) return false;
  }
  return true;
}

function areEqual(a: Int32Array, b: Int32Array): boolean {
  for (let word = 0; word < a.length; word++) if (a[word] !== b[word]) return false;
  return true;
}

/** Correlations by session, with their counts and reasons. */
export interface IcValues {
  /** The correlation of each session; NaN for null. */
  readonly values: Float64Array;
  /** Number of stocks with a score and a return. */
  readonly counts: Int32Array;
  /** Reason why the correlation is null, as an index into the null reasons. */
  readonly reasons: Uint8Array;
}

/** Correlations before they are computed: all null. */
export function emptyIcValues(sessions: number): IcValues {
  return {
    values: new Float64Array(sessions).fill(NaN),
    counts: new Int32Array(sessions),
    reasons: new Uint8Array(sessions),
  };
}

/** Scores and returns that are correlated. */
interface RankIcInput {
  /** The scores of all sessions, or a signal in their place. */
  readonly scores: Float64Array;
  /** The returns of each result. */
  readonly returns: readonly Float64Array[];
  /** First session, and one more than the last. */
  readonly span: readonly [from: number, to: number];
  /** Number of stocks of a session. */
  readonly width: number;
  /** Number of stocks with both below which there is no correlation. */
  readonly minNames: number;
}

/** Spearman's correlation of scores with returns in every session. */
export function rankIc(
  { scores, returns, span, width, minNames }: RankIcInput,
): readonly IcValues[] {
  const [x, ...y] = [scores, ...returns].map((values) => sortedOrders(values, width, span));
  const sessions = sessionsFrom(span[0], span[1] - span[0]);
  return rankIcOfPairs(x!, y, { scored: sessions, priced: sessions, minNames });
}

/**
 * The same for one part of the stocks of each session.
 *
 * @param part The part of each session and stock, and the one that counts
 */
export function rankIcOfPart(
  { scores, returns, span: [from, to], width, minNames }: RankIcInput,
  { codes, code }: { readonly codes: Int32Array; readonly code: number },
): readonly IcValues[] {
  const size = (to - from) * width;
  const own = new Float64Array(size);
  for (let cell = 0, of = from * width; cell < size; cell++, of++) {
    own[cell] = codes[of] === code ? scores[of]! : NaN;
  }
  return rankIcOfPairs(
    sortedOrders(own, width),
    returns.map((values) => sortedOrders(values, width, [from, to])),
    { scored: sessionsFrom(0, to - from), priced: sessionsFrom(from, to - from), minNames },
  );
}

function sessionsFrom(first: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => first + i);
}

/**
 * Correlations of the scores of some sessions with the returns of the same or others.
 *
 * @param returns The returns of each result
 * @param of The pairs
 */
export function rankIcOfPairs(
  scores: Orders,
  returns: readonly Orders[],
  { scored, priced, minNames }: { scored: Int32Array; priced: Int32Array; minNames: number },
): readonly IcValues[] {
  const results = returns.map(() => emptyIcValues(scored.length));
  const correlation = new RankCorrelation(scores.names);
  const scoresOf = sessionsOf(scores);
  const returnsOf = returns.map(sessionsOf);
  for (const [pair, x] of scored.entries()) {
    const y = priced[pair]!;
    for (const [h, { values, counts, reasons }] of results.entries()) {
      if (x === -1 || y === -1) {
        reasons[pair] = 1;
        continue;
      }
      values[pair] = correlation.measure(scoresOf(x), returnsOf[h]!(y), minNames);
      counts[pair] = correlation.n;
      reasons[pair] = correlation.reason;
    }
  }
  return results;
}

/** The returns minus their mean by session and group, over the stocks that have both; NaN without a group. */
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

/** Pearson's correlation of scores with the returns of each horizon, session by session, in two passes each. */
export function pearsonIc(
  input: RankIcInput,
  part: { readonly codes: Int32Array; readonly code: number } | null,
): readonly IcValues[] {
  const { scores, returns, span: [from, to], width, minNames } = input;
  return returns.map((values) => {
    const result = emptyIcValues(to - from);
    const [x, y] = [new Float64Array(width), new Float64Array(width)];
    for (let d = from; d < to; d++) {
      let n = 0;
      for (let cell = d * width; cell < (d + 1) * width; cell++) {
        const has = !Number.isNaN(scores[cell]!) && !Number.isNaN(values[cell]!) &&
          (part === null || part.codes[cell] === part.code);
        if (!has) continue;
        x[n] = scores[cell]!;
        y[n++] = values[cell]!;
      }
      result.counts[d - from] = n;
      const reason = reasonOf(x, y, n, minNames);
      result.reasons[d - from] = reason;
      if (reason === 0) result.values[d - from] = correlation(x, y, n);
    }
    return result;
  });
}

function reasonOf(x: Float64Array, y: Float64Array, n: number, minNames: number): number {
  if (n < Math.max(minNames, 2)) return 1;
  if (isConstant(x, n)) return 2;
  return isConstant(y, n) ? 3 : 0;
}

function isConstant(values: Float64Array, n: number): boolean {
  for (let i = 1; i < n; i++) if (values[i] !== values[0]) return false;
  return true;
}

/** Pearson's correlation of the first n values, which are not all equal. */
export function correlation(x: Float64Array, y: Float64Array, n: number): number {
  let [meanX, meanY] = [0, 0];
  for (let i = 0; i < n; i++) {
    meanX += x[i]! / n;
    meanY += y[i]! / n;
  }
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [a, b] = [x[i]! - meanX, y[i]! - meanY];
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx) / Math.sqrt(yy)));
}
