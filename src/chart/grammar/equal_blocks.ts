/** Sizes of the blocks in which the charts being drawn are thinned, in the order in which they are asked for. */
interface BlockSizes {
  readonly least: readonly number[];
  readonly used: number[];
}

let sizes: BlockSizes | null = null;

/** The size of a block of sessions: so many, or as many as the chart beside it has. */
export function blockSize(own: number): number {
  if (sizes === null) return own;
  const size = Math.max(own, sizes.least[sizes.used.length] ?? 1);
  sizes.used.push(size);
  return size;
}

/** Charts of one kind that are thinned in blocks of the same sizes, so that neither looks calmer than the other. */
export function withEqualBlocks<T>(draws: readonly (() => T)[]): readonly T[] {
  const apart = draws.map((draw) => drawWith([], draw));
  const length = Math.max(0, ...apart.map(({ used }) => used.length));
  const least = Array.from(
    { length },
    (_, i) => Math.max(...apart.map(({ used }) => used[i] ?? 1)),
  );
  return apart.map(({ chart, used }, i) =>
    used.every((size, at) => size === least[at]) ? chart : drawWith(least, draws[i]!).chart
  );
}

function drawWith<T>(least: readonly number[], draw: () => T) {
  const used: number[] = [];
  sizes = { least, used };
  try {
    return { chart: draw(), used };
  } finally {
    sizes = null;
  }
}
