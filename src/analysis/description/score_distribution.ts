import type { DataFrame } from "nodejs-polars";
import { checkOptions, whole } from "../../base/arguments/check_options.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import { readNumbers } from "../table/read_columns.ts";
import { quantileOfSorted } from "../../base/statistics/moments.ts";
import { type HasBuckets, toQuantized } from "../cross_section/buckets/quantize.ts";
import type { TableOf } from "../table/columns.ts";

/** Columns of the table, in order. */
const BIN_COLUMNS = "kind low high rows";

/** Columns of the table, in order. */
export const MEAN_COLUMNS = "quantile edge sessions";

/** Columns of the table, in order. */
const EDGE_COLUMNS = "session quantile edge";

/** Distribution of scores. */
export interface ScoreDistribution {
  /**
   * One row per bin, then one per pile, ascending, then up to two tails: `kind` (`bin`, `pile` or `tail`), `low`, `high`, `rows`. A pile
   * is one score that several rows and at least one of 500 have; no bin holds it: `low` and `high` are that score. A tail is what lies
   * beyond the 0.5% or 99.5% quantile, where it would take a fifth of the range or more. All rows together are the scored ones.
   */
  readonly table: TableOf<typeof BIN_COLUMNS>;
  /** One row between two quantiles: `quantile` (the lower one), `edge` (the mean by session of its largest score), `sessions`. */
  readonly edges: TableOf<typeof MEAN_COLUMNS>;
}

const ACTION = "count scores";
const PILE_SHARE = 0.002;
const MAX_BINS = 1000;
const TAIL = 0.005;
const MOST_STRETCH = 1.25;
// Above this many scores, every second, third, … one locates the tails.
const MOST_SORTED = 200_000;

const RANGES = 1 << 16;

/**
 * Describes the distribution of the scores of all sessions, with scores shared by many stocks listed separately, and the edges of quantiles.
 *
 * @param data The result of {@link quantize}, or a frame of its rows
 * @param options The number of bins
 * @returns The histogram, with shared scores separate (`table`), and the edges of the quantiles (`edges`)
 * @throws {TypeError} If there are no quantiles
 * @throws {RangeError} If the number of bins is not from 1 to 1,000
 */
export function scoreDistribution(
  data: HasBuckets | DataFrame,
  options: {
    /**
     * Number of bins between the smallest and the largest score, or between the tails.
     *
     * @default 50
     */
    readonly bins?: number;
  } = {},
): ScoreDistribution {
  checkOptions(ACTION, options, { bins: whole(1, MAX_BINS) });
  const { bins = 50 } = options;
  const quantized = toQuantized(ACTION, data);
  return {
    table: tableOfRows(countBins(quantized.dense.scores, bins), BIN_COLUMNS),
    edges: meanEdges(edgeTable(quantized)),
  };
}

/** The kind of a bin, its bounds, and its rows. */
type Bin = readonly [kind: "bin" | "pile" | "tail", low: number, high: number, rows: number];

function countBins(scores: Float64Array, count: number): readonly Bin[] {
  const known = scores.filter((score) => score === score);
  if (known.length === 0) return [];
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < known.length; i++) {
    if (known[i]! < least) least = known[i]!;
    if (known[i]! > most) most = known[i]!;
  }
  // One stock's own score is no pile, however few rows there are.
  const piles = findPiles(known, { least, most, rows: Math.max(2, PILE_SHARE * known.length) });
  const [low, high] = boundsOf(known, least, most);
  const width = (high - low) / count;
  const rows = new Array<number>(count).fill(0);
  const tails = [0, 0];
  const add = (score: number, n: number) => {
    if (score < low) tails[0]! += n;
    else if (score > high) tails[1]! += n;
    else rows[width === 0 ? 0 : Math.min(count - 1, Math.floor((score - low) / width))]! += n;
  };
  for (let i = 0; i < known.length; i++) add(known[i]!, 1);
  for (const { score, rows: piled } of piles) add(score, -piled);
  const ends = [[least, low], [high, most]] as const;
  return [
    ...rows.map((n, i): Bin => {
      const end = i === count - 1 ? high : low + (i + 1) * width;
      return ["bin", low + i * width, end, n];
    }),
    ...piles.map(({ score, rows: n }): Bin => ["pile", score, score, n]),
    ...ends.map(([from, to], i): Bin => ["tail", from, to, tails[i]!])
      .filter(([, , , n]) => n > 0),
  ];
}

/** Ends of the bins: the 0.5% and 99.5% quantiles where what lies beyond would take a fifth of the range or more. */
function boundsOf(known: Float64Array, least: number, most: number): readonly [number, number] {
  const step = Math.ceil(known.length / MOST_SORTED);
  const sorted = known.filter((_, i) => i % step === 0).sort();
  const [low, high] = [TAIL, 1 - TAIL].map((share) => quantileOfSorted(sorted, share));
  return high! > low! && most - least > MOST_STRETCH * (high! - low!)
    ? [low!, high!]
    : [least, most];
}

/** The largest score of each session and quantile: `session`, `quantile`, `edge`; none of the highest quantile. */
export function edgeTable({ dense, buckets, count }: HasBuckets): TableOf<typeof EDGE_COLUMNS> {
  const { scores, tickers, from, to, days } = dense;
  const rows: (readonly number[])[] = [];
  for (let d = from; d < to; d++) {
    const largest = new Float64Array(count + 1).fill(-Infinity);
    for (let cell = d * tickers.length; cell < (d + 1) * tickers.length; cell++) {
      const bucket = buckets[cell]!;
      if (bucket !== 0) largest[bucket] = Math.max(largest[bucket]!, scores[cell]!);
    }
    for (let bucket = 1; bucket < count; bucket++) {
      if (largest[bucket] === -Infinity) continue;
      rows.push([days[d]!, bucket, largest[bucket]!]);
    }
  }
  return tableOfRows(rows, EDGE_COLUMNS);
}

/** The means of edges over the sessions of a table. */
export function meanEdges(table: DataFrame): TableOf<typeof MEAN_COLUMNS> {
  const buckets = readNumbers(ACTION, table, "quantile");
  const edges = readNumbers(ACTION, table, "edge");
  const found = [...Map.groupBy(buckets.keys(), (row) => buckets[row]!)]
    .toSorted(([a], [b]) => a - b);
  const cells = found.map(([bucket, rows]) => [
    ...[bucket, rows.reduce((sum, row) => sum + edges[row]!, 0) / rows.length, rows.length],
  ]);
  return tableOfRows(cells, MEAN_COLUMNS);
}

/** One score that many rows have, and their number. */
type Pile = Readonly<Record<"score" | "rows", number>>;

/**
 * Finds scores that many rows have, ascending; NaN is ignored.
 *
 * Only narrow ranges that hold at least that many rows are sorted: none where scores are continuous.
 */
export function findPiles(
  scores: Float64Array,
  { least, most, rows }: { least: number; most: number; rows: number },
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
