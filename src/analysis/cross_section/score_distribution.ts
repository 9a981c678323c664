import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { readNumbers } from "../table/read_columns.ts";
import { findPiles } from "./find_piles.ts";
import { type HasBuckets, toQuantized } from "./buckets/to_quantized.ts";

/** Options of {@link scoreDistribution}. */
export interface ScoreDistributionOptions {
  /**
   * Number of bins between the smallest and the largest score.
   *
   * @default 50
   */
  readonly bins?: number;
}

/** How scores are distributed. */
export interface ScoreDistribution {
  /**
   * One row a bin, then one a pile, ascending: `kind` (`bin` or `pile`), `low`, `high`, `rows`. A pile is one score that several
   * rows and at least one of 500 have; no bin holds it: `low` and `high` are that score. All rows together are the scored ones.
   */
  readonly table: DataFrame;
  /** One row between two buckets: `quantile` (the lower one), `edge` (the mean by session of its largest score), `sessions`. */
  readonly edges: DataFrame;
}

const ACTION = "count scores";
const PILE_SHARE = 0.002;
const MAX_BINS = 1000;

/**
 * How the scores of all sessions are distributed, with scores that many names share apart, and where buckets end.
 *
 * @param data The result of {@link quantize}, or a frame of its rows
 * @param options The number of bins
 * @throws {TypeError} If there are no buckets
 * @throws {RangeError} If the number of bins is not from 1 to 1,000
 *
 * @example Usage
 * ```ts
 * import { quantize, scoreDistribution } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const session = Array(4).fill("2026-10-30");
 * const data = pl.DataFrame({ session, ticker: ["A", "B", "C", "D"], score: [0, 0, 0, 1] });
 * const { table } = scoreDistribution(quantize(data, { quantiles: 2 }), { bins: 1 });
 * const piles = table.toRecords().filter(({ kind }) => kind === "pile");
 * console.assert(piles.map(({ low, rows }) => `${low}:${rows}`).join() === "0:3");
 * ```
 */
export function scoreDistribution(
  data: HasBuckets | DataFrame,
  options: ScoreDistributionOptions = {},
): ScoreDistribution {
  assertKnownOptions(ACTION, options, ["bins"]);
  const { bins = 50 } = options;
  if (!Number.isSafeInteger(bins) || bins < 1 || bins > MAX_BINS) {
    throw new RangeError(
      `Cannot ${ACTION}: bins is a whole number from 1 to ${MAX_BINS}, got ${bins}`,
    );
  }
  const quantized = toQuantized(ACTION, data);
  const rows = countBins(quantized.dense.scores, bins);
  return {
    table: frameOfRows(rows, [
      { name: "kind", type: "text", read: (row) => row.kind },
      { name: "low", type: "number", read: (row) => row.low },
      { name: "high", type: "number", read: (row) => row.high },
      { name: "rows", type: "count", read: (row) => row.rows },
    ]),
    edges: meanEdges(edgeTable(quantized)),
  };
}

interface Bin {
  readonly kind: "bin" | "pile";
  readonly low: number;
  readonly high: number;
  readonly rows: number;
}

function countBins(scores: Float64Array, count: number): readonly Bin[] {
  let [least, most, scored] = [Infinity, -Infinity, 0];
  for (let cell = 0; cell < scores.length; cell++) {
    const score = scores[cell]!;
    if (score !== score) continue;
    if (score < least) least = score;
    if (score > most) most = score;
    scored++;
  }
  if (scored === 0) return [];
  const width = (most - least) / count;
  const binOf = (score: number) =>
    width === 0 ? 0 : Math.min(count - 1, Math.floor((score - least) / width));
  const rows = new Array<number>(count).fill(0);
  for (let cell = 0; cell < scores.length; cell++) {
    const score = scores[cell]!;
    if (score === score) rows[binOf(score)]!++;
  }
  // One name's own score is no pile, however few rows there are.
  const piles = findPiles(scores, { least, most, rows: Math.max(2, PILE_SHARE * scored) });
  for (const { score, rows: piled } of piles) rows[binOf(score)]! -= piled;
  const bins = rows.map((n, i): Bin => ({
    kind: "bin",
    low: least + i * width,
    high: i === count - 1 ? most : least + (i + 1) * width,
    rows: n,
  }));
  return [
    ...bins,
    ...piles.map(({ score, rows: n }): Bin => ({ kind: "pile", low: score, high: score, rows: n })),
  ];
}

/** The largest score of each session and bucket: `session`, `quantile`, `edge`; none of the highest bucket. */
export function edgeTable({ dense, buckets, count }: HasBuckets): DataFrame {
  const { scores, tickers, from, to, days } = dense;
  const rows: { readonly day: number; readonly bucket: number; readonly edge: number }[] = [];
  for (let d = from; d < to; d++) {
    const largest = new Float64Array(count + 1).fill(-Infinity);
    for (let cell = d * tickers.length; cell < (d + 1) * tickers.length; cell++) {
      const bucket = buckets[cell]!;
      if (bucket !== 0) largest[bucket] = Math.max(largest[bucket]!, scores[cell]!);
    }
    for (let bucket = 1; bucket < count; bucket++) {
      if (largest[bucket] === -Infinity) continue;
      rows.push({ day: days[d]!, bucket, edge: largest[bucket]! });
    }
  }
  return frameOfRows(rows, [
    { name: "session", type: "day", read: ({ day }) => day },
    { name: "quantile", type: "count", read: ({ bucket }) => bucket },
    { name: "edge", type: "number", read: ({ edge }) => edge },
  ]);
}

/** The means of edges over the sessions of a table. */
export function meanEdges(table: DataFrame): DataFrame {
  const buckets = readNumbers(ACTION, table, "quantile");
  const edges = readNumbers(ACTION, table, "edge");
  const found = new Map<number, { sum: number; sessions: number }>();
  for (const [row, bucket] of buckets.entries()) {
    const entry = found.get(bucket) ?? { sum: 0, sessions: 0 };
    found.set(bucket, { sum: entry.sum + edges[row]!, sessions: entry.sessions + 1 });
  }
  const rows = [...found].toSorted(([a], [b]) => a - b);
  return frameOfRows(rows, [
    { name: "quantile", type: "count", read: ([bucket]) => bucket },
    { name: "edge", type: "number", read: ([, { sum, sessions }]) => sum / sessions },
    { name: "sessions", type: "count", read: ([, { sessions }]) => sessions },
  ]);
}
