import { wrongKind } from "../../base/arguments/list_text.ts";
import { FactorAnalysis } from "../factor/factor_analysis.ts";
import {
  onCommonSessions,
  readSeries,
  SERIES_RULES,
  type SeriesInput,
  type SeriesOptions,
} from "../series/read_series.ts";
import { LEAST_SESSIONS, type SessionSeries } from "../inference/tested_mean.ts";
import { checkOptions, type Rule, whole } from "../../base/arguments/check_options.ts";
import { isConstant, meanOf } from "../../base/statistics/moments.ts";
import { overfittingText } from "../../base/wording/sentences/selection_text.ts";
import { StatedResult, tableOfRows } from "../table/frame_of_rows.ts";
import type { TableOf } from "../table/columns.ts";

/** The series of variants by name: of each a frame by session, or an analysis, of which the ICs are taken. */
export type Variants = Readonly<Record<string, SeriesInput | FactorAnalysis>>;

const LEAST_SHARE = 0.5;

/** A series of a variant. */
export interface VariantSeries {
  /** Name of the variant. */
  readonly variant: string;
  /** Its values. */
  readonly series: SessionSeries;
}

/** The series of variants, over the sessions in which all of them have a value. */
export type CommonVariants = ReturnType<typeof readVariants>;

/**
 * Reads the series of variants: one for each horizon and group of each.
 *
 * @param action What needs them, worded to follow "Cannot"
 * @throws {TypeError} If they are not an object of frames or analyses
 */
export function readVariants(action: string, variants: unknown, options: SeriesOptions) {
  if (!isNamed(variants)) {
    throw wrongKind(action, variants, {
      expected: "the series of variants by name",
      advice:
        "such as { level: icOfLevel, change: icOfChange }, each a frame with session and ic, or an analysis",
    });
  }
  const all = Object.entries(variants).flatMap(([variant, input]) =>
    readSeries(
      `${action} (variant ${variant})`,
      input instanceof FactorAnalysis ? input.ic : input as SeriesInput,
      options,
    ).map((series): VariantSeries => ({ variant, series }))
  );
  // A series alone is left without its nulls.
  const values = all.map((one) => ({ ...one, series: onCommonSessions([one.series])[0]! }));
  const sessions = new Set(values.flatMap(({ series: { days } }) => [...days])).size;
  const least = Math.max(LEAST_SESSIONS, LEAST_SHARE * sessions);
  const isLong = ({ series }: VariantSeries) => series.values.length >= least;
  const long = values.filter(isLong);
  const common = onCommonSessions(long.map(({ series }) => series));
  return {
    variants: long.map(({ variant }, i) => ({ variant, series: common[i]! })),
    short: values.filter((one) => !isLong(one)),
    sessions,
  };
}

function isNamed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length > 0;
}

const ACTION = "measure backtest overfitting";
const BLOCKS: Rule<number> = {
  required: "an even number from 2 to 20",
  accepts: (value) => whole(2, 20).accepts(value) && Number(value) % 2 === 0,
  isKind: (value) => typeof value === "number",
};

const COLUMNS = "pbo mean_rank variants sessions purged blocks splits reason";

const SPLIT_COLUMNS = "split rank logit";

/**
 * Probability of backtest overfitting (PBO) by combinatorially symmetric cross-validation: how often the best variant of one half of
 * the sample is no better than the median in the other half. Near 0 the choice of the best carries over; near one half it does not.
 *
 * The sample is cut into contiguous blocks; a remainder at the end is left out, and so is each value whose window of several sessions
 * reaches into the next block, because both sides of a split would know it. Every choice of half of the blocks is in sample
 * once. The variant with the largest ratio of mean and deviation (n − 1) in sample has a rank among all out of sample; over the
 * number of variants plus one it is ω. The PBO is the share of splits with ln(ω / (1 − ω)) ≤ 0. Ties out of sample share their
 * mean rank; of equal winners in sample the first counts. A larger mean is better: reverse the sign of a variant that is
 * traded in reverse.
 *
 * `table` has one row: `pbo` and `mean_rank` (of ω, 0 to 1), `variants`, `sessions` (in the blocks), `purged` (left out at their ends),
 * `blocks`, `splits` (Int32), `reason`. `splits` has one row per split: `split` (from 1), `rank` (ω) and `logit`, `null` where the values of a
 * variant do not vary in a half; then there is no `pbo`, reason `no_variance`. A block needs two sessions in which all
 * variants have a value and that are not left out, else the reason is `too_few_windows`: fewer blocks are longer; a variant with fewer than 20 values, or in fewer than half
 * of the sessions, is left out. Returns of one session give
 * what `calc_prob_backtest_overfitting` of PyPI's ffn 1.4.1 does, which purges nothing.
 *
 * @param variants Series of the variants by name: frames with `session` and a value such as `return` or `ic`, or analyses, of which the
 * ICs are taken
 * @param options Number of blocks, and the columns of the frames
 * @returns The probability (`table`), and the splits
 * @throws {TypeError} If the variants are not an object of frames or analyses, or an option is unknown
 * @throws {RangeError} If there are fewer than two series, a session occurs twice in one, or the number of blocks is out
 *   of range
 * @see Bailey, Borwein, López de Prado and Zhu (2017), The probability of backtest overfitting, Journal of Computational Finance 20
 *
 * @example Usage
 * ```ts
 * import { backtestOverfitting } from "scoreframe/analysis";
 * import pl from "nodejs-polars";
 *
 * const days = Array.from({ length: 160 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)));
 * const frame = (mean: number, k: number) =>
 *   pl.DataFrame([
 *     pl.Series("session", days, pl.Date),
 *     pl.Series("return", days.map((_, i) => mean + 0.1 * Math.sin(i * i + k * i)), pl.Float64),
 *   ]);
 * const { table } = backtestOverfitting({ a: frame(0, 1), b: frame(0, 2), c: frame(0.2, 3) });
 * console.assert(table.getColumn("pbo").get(0) === 0);
 * ```
 */
export function backtestOverfitting(
  variants: Variants,
  options: SeriesOptions & {
    /** Even number of blocks of the sample, from 2 to 20. @default 16, which gives 12,870 splits */
    readonly blocks?: number;
  } = {},
): StatedResult<
  TableOf<typeof COLUMNS>,
  { readonly splits: TableOf<typeof SPLIT_COLUMNS> }
> {
  checkOptions(ACTION, options, { ...SERIES_RULES, blocks: BLOCKS });
  const common = readVariants(ACTION, variants, options);
  const count = common.variants.length + common.short.length;
  if (count < 2) {
    throw new RangeError(
      `Cannot ${ACTION}: expected two series or more, got ${count}; give every variant that was tried`,
    );
  }
  const { ranks, ...found } = findOverfitting(common, options.blocks);
  const { pbo, meanRank, purged, sessions, blocks, reason } = found;
  const row = [pbo, meanRank, found.variants, sessions, purged, blocks, ranks.length, reason];
  const splits = ranks.map((rank, i) => {
    return [i + 1, rank, rank === null ? null : Math.log(rank / (1 - rank))];
  });
  return new StatedResult(overfittingText({ ...found, ranks }), tableOfRows([row], COLUMNS), {
    splits: tableOfRows(splits, SPLIT_COLUMNS),
  });
}

/** Measures the overfitting of a search over the sessions that its variants have in common. */
function findOverfitting({ variants }: CommonVariants, blocks = 16) {
  const columns = variants.map(({ series }) => series.values);
  const size = Math.floor((columns[0]?.length ?? 0) / blocks);
  const ranges = purgedBlocks(variants, blocks, size);
  const sessions = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  const whole = { variants: columns.length, sessions, blocks, purged: blocks * size - sessions };
  const nothing = { ...whole, ranks: [], pbo: null, meanRank: null };
  if (columns.length < 2 || ranges.some(([from, to]) => to - from < 2)) {
    return { ...nothing, reason: "too_few_windows" };
  }
  const ranks = symmetricSplits(columns, ranges);
  const all = ranks.filter((rank) => rank !== null);
  if (all.length < ranks.length) return { ...nothing, ranks, reason: "no_variance" };
  // ω ≤ ½ is a logit of at most 0.
  const pbo = all.filter((rank) => rank <= 0.5).length / all.length;
  return { ...whole, ranks, pbo, meanRank: meanOf(all), reason: null };
}

type Range = readonly [from: number, to: number];

/**
 * Contiguous blocks of the same length, each without the values at its end whose window reaches into the next block: these would be
 * known on both sides of a split. A block that no whole window fits into is empty.
 */
function purgedBlocks(
  variants: CommonVariants["variants"],
  blocks: number,
  size: number,
): readonly Range[] {
  return Array.from({ length: blocks }, (_, b): Range => {
    const [from, next] = [b * size, (b + 1) * size];
    let to = next;
    const reaches = ({ series: { places, horizon } }: VariantSeries) =>
      b < blocks - 1 && places[to - 1]! + horizon > places[next]!;
    while (to > from && variants.some(reaches)) to--;
    return [from, to];
  });
}

/**
 * Combinatorially symmetric cross-validation (Bailey, Borwein, López de Prado and Zhu, 2017): of an even number of blocks of the
 * sample every choice of half of them is in sample once, the rest out of sample. The variant with the largest ratio of mean and
 * deviation (n − 1) in sample is ranked among all by its ratio out of sample, over the number of variants plus one. Ties share
 * their mean rank; of several winners it is the first. Splits stand in lexicographic order of their blocks in sample.
 *
 * @returns Relative rank of the winner out of sample, in (0, 1), of each split; `null` if a ratio is undefined in one of the halves
 */
function symmetricSplits(
  columns: readonly Float64Array[],
  ranges: readonly Range[],
): readonly (number | null)[] {
  const parts = columns.map((column) => toParts(column, ranges));
  const choices = halves(ranges.length);
  const ranks = choices.map((): number | null => null);
  // The complement of a choice is the choice as far from the end.
  for (let i = 0; i < choices.length / 2; i++) {
    const inside = parts.map((part) => ratioOf(part, choices[i]!));
    const outside = parts.map((part) => ratioOf(part, choices[choices.length - 1 - i]!));
    if ([...inside, ...outside].some((ratio) => Number.isNaN(ratio))) continue;
    ranks[i] = rankOfWinner(inside, outside);
    ranks[choices.length - 1 - i] = rankOfWinner(outside, inside);
  }
  return ranks;
}

function toParts(column: Float64Array, ranges: readonly Range[]) {
  const used = column.subarray(0, ranges.at(-1)![1]);
  const mean = isConstant(used) ? used[0] ?? NaN : meanOf(used);
  const of = (read: (block: Float64Array) => number) =>
    Float64Array.from(ranges, ([from, to]) => read(used.subarray(from, to)));
  return {
    mean,
    sums: of((block) => block.reduce((sum, value) => sum + (value - mean), 0)),
    squares: of((block) => block.reduce((sum, value) => sum + (value - mean) ** 2, 0)),
    highs: of((block) => Math.max(...block)),
    lows: of((block) => Math.min(...block)),
    sizes: of((block) => block.length),
  };
}

/** Mean over deviation in some blocks; NaN for fewer than two values, or values that do not vary. */
function ratioOf(
  { mean, sums, squares, highs, lows, sizes }: ReturnType<typeof toParts>,
  chosen: readonly number[],
): number {
  let [n, sum, square, high, low] = [0, 0, 0, -Infinity, Infinity];
  for (const b of chosen) {
    n += sizes[b]!;
    sum += sums[b]!;
    square += squares[b]!;
    high = Math.max(high, highs[b]!);
    low = Math.min(low, lows[b]!);
  }
  if (n < 2 || isConstant([low, high])) return NaN;
  const deviation = Math.sqrt((square - sum * sum / n) / (n - 1));
  return (mean + sum / n) / deviation;
}

function rankOfWinner(inside: readonly number[], outside: readonly number[]): number {
  let winner = 0;
  for (let k = 1; k < inside.length; k++) if (inside[k]! > inside[winner]!) winner = k;
  const found = outside[winner]!;
  let [below, equal] = [0, 0];
  for (const ratio of outside) {
    if (ratio < found) below++;
    else if (ratio === found) equal++;
  }
  return (below + (equal + 1) / 2) / (outside.length + 1);
}

/** Every choice of half of the blocks, in lexicographic order. */
function halves(blocks: number): readonly (readonly number[])[] {
  const all: number[][] = [];
  const choose = (from: number, chosen: readonly number[]) => {
    const missing = blocks / 2 - chosen.length;
    if (missing === 0) all.push([...chosen]);
    for (let b = from; missing > 0 && b <= blocks - missing; b++) choose(b + 1, [...chosen, b]);
  };
  choose(0, []);
  return all;
}
