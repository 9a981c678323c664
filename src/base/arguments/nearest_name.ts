// A name that differs by more than this is another word, not a slip.
const MAX_SHARE = 0.4;
const UNIT = /(ms|seconds?|secs?|minutes?|mins?|hours?|days?)$/;

/** The known name that a misspelt one most likely stands for; `null` if none is near. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const given = plain(name);
  // The same duration in another unit.
  const inUnit = known.find((candidate) =>
    UNIT.test(given) && UNIT.test(plain(candidate)) &&
    plain(candidate).replace(UNIT, "") === given.replace(UNIT, "")
  );
  if (inUnit !== undefined) return inUnit;
  let nearest: string | null = null;
  let [shortest, fewest] = [Infinity, Infinity];
  for (const candidate of known) {
    const wanted = plain(candidate);
    const isPart = given.length >= 3 &&
      (wanted.startsWith(given) || wanted.endsWith(given) || given.startsWith(wanted));
    const letters = distance(given, wanted);
    const way = isPart ? Math.min(1, letters) : letters;
    if (way > MAX_SHARE * wanted.length) continue;
    // Of two names with the given one as a part, the one with fewer letters more.
    if (way > shortest || (way === shortest && letters >= fewest)) continue;
    [nearest, shortest, fewest] = [candidate, way, letters];
  }
  return nearest;
}

/** `; did you mean scores?`, to end a message; empty if no known name is near. */
export function nearestHint(
  name: string,
  known: readonly string[],
  shown: (nearest: string) => string = String,
): string {
  const nearest = nearestName(name, known);
  return nearest === null ? "" : `; did you mean ${shown(nearest)}?`;
}

/** A name without case and separators. */
export function plain(name: string): string {
  return name.slice(0, 64).replaceAll(/[_\-\s]/g, "").toLowerCase();
}

// Number of letters that are put in, taken out, replaced, or exchanged with the next one.
function distance(from: string, to: string): number {
  let before: readonly number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isExchanged = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const exchanged = isExchanged ? before[j - 2]! + 1 : Infinity;
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1, exchanged));
    }
    [before, row] = [row, next];
  }
  return row[to.length]!;
}
