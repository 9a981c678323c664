// Two-for-one splits and larger ones; smaller ones cannot be distinguished from ordinary returns.
const JUMP = 1.9;

/** Tests if a close divided by the previous one has the size of a two-for-one split or a larger one. */
export function isSplitSize(ratio: number): boolean {
  return ratio >= JUMP || ratio <= 1 / JUMP;
}
