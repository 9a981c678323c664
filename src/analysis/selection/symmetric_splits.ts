import { isConstant, meanOf } from "../../base/statistics/moments.ts";

/** The winner of one half of the sample in the other half, for every split. */
export interface SymmetricSplits {
  /** Relative rank of the winner out of sample, in (0, 1), of each split; `null` if a ratio is undefined in one of the halves. */
  readonly ranks: readonly (number | null)[];
}

/**
 * Combinatorially symmetric cross-validation (Bailey, Borwein, López de Prado and Zhu, 2017): of an even number of blocks of the
 * sample every choice of half of them is in sample once, the rest out of sample. The variant with the largest ratio of mean and
 * deviation (n − 1) in sample is ranked among all by its ratio out of sample, over the number of variants plus one. Ties share
 * their mean rank; of several winners it is the first. Splits stand in lexicographic order of their blocks in sample.
 *
 * @param columns The values of each variant, equally long
 * @param blocks Even number of blocks; what is left over at the end is left out
 */
export function symmetricSplits(columns: readonly Float64Array[], blocks: number): SymmetricSplits {
  const size = Math.floor((columns[0]?.length ?? 0) / blocks);
  const parts = columns.map((column) => toParts(column, { blocks, size }));
  const choices = halves(blocks);
  const ranks = choices.map((): number | null => null);
  // The complement of a choice is the choice as far from the end.
  for (let i = 0; i < choices.length / 2; i++) {
    const inside = parts.map((part) => ratioOf(part, choices[i]!));
    const outside = parts.map((part) => ratioOf(part, choices[choices.length - 1 - i]!));
    if ([...inside, ...outside].some((ratio) => Number.isNaN(ratio))) continue;
    ranks[i] = rankOfWinner(inside, outside);
    ranks[choices.length - 1 - i] = rankOfWinner(outside, inside);
  }
  return { ranks };
}

interface Parts {
  readonly mean: number;
  /** Sums of the values less their mean, and of their squares, by block. */
  readonly sums: Float64Array;
  readonly squares: Float64Array;
  /** Largest and smallest value by block. */
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly size: number;
}

function toParts(
  column: Float64Array,
  { blocks, size }: { readonly blocks: number; readonly size: number },
): Parts {
  const used = column.subarray(0, blocks * size);
  const mean = isConstant(used) ? used[0] ?? NaN : meanOf(used);
  const of = (read: (block: Float64Array) => number) =>
    Float64Array.from({ length: blocks }, (_, b) => read(used.subarray(b * size, (b + 1) * size)));
  return {
    mean,
    sums: of((block) => block.reduce((sum, value) => sum + (value - mean), 0)),
    squares: of((block) => block.reduce((sum, value) => sum + (value - mean) ** 2, 0)),
    highs: of((block) => Math.max(...block)),
    lows: of((block) => Math.min(...block)),
    size,
  };
}

/** Mean over deviation in some blocks; NaN for fewer than two values, or values that do not vary. */
function ratioOf(
  { mean, sums, squares, highs, lows, size }: Parts,
  chosen: readonly number[],
): number {
  const n = chosen.length * size;
  let [sum, square, high, low] = [0, 0, -Infinity, Infinity];
  for (const b of chosen) {
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
