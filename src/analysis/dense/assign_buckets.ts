/** The stocks of one cross-section, ascending by score; equal scores in the order of tickers. */
export interface Section {
  /** Stocks by place. */
  readonly order: Int32Array;
  /** Number of stocks of the order that have a value. */
  readonly count: number;
  /** Scores of all sessions. */
  readonly scores: Float64Array;
  /** Index of the session's first cell in the scores. */
  readonly base: number;
}

/** Ends of quantiles: as equal shares, or as edges. */
export type Shares = number | readonly number[];

/**
 * Buckets by average rank: equal scores stay together. Without ties the same as `pandas.qcut`. With edges, stocks outside
 * them get no bucket.
 */
export function assignTogether(section: Section, shares: Shares, out: Uint16Array): void {
  const { order, count, scores, base } = section;
  for (let start = 0; start < count;) {
    const value = scores[base + order[start]!]!;
    let end = start + 1;
    while (end < count && scores[base + order[end]!] === value) end++;
    // Twice the average rank, counted from 0: a whole number.
    const bucket = bucketOfRank(start + end - 1, count, shares);
    for (let i = start; i < end; i++) out[base + order[i]!] = bucket;
    start = end;
  }
}

/** Buckets by rank, equal scores in the order of tickers. */
export function assignFirst(section: Section, shares: Shares, out: Uint16Array): void {
  const { order, count, base } = section;
  for (let i = 0; i < count; i++) out[base + order[i]!] = bucketOfRank(2 * i, count, shares);
}

function bucketOfRank(doubledRank: number, count: number, shares: Shares): number {
  const span = 2 * (count - 1);
  if (typeof shares === "number") {
    if (span === 0) return 1;
    return Math.max(1, Math.floor((shares * doubledRank + span - 1) / span));
  }
  return bucketBetween(span === 0 ? 0 : doubledRank / span, shares, true);
}

/** Buckets between edges: a value on an edge belongs to the lower one. */
export function assignBetween(
  section: Section,
  edges: readonly number[],
  of: { readonly out: Uint16Array; readonly isOpen: boolean; readonly holdsLowest: boolean },
): void {
  const { order, count, scores, base } = section;
  for (let i = 0; i < count; i++) {
    const name = order[i]!;
    const value = scores[base + name]!;
    of.out[base + name] = of.isOpen
      ? 1 + countBelow(value, edges.slice(1, -1))
      : bucketBetween(value, edges, of.holdsLowest);
  }
}

/** 0 for a value outside the edges. */
function bucketBetween(value: number, edges: readonly number[], holdsLowest: boolean): number {
  if (holdsLowest && value === edges[0]) return 1;
  const below = countBelow(value, edges);
  return below === edges.length ? 0 : below;
}

function countBelow(value: number, edges: readonly number[]): number {
  let below = 0;
  while (below < edges.length && edges[below]! < value) below++;
  return below;
}

/** Linear quantiles of ascending values, computed as numpy does, to the last bit. */
export function linearQuantiles(section: Section, shares: readonly number[]): readonly number[] {
  const { order, count, scores, base } = section;
  return shares.map((share) => {
    const place = (count - 1) * share;
    const below = Math.floor(place);
    const a = scores[base + order[below]!]!;
    const b = scores[base + order[Math.min(below + 1, count - 1)]!]!;
    const t = place - below;
    return t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
  });
}

/**
 * The edges of equal shares, from 0 to 1. A share without an exact binary form is rounded up, as in `pandas.qcut` of version 3,
 * so a score on an edge belongs to the lower bucket for any number of stocks.
 */
export function equalShares(count: number): readonly number[] {
  const step = 1 / count;
  return Array.from({ length: count + 1 }, (_, i) => {
    const share = i === count ? 1 : i * step;
    // Between half a unit in the last place and one, so the sum is the next number.
    return count * share === i ? share : share + share * 2 ** -53;
  });
}

/** Edges of bins of equal width, the lowest widened by a thousandth of the range, as `pandas.cut` does. */
export function equalWidths(section: Section, count: number): readonly number[] {
  const { order, scores, base } = section;
  let low = scores[base + order[0]!]!;
  let high = scores[base + order[section.count - 1]!]!;
  const isFlat = low === high;
  if (isFlat) {
    low -= low === 0 ? 0.001 : 0.001 * Math.abs(low);
    high += high === 0 ? 0.001 : 0.001 * Math.abs(high);
  }
  const step = (high - low) / count;
  const edges = Array.from({ length: count + 1 }, (_, i) => i === count ? high : low + i * step);
  if (!isFlat) edges[0]! -= (high - low) * 0.001;
  return edges;
}
