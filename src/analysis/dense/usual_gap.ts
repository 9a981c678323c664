/** Median number of sessions between consecutive signals; `null` with fewer than two. */
export function usualGap(places: Iterable<number>): number | null {
  const distinct = [...new Set(places)].toSorted((a, b) => a - b);
  const gaps = distinct.slice(1).map((place, i) => place - distinct[i]!).toSorted((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? null;
}
