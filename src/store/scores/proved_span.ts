import type { Factor } from "../../contract/factor.ts";
import type { Instant } from "../../contract/instant.ts";
import { lastNotAfter } from "../../contract/scores/last_not_after.ts";
import { lastCheckNotAfter } from "./select_check.ts";
import type { Store } from "../store.ts";

/** A span in which a store proves which check is the latest one. */
export interface ProvedSpan {
  /** Time of the check. */
  readonly from: Instant;
  /** Last instant for which the service gave it; the check's own time if it gave it for no later one. */
  readonly through: Instant;
}

/**
 * The span of the last check that a recording of a factor has, or `null` if it has none.
 *
 * @param until Checks and views after this instant are left out; `null` for all
 */
export async function findProvedSpan(
  store: Store,
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
