import type { Factor } from "../../contract/factor.ts";
import type { Instant } from "../../contract/instant.ts";
import { lastNotAfter } from "../../contract/scores/last_not_after.ts";
import type { StoredCheck } from "../scores/check_file.ts";
import type { CheckEntry, StoreReader } from "../store_reader.ts";

/** Knowledge of a store about a view: the check, proof that there is none, or unknown in a partial recording. */
export type StoredSelection =
  | { readonly known: true; readonly stored: StoredCheck | null }
  | { readonly known: false };

const UNKNOWN: StoredSelection = { known: false };

/**
 * Selects the latest check at or before an instant, if the store proves it, with its recorded status.
 *
 * A check that the store has only as `stale`, from a latest request, counts as unknown: staleness belongs to the time of
 * that request (section 3).
 */
export async function selectCheckAt(
  store: StoreReader,
  factor: Factor,
  at: Instant,
): Promise<StoredSelection> {
  const found = await proveCheckAt(store, factor, at);
  return found.known && found.stored?.check.status === "stale" ? UNKNOWN : found;
}

/**
 * Selects the latest check at or before an instant, if the store proves it; its status may be `stale`, from a latest request.
 *
 * In the span that a store declares complete, its own checks decide. Elsewhere one of three is required: a recorded view of the
 * instant, a check of exactly that time, or a later recorded view of a check before the instant. Between a check and an instant
 * for which the service returned it there is no other check.
 */
export async function proveCheckAt(
  store: StoreReader,
  factor: Factor,
  at: Instant,
): Promise<StoredSelection> {
  const entries = await store.listChecks(factor);
  const index = lastCheckNotAfter(entries, at);
  const { complete } = store.info;
  const isComplete = complete !== null && at >= complete.from && at <= complete.through;
  const entry = entries[index];
  if (!isComplete) {
    if (entry === undefined) return UNKNOWN;
    if (!(await isProved(store, factor, { entry, at }))) return UNKNOWN;
  }
  const stored = await readCheckGroup(entries, index, (name) => store.readCheck(factor, name));
  return stored === null && !isComplete ? UNKNOWN : { known: true, stored };
}

/** Reads the check that published a set, as recorded; `null` if the store lacks it. */
export async function readPublication(
  store: StoreReader,
  factor: Factor,
  calculatedAt: Instant,
): Promise<StoredCheck | null> {
  const entries = await store.listChecks(factor);
  const index = lastCheckNotAfter(entries, calculatedAt);
  if (entries[index]?.lastCheckedAt !== calculatedAt) return null;
  const stored = await readCheckGroup(entries, index, (name) => store.readCheck(factor, name));
  return stored?.check.status === "stale" ? null : stored;
}

/** Index of the last check at or before an instant, or -1. */
export function lastCheckNotAfter(entries: readonly CheckEntry[], at: Instant): number {
  return lastNotAfter(entries, at, (entry) => entry.lastCheckedAt);
}

async function isProved(
  store: StoreReader,
  factor: Factor,
  question: { readonly entry: CheckEntry; readonly at: Instant },
): Promise<boolean> {
  const { entry, at } = question;
  if (entry.lastCheckedAt === at) return true;
  const views = await store.listViews(factor);
  const next = views.find((instant) => instant >= at);
  if (next === undefined) return false;
  const view = await store.readView(factor, next);
  return view !== null && view.check.startsWith(entry.name.split("--")[0]!);
}

/**
 * Reads the check of an entry's time, preferably as recorded. One time can have two files: the second is from a latest
 * request that saw the check stale.
 *
 * @param entries All checks of a factor by time
 * @param last Index of the last entry of that time; -1 gives `null`
 * @param read Reads a check by its file name
 */
export async function readCheckGroup(
  entries: readonly CheckEntry[],
  last: number,
  read: (name: string) => Promise<StoredCheck | null>,
): Promise<StoredCheck | null> {
  const time = entries[last]?.lastCheckedAt;
  if (time === undefined) return null;
  let found: StoredCheck | null = null;
  for (let i = last; entries[i]?.lastCheckedAt === time; i--) {
    const stored = await read(entries[i]!.name);
    if (stored !== null && stored.check.status !== "stale") return stored;
    found = stored ?? found;
  }
  return found;
}

/** A span for which a store proves the latest check. */
export interface ProvedSpan {
  /** Time of the check. */
  readonly from: Instant;
  /** Last instant for which the service returned it; the check's own time if there is no later one. */
  readonly through: Instant;
}

/**
 * Finds the span of the last check in a recording of a factor; `null` if there is none.
 *
 * @param until Ignores checks and views after this instant; `null` for none
 */
export async function findProvedSpan(
  store: StoreReader,
  factor: Factor,
  until: Instant | null,
): Promise<ProvedSpan | null> {
  const entries = await store.listChecks(factor);
  const last = until === null ? entries.at(-1) : entries[lastCheckNotAfter(entries, until)];
  if (last === undefined) return null;
  const views = await store.listViews(factor);
  const view = until === null ? views.at(-1) : views[lastNotAfter(views, until, (at) => at)];
  const from = last.lastCheckedAt;
  return { from, through: view !== undefined && view > from ? view : from };
}
