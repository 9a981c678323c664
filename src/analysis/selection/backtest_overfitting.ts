import { checkOptions, type Rule, whole } from "../../base/arguments/check_options.ts";
import { displayAs } from "../../frames/notebook/display_as.ts";
import { overfittingText } from "../../base/wording/sentences/selection_text.ts";
import type { Reason } from "../reason.ts";
import { SERIES_RULES, type SeriesOptions } from "../series/read_series.ts";
import { displayParts } from "../table/display_parts.ts";
import { type RowReaders, tableOfRows } from "../table/frame_of_rows.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { type CommonVariants, readVariants, type Variants } from "./read_variants.ts";
import { symmetricSplits } from "./symmetric_splits.ts";

/** Options of {@link backtestOverfitting}. */
export interface BacktestOverfittingOptions extends SeriesOptions {
  /**
   * Even number of blocks of the sample, from 2 to 20.
   *
   * @default 16, which gives 12,870 splits
   */
  readonly blocks?: number;
}

const ACTION = "measure backtest overfitting";
const BLOCKS: Rule<number> = {
  required: "an even number from 2 to 20",
  accepts: (value) => whole(2, 20).accepts(value) && Number(value) % 2 === 0,
  isKind: (value) => typeof value === "number",
};

/** Overfitting of a search, as measured from all of its splits. */
export interface Overfitting {
  /** Number of series. */
  readonly variants: number;
  /** Sessions that the blocks hold. */
  readonly sessions: number;
  /** Number of blocks. */
  readonly blocks: number;
  /** Relative rank of the winner out of sample, by split. */
  readonly ranks: readonly (number | null)[];
  /** Share of the splits in which the winner is at or below the median out of sample. */
  readonly pbo: number | null;
  /** Mean relative rank of the winner out of sample. */
  readonly meanRank: number | null;
  /** Reason why there is no probability. */
  readonly reason: Reason | null;
}

const COLUMNS = {
  pbo: "number",
  mean_rank: "number",
  variants: "count",
  sessions: "count",
  blocks: "count",
  splits: "count",
  reason: "text",
} as const;
const READERS: RowReaders<Overfitting, typeof COLUMNS> = {
  splits: (row) => row.ranks.length,
};

interface Split {
  readonly number: number;
  readonly rank: number | null;
}

const SPLIT_COLUMNS = { split: "count", rank: "number", logit: "number" } as const;
const SPLIT_READERS: RowReaders<Split, typeof SPLIT_COLUMNS> = {
  split: (row) => row.number,
  logit: ({ rank }) => rank === null ? null : Math.log(rank / (1 - rank)),
};

/** Probability of backtest overfitting of a search. */
export class BacktestOverfitting {
  static {
    displayAs(
      BacktestOverfitting,
      (shown) => displayParts(() => shown.text, () => ({ table: shown.table })),
    );
  }

  /** The probability in words. */
  readonly text: string;
  /** One row: the probability, with its sample. */
  readonly table: TableFrame<typeof COLUMNS>;
  /** One row a split: the rank of the winner out of sample. */
  readonly splits: TableFrame<typeof SPLIT_COLUMNS>;

  /**
   * Builds the result from the splits of a search.
   *
   * @ignore
   */
  constructor(found: Overfitting) {
    this.text = overfittingText(found);
    this.table = tableOfRows([found], COLUMNS, READERS);
    this.splits = tableOfRows(
      found.ranks.map((rank, i) => ({ number: i + 1, rank })),
      SPLIT_COLUMNS,
      SPLIT_READERS,
    );
  }
}

/**
 * Probability of backtest overfitting (PBO) by combinatorially symmetric cross-validation: how often the best variant of one half of
 * the sample is no better than the median in the other half. Near 0 the choice of the best carries over; near one half it does not.
 *
 * The sample is cut into contiguous blocks; a remainder at the end is left out. Every choice of half of the blocks is in sample
 * once. The variant with the largest ratio of mean and deviation (n − 1) in sample has a rank among all out of sample; over the
 * number of variants plus one it is ω. The PBO is the share of splits with ln(ω / (1 − ω)) ≤ 0. Ties out of sample share their
 * mean rank; of equal winners in sample the first counts. A larger mean is better: reverse the sign of a variant that is
 * traded in reverse.
 *
 * `table` has one row: `pbo` and `mean_rank` (of ω, 0 to 1), `variants`, `sessions`, `blocks`, `splits` (Int32),
 * `reason`. `splits` has one row per split: `split` (from 1), `rank` (ω) and `logit`, `null` where the values of a
 * variant do not vary in a half; then there is no `pbo`, reason `no_variance`. A block needs two sessions in which all
 * variants have a value, else the reason is `too_few_windows`; a variant with fewer than 20 values, or in fewer than half
 * of the sessions, is left out. Equal to `calc_prob_backtest_overfitting` of PyPI's ffn 1.4.1.
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
  options: BacktestOverfittingOptions = {},
): BacktestOverfitting {
  checkOptions(ACTION, options, { ...SERIES_RULES, blocks: BLOCKS });
  const { blocks, ...columns } = options;
  const common = readVariants(ACTION, variants, columns);
  const count = common.variants.length + common.short.length;
  if (count < 2) {
    throw new RangeError(
      `Cannot ${ACTION}: expected two series or more, got ${count}; give every variant that was tried`,
    );
  }
  return new BacktestOverfitting(findOverfitting(common, blocks));
}

/** Measures the overfitting of a search over the sessions that its variants have in common. */
function findOverfitting({ variants }: CommonVariants, blocks = 16): Overfitting {
  const columns = variants.map(({ series }) => series.values);
  const size = Math.floor((columns[0]?.length ?? 0) / blocks);
  const whole = { variants: columns.length, sessions: blocks * size, blocks };
  const nothing = { ...whole, ranks: [], pbo: null, meanRank: null };
  if (size < 2 || columns.length < 2) return { ...nothing, reason: "too_few_windows" };
  const { ranks } = symmetricSplits(columns, blocks);
  if (ranks.includes(null)) return { ...nothing, ranks, reason: "no_variance" };
  const all = ranks as readonly number[];
  return {
    ...whole,
    ranks,
    // ω ≤ ½ is a logit of at most 0.
    pbo: all.filter((rank) => rank <= 0.5).length / all.length,
    meanRank: all.reduce((sum, rank) => sum + rank, 0) / all.length,
    reason: null,
  };
}
