import type { RowKey, SetLookup } from "./_set_lookup.ts";

const DAY_MS = 86_400_000;
// Scores are checked hourly, and published on most days.
const OLD_MS = 7 * DAY_MS;
const SHOWN = 5;

/** Decisions and the sets that they are joined with. */
export interface Decisions {
  /** Key of each decision. */
  readonly keys: readonly RowKey[];
  /** Time of each, epoch milliseconds. */
  readonly decided: Float64Array;
  /** Largest age of a set, in milliseconds; `null` for any age. */
  readonly maxAgeMs: number | null;
}

/** Notices about decisions: tickers without a set, and old sets. */
export function decisionNotes(
  sets: SetLookup,
  { keys, decided, maxAgeMs }: Decisions,
): readonly string[] {
  const ages = keys.map(({ factor }, i) => sets.ageMs(factor, decided[i]!));
  const limit = maxAgeMs ?? OLD_MS;
  const old = ages.filter((age) => age > limit);
  const unknown = keys.filter((key) => !sets.hasRow(key)).map(({ row }) => row);
  const of = (count: number) => `${count} of ${keys.length} decisions`;
  const names = [...new Set(unknown)];
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : "";
  const oldest = old.reduce((most, age) => Math.max(most, age), 0);
  return [
    ...(unknown.length === 0 ? [] : [
      `asOf(): ${of(unknown.length)} have no score, because no set of the scores has their ` +
      `ticker: ${names.slice(0, SHOWN).join(", ")}${more}`,
    ]),
    ...(old.length === 0 ? [] : [
      maxAgeMs === null
        ? `asOf(): the latest known set is more than 7 days old at ${of(old.length)}, ` +
          `${inDays(oldest)} at most; maxAgeMs omits such scores`
        : `asOf(): ${of(old.length)} have no score, because the latest set was older than ` +
          `maxAgeMs allows, ${inDays(oldest)} at most`,
    ]),
  ];
}

function inDays(ms: number): string {
  const days = ms / DAY_MS;
  return days < 2 ? `${(24 * days).toFixed(1)} hours` : `${days.toFixed(1)} days`;
}
