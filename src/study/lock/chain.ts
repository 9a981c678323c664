import type { LockedEntry } from "./entry.ts";

/** The plans, looks or results among entries. */
export function ofKind<Kind extends LockedEntry["kind"]>(
  entries: readonly LockedEntry[],
  kind: Kind,
): readonly Extract<LockedEntry, { readonly kind: Kind }>[] {
  return entries.filter((entry) => entry.kind === kind) as never;
}

/** Entries that no other one names as before it: one, or several after a merge. */
export function lastEntries(entries: readonly LockedEntry[]): readonly LockedEntry[] {
  const named = new Set(entries.flatMap(({ before }) => before));
  return entries.filter(({ sha256 }) => !named.has(sha256));
}

/** Entries in the order in which they were written: by time, each behind those before it; unchained ones are last. */
export function inOrder(entries: readonly LockedEntry[]): readonly LockedEntry[] {
  const waiting = entries.toSorted((a, b) =>
    a.at < b.at || (a.at === b.at && a.sha256 < b.sha256) ? -1 : 1
  );
  const ordered: LockedEntry[] = [];
  const placed = new Set<string>();
  const isNext = ({ before }: LockedEntry) => before.every((hash) => placed.has(hash));
  for (let at = waiting.findIndex(isNext); at !== -1; at = waiting.findIndex(isNext)) {
    const [entry] = waiting.splice(at, 1);
    placed.add(entry!.sha256);
    ordered.push(entry!);
  }
  return [...ordered, ...waiting];
}

/** The entries that an entry names as before it, and those before them, in the order in which they were written. */
export function entriesBefore(
  entry: LockedEntry,
  entries: readonly LockedEntry[],
): readonly LockedEntry[] {
  const waiting = [...entry.before];
  const found = new Set<string>();
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    if (found.has(hash)) continue;
    found.add(hash);
    waiting.push(...entries.find(({ sha256 }) => sha256 === hash)?.before ?? []);
  }
  return inOrder(entries.filter((other) => other !== entry && found.has(other.sha256)));
}

/** Entries of two locks together. What was written twice is there once: an entry is its hash. */
export function uniteEntries(
  entries: readonly LockedEntry[],
  others: readonly LockedEntry[],
): readonly LockedEntry[] {
  const known = new Set(entries.map(({ sha256 }) => sha256));
  return [...entries, ...others.filter(({ sha256 }) => !known.has(sha256))];
}
