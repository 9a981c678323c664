import type { RankedSide } from "./rank_correlation.ts";

/** What is ranked again: a session, and the names that count in it. */
export interface Restriction {
  /** The names of the session, ascending. */
  readonly side: Pick<RankedSide, "order" | "starts" | "count" | "hasTies">;
  /** 1 for each name that counts. */
  readonly has: Uint8Array;
}

/** Ranks one session again among fewer names: doubled, from 2 on, by name; 0 for a name that does not count. */
export class RestrictedRanks {
  /** The ranks. */
  readonly row: Uint16Array;
  /** How many names count, at the last call. */
  count = 0;
  /** Σ (m³ − m) over the ties of m names, at the last call. */
  ties = 0;
  readonly #common: Int32Array;

  /** @param names How many names there are */
  constructor(names: number) {
    this.row = new Uint16Array(names);
    this.#common = new Int32Array(names);
  }

  /** Ranks a session. */
  rank(of: Restriction): void {
    this.row.fill(0);
    this.ties = 0;
    if (of.side.hasTies) this.#rankTied(of);
    else this.#rankDistinct(of);
  }

  #rankDistinct({ side: { order, count }, has }: Restriction): void {
    const row = this.row;
    let n = 0;
    for (let i = 0; i < count; i++) {
      const name = order[i]!;
      const counts = has[name]!;
      n += counts;
      // Without a branch, which a processor would guess wrong.
      row[name] = 2 * n & -counts;
    }
    this.count = n;
  }

  #rankTied({ side: { order, starts, count }, has }: Restriction): void {
    const [row, common] = [this.row, this.#common];
    let [n, first, isNew] = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      isNew |= starts[i]!;
      const name = order[i]!;
      if (has[name] === 0) continue;
      if (isNew === 1) {
        if (n - first > 1) this.#share(first, n);
        first = n;
        isNew = 0;
      }
      common[n++] = name;
      row[name] = 2 * n;
    }
    if (n - first > 1) this.#share(first, n);
    this.count = n;
  }

  /** Gives names that are tied their mean rank. */
  #share(first: number, end: number): void {
    for (let i = first; i < end; i++) this.row[this.#common[i]!] = first + end + 1;
    const size = end - first;
    this.ties += size * size * size - size;
  }
}
