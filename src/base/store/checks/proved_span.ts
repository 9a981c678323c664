import type { Factor } from "../../contract/factor.ts";
import type { Instant } from "../../contract/instant.ts";
import { lastNotAfter } from "../../contract/scores/last_not_after.ts";
import { lastCheckNotAfter } from "./select_check.ts";
import type { StoreReader } from "../store_reader.ts";

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
