import type { Factor } from "../../contract/factor.ts";
import type { Instant } from "../../contract/instant.ts";
import { lastCheckNotAfter, selectCheckAt } from "../../store/scores/select_check.ts";
import type { StoredCheck } from "../../store/scores/check_file.ts";
import type { Store } from "../../store/store.ts";

/** What a store proves about the set in force at an instant. */
export type SetInForce =
  | { readonly kind: "found"; readonly stored: StoredCheck }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

/**
 * The set in force at an instant, as far as the store proves it; any check of the set stands for it.
 *
 * A set serves from its publication until the next one: the next check after the instant, if its set was published no
 * later than that, proves that the set was in force.
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
  const stored = await checkAfter(store, factor, at);
  return stored === null ? { kind: "unknown" } : { kind: "found", stored };
}

async function checkAfter(store: Store, factor: Factor, at: Instant): Promise<StoredCheck | null> {
  const entries = await store.listChecks(factor);
  const next = entries[lastCheckNotAfter(entries, at) + 1];
  const stored = next === undefined ? null : await store.readCheck(factor, next.name);
  return stored !== null && stored.check.calculatedAt <= at ? stored : null;
}
