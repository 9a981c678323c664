const MOST = 120;
const BEFORE = 30;

/** Two texts that differ, each cut to at most 120 characters around their first difference. */
export function differing(one: string, other: string): readonly [string, string] {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same++;
  const isShort = Math.max(one.length, other.length) <= MOST;
  const from = isShort || same <= BEFORE ? 0 : same - BEFORE;
  return [excerpt(one, from), excerpt(other, from)];
}

function excerpt(text: string, from: number): string {
  const end = from + MOST;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${text.length > end ? "…" : ""}`;
}
