/** Block sizes used to thin the charts being drawn, in order of request. */
interface BlockSizes {
  readonly least: readonly number[];
  readonly used: number[];
}

let sizes: BlockSizes | null = null;

/** Number of sessions in a block: the given one, or that of the chart beside it. */
export function blockSize(own: number): number {
  if (sizes === null) return own;
  const size = Math.max(own, sizes.least[sizes.used.length] ?? 1);
  sizes.used.push(size);
  return size;
}

/** Draws charts of one kind with equal block sizes, so that neither looks smoother than the other. */
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
