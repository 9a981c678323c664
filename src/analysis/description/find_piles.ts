/** One score that many rows have. */
export interface Pile {
  /** The score. */
  readonly score: number;
  /** Number of rows with this score. */
  readonly rows: number;
}

/** Rules of a search for piles of equal scores. */
export interface PileSearch {
  /** The smallest score. */
  readonly least: number;
  /** The largest score. */
  readonly most: number;
  /** Least number of rows of a pile. */
  readonly rows: number;
}

const RANGES = 1 << 16;

/**
 * Finds scores that many rows have, ascending; NaN is ignored.
 *
 * Only narrow ranges that hold at least that many rows are sorted: none where scores are continuous.
 */
export function findPiles(
  scores: Float64Array,
  { least, most, rows }: PileSearch,
): readonly Pile[] {
  const scale = (RANGES - 1) / (most - least);
  // A difference of scores that is too large or too small for numbers puts all into one range.
  const isScaled = scale > 0 && scale < Infinity;
  const rangeOf = (score: number) => isScaled ? Math.floor((score - least) * scale) : 0;
  const counts = new Int32Array(RANGES);
  for (let cell = 0; cell < scores.length; cell++) {
    const score = scores[cell]!;
    if (score === score) counts[rangeOf(score)]!++;
  }
  const crowded = scores.filter((score) => score === score && counts[rangeOf(score)]! >= rows)
    .sort();
  const piles: Pile[] = [];
  for (let from = 0, to = 0; from < crowded.length; from = to) {
    const score = crowded[from]!;
    while (to < crowded.length && crowded[to] === score) to++;
    if (to - from >= rows) piles.push({ score, rows: to - from });
  }
  return piles;
}
