import type { Check } from "../../base/contract/scores/check.ts";
import type { View } from "../../base/contract/http/query.ts";
import type { Factor } from "../../base/contract/factor.ts";
import type { Instant } from "../../base/contract/instant.ts";
import type { ScoreSet } from "../../base/contract/scores/score_set.ts";
import { IntegrityError } from "../../base/errors.ts";
import { type Receipt, sourceOf } from "../../frames/frame/provenance/origin.ts";
import type { StoredCheck } from "../../base/store/scores/check_file.ts";
import {
  lastCheckNotAfter,
  readPublication,
  selectCheckAt,
} from "../../base/store/checks/select_check.ts";
import type { Store } from "../../base/store/store.ts";

/** A complete score set and its receipt. */
export interface ReceivedScores {
  /** The set with the selected check. */
  readonly set: ScoreSet;
  /** Arrival on this machine. */
  readonly receipt: Receipt;
}

/** Answer of a store about a view: scores, proof that there are none, or unknown. */
export type StoredScores =
  | { readonly kind: "found"; readonly scores: ReceivedScores }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

const UNKNOWN: StoredScores = { kind: "unknown" };

/**
 * Looks up a view in a store, without the network. A store never knows the latest view.
 *
 * @throws {IntegrityError} If the store has a check but not its set, or the two differ
 */
export async function findStoredScores(
  store: Store,
  factor: Factor,
  view: View,
): Promise<StoredScores> {
  if (view.kind === "latest") return UNKNOWN;
  if (view.kind === "snapshot") return await findSnapshot(store, factor, view.snapshotId);
  const selection = await selectCheckAt(store, factor, view.at);
  if (!selection.known) return UNKNOWN;
  if (selection.stored === null) return { kind: "none" };
  const scores = await readScores(store, selection.stored);
  return scores === null ? UNKNOWN : { kind: "found", scores };
}

/** Set of a stored check, as received; `null` if the store lacks the set. */
export async function readScores(
  store: Store,
  stored: StoredCheck,
): Promise<ReceivedScores | null> {
  const { check, retrievedAt } = stored;
  const set = await store.readSet(check.factor, check.snapshotId);
  if (set === null) return null;
  if (set.calculatedAt !== check.calculatedAt || set.factorVersion !== check.factorVersion) {
    throw new IntegrityError(
      `Cannot use the stored ${check.factor} check of ${check.lastCheckedAt}: expected its set ` +
        `${check.snapshotId} to be ${check.factorVersion} of ${check.calculatedAt}, got ` +
        `${set.factorVersion} of ${set.calculatedAt}; remove the wrong one from ${store.path}, ` +
        "and it will be loaded again when needed",
    );
  }
  const receipt = { source: sourceOf("store", isSynthetic(check)), retrievedAt };
  return { set: { check, rows: set.rows }, receipt };
}

/** True if the service declared the numbers of a check as synthetic. */
export function isSynthetic(check: Pick<Check, "extra">): boolean {
  return check.extra.synthetic === true;
}

/**
 * Instant whose view returns the numbers of a set from a store that lacks the set's publication; `null` if there is none.
 *
 * The set is not returned by its id: a later check does not have the status, cutoff and coverage of the publication (section
 * 4.3), and the same request would have another answer once they are known.
 */
export async function findOtherView(
  store: Store,
  factor: Factor,
  snapshotId: string,
): Promise<Instant | null> {
  const set = await store.readSet(factor, snapshotId);
  if (set === null) return null;
  const checks = await store.listChecks(factor);
  const later = checks.find(({ lastCheckedAt }) => lastCheckedAt > set.calculatedAt);
  if (later === undefined) return null;
  const at = later.lastCheckedAt;
  const stored = await findStoredScores(store, factor, { kind: "at", at });
  const isSame = stored.kind === "found" && stored.scores.set.check.snapshotId === snapshotId;
  return isSame ? at : null;
}

async function findSnapshot(
  store: Store,
  factor: Factor,
  snapshotId: string,
): Promise<StoredScores> {
  const set = await store.readSet(factor, snapshotId);
  if (set === null) return UNKNOWN;
  const stored = await readPublication(store, factor, set.calculatedAt);
  if (stored === null || stored.check.snapshotId !== snapshotId) return UNKNOWN;
  const scores = await readScores(store, stored);
  return scores === null ? UNKNOWN : { kind: "found", scores };
}

/** Answer of a store about the set in force at an instant. */
export type SetInForce =
  | { readonly kind: "found"; readonly stored: StoredCheck }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

/**
 * Finds the set in force at an instant, if the store proves it; any check of the set represents it.
 *
 * A set is in force from its publication until the next one: if the set of the next check after the instant was published no
 * later than the instant, it was in force.
 */
export async function findSetInForce(
  store: Store,
  factor: Factor,
  at: Instant,
): Promise<SetInForce> {
  const selection = await selectCheckAt(store, factor, at);
  if (selection.known) {
    const { stored } = selection;
    return stored === null ? { kind: "none" } : { kind: "found", stored };
  }
  const entries = await store.listChecks(factor);
  const next = entries[lastCheckNotAfter(entries, at) + 1];
  const stored = next === undefined ? null : await store.readCheck(factor, next.name);
  const isInForce = stored !== null && stored.check.calculatedAt <= at;
  return isInForce ? { kind: "found", stored } : { kind: "unknown" };
}
