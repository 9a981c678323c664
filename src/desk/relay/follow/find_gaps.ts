import type { Factor } from "../../../base/contract/factor.ts";
import { epochMsOf, type Instant, instantOf } from "../../../base/contract/instant.ts";
import { proveCheckAt } from "../../../base/store/checks/select_check.ts";
import type { Store } from "../../../base/store/store.ts";

const HOUR_MS = 3_600_000;

/**
 * Finds the hours since the first check of a store that lack a check; returns the end of each, at which a request by `at`
 * returns the check.
 *
 * An hour without a check at the service is no gap once an answer proves it.
 *
 * @param nowMs End of the last hour, epoch milliseconds
 */
export async function findGaps(
  store: Store,
  factor: Factor,
  nowMs: number,
): Promise<readonly Instant[]> {
  const entries = await store.listChecks(factor);
  const [first] = entries;
  if (first === undefined) return [];
  const known = new Set(entries.map(({ lastCheckedAt }) => hourOf(lastCheckedAt)));
  const gaps: Instant[] = [];
  const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  for (let ms = hourOf(first.lastCheckedAt); ms < endMs; ms += HOUR_MS) {
    if (known.has(ms)) continue;
    const at = instantOf(ms + HOUR_MS - 1);
    if (!(await proveCheckAt(store, factor, at)).known) gaps.push(at);
  }
  return gaps;
}

function hourOf(at: Instant): number {
  return Math.floor(epochMsOf(at) / HOUR_MS) * HOUR_MS;
}
