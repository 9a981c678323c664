import type { Reason } from "../reason.ts";
import { placesOfDays } from "../dense/days.ts";
import type { ScoreRows } from "./score_rows.ts";
import type { SessionInstants } from "./trade_instants.ts";

/** How scores enter sessions. */
export interface EntryRules {
  /** Whether a session must trade after a score was known, or may trade at that very instant. */
  readonly entry: "next" | "same";
  /** Minutes between the moment a score was known and the moment it can be used. */
  readonly delayMinutes: number;
  /** For how many sessions after its publication a set stays in force; `null` for ever. */
  readonly maxAgeSessions: number | null;
}

/** In which sessions the scores of each time are in force. */
export interface Places {
  /** First session of each time. */
  readonly from: Int32Array;
  /** One more than the last session of each time. */
  readonly to: Int32Array;
  /** Why the rows of a time are in no session; `null` if they are in one. */
  readonly fates: readonly (Reason | null)[];
  /** When the scores of each time were known, epoch milliseconds; NaN for a date that is no session. */
  readonly known: Float64Array;
  /** The session in which the set of each time could first be used; negative if it was before the prices. */
  readonly published: Int32Array;
}

/**
 * Finds the sessions of each time. The first one trades later than what was known. What bears a date is known when
 * its session closes, and belongs to one session; a live set stays in force until another one is.
 *
 * @param counted Whether a time has rows that count; others do not supersede anything
 */
export function placeSets(
  rows: ScoreRows,
  days: Int32Array,
  of: { instants: SessionInstants; rules: EntryRules; counted: Uint8Array },
): Places {
  const { instants, rules, counted } = of;
  const known = knownTimes(rows, days, instants);
  const first = (ms: number) => firstTrade(instants.trades, ms, rules);
  const from = Int32Array.from(known, (ms) => ms === ms ? first(ms) : -1);
  const published = Int32Array.from(known, (ms, i) => {
    const at = rows.published?.[i] ?? NaN;
    return first(at === at ? at : ms);
  });
  const to = rows.kind === "date"
    ? from.map((session) => session + 1)
    : nextPlaces(from, counted, days.length);
  const fates = [...from].map((session, i): Reason | null => {
    if (counted[i] === 0) return "refused_status";
    if (session === -1) return "not_a_session";
    if (session === days.length) return "beyond_prices";
    const successor = supersededBy(from, counted, i);
    if (successor) return "superseded";
    if (rules.maxAgeSessions === null) return null;
    to[i] = Math.min(to[i]!, published[i]! + rules.maxAgeSessions + 1);
    return to[i]! > session ? null : "expired";
  });
  return { from, to, fates, known, published };
}

function knownTimes(
  rows: ScoreRows,
  days: Int32Array,
  { closes }: SessionInstants,
): Float64Array {
  if (rows.kind === "instant") return rows.times;
  const placeOf = placesOfDays(days);
  return rows.times.map((day) => closes[placeOf(day)] ?? NaN);
}

function firstTrade(trades: Float64Array, known: number, rules: EntryRules): number {
  const cut = known + rules.delayMinutes * 60_000;
  let low = 0;
  let high = trades.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const isLater = rules.entry === "same" ? trades[middle]! >= cut : trades[middle]! > cut;
    if (isLater) high = middle;
    else low = middle + 1;
  }
  return low;
}

function nextPlaces(from: Int32Array, counted: Uint8Array, end: number): Int32Array {
  const to = new Int32Array(from.length);
  let next = end;
  for (let i = from.length - 1; i >= 0; i--) {
    to[i] = next;
    if (counted[i] === 1) next = from[i]!;
  }
  return to;
}

/** Whether a later time that counts has the same first session. */
function supersededBy(from: Int32Array, counted: Uint8Array, i: number): boolean {
  for (let j = i + 1; j < from.length && (from[j] === from[i] || from[j] === -1); j++) {
    if (counted[j] === 1 && from[j] === from[i]) return true;
  }
  return false;
}
