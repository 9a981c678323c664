import type { Row } from "./values.ts";

type Columns = readonly (readonly unknown[])[];
/**
 * Rows thinned for lines: of each block of neighbours the first, the last, and those in which a line is lowest and highest, so that
 * the extremes drawn are the extremes computed. A line without a value in a block keeps its gap. Blocks are as short as the number of
 * rows allows.
 */
export function thinRows(rows: readonly Row[], fields: readonly string[], most: number) {
  const columns = fields.map((field) => rows.map((row) => row[field]));
  const { places, size } = thinPlaces(columns, rows.length, most);
  return { rows: size === 1 ? rows : places.map((at) => rows[at]!), size };
}

/** Thins columns before they become rows, so that no row is made that is not drawn. */
export function thinPlaces(columns: Columns, height: number, most: number) {
  const size = sizeWithin(columns, height, most);
  const places = size === 1 ? [...Array(height).keys()] : keepExtremes(columns, height, size);
  return { places, size };
}

/** Length of the shortest block that leaves at most the given number of rows; 1 if every row is kept. */
function sizeWithin(columns: Columns, height: number, most: number): number {
  if (height <= most) return 1;
  for (let size = Math.max(3, Math.ceil(height / most));; size += Math.ceil(size / 8)) {
    if (size >= height) return height;
    if (keepExtremes(columns, height, size).length <= most) return size;
  }
}

/** Sentence on thinning; none if every row is drawn. */
export function thinnedText(size: number, noun = "session"): readonly string[] {
  return size === 1
    ? []
    : [`Of every ${size} ${noun}s the first, lowest, highest and last are drawn`];
}

function keepExtremes(columns: Columns, height: number, size: number) {
  const isKept = new Uint8Array(height);
  for (let from = 0; from < height; from += size) {
    const to = Math.min(height, from + size);
    isKept[from] = isKept[to - 1] = 1;
    for (const column of columns) {
      let [low, high, gap, least, most] = [-1, -1, -1, Infinity, -Infinity];
      for (let at = from; at < to; at++) {
        const value = column[at];
        if (typeof value !== "number" || Number.isNaN(value)) gap = gap === -1 ? at : gap;
        else {
          if (low === -1 || value < least) [low, least] = [at, value];
          if (high === -1 || value > most) [high, most] = [at, value];
        }
      }
      for (const at of [low, high, gap]) if (at !== -1) isKept[at] = 1;
    }
  }
  const kept: number[] = [];
  for (let at = 0; at < height; at++) if (isKept[at] === 1) kept.push(at);
  return kept;
}

/** Rows in consecutive blocks, at most `most` of them. */
export function inBlocks<T>(rows: readonly T[], most: number): readonly (readonly T[])[] {
  const size = Math.max(1, Math.ceil(rows.length / most));
  return Array.from(
    { length: Math.ceil(rows.length / size) },
    (_, i) => rows.slice(i * size, (i + 1) * size),
  );
}
