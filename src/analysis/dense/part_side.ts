import type { RankedSide } from "./rank/rank_correlation.ts";

/** Which names of a session are of a part. */
export interface Part {
  /** The part of each session and name. */
  readonly codes: Int32Array;
  /** Where the session begins. */
  readonly base: number;
  /** The part. */
  readonly part: number;
}

/** A side of a correlation that holds the names of one part of a session after the other. */
export class PartSide implements RankedSide {
  /** The names of the part that have a value, ascending by it. */
  readonly order: Int32Array;
  /** 1 at each place of the order whose value differs from that of the place before. */
  readonly starts: Uint8Array;
  /** 1 for each name of the part that has a value. */
  readonly has: Uint8Array;
  /** The session begins at the first place of `has`. */
  readonly base = 0;
  /** How many names of the part have a value. */
  count = 0;
  /** Whether any two names may have the same value. */
  hasTies = false;

  /** @param names How many names there are */
  constructor(names: number) {
    this.order = new Int32Array(names);
    this.starts = new Uint8Array(names);
    this.has = new Uint8Array(names);
  }

  /** Takes those names of a session that are of a part. */
  pick({ order, starts, count, hasTies }: RankedSide, { codes, base, part }: Part): void {
    let [picked, isNew] = [0, 0];
    this.has.fill(0);
    this.hasTies = hasTies;
    for (let i = 0; i < count; i++) {
      isNew |= starts[i]!;
      const name = order[i]!;
      if (codes[base + name] !== part) continue;
      this.has[name] = 1;
      this.starts[picked] = isNew;
      this.order[picked++] = name;
      isNew = 0;
    }
    this.count = picked;
  }
}
