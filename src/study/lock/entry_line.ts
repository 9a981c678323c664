import type { RegisteredNumber } from "../../frames/frame/registered_frame.ts";
import { createHash } from "node:crypto";
import type { LockedEntry, LockedPlan } from "./lock.ts";

type Wire = Readonly<Record<string, unknown>>;
type WithoutHash<Entry> = Entry extends LockedEntry ? Omit<Entry, "before" | "sha256"> : never;

/** An entry before it is chained to another one. */
export type NewEntry = WithoutHash<LockedEntry>;

const HASH = /,"sha256":"[0-9a-f]{64}"\}$/;

/** Line of a registered test, a look or a result. */
export function entryLine(entry: LockedEntry): string {
  return JSON.stringify({ ...encodeEntry(entry), before: entry.before, sha256: entry.sha256 });
}

/** Hash of the line of an entry without its hash. */
export function hashEntry(entry: LockedEntry): string {
  return createHash("sha256").update(entryLine(entry).replace(HASH, "")).digest("hex");
}

/** Chains an entry to the one before: its line has the hash of that one, so that neither can change alone. */
export function chainEntry(entry: NewEntry, before: string | null): LockedEntry {
  const open = { ...entry, before, sha256: "0".repeat(64) } as LockedEntry;
  return { ...open, sha256: hashEntry(open) };
}

/** Entries in the order of their chain; unchained ones are last. */
export function inOrder(entries: readonly LockedEntry[]): readonly LockedEntry[] {
  const next = new Map(entries.map((entry) => [entry.before, entry]));
  const ordered: LockedEntry[] = [];
  for (let at = next.get(null); at !== undefined; at = next.get(at.sha256)) {
    if (ordered.includes(at)) break;
    ordered.push(at);
  }
  return [...ordered, ...entries.filter((entry) => !ordered.includes(entry))];
}

function encodeEntry(entry: LockedEntry): Wire {
  const { at, kind, name } = entry;
  if (kind === "plan") return { at, kind, name, ...encodePlan(entry) };
  const { number, of } = entry;
  if (kind === "result") {
    return { at, kind, name, number, of, numbers: entry.numbers.map(encodeNumber) };
  }
  const { asOf, first, last, release, prices } = entry;
  return { at, kind, name, number, of, as_of: asOf, first, last, release, prices };
}

function encodePlan({ plan, loadedBefore, looksBefore }: LockedPlan): Wire {
  return {
    question: plan.question,
    factor: plan.factor,
    scores: plan.scores,
    horizons: plan.horizons,
    periods: plan.periods,
    universe: plan.universe,
    prices: plan.prices,
    min_names: plan.minNames,
    hold_out_from: plan.holdOutFrom,
    loaded_before: loadedBefore,
    looks_before: looksBefore,
  };
}

function encodeNumber(number: RegisteredNumber): Wire {
  const { sample, horizon, sessions, meanIc, low, high, p } = number;
  return { sample, horizon, sessions, mean_ic: meanIc, low, high, p };
}
