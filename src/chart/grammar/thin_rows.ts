import { blockSize } from "./equal_blocks.ts";
import type { Row } from "./values.ts";

/** Lines whose rows are thinned. */
export interface ThinPlan {
  /** The columns that are drawn as lines. */
  readonly fields: readonly string[];
  /** Rows that a picture may hold. */
  readonly most: number;
}

/** Rows that show what all rows show. */
export interface ThinnedRows {
  readonly rows: readonly Row[];
  /** Rows of a block; 1 if every row is kept. */
  readonly size: number;
}

/**
 * Rows thinned for lines: of each block of neighbours the first, the last, and those in which a line is lowest and highest, so that
 * the extremes drawn are the extremes computed. A line without a value in a block keeps its gap. Blocks are as short as the number of
 * rows allows.
 */
export function thinRows(rows: readonly Row[], { fields, most }: ThinPlan): ThinnedRows {
  const size = blockSize(sizeWithin(rows, fields, most));
  if (size === 1) return { rows, size };
  return { rows: keepExtremes(rows, fields, size).map((at) => rows[at]!), size };
}

/** The shortest block that leaves so many rows; 1 if every row is kept. */
function sizeWithin(rows: readonly Row[], fields: readonly string[], most: number): number {
  if (rows.length <= most) return 1;
  for (let size = Math.max(3, Math.ceil(rows.length / most));; size += Math.ceil(size / 8)) {
    if (size >= rows.length) return rows.length;
    if (keepExtremes(rows, fields, size).length <= most) return size;
  }
}

/** A sentence on rows that were thinned; none if every row is drawn. */
export function thinnedText(size: number): readonly string[] {
  return size === 1
    ? []
    : [`Of every ${size} sessions the first, lowest, highest and last are drawn`];
}

function keepExtremes(rows: readonly Row[], fields: readonly string[], size: number) {
  const kept = new Set<number>();
  for (let from = 0; from < rows.length; from += size) {
    const to = Math.min(rows.length, from + size);
    kept.add(from).add(to - 1);
    for (const field of fields) {
      let [low, high, gap] = [-1, -1, -1];
      for (let at = from; at < to; at++) {
        const value = rows[at]![field];
        if (typeof value !== "number") gap = gap === -1 ? at : gap;
        else {
          if (low === -1 || value < (rows[low]![field] as number)) low = at;
          if (high === -1 || value > (rows[high]![field] as number)) high = at;
        }
      }
      for (const at of [low, high, gap]) if (at !== -1) kept.add(at);
    }
  }
  return [...kept].sort((a, b) => a - b);
}
