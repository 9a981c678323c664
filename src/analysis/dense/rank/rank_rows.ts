import { bufferOf } from "../../threads/shared_buffer.ts";
import type { RankedSide } from "./rank_correlation.ts";

/** Up to so many names, the product of two doubled ranks is a whole number of 32 bits. */
const MOST_NAMES = 23_170;
const WORD_BITS = 32;

/** Ranks of each session by name, for correlations that need no order. */
export interface RankRows {
  /** Twice the rank, from 2 on, of each session and name; equal values share their mean, 0 stands for no value. */
  readonly ranks: Uint16Array;
  /** Σ (m³ − m) over the ties of m names of each session. */
  readonly ties: Float64Array;
  /** A bit for each session and name that has a value. */
  readonly masks: Int32Array;
  /** How many words the bits of a session take. */
  readonly words: number;
}

/** Rows to be filled; `null` if there are too many names for them. */
export function emptyRankRows(
  sessions: number,
  names: number,
  isShared: boolean,
): RankRows | null {
  if (names > MOST_NAMES) return null;
  const words = Math.ceil(names / WORD_BITS);
  return {
    ranks: new Uint16Array(bufferOf(2 * sessions * names, isShared)),
    ties: new Float64Array(bufferOf(8 * sessions, isShared)),
    masks: new Int32Array(bufferOf(4 * sessions * words, isShared)),
    words,
  };
}

/** Fills the row of a session. */
export function fillRankRow(
  { ranks, ties, masks, words }: RankRows,
  session: number,
  { order, starts, count }: Pick<RankedSide, "order" | "starts" | "count">,
): void {
  const names = order.length;
  const row = ranks.subarray(session * names, (session + 1) * names);
  const mask = masks.subarray(session * words, (session + 1) * words);
  for (let start = 0; start < count;) {
    let end = start + 1;
    while (end < count && starts[end] === 0) end++;
    for (let i = start; i < end; i++) {
      const name = order[i]!;
      row[name] = start + end + 1;
      mask[name >> 5]! |= 1 << (name & 31);
    }
    const size = end - start;
    ties[session]! += size * size * size - size;
    start = end;
  }
}

/** Whether each name of one session of `inner` has a value in one session of `outer` as well. */
export function isWithin(
  inner: { readonly rows: RankRows; readonly session: number },
  outer: { readonly rows: RankRows; readonly session: number },
): boolean {
  const { words, masks } = inner.rows;
  const others = outer.rows.masks;
  const [a, b] = [inner.session * words, outer.session * words];
  for (let word = 0; word < words; word++) {
    if ((masks[a + word]! & ~others[b + word]!) !== 0) return false;
  }
  return true;
}

/** Whether a session of both has the same names. */
export function haveSameNames(a: RankRows, b: RankRows, session: number): boolean {
  const [start, end] = [session * a.words, (session + 1) * a.words];
  for (let word = start; word < end; word++) if (a.masks[word] !== b.masks[word]) return false;
  return true;
}
